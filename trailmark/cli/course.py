"""`trailmark course`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import FILE, Printer, archive_option, json_option
from trailmark.cli.taking_back import WHO
from trailmark.course.course_report import CourseLine, CourseReport, CourseRuns, ShownCourse
from trailmark.quoting import count_of
from trailmark.verbs.correct_course import correct_item, forget_course
from trailmark.verbs.course import course, courses, show_course
from trailmark.verbs.train_typer import train_typer
from trailmark.workspace import Workspace

NAMED = 5
"""Pages that are named to a person; --json names more."""


@click.command("course")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@archive_option("Take pages from this web archive too (repeatable); it is remembered.")
@click.option(
    "--goal", metavar="NAME", help="Without a URL: read what was found for this goal (default: course.goals)."
)
@click.option("--fetch", is_flag=True, help="Fetch a course's own pages that no archive has, by the forager's rules.")
@click.option(
    "--again", is_flag=True, help="Read courses again although neither their pages nor the typer have changed."
)
@click.option("--list", "listing", is_flag=True, help="List the courses with their ids, and change nothing.")
@click.option(
    "--show",
    "shown",
    metavar="ID",
    help="Show a course with all its items; its address, or the beginning of its id, will do.",
)
@click.option(
    "--correct", nargs=3, metavar="ID LINK TYPE", help="Say what a link of a course is; the next run learns from it."
)
@click.option(
    "--forget", "forgotten", metavar="ID", help="Take a course and its records back; trailmark undo brings them back."
)
@click.option(
    "--train",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Learn a typer from this file of typed courses instead (repeatable).",
)
@json_option
@click.pass_obj
def verb(
    folder: Path,
    urls: tuple[str, ...],
    archives: tuple[Path, ...],
    goal: str | None,
    fetch: bool,
    again: bool,
    listing: bool,
    shown: str | None,
    correct: tuple[str, str, str] | None,
    forgotten: str | None,
    train: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Turn course pages into courses: title, number, term, teachers, and what each of their links is.

    Without an address, the pages that were found for a goal called course are read, and all courses that were read before. A course's own
    pages (its frames, and pages in its folder) are taken from archives; those that are missing are named. Without a typer of its own in the
    workspace, the one that comes with Trailmark is used; it learnt from generated courses.

    \b
    trailmark -w my-project course http://www.example.edu/cs101/ --archive site.warc.gz
    trailmark -w my-project course --goal course --fetch
    trailmark -w my-project course --show 0123456789ab
    trailmark -w my-project course --train typed.jsonl --archive site.warc.gz
    """
    chosen = [bool(listing), shown is not None, correct is not None, forgotten is not None, bool(train)]
    if sum(chosen) > 1 or (any(chosen) and (urls or goal or fetch or again)) or (any(chosen[:4]) and archives):
        raise click.UsageError(
            "--list, --show, --correct, --forget and --train stand alone; --train takes --archive too."
        )
    printer = Printer(as_json)
    with Workspace.open(folder, who=WHO) as workspace:
        if listing:
            _list(printer, workspace)
        elif shown is not None:
            found = show_course(workspace, shown)
            print_course(printer, found, workspace.settings.course.sure)
            printer.report(found)
        elif correct is not None:
            printer.say(correct_item(workspace, *correct))
            printer.report(show_course(workspace, correct[0]))
        elif forgotten is not None:
            _forget(printer, workspace, forgotten)
        elif train:
            _train(printer, workspace, train, archives)
        else:
            report = course(workspace, urls, archives, goal=goal, fetch=fetch, again=again, progress=printer.progress)
            _print_read(printer, report)
            if len(report.courses) == 1:
                print_course(printer, show_course(workspace, report.courses[0].id), workspace.settings.course.sure)
            printer.report(report)
            return 0 if report.courses else 1
    return 0


def _list(printer: Printer, workspace: Workspace) -> None:
    report = courses(workspace)
    print_courses(printer, report.courses)
    _print_runs(printer, report.runs)
    printer.report(report)


def _forget(printer: Printer, workspace: Workspace, number: str) -> None:
    act = forget_course(workspace, number)
    printer.say(f"The course and its records are gone. To have them back: trailmark undo {act}")
    printer.say("A page that a run found comes back with the next run: say under Check that it is wrong.")
    printer.report({"forgotten": number, "act": act})


