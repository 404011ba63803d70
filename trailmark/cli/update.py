"""`trailmark update`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.forage_progress import ForageProgress
from trailmark.cli.printing import Printer, json_option, replay_option
from trailmark.cli.telling import telling
from trailmark.errors import InputError
from trailmark.quoting import count_of
from trailmark.verbs.update import Work, past_updates, update
from trailmark.verbs.update_report import UpdateReport
from trailmark.workspace import Workspace

SHOWN_SITES = 20


@click.command("update")
@click.option("--budget", type=click.IntRange(0), help="Pages to fetch in one run (0: no limit).")
@click.option("--all", "everything", is_flag=True, help="Walk all sites again that were walked before, due or not.")
@replay_option
@click.option("--list", "listing", is_flag=True, help="Show earlier updates, and do nothing.")
@json_option
@click.pass_obj
@telling
def verb(
    folder: Path, budget: int | None, everything: bool, archives: tuple[Path, ...], listing: bool, as_json: bool
) -> int:
    """Do all that is due, in one go: walk sites again where it pays, lift records, tag documents, organise, publish.

    A site is walked again where its earlier walks make something new likely. Nothing else is done twice. It is safe to run from cron: one
    update runs at a time, and one that was killed is taken up by the next. Ends with 1 where a part could not be done; the others are done.

    \b
    trailmark -w my-project update
    trailmark -w my-project update --tell
    trailmark -w my-project update --all --budget 2000
    trailmark -w my-project update --list
    """
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace:
        if listing:
            past = past_updates(workspace)
            rows = [
                (each.id, _minute(each.started_at), _minute(each.finished_at) or "not ended", each.says)
                for each in past.updates
            ]
            printer.table("Updates", ["update", "begun (UTC)", "ended", "what was done"], rows)
            printer.report(past)
            return 0
        with ForageProgress() as progress:
            report = update(
                workspace,
                archives=archives,
                budget=budget,
                everything=everything,
                progress=printer.progress,
                watch=progress.watch,
                publish=_publishing(workspace, printer),
            )
    _print(printer, report)
    printer.report(report)
    return 1 if report.failed else 0


def _minute(moment: str | None) -> str:
    """A moment as it is kept -> as people read it: without seconds, which would break the line in two."""
    return (moment or "")[:16].replace("T", " ")


def _publishing(workspace: Workspace, printer: Printer) -> Work | None:
    """How the portal is published, where the settings name a folder for it."""
    target = workspace.settings.portal.publish_to
    if not target:
        return None

    def work() -> str:
        from trailmark.serve.portal.publishing import publish

        report = publish(workspace, workspace.folder / target, progress=printer.progress)
        if report.broken:
            raise InputError(
                f"{count_of(len(report.broken), 'link')} of the published pages {'leads' if len(report.broken) == 1 else 'lead'} nowhere, the first: {report.broken[0]}"
            )
        if not report.written and not report.taken_away:
            return ""
        return f"{count_of(report.items, 'item')} in {report.folder}: {count_of(report.written, 'file')} new or changed, {report.taken_away} taken away."

    return work


def _print(printer: Printer, report: UpdateReport) -> None:
    rows = [
        (site.site, f"{site.days:.1f}", "not known" if site.chance is None else f"{site.chance:.0%}", site.news)
        for site in report.sites
    ]
    if rows:
        printer.table("Walked again", ["site", "days since", "chance of news", "new or changed"], rows[:SHOWN_SITES])
        if len(rows) > SHOWN_SITES:
            printer.say(f"... and {count_of(len(rows) - SHOWN_SITES, 'more site')}; --json lists them all.")
    printer.table(
        f"Update {report.update}",
        ["part", "how it went", "what was done"],
        [(part.part, part.state, part.says) for part in report.parts],
    )
    if report.waiting:
        printer.say(f"{count_of(report.waiting, 'site')} not due yet.")
