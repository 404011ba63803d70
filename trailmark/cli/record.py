"""How `trailmark show URL --record` prints the records of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trailmark.cli.printing import Printer

if TYPE_CHECKING:
    from trailmark.verbs.show_record import RecordReport

SHOWN = 30
"""Records of one page that are shown; --json gives all."""


def print_records(printer: Printer, report: RecordReport) -> None:
    """The records of a page for a person: values first, then by which rule."""
    printer.say(report.url, style="bold")
    for number, record in enumerate(report.records[:SHOWN], start=1):
        rows = [(value.field, value.value, value.around) for value in record.values]
        title = f"{record.kind} {number} of {len(report.records)}, made by {record.made_by}"
        printer.table(title, ["field", "value", "as it stands on the page"], rows)
        for value in record.values if number == 1 else ():
            printer.say(f"{value.field} stands at {value.xpath or 'a place that was not noted'}")
    rules = {(value.field, value.rule) for record in report.records for value in record.values if value.rule}
    for field, sentence in sorted(rules):
        printer.say(f"{field}, its first rule: {sentence}")
    if len(report.records) > SHOWN:
        printer.say(f"{len(report.records) - SHOWN} more are not shown; --json gives all.")
    if not report.page_at_hand:
        printer.say("The page itself is not at hand: name its archive with --replay to see the text around.")
