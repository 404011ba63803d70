"""`trailmark draft --title TITLE --syllabus FILE`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import FILE, Printer, json_option
from trailmark.course.draft.draft import DraftWeek
from trailmark.course.draft.proposal import DEFAULT_LIMIT
from trailmark.quoting import count_of, shell_command
from trailmark.verbs.draft import MOST_LIMIT, DraftReport, draft, read_syllabus
from trailmark.workspace import Workspace


@click.command("draft")
@click.option("--title", required=True, metavar="TEXT", help="What the course is called.")
@click.option(
    "--syllabus", required=True, type=FILE, metavar="FILE", help="Text with a line or a paragraph for each week."
)
@click.option(
    "--limit",
    type=click.IntRange(1, MOST_LIMIT),
    default=DEFAULT_LIMIT,
    show_default=True,
    help="Lectures, readings and assignments of a week at most, each.",
)
@click.option(
    "--out", "file", type=FILE, metavar="FILE", help="Where the draft is written (default: drafts/ of the workspace)."
)
@click.option("--again", is_flag=True, help="Write the draft anew where it is there already.")
@json_option
@click.pass_obj
def verb(folder: Path, title: str, syllabus: Path, limit: int, file: Path | None, again: bool, as_json: bool) -> None:
    """Start a course: for each week of a syllabus, what other courses have that fits.

    Lectures, readings and assignments of the courses of the workspace are ranked for each week, each with the phrases that both have; the best of
    each are in the draft, the others beside them. It is a file that you edit, by hand or in the app (Courses, Start a course), and pack:
    trailmark package --draft FILE --out DIR.

    \b
    trailmark -w my-project draft --title "Data structures" --syllabus syllabus.txt
    trailmark -w my-project package --draft my-project/drafts/data-structures.json --out packages
    """
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace:
        text = read_syllabus(syllabus)
        report = draft(
            workspace, title, text, file=file, limit=limit, again=again, source=str(syllabus), progress=printer.progress
        )
    for week in report.weeks:
        _print_week(printer, week)
    _print_end(printer, report)
    printer.report(report)


def _print_week(printer: Printer, week: DraftWeek) -> None:
    printer.say(f"{week.number}. {week.title}", style="bold")
    if not week.items:
        printer.say("   Nothing that was found fits.")
    for item in week.items:
        printer.say(f"   [{'x' if item.is_used else ' '}] {item.kind}: {item.title} ({item.name})")
        printer.say(f"       {item.url}")
        printer.say(f"       both speak of {', '.join(item.shared)}")


def _print_end(printer: Printer, report: DraftReport) -> None:
    printer.say(
        f"{count_of(report.items, 'item')} proposed of {report.searched}, {report.used} of them in; "
        f"{count_of(len(report.without), 'week')} of {len(report.weeks)} without any: {report.file}"
    )
    packed = shell_command("package", "--draft", report.file, "--out", "packages")
    printer.say(f"Put it right there, or in the app under Courses, and pack it: trailmark {packed}")
