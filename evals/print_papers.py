"""Tables of whole papers: what was right of each, and the test of what is one."""

from __future__ import annotations

from typing import Any

from trailmark.cli.printing import Printer


def print_papers(printer: Printer, report: dict[str, Any]) -> None:
    """The papers of which something is not right, the counts, and the test of what is a paper."""
    wrong = [row for row in report["rows"] if not (row["title_right"] and row["authors_right"])]
    rows = [
        (row["file"][:40], _mark(row["title_right"]), _mark(row["authors_right"]), row["note"][:60]) for row in wrong
    ]
    printer.table("Papers with something wrong", ["file", "title", "authors", "why, where it is known"], rows)
    printer.say(
        f"Of {report['papers']} papers {report['readable']} can be read: {report['titles_right']} titles, {report['authors_right']} lists of authors, "
        f"and both of {report['both_right']} are right."
    )
    printer.say(
        f"References counted by hand in {report['counted']} papers: the number is right in {report['counts_right']}, "
        f"within one or a twentieth in {report['counts_close']}."
    )
    columns = ("documents", "called_papers", "right")
    kinds = [(name, *(each[column] for column in columns)) for name, each in report["paper_test"]["kinds"].items()]
    printer.table("Is it a paper?", ["documents", "how many", "called papers", "right"], kinds)
    test = report["paper_test"]
    printer.say(f"Precision {test['precision']:.3f}, recall {test['recall']:.3f} of the test of what is a paper.")


def _mark(right: bool) -> str:
    return "right" if right else "wrong"
