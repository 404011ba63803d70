"""The report of `evaluate forage` as tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
ANSWERS = {
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "unsure": "unsure",
    "f1_of_unasked": "F1 of pages not asked about",
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
    if "beside" in report:
        print_beside(printer, report["beside"])
    if "answers" in report:
        print_answers(printer, report["answers"])


def print_beside(printer: Printer, lines: Sequence[Mapping[str, Any]]) -> None:
    """What the trails of other goals do to a goal."""
    columns = [
        "web",
        "goal",
        "strategy",
        "area, goal alone",
        "area, all taught",
        "F1, goal alone",
        "F1, all taught",
        "fell",
    ]
    rows = []
    for line in lines:
        figures = [line[name] for name in ("area_of_pages_goal", "area_of_pages_all", "f1_goal", "f1_all")]
        fell = max(
            (before - after for before, after in (figures[:2], figures[2:]) if None not in (before, after)), default=0
        )
        rows.append((line["web"], line["goal"], line["strategy"], *_cells(figures), max(0.0, fell)))
    printer.table("Taught with the trails of all goals, beside the goal's alone", columns, rows)


def print_answers(printer: Printer, answers: Mapping[str, Any]) -> None:
    """Verdicts by number of answers, for each kind of web."""
    for name, strategies in answers["groups"].items():
        rows = [
            (strategy, int(count), *_cells(line[figure] for figure in ANSWERS))
            for strategy, lines in strategies.items()
            for count, line in lines.items()
        ]
        printer.table(f"{name}: verdicts after answers", ["strategy", "answers", *ANSWERS.values()], rows)


def print_curves(printer: Printer, curves: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    """Area and F1 of `path` by how much was taught, a line a kind of webs."""
    for way, points in curves.items():
        for figure, title in (("area_of_pages", "area"), ("f1", "F1 of verdicts")):
            names = list(dict.fromkeys(name for groups in points.values() for name in groups))
            rows = [(name, *_cells(groups.get(name, {}).get(figure) for groups in points.values())) for name in names]
            printer.table(f"{title} by number of {way} taught", ["webs", *points], rows)


def _cells(values: Iterable[Any]) -> list[Any]:
    return ["" if value is None else value for value in values]


def _rows(means: Mapping[str, Mapping[str, Any]], columns: Mapping[str, str]) -> list[tuple[Any, ...]]:
    return [(each, *_cells(mean[column] for column in columns)) for each, mean in means.items()]
