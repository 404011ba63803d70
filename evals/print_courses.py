"""The table of courses: rules beside what is learnt, and every type of it."""

from __future__ import annotations

from typing import Any

from evals.courses import OURS, READY
from trailmark.cli.printing import Printer
from trailmark.course.keyword_rule import RULES

THESIS = 0.65
"""What Intinno says of its own rule (section 3.1.2), on courses of its own."""


def print_courses(printer: Printer, report: dict[str, Any]) -> None:
    """A table for each test file."""
    for name, test in report["tests"].items():
        rows = [
            (
                method,
                test[method]["accuracy"],
                test[method]["accuracy_all"],
                *(test[method]["cases"].get(case, "") for case in ("1", "2")),
            )
            for method in (*RULES, READY, OURS)
        ]
        printer.table(
            f"{name}: {test['links']} links of {test['courses']} courses",
            ["method", "not other", "all", "case 1", "case 2"],
            rows,
        )
        types = [(kind, test[OURS]["counts"][kind], share) for kind, share in test[OURS]["types"].items()]
        printer.table(f"{name}: types", ["type", "links", "right"], types)
        if test["pages_missing"]:
            printer.say(
                f"{test['pages_missing']} pages are in no archive: their items were typed by what was written of them."
            )
    printer.say(f"The thesis says {THESIS} of its rule by headings, on courses of its own.")
