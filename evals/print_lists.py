"""The tables of `trailmark evaluate lists`."""

from __future__ import annotations

from typing import Any

from evals.record_lists import evaluate_lists
from trailmark.cli.printing import Printer


def print_lists(printer: Printer, *, quick: bool) -> dict[str, Any]:
    """Records and fields by kind of list and by template, from one and two marked entries of the generated web."""
    report = evaluate_lists(sites=5 if quick else 24, progress=printer.progress)
    rows = [_cells(each, ("precision", "recall", "f1")) for each in report["totals"]]
    names = [
        "marked",
        "lists",
        "found",
        *(f"{what} {score}" for what in ("record", "field") for score in ("P", "R", "F1")),
    ]
    printer.table("All lists", names, rows)
    for title, name, key in (("By kind", "kinds", "kind"), ("By template", "templates", "template")):
        rows = [(each[key], *_cells(each, ("f1",))) for each in report[name]]
        printer.table(title, [key, "marked", "lists", "found", "record F1", "field F1"], rows)
    return report


def _cells(row: dict[str, Any], scores: tuple[str, ...]) -> tuple[Any, ...]:
    figures = [row[name][score] for name in ("record", "field") for score in scores]
    return (row["marked"], row["lists"], row["seen_as_lists"], *figures)
