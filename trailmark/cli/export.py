"""`trailmark export FILE`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import Printer, json_option
from trailmark.quoting import count_of
from trailmark.verbs.data_sets import compact_data_sets, export_data_sets
from trailmark.verbs.export import export, export_rules
from trailmark.workspace import Workspace


@click.command("export")
@click.argument("file")
@click.option("--kind", help="Only records of this kind.")
@click.option("--field", "fields", multiple=True, metavar="NAME", help="Only this field (repeatable, in this order).")
@click.option("--sources", is_flag=True, help="Write beside each value the XPath of the place it came from.")
@click.option("--rules", is_flag=True, help="Write the rules instead of the records: .xslt, .py or .json.")
@click.option("--cluster", metavar="ID", help="With --rules: only those of this cluster.")
@click.option(
    "--compact", is_flag=True, help="FILE is a folder of data sets: bring their small files together in large ones."
)
@json_option
@click.pass_obj
def verb(
    folder: Path,
    file: str,
    kind: str | None,
    fields: tuple[str, ...],
    sources: bool,
    rules: bool,
    cluster: str | None,
    compact: bool,
    as_json: bool,
) -> None:
    """Write the workspace's records to a file: .jsonl, .json, .csv, .tsv, .xlsx, .parquet or .sqlite.

    In a table each record is a row and each field a column; several values of a field are joined. Separator, byte order mark
    and the guard against formulas are settings. With --rules: an XSLT 1.0 stylesheet, a Python program that needs parsel and
    nothing of ours, or JSON; there the first rule that finds a value is believed, where ours vote.

    A folder, or an address as s3://bucket/lake/, with a slash at its end: records, fetches and clusters are written to data sets of Parquet files below it.

    \b
    trailmark -w my-project export items.csv
    trailmark -w my-project export items.parquet --kind item --field title --field price
    trailmark -w my-project export rules.xslt --rules --cluster shop.example/1
    trailmark -w my-project export s3://bucket/lake/
    trailmark export --compact s3://bucket/lake/
    """
    printer = Printer(as_json)
    if compact or file.endswith("/"):
        if rules or kind or fields or sources or cluster:
            raise click.UsageError("data sets hold all there is: --kind, --field, --sources and --rules are for files")
        _data_sets(printer, folder, file, compact=compact)
        return
    if (rules and (kind or fields or sources)) or (cluster and not rules):
        raise click.UsageError("--kind, --field and --sources are for records, --cluster is for --rules")
    with Workspace.open(folder) as workspace:
        if rules:
            _export_rules(printer, workspace, Path(file), cluster)
        else:
            report = export(workspace, file, kind=kind, fields=fields, sources=sources)
            printer.say(
                f"{count_of(report.records, 'record')} with the fields {', '.join(report.fields)} are in {file}."
            )
            printer.report(report)


def _data_sets(printer: Printer, folder: Path, target: str, *, compact: bool) -> None:
    if compact:
        done = compact_data_sets(target)
        printer.say(f"{count_of(done.files_before, 'file')} became {done.files}, with {count_of(done.rows, 'row')}.")
        printer.report(done)
        return
    with Workspace.open(folder) as workspace:
        report = export_data_sets(workspace, target)
    printer.say(
        f"{count_of(report.records, 'record')}, {count_of(report.fetches, 'fetch', 'fetches')} and {count_of(report.clusters, 'page')} of clusters are in data sets below {target}"
    )
    printer.report(report)


def _export_rules(printer: Printer, workspace: Workspace, file: Path, cluster: str | None) -> None:
    report = export_rules(workspace, file, cluster=cluster)
    printer.say(f"The rules of {', '.join(report.clusters)} are in {file}.")
    for name in report.left_out:
        printer.say(f"Those of {name} were left out, as no XPath can say where its entries stand; .json has them.")
    printer.report(report)
