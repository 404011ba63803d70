"""Records -> organised.db has their things, with what they cite in groups, linked and ranked: a few new ones beside the others, or all anew."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from trailmark.errors import InputError
from trailmark.organise.group_acts import GroupAct
from trailmark.organise.thing import Thing
from trailmark.organise.thing_acts import ThingAct, one_of_each
from trailmark.store.body_table import body_digests, digests_of_bodies, read_bodies
from trailmark.store.content_digest import content_digest
from trailmark.store.full_text import refresh_index
from trailmark.store.item_sources import HiddenItem, set_hidden
from trailmark.store.organised import (
    FILE,
    Connection,
    Organised,
    StoredItem,
    put_citations,
    put_items,
    remove_items,
    set_fact,
)
from trailmark.store.organised_marks import HIDDEN, THING, MarkRows, clear_marks, put_marks, put_seen
from trailmark.verbs.organise_citations import citations_of, group_acts, thing_keys
from trailmark.verbs.organise_late import Latecomers
from trailmark.verbs.organise_news import NOTHING, News, late_news, whole_news
from trailmark.verbs.organise_ranks import rank_anew, rank_beside
from trailmark.verbs.thing_acts import FACT, acts_text, note_things, thing_acts
from trailmark.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of the things."""

    new: int = 0
    changed: int = 0
    gone: int = 0
    citations: str = "nothing"
    """`anew`, `added`, `settled` or `nothing`."""


def take_in(workspace: Workspace, organised: Organised, *, whole: bool) -> Taken | None:
    """What is new in the workspace -> it is in the file; None where somebody else changed the file meanwhile."""
    if not whole:
        with organised.transaction():
            news = late_news(workspace, organised)
            taken = _beside(workspace, organised, news) if news is not None else None
        if taken is not None:
            return taken
    return _anew(workspace, organised)


def _beside(workspace: Workspace, organised: Organised, news: News) -> Taken | None:
    """New things beside those that are there, and what people said since of groups; None where a new one is a double, or something was said of things."""
    connection, acts, curation = organised.connection, group_acts(workspace), thing_acts(workspace)
    if organised.fact(FACT) != acts_text(curation):
        return None
    known = "SELECT 1 FROM items WHERE key = ?"
    fresh = [thing for thing in news.things if connection.execute(known, (thing.key,)).fetchone() is None]
    late = Latecomers(workspace.database.connection, connection)
    before, named = organised.fact("group acts"), _names(acts)
    said = [*_named(before), *named] if before != _text(acts) else None
    if not fresh and not news.records and said is None:
        return Taken()
    if fresh and (_named_in(curation, fresh) or late.have_doubles(fresh)):
        return None
    _put(workspace, connection, fresh)
    groups = late.take_in(fresh)
    settled = late.settle(acts, named if said is None else said)
    if said is not None:
        settled |= late.groups_named(said)
    late.link(groups, fresh, acts)
    late.link_anew(settled, acts)
    _note(connection, news)
    rank_beside(organised, [thing.key for thing in fresh], relinked=late.relinked)
    finish(organised, acts)
    how = "added" if any(thing.references for thing in fresh) else "settled" if said is not None else "nothing"
    return Taken(new=len(fresh), citations=how)


def settle_groups(workspace: Workspace) -> None:
    """Groups brought to what people say of them now, and nothing else; where nothing was organised yet there is nothing to do."""
    if not (workspace.folder / FILE).is_file():
        return
    with Organised.open(workspace.folder, timeout=workspace.settings.store.busy_timeout) as organised:
        acts = group_acts(workspace)
        with organised.transaction() as connection:
            before = organised.fact("group acts")
            if before is None or before == _text(acts):
                return
            late = Latecomers(workspace.database.connection, connection)
            named = [*_named(before), *_names(acts)]
            late.link_anew(late.settle(acts, named) | late.groups_named(named), acts)
            rank_beside(organised, (), relinked=late.relinked)
            finish(organised, acts)


