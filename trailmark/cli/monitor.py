"""`trailmark monitor`"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from trailmark.cli.printing import Printer, json_option, replay_option
from trailmark.cli.telling import telling
from trailmark.monitor.cluster_finding import STATUS_WORDS, ClusterFinding, RepairFinding
from trailmark.monitor.monitor_report import HistoryReport, MonitorReport
from trailmark.quoting import count_of
from trailmark.verbs.monitor import monitor, monitor_history, roll_back
from trailmark.workspace import Workspace


@click.command("monitor")
@replay_option
@click.option("--repair", is_flag=True, help="Put repaired rules to use; without it they are only shown.")
@click.option("--rollback", metavar="CLUSTER", help="Put back what the last repair of this cluster replaced.")
@click.option("--history", is_flag=True, help="Show what earlier runs found.")
@json_option
@click.pass_obj
@telling
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
            back = roll_back(workspace, rollback)
            printer.say(f"{rollback} has the rules back that were replaced at {back.replaced_at}.")
            printer.report(back)
            return 0
        if history:
            past = monitor_history(workspace)
            _print_history(printer, past)
            printer.report(past)
            return 0
        report = monitor(workspace, archives, repair=repair, progress=printer.progress)
    _print_run(printer, report)
    printer.report(report)
    return 1 if report.open else 0


def _print_history(printer: Printer, report: HistoryReport) -> None:
    columns = ["run", "at", "cluster", "status", "broken", "repaired"]
    rows = [
        (visit.run, visit.at, visit.cluster, visit.status, ", ".join(visit.broken), ", ".join(visit.repaired))
        for visit in report.visits
    ]
    printer.table("Visits", columns, rows)


def _print_run(printer: Printer, report: MonitorReport) -> None:
    rows = [
        (finding.cluster, finding.visited, f"{finding.unlike:.0%}", STATUS_WORDS[finding.status])
        for finding in report.clusters
    ]
    printer.table("Bellwethers", ["cluster", "pages", "unlike the template", "what was found"], rows)
    for finding in report.clusters:
        _print_broken(printer, finding)
        if finding.repair:
            _print_repair(printer, finding, finding.repair)
    if not report.clusters:
        printer.say("No cluster has golden extractions: its pages are in no archive that is known here.")
    printer.say(_closing(report))


def _print_broken(printer: Printer, finding: ClusterFinding) -> None:
    if finding.unreachable:
        printer.say(
            f"{finding.cluster}: {count_of(len(finding.unreachable), 'page')} could not be had, {finding.unreachable[0]}"
        )
    for field in (field for field in finding.fields if field.broken):
        right = f", last right at {field.last_right}" if field.last_right else ""
        printer.say(
            f"{finding.cluster}: '{field.field}' is broken on {field.broken_share:.0%} of {count_of(field.tested, 'page')}, "
            f"first seen at {field.since}{right}."
        )
        for change in field.examples[:2]:
            printer.say(f"    {change.url}: {_shown(change.old)} became {_shown(change.new)}")


def _print_repair(printer: Printer, finding: ClusterFinding, repair: RepairFinding) -> None:
    for field in repair.fields:
        what = "renewed" if field.worn else "mended"
        done = f"was {what}" if repair.applied else f"can be {what}"
        printer.say(
            f"{finding.cluster}: '{field.field}' {done} from {field.source}; on {count_of(field.held_out, 'page')} kept apart "
            f"{field.after:.0%} is right, {field.before:.0%} before."
        )
        printer.say(f"    old rule: {field.old_rule.says}")
        printer.say(f"    new rule: {field.new_rule.says}")
        for page in field.differences[:3]:
            printer.say(f"    {page.url}: {_shown(page.old)} would be {_shown(page.new)}")
    for name in finding.left:
        printer.say(
            f"{finding.cluster}: '{name}' could not be mended: annotate one of its pages anew, then trailmark wrap."
        )


def _shown(values: Sequence[str]) -> str:
    return ", ".join(f"“{value[:80]}”" for value in values[:3]) or "nothing"


def _closing(report: MonitorReport) -> str:
    """What is left to do, in a sentence or two."""
    proposals = sum(1 for finding in report.clusters if finding.repair and not finding.repair.applied)
    if proposals:
        return f"{_count(proposals)} can be carried over to the new template: trailmark monitor --repair"
    broken = sum(finding.status == "broken" for finding in report.clusters)
    away = sum(finding.status == "unreachable" for finding in report.clusters)
    sentences = [
        *(
            [
                f"{_count(broken)} still {'needs' if broken == 1 else 'need'} marked values: mark some on its pages, then trailmark wrap."
            ]
            * bool(broken)
        ),
        *([f"{_count(away)} could not be visited: try again when the sites answer."] * bool(away)),
    ]
    return " ".join(sentences) or f"{_count(len(report.clusters))} visited; nothing is left to do."


def _count(clusters: int) -> str:
    return "1 cluster" if clusters == 1 else f"{clusters} clusters"
