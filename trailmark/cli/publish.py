"""`trailmark publish DIR`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.complaint import complain
from trailmark.cli.printing import Printer, json_option
from trailmark.quoting import count_of
from trailmark.serve.portal.publishing import PublishReport, publish
from trailmark.workspace import Workspace


@click.command("publish")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--address", metavar="URL", help="Where the public will find it (default: portal.public_address).")
@click.option("--jobs", type=click.IntRange(0, 256), help="Processes side by side (0: one for each core).")
@json_option
@click.pass_obj
def verb(workspace_folder: Path, folder: Path, address: str | None, jobs: int | None, as_json: bool) -> int:
    """Write the portal as files, for any web server.

    Pages, feeds and downloads of all that was organised, with a search that runs in the browser. Run it again after every organise: only
    what changed is written, and what is gone is taken away. DIR is new or empty at first, and belongs to Trailmark from then on.

    \b
    trailmark -w my-project publish site
    trailmark -w my-project publish site --address https://papers.example.org/
    """
    printer = Printer(as_json)
    with Workspace.open(workspace_folder) as workspace:
        report = publish(workspace, folder, address=address, jobs=jobs, progress=printer.progress)
    _print(printer, report)
    printer.report(report)
    return 1 if report.broken else 0


def _print(printer: Printer, report: PublishReport) -> None:
    printer.say(
        f"{count_of(report.items, 'item')} in {count_of(report.topics, 'topic')}: {count_of(report.files, 'file')} in {report.folder} "
        f"({report.bytes / 1_000_000:.1f} MB), {report.written} new or changed, {report.taken_away} taken away."
    )
    printer.say(f"{count_of(report.links, 'link')} between pages followed, {len(report.broken)} broken.")
    for broken in report.broken:
        complain(f"A link leads nowhere: {broken}")
    if not report.address:
        printer.say(
            "Feeds and permanent links have no public address: name it with --address, or set portal.public_address."
        )
    printer.say(f"Look at it: python -m http.server --bind 127.0.0.1 --directory {report.folder}")
