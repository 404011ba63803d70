"""Tables of topics and of grouped references, with what was reached elsewhere beside ours."""

from __future__ import annotations

from typing import Any

from trailmark.cli.printing import Printer

TOPICS_ELSEWHERE = (
    (
        "Cora: keywords / naive Bayes on them / EM and shrinkage on all",
        "accuracy .46 / .47 / .66 (70 leaves, whole headers and references)",
    ),
    ("naive Bayes, six rounds of EM, keyword documents held", "20news: .887 coarse, .759 fine"),
    (
        "X-Class / ConWea / WeSTClass, with pretrained or embedded words, other preparation",
        "20news coarse: .814 / .757 / .713",
    ),
    ("naive Bayes on title terms, another split", "cora70: .455"),
)


def print_topics(printer: Printer, report: dict[str, Any]) -> None:
    """A table a collection."""
    columns = {
        "micro_f1": "micro F1",
        "macro_f1": "macro F1",
        "fine_micro_f1": "leaves: micro",
        "fine_macro_f1": "leaves: macro",
        "items": "items",
    }
    for name, rows in report["sets"].items():
        printer.table(
            f"Topics: {name}",
            ["row", *columns.values()],
            [(row, *(figures[key] for key in columns)) for row, figures in rows.items()],
        )
    printer.table("Topics: reached elsewhere", ["by", "figure"], list(TOPICS_ELSEWHERE))


def print_matching(printer: Printer, report: dict[str, Any]) -> None:
    """A row a file and grouping."""
    columns = {
        "pair_precision": "precision",
        "pair_recall": "recall",
        "pair_f1": "pair F1",
        "cluster_f1": "cluster F1",
        "distinct_pair_f1": "distinct pair F1",
        "references": "references",
    }
    rows = [
        (name, by, *(figures[key] for key in columns))
        for name, each in report["sets"].items()
        for by, figures in each.items()
    ]
    printer.table("References that mean the same paper", ["file", "by", *columns.values()], rows)
