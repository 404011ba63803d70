"""`curate`: a thing hidden, several made one, one taken out of those it was made one with.

What is said is an act of the journal, names things by key and address, holds whenever records are lifted, tagged or organised anew, and can be undone.
What is hidden is gone at once; the rest holds when things are organised, which follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from trailmark.errors import InputError
from trailmark.organise.thing_acts import KnownThings
from trailmark.report import Report
from trailmark.store.item_shelf import read_shelf
from trailmark.store.organised import Organised
from trailmark.store.thing_act_table import THING_ACTS, keep_thing_act, touch_things
from trailmark.thing_datatypes import How, ThingName
from trailmark.verbs.organise_hidden import hide_at_once
from trailmark.verbs.thing_acts import stored_things
from trailmark.workspace import Workspace

LONGEST_NAME, LONGEST_WHY = 100, 300
MOST_TOGETHER = 100
"""Things that one act makes one."""


@dataclass(frozen=True, slots=True)
class CurateReport(Report):
    """What was said of things."""

    what: str
    """One sentence."""
    act: int
    """The number by which it can be undone."""
    holds: bool
    """Whether it holds already; else when things are organised."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A thing of an item, by itself."""

    name: ThingName
    url: str
    title: str


@dataclass(frozen=True, slots=True)
class _Item:
    key: str
    title: str
    topic: str
    members: tuple[_Member, ...]


def hide(workspace: Workspace, item: str, why: str = "") -> CurateReport:
    """The key or permanent address of an item -> nobody sees it any more."""
    return hide_all(workspace, [item], why)[0]


def hide_all(workspace: Workspace, items: Sequence[str], why: str = "") -> list[CurateReport]:
    """Items -> nobody sees them any more; each is an act of its own, and none is kept where one is not there."""
    found = list({each.key: each for each in (_item(workspace, item) for item in items)}.values())
    acts = [
        _keep(workspace, "hide", [each], [member.name for member in each.members], f"Hid “{_short(each.title)}”", why)
        for each in found
    ]
    holds = hide_at_once(workspace)
    return [replace(act, holds=holds) for act in acts]


def merge(workspace: Workspace, into: str, others: Sequence[str], why: str = "") -> CurateReport:
    """An item, and others that are the same -> one item, shown as the first."""
    items = list({found.key: found for found in (_item(workspace, name) for name in (into, *others))}.values())
    if len(items) < 2:
        raise InputError("Name two items or more that are one.")
    if len(items) > MOST_TOGETHER:
        raise InputError(f"At most {MOST_TOGETHER} items are made one at a time.")
    first = sorted(items[0].members, key=lambda member: member.name.key != items[0].key)
    names = [member.name for member in (*first, *(member for item in items[1:] for member in item.members))]
    rest = f"“{_short(items[1].title)}”" if len(items) == 2 else f"{len(items) - 1} others"
    return _keep(workspace, "together", items, names, f"Made “{_short(items[0].title)}” one with {rest}", why)


def split(workspace: Workspace, item: str, source: str, why: str = "") -> CurateReport:
    """An item that was made of several, and the address or key of one of them -> that one is an item of its own."""
    found = _item(workspace, item)
    leaving = [member for member in found.members if source in (member.url, member.name.key)]
    staying = [member for member in found.members if member not in leaving]
    if not leaving:
        raise InputError(f"“{_short(found.title)}” was not found at {source}; its sources stand on its page.")
    if not staying:
        raise InputError(f"“{_short(found.title)}” was found nowhere else: there is nothing to take it out of.")
    names = [leaving[0].name, *(member.name for member in staying)]
    what = f"Took “{_short(leaving[0].title)}” at {leaving[0].url} out of “{_short(found.title)}”"
    return _keep(workspace, "apart", [found], names, what, why)


def _keep(
    workspace: Workspace, how: How, items: Sequence[_Item], names: Sequence[ThingName], what: str, why: str
) -> CurateReport:
    why = " ".join(why.split())[:LONGEST_WHY]
    act = workspace.acts.act("curate", f"{what}{f' ({why})' if why else ''}", THING_ACTS)
    with act.part():
        keep_thing_act(workspace.database, act.id, how, names, items[0].title[:LONGEST_NAME], why)
        touch_things(workspace.database, [(member.name, item.topic) for item in items for member in item.members])
    return CurateReport(f"{what}.", act.id, holds=False)


def _item(workspace: Workspace, name: str) -> _Item:
    organised = Organised.open_to_read(workspace.folder, timeout=workspace.settings.store.busy_timeout)
    if organised is None:
        raise InputError("Nothing was organised yet; organise the records first: trailmark organise")
    with organised:
        execute = organised.connection.execute
        key = _key(organised, name.strip())
        row = execute("SELECT title, coalesce(topic, '') FROM items WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise InputError(
                f"There is no item “{name[:60]}”: name it by its key (trailmark search --json) or by its permanent address in the portal."
            )
        known = stored_things(organised.connection)
        rows = execute("SELECT DISTINCT thing, kind, url, title FROM sources WHERE key = ? ORDER BY record", (key,))
        return _Item(str(key), row[0], row[1], tuple(_member(known, *each) for each in rows))


def _member(known: KnownThings, thing: str, kind: str, url: str, title: str) -> _Member:
    return _Member(known.name(thing, kind, url), url, title)


def _key(organised: Organised, name: str) -> str | None:
    """A key, or a permanent address with or without what stands before it -> the key of the item."""
    if organised.connection.execute("SELECT 1 FROM items WHERE key = ?", (name,)).fetchone() is not None:
        return name
    address = name.rstrip("/").rpartition("/")[2].removesuffix(".html")
    shelf = read_shelf(organised.connection)
    places = shelf.find(address) if len(address) >= 12 else ()
    return shelf.keys[places[0]] if len(places) == 1 else None


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 1]}…"
