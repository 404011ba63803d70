"""`trailmark teach TRAILS.jsonl...`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.ask import ask_on_terminal
from trailmark.cli.complaint import complain
from trailmark.cli.printing import FILE, Printer, json_option, replay_option
from trailmark.cli.taking_back import WHO, forget_kept, list_kept, taking_back
from trailmark.cli.teach_change import ChangedWords, change_taught, settle_on_terminal
from trailmark.verbs.kept_things import Kind
from trailmark.verbs.teach import teach, teach_annotations
from trailmark.workspace import Workspace

SHOWN_PROBLEMS = 20


@click.command("teach")
@click.argument("files", type=FILE, nargs=-1, metavar="TRAILS.jsonl|RECORDING.json|LOG.har...")
@click.option(
    "--annotations",
    "annotation_files",
    type=FILE,
    multiple=True,
    metavar="ANN.jsonl",
    help="Import marked values from this file (repeatable; further names may follow).",
)
@click.option("--label", metavar="NAME", help="What the last page of a browser's recording is called, e.g. course.")
@click.option(
    "--ask",
    "questions",
    type=click.IntRange(min=1),
    metavar="N",
    help="Ask N questions about pages at hand whose answers help most.",
)
@click.option(
    "--suggest",
    "suggested",
    type=click.IntRange(min=1),
    metavar="N",
    help="Choose N such questions and keep them, to be answered in the web app.",
)
@click.option(
    "--goal", metavar="NAME", help="Ask about this goal, where several were taught (with --ask or --suggest)."
)
@click.option("--marks", is_flag=True, help="List, forget or change marked values, not trails.")
@click.option(
    "--change",
    metavar="ID",
    help="Change a trail (--wanted, --not-wanted, --label) or, with --marks, a mark (--field, --value).",
)
@click.option(
    "--wanted/--not-wanted", "wanted", default=None, help="What the last page of the trail is, with --change."
)
@click.option("--field", metavar="NAME", help="Another field for a mark, with --change.")
@click.option("--value", metavar="TEXT", help="Another value for a mark, with --change.")
@click.option("--settle", is_flag=True, help="Ask about pages that are both wanted and not wanted.")
@taking_back("trails (with --marks: marked values)")
@replay_option
@json_option
@click.pass_obj
def verb(
    folder: Path,
    files: tuple[Path, ...],
    annotation_files: tuple[Path, ...],
    label: str | None,
    questions: int | None,
    suggested: int | None,
    goal: str | None,
    marks: bool,
    change: str | None,
    wanted: bool | None,
    field: str | None,
    value: str | None,
    settle: bool,
    listing: bool,
    forgotten: tuple[str, ...],
    yes: bool,
    archives: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Import demonstrated click paths, or marked values.

    Click paths come as trails files, as recordings of Chrome's DevTools Recorder (export as JSON) or as network logs that a
    browser saved (HAR): the trail is recovered from what was visited, without the detours.

    Every step must be linked from the step before it. A bad line is named with its file, its number and the reason;
    the good ones are kept. Teaching the same file twice changes nothing. With --ask, pages at hand that nobody named are shown
    one by one: yes (wanted), no, a name for the kind of page, skip or quit; answers become trails.

    \b
    trailmark -w my-project teach trails.jsonl
    trailmark -w my-project teach trails.jsonl --replay site.warc.gz
    trailmark -w my-project teach recording.json --label course
    trailmark -w my-project teach --annotations marks.jsonl
    trailmark -w my-project teach --ask 10
    trailmark -w my-project teach --ask 10 --goal course
    trailmark -w my-project teach --list
    trailmark -w my-project teach --forget 3 4
    trailmark -w my-project teach --change 3 --not-wanted
    trailmark -w my-project teach --marks --list
    """
    kind: Kind = "marks" if marks else "trails"
    if listing:
        return list_kept(folder, kind, as_json)
    if forgotten:
        return forget_kept(folder, kind, [*forgotten, *map(str, files)], yes=yes, as_json=as_json)
    if change is not None:
        return change_taught(folder, kind, change, ChangedWords(wanted, label, field, value), as_json=as_json)
    if settle:
        return settle_on_terminal(folder, as_json)
    if (questions or suggested) and (files or annotation_files):
        raise click.UsageError("--ask or --suggest goes alone: teach the files first")
    if questions is not None:
        return ask_on_terminal(folder, questions, archives, goal, as_json)
    if suggested is not None:
        return _suggest(folder, suggested, archives, goal, as_json)
    if goal is not None:
        raise click.UsageError("--goal says what to ask about: it goes with --ask or --suggest")
    if annotation_files:
        # `--annotations A B` reads as one list to a person, so names after the first belong to it too.
        annotation_files, files = annotation_files + files, ()
    if not files and not annotation_files:
        raise click.UsageError(
            "name at least one trails file, --annotations with an annotations file, --ask N or --suggest N"
        )
    printer = Printer(as_json)
    with Workspace.open(folder, who=WHO) as workspace:
        if annotation_files:
            report = teach_annotations(workspace, annotation_files)
        else:
            report = teach(workspace, files, archives, label=label, progress=printer.progress)
    for both in report.contradictions[:SHOWN_PROBLEMS]:
        printer.say(str(both))
    for problem in report.problems[:SHOWN_PROBLEMS]:
        complain(f"{problem}.")
    if (more := len(report.problems) - SHOWN_PROBLEMS) > 0:
        complain(f"and {more} more; --json lists them all.")
    printer.say(report.summary)
    printer.report(report)
    if not report.problems:
        return 0
    return 1 if report.good else 2


def _suggest(folder: Path, count: int, archives: tuple[Path, ...], goal: str | None, as_json: bool) -> int:
    from trailmark.verbs.suggest import suggest

    printer = Printer(as_json)
    with Workspace.open(folder) as workspace:
        report = suggest(workspace, count, archives, goal=goal, progress=printer.progress)
    printer.say(report.summary)
    printer.report(report)
    return 0
