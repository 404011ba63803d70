"""`trailmark extract`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import FILE, Printer, json_option
from trailmark.extracting import extract_records
from trailmark.workspace import Workspace


@click.command("extract")
@click.option(
    "--archive",
    "archives",
    type=FILE,
    multiple=True,
    metavar="ARCHIVE",
    help="Lift records off the pages of this web archive (repeatable; default: all that the workspace knows).",
)
@click.option("--out", type=FILE, metavar="FILE", help="Write the records as JSON Lines to this file too.")
@json_option
@click.pass_obj
def verb(folder: Path, archives: tuple[Path, ...], out: Path | None, as_json: bool) -> None:
    """Lift records off pages by the rules that were learnt.

    Each page gets the rules of the cluster it belongs to; a page that is new joins by its URL and its structure. Where the
    rules of a field do not agree, the field is left out.

    \b
    trailmark -w my-project extract
    trailmark -w my-project extract --archive shop.warc.gz --out records.jsonl
    """
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace:
        report = extract_records(workspace, archives, out=out, progress=printer.progress)
    printer.table("Fields", ["field", "records that have it"], sorted(report["fields"].items()))
    printer.say(
        f"{report['records']} records from {report['pages']} pages with rules; on {report['empty']} of them nothing was found."
    )
    if report["borrowed"]:
        printer.say(
            f"{report['borrowed']} more from pages whose own cluster has no rules, by those of another cluster of their site."
        )
    printer.report(report)
