"""`trailmark curate`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import Printer, json_option
from trailmark.cli.taking_back import WHO
from trailmark.report import Report
from trailmark.verbs.curate import CurateReport, hide_all, merge, split
from trailmark.verbs.curated import curated
from trailmark.verbs.organise import organise
from trailmark.workspace import Workspace


@click.command("curate")
@click.option("--hide", "hidden", multiple=True, metavar="ITEM", help="Show it to nobody any more (repeatable).")
@click.option(
    "--merge",
    "merged",
    nargs=2,
    multiple=True,
    metavar="ITEM OTHER",
    help="OTHER is the same as ITEM, which stays (repeatable).",
)
@click.option(
    "--split",
    "parted",
    nargs=2,
    multiple=True,
    metavar="ITEM URL",
    help="What was found at URL is not ITEM, but an item of its own (repeatable).",
)
@click.option("--why", default="", metavar="TEXT", help="A few words that are kept with it, for yourself.")
@json_option
@click.pass_obj
def verb(
    folder: Path,
    hidden: tuple[str, ...],
    merged: tuple[tuple[str, str], ...],
    parted: tuple[tuple[str, str], ...],
    why: str,
    as_json: bool,
) -> None:
    """Hide things, make several one, take apart what is not one. Without any of these, list what was curated.

    ITEM is its key (trailmark search --json) or its permanent address in the portal. What is hidden is gone from the portal at once;
    the rest holds when things are organised, which follows. It holds over every update, and `trailmark undo` takes it back.

    \b
    trailmark -w my-project curate --hide 3f2a9c0d1e4b --why "the author asked"
    trailmark -w my-project curate --merge 3f2a9c0d1e4b 77aa01b2c3d4
    trailmark -w my-project curate
    """
    printer = Printer(as_json)
    with Workspace.open(folder, who=WHO) as workspace:
        done: list[CurateReport] = []
        for each in hide_all(workspace, hidden, why) if hidden else ():
            done.append(each)
            _say(printer, each)
        for item, other in merged:
            done.append(merge(workspace, item, [other], why))
            _say(printer, done[-1])
        for item, url in parted:
            done.append(split(workspace, item, url, why))
            _say(printer, done[-1])
        report: Report = curated(workspace)
        if not done:
            _list(printer, workspace)
        elif not all(each.holds for each in done):
            organise(workspace, progress=printer.progress)
            printer.say("Organised: it holds now.")
            report = curated(workspace)
    printer.report(report)


def _say(printer: Printer, done: CurateReport) -> None:
    printer.say(f"{done.what} To take it back: trailmark undo {done.act}")


def _list(printer: Printer, workspace: Workspace) -> None:
    found = curated(workspace)
    if not found.acts:
        printer.say("Nothing was curated yet.")
        return
    rows = [(act.act, act.at[:16].replace("T", " "), act.word, act.title, act.why) for act in found.acts]
    printer.table("What was curated", ["act", "when", "what", "item", "why"], rows)
    if found.due:
        printer.say("Some of it holds once things are organised: trailmark organise")
