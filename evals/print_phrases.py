"""The table of key phrases: ours beside other methods, and how far courses agree on what comes before."""

from __future__ import annotations

from typing import Any

from trailmark.cli.printing import Printer


def print_phrases(printer: Printer, report: dict[str, Any]) -> None:
    """A row a method."""
    webs = sorted({web for each in report["methods"].values() for web in each["webs"]})
    rows = [
        (name, each["precision_at_10"], *(each["webs"][web] for web in webs))
        for name, each in report["methods"].items()
    ]
    printer.table(
        f"Key phrases of {report['courses']} courses: share of the first ten that the syllabus has",
        ["method", "all", *webs],
        rows,
    )
    told = report["recommended"]
    if told["items"]:
        ranks = ", ".join(f"{name} {rank:.3f}" for name, rank in told["mean_reciprocal_rank"].items())
        printer.say(
            f"The other half of a course among all items, for {told['items']} items of {told['courses']} courses, mean reciprocal rank: {ranks}."
        )
    if told["items"]:
        pairs = told["of_one_course"]
        printer.say(
            f"Of pairs of items that are alike enough to be recommended {pairs['alike']:.3f} are of one course, of the others {pairs['others']:.3f}."
        )
    drafted = report["drafted"]
    if drafted["weeks"]:
        shares = ", ".join(f"{name} {share:.3f}" for name, share in drafted["in_first_3"].items())
        printer.say(
            f"A syllabus of titles, for {drafted['weeks']} weeks of {drafted['courses']} courses: share with an item of the right topic in the first 3: {shares}."
        )
    for name, words in (("related", "that go together"), ("any", "of any kind")):
        each = report["before"][name]
        if each["pairs"]:
            printer.say(
                f"Of {each['pairs']} ordered pairs of phrases {words}, a course left out has {each['same_order']:.3f} in the order of the others."
            )
