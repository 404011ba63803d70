"""What people hid is gone at once: from the lists, the search and the citations of organised.db. All else that they say of things waits for `organise`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from trailmark.store.item_sources import HiddenItem, hide_item
from trailmark.store.organised import FILE, Connection, Organised, remove_items
from trailmark.store.organised_marks import HIDDEN, MarkRows, put_marks
from trailmark.thing_datatypes import ThingSource
from trailmark.verbs.organise_citations import group_acts, thing_keys
from trailmark.verbs.organise_late import Latecomers
from trailmark.verbs.organise_ranks import rank_anew
from trailmark.verbs.organise_things import finish
from trailmark.verbs.thing_acts import FACT, acts_from, item_keys, note_things, stored_things, thing_acts
from trailmark.workspace import Workspace


def hide_at_once(workspace: Workspace) -> bool:
    """What was hidden since -> gone from the file; whether all that was said of things holds there now."""
    if not (workspace.folder / FILE).is_file():
        return True
    with Organised.open(workspace.folder, timeout=workspace.settings.store.busy_timeout) as organised:
        acts = thing_acts(workspace)
        with organised.transaction() as connection:
            before = organised.fact(FACT)
            if before is None:
                return False
            held = acts_from(before)
            if held == acts:
                return True
            new = [act for act in acts if act.how == "hide" and act not in held]
            known, items = stored_things(connection), item_keys(connection)
            keys = dict.fromkeys(items[key] for act in new for key in known.keys(act))
            shown = [key for key in keys if _is_shown(connection, key)]
            whole = [act for act in acts if act not in new] == held
            if whole:
                note_things(workspace, connection, acts)
            if shown:
                _take_away(workspace, organised, shown)
            return whole


def _take_away(workspace: Workspace, organised: Organised, keys: Sequence[str]) -> None:
    """Items -> hidden; groups of references that meant them mean nothing here, or their like."""
    connection, acts = organised.connection, group_acts(workspace)
    marks, groups = MarkRows(HIDDEN), set()
    for key in keys:
        item = _item(connection, key)
        sources = [
            ThingSource(*row)
            for row in connection.execute(
                "SELECT record, url, thing, kind, title, found FROM sources WHERE key = ? ORDER BY record", (key,)
            )
        ]
        groups |= {
            group for (group,) in connection.execute("SELECT DISTINCT grp FROM citations WHERE cited = ?", (key,))
        }
        remove_items(connection, [key])
        number = hide_item(connection, item, sources)
        names = tuple(name for name in item.authors.split("; ") if name)
        marks.add(number, thing_keys(item.kind, item.title, names, item.year))
    put_marks(connection, marks)
    Latecomers(workspace.database.connection, connection).link_anew(groups, acts)
    rank_anew(connection)
    finish(organised, acts)


def _is_shown(connection: Connection, key: str) -> bool:
    return connection.execute("SELECT 1 FROM items WHERE key = ?", (key,)).fetchone() is not None


def _item(connection: Connection, key: str) -> HiddenItem:
    key, kind, title, authors, year, url, fields = connection.execute(
        "SELECT key, kind, title, authors, year, url, fields FROM items WHERE key = ?", (key,)
    ).fetchone()
    return HiddenItem(key, kind, title, authors, year, url, json.loads(fields))
