"""`trailmark export FILE`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import FILE, Printer, json_option
from trailmark.quoting import count_of
from trailmark.verbs.export import export, export_rules
from trailmark.workspace import Workspace


@click.command("export")
@click.argument("file", type=FILE)
@click.option("--kind", help="Only records of this kind.")
@click.option("--field", "fields", multiple=True, metavar="NAME", help="Only this field (repeatable, in this order).")
@click.option("--sources", is_flag=True, help="Write beside each value the XPath of the place it came from.")
@click.option("--rules", is_flag=True, help="Write the rules instead of the records: .xslt, .py or .json.")
@click.option("--cluster", metavar="ID", help="With --rules: only those of this cluster.")
@json_option
@click.pass_obj
def verb(
    folder: Path,
    file: Path,
    kind: str | None,
    fields: tuple[str, ...],
    sources: bool,
    rules: bool,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Write the workspace's records to a file: .jsonl, .json, .csv, .tsv, .xlsx, .parquet or .sqlite.

    In a table each record is a row and each field a column; several values of a field are joined. Separator, byte order mark
    and the guard against formulas are settings. With --rules: an XSLT 1.0 stylesheet, a Python program that needs parsel and
    nothing of ours, or JSON; there the first rule that finds a value is believed, where ours vote.

    \b
    trailmark -w my-project export items.csv
    trailmark -w my-project export items.parquet --kind item --field title --field price
    trailmark -w my-project export rules.xslt --rules --cluster shop.example/1
    """
    printer = Printer(as_json)
    if (rules and (kind or fields or sources)) or (cluster and not rules):
        raise click.UsageError("--kind, --field and --sources are for records, --cluster is for --rules")
    with Workspace.open(folder) as workspace:
        if rules:
            _export_rules(printer, workspace, file, cluster)
        else:
            report = export(workspace, file, kind=kind, fields=fields, sources=sources)
            printer.say(
                f"{count_of(report.records, 'record')} with the fields {', '.join(report.fields)} are in {file}."
            )
            printer.report(report)


def _export_rules(printer: Printer, workspace: Workspace, file: Path, cluster: str | None) -> None:
    report = export_rules(workspace, file, cluster=cluster)
    printer.say(f"The rules of {', '.join(report.clusters)} are in {file}.")
    for name in report.left_out:
        printer.say(f"Those of {name} were left out, as no XPath can say where its entries stand; .json has them.")
    printer.report(report)
