"""`trailmark export FILE`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import FILE, Printer, json_option
from trailmark.exporting import export_records
from trailmark.workspace import Workspace


@click.command("export")
@click.argument("file", type=FILE)
@click.option("--kind", help="Only records of this kind.")
@click.option("--field", "fields", multiple=True, metavar="NAME", help="Only this field (repeatable, in this order).")
@click.option("--sources", is_flag=True, help="Write beside each value the XPath of the place it came from.")
@json_option
@click.pass_obj
def verb(folder: Path, file: Path, kind: str | None, fields: tuple[str, ...], sources: bool, as_json: bool) -> None:
    """Write the workspace's records to a file: .jsonl, .json, .csv, .tsv or .parquet.

    In a table each record is a row and each field a column; several values of a field are joined. Separator, byte order mark
    and the guard against formulas are settings.

    \b
    trailmark -w my-project export items.csv
    trailmark -w my-project export items.parquet --kind item --field title --field price
    """
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace:
        report = export_records(workspace, file, kind=kind, fields=fields, sources=sources)
    printer.say(f"{report['records']} records with the fields {', '.join(report['fields'])} are in {file}.")
    printer.report(report)
