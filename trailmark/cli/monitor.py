"""`trailmark monitor`"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from trailmark.cli.printing import Printer, json_option, replay_option
from trailmark.verbs.monitor import monitor, monitor_history
from trailmark.verbs.monitor_repair import roll_back
from trailmark.verbs.monitor_report import STATUS_WORDS
from trailmark.workspace import Workspace


@click.command("monitor")
@replay_option
@click.option("--repair", is_flag=True, help="Put repaired rules to use; without it they are only shown.")
@click.option("--rollback", metavar="CLUSTER", help="Put back what the last repair of this cluster replaced.")
@click.option("--history", is_flag=True, help="Show what earlier runs found.")
@json_option
@click.pass_obj
def verb(
    folder: Path, archives: tuple[Path, ...], repair: bool, rollback: str | None, history: bool, as_json: bool
) -> int:
    """Visit bellwether pages again: do the rules still work, and can they be mended?

    A few pages of each cluster with rules are compared with what was lifted off them before. Where a template changed, rules
    are learnt again from values that are known. They are shown first; --repair puts them to use. Ends with 1 while something is
    broken.

    \b
    trailmark -w my-project monitor
    trailmark -w my-project monitor --repair
    trailmark -w my-project monitor --rollback shop.example/1
    """
    if rollback is not None and (repair or history):
        raise click.UsageError("--rollback goes alone: it visits no page.")
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace:
        if rollback is not None:
            report = roll_back(workspace, rollback)
            printer.say(f"{rollback} has the rules back that were replaced at {report['from']}.")
        elif history:
            report = monitor_history(workspace)
            _print_history(printer, report)
        else:
            report = monitor(workspace, archives, repair=repair, progress=printer.progress)
            _print_run(printer, report)
    printer.report(report)
    return 1 if report.get("open") else 0


def _print_history(printer: Printer, report: dict[str, Any]) -> None:
    columns = ["run", "at", "cluster", "status", "broken", "repaired"]
    rows = [
        (
            each["run"],
            each["at"],
            each["cluster"],
            each["status"],
            ", ".join(each["broken"]),
            ", ".join(each["repaired"]),
        )
        for each in report["visits"]
    ]
    printer.table("Visits", columns, rows)


def _print_run(printer: Printer, report: dict[str, Any]) -> None:
    rows = [
        (each["cluster"], each["visited"], f"{each['unlike']:.0%}", STATUS_WORDS[each["status"]])
        for each in report["clusters"]
    ]
    printer.table("Bellwethers", ["cluster", "pages", "unlike the template", "what was found"], rows)
    for cluster in report["clusters"]:
        _print_broken(printer, cluster)
        if cluster["repair"]:
            _print_repair(printer, cluster)
    if not report["clusters"]:
        printer.say("No cluster has golden extractions: its pages are in no archive that is known here.")
    printer.say(_closing(report))


def _print_broken(printer: Printer, cluster: dict[str, Any]) -> None:
    if cluster["unreachable"]:
        printer.say(
            f"{cluster['cluster']}: {len(cluster['unreachable'])} pages could not be had, {cluster['unreachable'][0]}"
        )
    for field in (each for each in cluster["fields"] if each["broken"]):
        right = f", last right at {field['last_right']}" if field["last_right"] else ""
        printer.say(
            f"{cluster['cluster']}: '{field['field']}' is broken on {field['broken_share']:.0%} of {field['tested']} pages, "
            f"first seen at {field['since']}{right}."
        )
        for each in field["examples"][:2]:
            printer.say(f"    {each['url']}: {_shown(each['old'])} became {_shown(each['new'])}")


def _print_repair(printer: Printer, cluster: dict[str, Any]) -> None:
    for each in cluster["repair"]["fields"]:
        what = "renewed" if each["worn"] else "mended"
        done = f"was {what}" if cluster["repair"]["applied"] else f"can be {what}"
        printer.say(
            f"{cluster['cluster']}: '{each['field']}' {done} from {each['source']}; on {each['held_out']} pages kept apart "
            f"{each['after']:.0%} is right, {each['before']:.0%} before."
        )
        printer.say(f"    old rule: {each['old_rule']['says']}")
        printer.say(f"    new rule: {each['new_rule']['says']}")
        for page in each["differences"][:3]:
            printer.say(f"    {page['url']}: {_shown(page['old'])} would be {_shown(page['new'])}")
    for name in cluster["left"]:
        printer.say(
            f"{cluster['cluster']}: '{name}' could not be mended: annotate one of its pages anew, then trailmark wrap."
        )


def _shown(values: list[str]) -> str:
    return ", ".join(f"“{value[:80]}”" for value in values[:3]) or "nothing"


def _closing(report: dict[str, Any]) -> str:
    proposals = [each for each in report["clusters"] if each["repair"] and not each["repair"]["applied"]]
    if proposals:
        return f"{len(proposals)} clusters can be carried over to their new template: trailmark monitor --repair"
    if report["open"]:
        return f"{len(report['open'])} of {report['watched']} clusters want a person."
    return f"{report['watched']} clusters were looked at; nothing is left to do."
