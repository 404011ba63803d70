"""How `trailmark show URL --record` prints the records of a page."""

from __future__ import annotations

from typing import Any

from trailmark.cli.printing import Printer

SHOWN = 30
"""Records of one page that are shown; --json gives all."""


def print_records(printer: Printer, report: dict[str, Any]) -> None:
    """The report of `trace_records` for a person: values first, then by which rule."""
    printer.say(report["url"], style="bold")
    for number, record in enumerate(report["records"][:SHOWN], start=1):
        rows = [(each["field"], each["value"], each["around"]) for each in record["values"]]
        title = f"{record['kind']} {number} of {len(report['records'])}, made by {record['made_by']}"
        printer.table(title, ["field", "value", "as it stands on the page"], rows)
        for each in record["values"] if number == 1 else ():
            printer.say(f"{each['field']} stands at {each['xpath'] or 'a place that was not noted'}")
    said = {(each["field"], each["rule"]) for record in report["records"] for each in record["values"] if each["rule"]}
    for field, sentence in sorted(said):
        printer.say(f"{field}, its first rule: {sentence}")
    if len(report["records"]) > SHOWN:
        printer.say(f"{len(report['records']) - SHOWN} more are not shown; --json gives all.")
    if not report["page_at_hand"]:
        printer.say("The page itself is not at hand: name its archive with --replay to see the text around.")
