"""Records as the changes that hold have them: read afresh, and written in the transaction of whatever changed them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from trailmark.datatypes import Record
from trailmark.shape.shaper import ShapedRecord, Shaper, act_from_json
from trailmark.shape.time_limit import PatternChild, shaped_in_time
from trailmark.store.record_table import ShownColumns
from trailmark.store.shaping_table import ShapingTable, shown_columns
from trailmark.workspace import Workspace

SHAPED = ("record_acts", "records")
"""Tables on which it depends how records are shown."""


def shaper_of(workspace: Workspace) -> Shaper:
    """The changes of a workspace that hold, ready to be made."""
    return Shaper(act_from_json(stored.act) for stored in ShapingTable(workspace.database).acts() if not stored.undone)


@contextmanager
def shown_now(workspace: Workspace) -> Iterator[Callable[[Sequence[Record]], list[ShownColumns]] | None]:
    """What is shown of the records of a page, by the changes that hold in this transaction; None where there are none."""
    shaper = shaper_of(workspace)
    with PatternChild() as child:
        yield (lambda records: _columns(shaped_in_time(shaper, [records], child)[0])) if shaper.acts else None


def _columns(rows: Sequence[ShapedRecord]) -> list[ShownColumns]:
    return [shown_columns((row.lifted, row.shown, row.edited)) for row in rows]


def reshape(workspace: Workspace) -> int:
    """All records shown as the changes have it -> how many are shown otherwise than they were lifted.

    One transaction, from reading the changes to showing the records: of two who change something at once, neither is lost.
    """
    table = ShapingTable(workspace.database)
    with workspace.database.transaction(), PatternChild() as child:
        shaper, pages = shaper_of(workspace), list(table.lifted_pages())
        shaped = shaped_in_time(shaper, [[record for _, record in page] for page in pages], child)
        rows = [
            (number, (row.lifted, row.shown, row.edited))
            for page, after in zip(pages, shaped, strict=True)
            for (number, _), row in zip(page, after, strict=True)
        ]
        table.show(rows)
    return sum(lifted.fields != shown.fields for _, (lifted, shown, _) in rows)