def _anew(workspace: Workspace, organised: Organised) -> Taken | None:
    """All things, each compared with what was stored of it."""
    edition, acts, curation = organised.fact("edition"), group_acts(workspace), thing_acts(workspace)
    news = whole_news(workspace)
    before = organised.digests()
    if not news.things and not before:
        raise InputError(NOTHING)
    curated = one_of_each(news.things, curation)
    things = curated.shown
    cited = citations_of(things, acts)
    bodies = _bodies(workspace)
    digests = {thing.key: _digest(thing, bodies) for thing in things}
    changed = [thing for thing in things if before.get(thing.key) != digests[thing.key]]
    gone = sorted(set(before) - set(digests))
    new = sum(thing.key not in before for thing in changed)
    with organised.transaction() as connection:
        if organised.fact("edition") != edition:
            return None
        clear_marks(connection)
        connection.execute("DELETE FROM citations")
        remove_items(connection, gone)
        put_items(connection, _stored(workspace, changed, bodies))
        put_citations(connection, cited.citations)
        put_marks(connection, cited.marks)
        _mark(connection, things)
        _put_hidden(connection, curated.hidden)
        _note(connection, news)
        note_things(workspace, connection, curation)
        rank_anew(connection)
        finish(organised, acts)
    return Taken(new, len(changed) - new, len(gone), "anew")


def _put(workspace: Workspace, connection: Connection, things: Sequence[Thing]) -> None:
    bodies = digests_of_bodies(
        workspace.database.connection, (source.url for thing in things for source in thing.sources)
    )
    put_items(connection, _stored(workspace, things, bodies))
    _mark(connection, things)


def _mark(connection: Connection, things: Iterable[Thing]) -> None:
    """The keys of things, by the numbers they have in the file."""
    marks = MarkRows(THING)
    for thing in things:
        (number,) = connection.execute("SELECT id FROM items WHERE key = ?", (thing.key,)).fetchone()
        marks.add(number, thing_keys(thing.kind, thing.title, thing.authors, thing.year))
    put_marks(connection, marks)


def _put_hidden(connection: Connection, things: Sequence[Thing]) -> None:
    """What people hid: nobody sees it, but its like is known when it comes again."""
    rows = [
        (
            HiddenItem(
                thing.key, thing.kind, thing.title, "; ".join(thing.authors), thing.year, thing.url, thing.fields
            ),
            thing.sources,
        )
        for thing in things
    ]
    numbers, marks = set_hidden(connection, rows), MarkRows(HIDDEN)
    for thing in things:
        marks.add(numbers[thing.key], thing_keys(thing.kind, thing.title, thing.authors, thing.year))
    put_marks(connection, marks)


def _named_in(acts: Sequence[ThingAct], things: Sequence[Thing]) -> bool:
    """Whether something was said of one of them when it was here before."""
    names = [name for act in acts for name in act.names]
    known = {name.key for name in names} | {f"{name.kind} {name.url}" for name in names}
    return any(thing.key in known or f"{thing.kind} {thing.url}" in known for thing in things)


def _note(connection: Connection, news: News) -> None:
    """Which records are in from now on."""
    put_seen(connection, news.seen)
    set_fact(connection, "shown", news.shown)


def finish(organised: Organised, acts: Sequence[GroupAct]) -> None:
    """The index, and what was said of groups, within a transaction that changed things."""
    connection = organised.connection
    set_fact(connection, "group acts", _text(acts))
    set_fact(connection, "edition", str(int(organised.fact("edition") or 0) + 1))
    refresh_index(connection)


def _text(acts: Sequence[GroupAct]) -> str:
    return json.dumps([[act.kind, *act.references] for act in acts])


def _named(text: str | None) -> list[str]:
    """The references that acts as they were kept name."""
    return [name for _, *names in json.loads(text or "[]") for name in names]


def _names(acts: Iterable[GroupAct]) -> list[str]:
    return [name for act in acts for name in act.references]


def _bodies(workspace: Workspace) -> dict[str, str]:
    """Address of a document -> the digest of its running text."""
    with workspace.database.snapshot() as connection:
        return {url: digest for digest, url in body_digests(connection).items()}


def _digest(thing: Thing, bodies: Mapping[str, str]) -> str:
    """The same where nothing of a thing changed."""
    fields = {name: list(values) for name, values in thing.fields.items()}
    told = (thing.kind, thing.title, list(thing.authors), thing.year, thing.url, fields, thing.text)
    sources = [*map(list, thing.sources), *(bodies.get(source.url, "") for source in thing.sources)]
    return content_digest(*told, sources, [number for number, _ in thing.references])


def _stored(workspace: Workspace, things: Iterable[Thing], bodies: Mapping[str, str]) -> Iterator[StoredItem]:
    """Things -> their rows, each with the running text of the first of its documents that has one."""
    for thing in things:
        with_body = [source.url for source in thing.sources if source.url in bodies][:1]
        packed = next((body for _, body in read_bodies(workspace.database.connection, with_body)), None)
        authors = "; ".join(thing.authors)
        yield StoredItem(
            thing.key, thing.kind, thing.title, authors, thing.year, thing.url, thing.site, thing.fields, thing.text,
            _digest(thing, bodies), thing.sources, packed,
        )  # fmt: skip
