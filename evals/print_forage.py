"""The report of `evaluate forage` as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trailmark.cli.printing import Printer

AREAS = {
    "area_of_pages": "area",
    "worst_area_of_pages": "worst",
    "area": "area, missing pages counted",
    "reached_75%": "walks that found 75 %",
    "pages_to_75%_by_oracle": "pages to 75 % / oracle's",
    "site_share_to_75%": "share of the site to 75 %",
    "seconds_per_page": "seconds a page",
}
VERDICTS = {
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "average_precision": "average precision",
    "unsure": "unsure",
    "calibration_error": "calibration error",
}


def print_forage(printer: Printer, report: Mapping[str, Any]) -> None:
    """How soon goals were found and how right the verdicts are, for every case, group and kind; then Cora's table 1."""
    for name, means in (*report["cases"].items(), *report["groups"].items()):
        printer.table(name, ["strategy", *AREAS.values()], _rows(means, AREAS))
        judged = {each: mean for each, mean in means.items() if mean["calibration_error"] is not None}
        if judged:
            title = f"{name}: verdicts on the pages fetched"
            printer.table(title, ["strategy", *VERDICTS.values()], _rows(judged, VERDICTS))
    for name, table in report["single_goal"].items():
        rows = [
            (each, line["share"], line["found"], line["sites"], line["paper"] or "") for each, line in table.items()
        ]
        title = f"{name}: share of a site fetched before its only goal (Cora's table 1)"
        printer.table(title, ["strategy", "share", "found", "sites", "Cora's, other sites"], rows)


def _rows(means: Mapping[str, Mapping[str, Any]], columns: Mapping[str, str]) -> list[tuple[Any, ...]]:
    return [
        (each, *("" if mean[column] is None else mean[column] for column in columns)) for each, mean in means.items()
    ]
