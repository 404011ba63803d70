"""Records as the changes that hold have them: read afresh, and written in the transaction of whatever changed them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trailmark.datatypes import Record
from trailmark.shape.shaper import Shaper, act_from_json
from trailmark.store.record_table import ShownColumns
from trailmark.store.shaping_table import ShapingTable, shown_columns
from trailmark.workspace import Workspace

SHAPED = ("record_acts", "records")
"""Tables on which it depends how records are shown."""


def shaper_of(workspace: Workspace) -> Shaper:
    """The changes of a workspace that hold, ready to be made."""
    return Shaper(act_from_json(stored.act) for stored in ShapingTable(workspace.database).acts() if not stored.undone)


def shown_now(workspace: Workspace) -> Callable[[Sequence[Record]], list[ShownColumns]] | None:
    """What is shown of the records of a page, by the changes that hold in this transaction; None where there are none."""
    shaper = shaper_of(workspace)
    if not shaper.acts:
        return None
    return lambda records: [shown_columns((row.lifted, row.shown, row.edited)) for row in shaper(records)]


def reshape(workspace: Workspace) -> int:
    """All records shown as the changes have it -> how many are shown otherwise than they were lifted.

    One transaction, from reading the changes to showing the records: of two who change something at once, neither is lost.
    """
    table = ShapingTable(workspace.database)
    with workspace.database.transaction():
        shaper = shaper_of(workspace)
        rows = [
            (number, (shaped.lifted, shaped.shown, shaped.edited))
            for page in table.lifted_pages()
            for (number, _), shaped in zip(page, shaper([record for _, record in page]), strict=True)
        ]
        table.show(rows)
    return sum(lifted.fields != shown.fields for _, (lifted, shown, _) in rows)
