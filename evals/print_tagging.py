"""Tables of tagged words, with what the paper and other programs reached beside ours."""

from __future__ import annotations

from typing import Any

from trailmark.cli.printing import Printer

ELSEWHERE = {
    "headers": (
        ("Cora: HMM, L*D, one state a class", "word error .079 on its own test headers"),
        ("Cora: HMM, L*D, M-merged", "word error .073"),
        ("ParsHed: CRF, 2-fold, all words", "word error .032 by token, .029 by line"),
        ("a CRF of forty lines (python-crfsuite)", "word error .027, scored .091, macro F1 .915"),
    ),
    "references": (
        ("Cora: HMM, L*D", "word error .066"),
        ("ParsCit: CRF, 10-fold on 500 references", "micro F1 .95"),
        ("Peng & McCallum 2004: CRF", "macro F1 .91"),
        ("a CRF of forty lines (python-crfsuite)", "word error .057"),
    ),
}
"""Task -> what was reached elsewhere; each on data of its own, unless it says otherwise."""
COLUMNS = {
    "word_error": "word error",
    "word_error_scored": "scored",
    "micro_f1": "micro F1",
    "macro_f1": "macro F1",
    "whole_right": "whole right",
    "words": "words",
    "documents": "documents",
}


def print_tagging(printer: Printer, report: dict[str, Any]) -> None:
    """A table a test, the F1 of every field, and the learning curve where there is one."""
    task = report["task"]
    for test, models in report["tests"].items():
        rows = [(model, *(scores[name] for name in COLUMNS)) for model, scores in models.items()]
        printer.table(f"{task}: {test}", ["model", *COLUMNS.values()], rows)
        fields = sorted({field for scores in models.values() for field in scores["field_f1"]})
        each = [(field, *(scores["field_f1"].get(field, 0.0) for scores in models.values())) for field in fields]
        printer.table(f"{task}: F1 of each field", ["field", *models], each)
    if task in ELSEWHERE:
        printer.table(f"{task}: reached elsewhere", ["by", "figure"], list(ELSEWHERE[task]))
    for model, points in report.get("curve", {}).items():
        curve = [(count, scores["word_error"], scores["macro_f1"]) for count, scores in points.items()]
        printer.table(f"{task}: {model} by number of tagged documents", ["documents", "word error", "macro F1"], curve)
    for name, table in report.get("tables", {}).items():
        printer.table(f"{task}: {name}", list(table[0]), [tuple(row.values()) for row in table])
