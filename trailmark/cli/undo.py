"""`trailmark undo`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import Printer, json_option
from trailmark.cli.taking_back import WHO, act_line, confirmed
from trailmark.store.act_table import StoredAct
from trailmark.verbs.undo import acts, undo
from trailmark.workspace import Workspace


@click.command("undo")
@click.argument("act", type=click.IntRange(1), required=False, metavar="[ID]")
@click.option("--list", "listing", is_flag=True, help="List what was done, the latest first, and change nothing.")
@click.option("--most", type=click.IntRange(1), default=30, show_default=True, help="How many acts to list.")
@click.option("--yes", is_flag=True, help="Do it without asking.")
@json_option
@click.pass_obj
def verb(folder: Path, act: int | None, listing: bool, most: int, yes: bool, as_json: bool) -> None:
    """Take back something that was done: taught, answered, marked, shaped, changed, forgotten, or undone.

    Without a number, the last act that stands is undone. Everything that it changed is as it was before; what was learnt from it becomes
    stale, and it says how to renew it. To undo an undoing is to do it again. Archives are never rewritten.

    \b
    trailmark -w my-project undo --list
    trailmark -w my-project undo
    trailmark -w my-project undo 12 --yes
    """
    printer = Printer(as_json)
    if listing:
        _list(folder, printer, most)
        return

    def sure(found: StoredAct) -> bool:
        printer.say(f"Act {act_line(found)} ({found.rows} row{'' if found.rows == 1 else 's'})")
        return yes or confirmed("Undo it?")

    with Workspace.open(folder, who=WHO) as workspace:
        report = undo(workspace, act, sure=sure)
    printer.say(report.summary, style="bold")
    for thing in report.stale:
        printer.say(str(thing))
    printer.report(report)


def _list(folder: Path, printer: Printer, most: int) -> None:
    with Workspace.open(folder) as workspace:
        report = acts(workspace, most)
    rows = [
        (
            act.id,
            act.at[:16].replace("T", " "),
            act.who,
            act.what,
            f"undone by {act.undone_by}" if act.undone_by else "",
        )
        for act in report.acts
    ]
    if rows:
        printer.table("What was done", ["act", "when", "who", "what", ""], rows)
    else:
        printer.say("Nothing was done yet that could be undone.")
    if report.dropped is not None:
        printer.say(str(report.dropped))
    printer.report(report)
