"""`trailmark package --out DIR`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.complaint import complain
from trailmark.cli.forage_progress import ForageProgress
from trailmark.cli.printing import FILE, Printer, json_option, replay_option
from trailmark.course.course_walk import TAKEN
from trailmark.course.package.manifest import FORMATS
from trailmark.quoting import count_of
from trailmark.verbs.package import PackageReport, check_packages, package
from trailmark.verbs.package_site import BUDGET, package_site
from trailmark.workspace import Workspace

_FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command("package")
@click.option(
    "--course", "courses", multiple=True, metavar="ID", help="Only this course, by id or address (repeatable)."
)
@click.option(
    "--draft",
    "drafts",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Pack this draft of a course, as `trailmark draft` writes them (repeatable).",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default=FORMATS[0],
    show_default=True,
    help="SCORM 1.2, SCORM 2004 4th edition, or IMS Common Cartridge 1.3.",
)
@click.option(
    "--from",
    "address",
    metavar="URL",
    help="Walk this department's or course's site first, and pack the courses that are found there.",
)
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="N",
    help=f"With --from: pages that are fetched at most (default: {BUDGET}).",
)
@replay_option
@click.option("--out", "folder", metavar="DIR", type=_FOLDER, help="Folder that gets one file a course.")
@click.option(
    "--check", "files", type=FILE, multiple=True, metavar="FILE", help="Check a package of any maker (repeatable)."
)
@click.option(
    "--schemas", metavar="DIR", type=_FOLDER, help="Folder with the format's .xsd files: check against them too."
)
@json_option
@click.pass_obj
def verb(
    workspace_folder: Path,
    courses: tuple[str, ...],
    drafts: tuple[Path, ...],
    form: str,
    address: str | None,
    budget: int | None,
    archives: tuple[Path, ...],
    folder: Path | None,
    files: tuple[Path, ...],
    schemas: Path | None,
    as_json: bool,
) -> int:
    """Pack courses for a learning system, or check such packages.

    Items stand in groups by type, in order. What was archived and states an open licence is copied, made harmless, and shown in a frame; all else
    is a link (setting package.copies). A lesson tells the learning system when it is done. What was written is checked at once.

    \b
    trailmark -w my-project package --out packages
    trailmark -w my-project package --out packages --course 1f0c22a9d3b4 --format scorm2004
    trailmark -w my-project package --out packages --draft my-project/drafts/trees.json
    trailmark -w my-project package --from http://www.cs.example.edu/ --out packages
    trailmark package --check somewhere/course.zip

    With --from, the site is walked by what was learnt of a goal called course, else by words; courses are read, and their items fetched, by the
    forager's rules.
    """
    printer = Printer(as_json)
    if (budget or archives) and address is None:
        raise click.UsageError("--budget and --replay go with --from URL")
    if bool(folder) == bool(files):
        raise click.UsageError("Give either --out DIR to write packages, or --check FILE to check some")
    if files:
        if courses or drafts:
            raise click.UsageError("--course and --draft are for packages that are written, not for --check")
        if address is not None:
            raise click.UsageError("--from is for packages that are written, not for --check")
        return _check(printer, files, schemas)
    assert folder is not None
    if address is not None:
        if courses or drafts or schemas:
            raise click.UsageError("--from stands alone: without --course, --draft and --schemas")
        return _from_site(printer, workspace_folder, address, archives, form, budget, folder)
    with Workspace.open(workspace_folder) as workspace:
        report = package(
            workspace, folder, courses=courses, drafts=drafts, form=form, schemas=schemas, progress=printer.progress
        )
    _print(printer, report)
    printer.report(report)
    return 1 if report.faults or not report.packages else 0


LOADING = {
    "scorm12": "Moodle: a course, Add an activity, SCORM package; ILIAS, Blackboard, Canvas and SCORM Cloud import it as SCORM 1.2",
    "scorm2004": "SCORM Cloud, ILIAS, Blackboard and Brightspace import it as SCORM 2004; Moodle wants --format scorm12",
    "imscc": "Canvas: Settings, Import course content, Common Cartridge; Moodle: Restore; Brightspace and Sakai: Import",
}
"""How a person loads a package."""


def _from_site(
    printer: Printer,
    workspace_folder: Path,
    address: str,
    archives: tuple[Path, ...],
    form: str,
    budget: int | None,
    folder: Path,
) -> int:
    with Workspace.open(workspace_folder) as workspace, ForageProgress() as progress:
        report = package_site(
            workspace, address, folder, archives=archives, form=form, budget=budget, progress=printer.progress, watch=progress.watch
        )  # fmt: skip
    way = "by words, since no goal called course was learnt" if report.by_words else "by what was learnt"
    worth = f" ({TAKEN:.0%} of such pages were courses where it was measured)" if report.by_words else ""
    printer.say(
        f"{count_of(report.pages, 'page')} walked {way}; {count_of(report.found, 'page')} taken for courses{worth}."
    )
    if report.packed is None or not report.packed.packages:
        if report.why:
            printer.say(f"{address}: {report.why}.")
        printer.say(
            "No course with material was found there. Name the page of a course, or teach the way to courses: trailmark teach, trailmark learn --goal course"
        )
        printer.report(report)
        return 1
    _print(printer, report.packed)
    printer.say(f"To load one: {LOADING[form]}.")
    printer.report(report)
    return 1 if report.packed.faults else 0


def _print(printer: Printer, report: PackageReport) -> None:
    for each in report.packages:
        printer.say(
            f"{each.title}: {count_of(each.items, 'item')}, {count_of(each.copies, 'copy', 'copies')}, "
            f"{each.bytes / 1000:.0f} kB: {each.file}"
        )
        if each.left_out:
            printer.say(f"  {count_of(each.left_out, 'item')} left out: no address of the web, or too many.")
        for fault in each.faults:
            complain(f"{each.file}: {fault.where}: {fault.what}")
    for why, count in report.why_linked.items():
        printer.say(f"{count_of(count, 'item')} as a link: {why}.")
    if report.empty:
        printer.say(f"{count_of(len(report.empty), 'course')} without anything to pack: {', '.join(report.empty[:8])}.")


def _check(printer: Printer, files: tuple[Path, ...], schemas: Path | None) -> int:
    report = check_packages(files, schemas=schemas, progress=printer.progress)
    for each in report.packages:
        printer.say(
            f"{each.file}: {each.form or 'no package that is known'}, {count_of(each.items, 'item')}, "
            f"{count_of(each.files, 'file')}: {count_of(len(each.faults), 'fault') if each.faults else 'nothing is wrong'}."
        )
        for space in each.unchecked:
            printer.say(f"  Not checked, as there is no schema for it that can be used: {space}")
        for fault in each.faults:
            complain(f"{each.file}: {fault.where}: {fault.what}")
    printer.report(report)
    return 1 if report.faults else 0