def _train(printer: Printer, workspace: Workspace, files: tuple[Path, ...], archives: tuple[Path, ...]) -> None:
    learnt = train_typer(workspace, files, archives)
    printer.say(
        f"The typer was learnt from {count_of(learnt.courses, 'course')} with {count_of(learnt.items, 'typed link')}, "
        f"beside {learnt.generated} generated ones: {learnt.file}"
    )
    if learnt.pages_missing:
        printer.say(
            f"{count_of(learnt.pages_missing, 'page is', 'pages are')} in no archive: their links were learnt by what the file says of them. "
            "Name the archive that has them with --archive."
        )
    printer.report(learnt)


def print_courses(printer: Printer, lines: tuple[CourseLine, ...]) -> None:
    """Courses, a line each."""
    if not lines:
        printer.say("There are no courses yet. Read some: trailmark course URL --archive ARCHIVE")
        return
    rows = [(line.id, _name(line), line.term, line.items, line.unsure, len(line.missing)) for line in lines]
    printer.table("Courses", ["id", "course", "term", "items", "unsure", "missing"], rows)


def _name(line: CourseLine) -> str:
    number = f"{line.number}: " if line.number and line.number not in line.title else ""
    return f"{number}{line.title}"[:60]


def print_course(printer: Printer, shown: ShownCourse, sure: float) -> None:
    """A course with its items by type."""
    line = shown.course
    said = [part for part in (line.number, line.term, ", ".join(line.teachers), line.institution) if part]
    printer.say(f"{line.title} ({'; '.join(said)})", style="bold")
    rows = [
        (item.kind, item.position if item.position is not None else "", item.title[:70], _chance(item.chance, item.is_given, sure), item.url)
        for item in shown.items
    ]  # fmt: skip
    if rows:
        printer.table(
            f"Items ({len(rows)}; {len(shown.others)} links are no material)",
            ["type", "n", "title", "how sure", "address"],
            rows,
        )
    else:
        printer.say("None of its links is material.")
    for url in line.missing[:NAMED]:
        printer.say(f"  missing: {url}")
    if len(line.missing) > NAMED:
        printer.say(f"  and {len(line.missing) - NAMED} more")


def _chance(chance: float, given: bool, sure: float) -> str:
    if given:
        return "by hand"
    return f"{round(100 * chance)} %{' unsure' if chance < sure else ''}"


def _print_read(printer: Printer, report: CourseReport) -> None:
    """The report for a person."""
    if len(report.courses) > 1:
        print_courses(printer, report.courses)
    printer.say(
        f"{count_of(len(report.courses), 'course')} with {count_of(report.items, 'item')}: {report.read} read now, {report.unchanged} unchanged."
    )
    if report.ready and report.courses:
        printer.say(
            "Typed by what comes with Trailmark, learnt from generated courses. For a better one: trailmark course --train FILE; see docs/how-to/course.md."
        )
    if report.corrections:
        printer.say(f"It learnt from {count_of(report.corrections, 'correction')} first.")
    if report.note:
        printer.say(f"It did not learn from what was corrected: {report.note}")
    if report.unsure:
        printer.say(
            f"{count_of(report.unsure, 'item is', 'items are')} worth a look: trailmark serve, Courses; or trailmark course --correct ID LINK TYPE"
        )
    if report.fetched:
        printer.say(f"{count_of(report.fetched, 'page was', 'pages were')} fetched.")
    if report.missing:
        printer.say(
            f"{count_of(report.missing, 'page of theirs is', 'pages of theirs are')} in no archive; --fetch fetches them."
        )
    _print_runs(printer, report.runs)
    for problem in report.problems[:NAMED]:
        printer.say(f"  {problem.url}: {problem.reason}")
    if len(report.problems) > NAMED:
        printer.say(f"  and {len(report.problems) - NAMED} more pages that gave no course")


def _print_runs(printer: Printer, runs: tuple[CourseRuns, ...]) -> None:
    for each in runs:
        terms = ", ".join(term or "a term that no page names" for term in each.terms)
        printer.say(f"{each.number} of {each.institution} is one course in {len(each.ids)} runs: {terms}.")
