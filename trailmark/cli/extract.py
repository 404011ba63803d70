"""`trailmark extract`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import Printer, all_named, archive_option, json_option, on_option, parts_bar
from trailmark.cli.taking_back import forget_kept, list_kept, taking_back
from trailmark.cli.telling import telling
from trailmark.extract.extract_report import ExtractReport
from trailmark.quoting import count_of
from trailmark.scale.places import crew_on, hands_on
from trailmark.verbs.data_sets import take_records
from trailmark.verbs.extract import extract
from trailmark.verbs.extract_parts import extract_parts
from trailmark.verbs.process_hands import ProcessHands
from trailmark.workspace import Workspace

NAMED = 5
"""Pages that are named to a person; --json names more."""


@click.command("extract")
@click.argument("ids", nargs=-1, metavar="")
@archive_option(
    "Lift records off all pages of this web archive (repeatable; default: the pages that were found by a run, or chosen by "
    "marking one of their group)."
)
@click.option("--all", "everything", is_flag=True, help="Lift records off all pages that the workspace knows.")
@click.option(
    "--borrow/--no-borrow",
    default=None,
    help="Try pages whose template has no rules with those of their site's other templates (default: only with --archive).",
)
@click.option("--dry-run", is_flag=True, help="Say how many rows it would give, and keep nothing.")
@click.option(
    "--out",
    metavar="FILE",
    help="Write the records to this file too: .jsonl, .json, .csv, .tsv, .xlsx, .parquet or .sqlite. A folder, or an address as "
    "s3://bucket/records/, with a slash at its end: to a data set there, and not to the workspace.",
)
@click.option(
    "--from",
    "source",
    metavar="FOLDER",
    help="Take the records of this data set into the workspace, and lift none: a folder, or an address as s3://bucket/records/.",
)
@click.option("--kind", help="With --from: only records of this kind.")
@click.option("--sources", is_flag=True, help="Write beside each value the XPath of the place it came from.")
@click.option("--jobs", type=click.IntRange(0, 256), help="Processes side by side (0: one for each core).")
@click.option("--again", is_flag=True, help="Extract pages again although neither they nor the rules have changed.")
@on_option
@taking_back("records")
@json_option
@click.pass_obj
@telling
def verb(
    folder: Path,
    ids: tuple[str, ...],
    archives: tuple[Path, ...],
    everything: bool,
    borrow: bool | None,
    dry_run: bool,
    out: str | None,
    source: str | None,
    kind: str | None,
    sources: bool,
    jobs: int | None,
    again: bool,
    place: str,
    listing: bool,
    forgotten: tuple[str, ...],
    yes: bool,
    as_json: bool,
) -> int:
    """Lift records off pages by the rules that were learnt.

    Pages are those that a run found (called goals, or checked right; unsure ones are not) and those of a group with a marked page; --all takes
    every page at hand, --archive every page of an archive.

    Each page gets the rules of the cluster it belongs to; a page that is new joins by its URL and its structure. Where the
    rules of a field do not agree, the field is left out. A page that was extracted before by the same rules, and has not
    changed, is not extracted again; its records are in the file all the same.

    \b
    trailmark -w my-project extract --dry-run
    trailmark -w my-project extract
    trailmark -w my-project extract --archive shop.warc.gz --out records.csv
    trailmark -w my-project extract --archive shop.warc.gz --on ray
    trailmark -w my-project extract --archive s3://bucket/pages/ --on ray --out s3://bucket/records/
    trailmark -w my-project extract --from s3://bucket/records/ --kind item
    trailmark -w my-project extract --list
    trailmark -w my-project extract --forget 17
    """
    if listing:
        return list_kept(folder, "records", as_json)
    if forgotten:
        return forget_kept(folder, "records", [*forgotten, *ids], yes=yes, as_json=as_json)
    archives = all_named(archives, ids)
    if source is not None:
        if archives or everything or out or dry_run:
            raise click.UsageError(
                "--from takes records that were lifted: leave out --archive, --all, --out and --dry-run"
            )
        return _take(Printer(as_json), folder, source, kind)
    if kind is not None:
        raise click.UsageError("--kind goes with --from")
    if everything and archives:
        raise click.UsageError(
            "--all is for the pages of the workspace; --archive takes all pages of its archive anyway"
        )
    printer = Printer(as_json)
    if out is not None and out.endswith("/"):
        if dry_run or sources or not (archives or everything):
            raise click.UsageError(
                "--out FOLDER/ writes a data set of all pages of --archive, or of --all; --dry-run and --sources are for files"
            )
        report = _to_data_set(folder, archives, out, place, jobs=jobs, borrow=borrow, again=again)
        print_extracted(printer, report)
        printer.say(f"The records are in the data set {out}")
        printer.report(report)
        return 0
    with Workspace.open(folder) as workspace, crew_on(place) as crew:
        report = extract(
            workspace,
            archives,
            everything=everything,
            borrow=borrow,
            dry_run=dry_run,
            out=out,
            sources=sources,
            jobs=jobs,
            again=again,
            progress=printer.progress,
            crew=crew,
        )
    print_extracted(printer, report)
    if out:
        printer.say(f"The records are in {out}.")
    printer.report(report)
    return 0


def _take(printer: Printer, folder: Path, source: str, kind: str | None) -> int:
    with Workspace.open(folder) as workspace:
        report = take_records(workspace, source, kind=kind, progress=printer.progress)
    printer.say(
        f"{count_of(report.records, 'record')} of the data set were read; {report.new} of them are new to the workspace."
    )
    printer.report(report)
    return 0


def _to_data_set(
    folder: Path,
    archives: tuple[Path, ...],
    out: str,
    place: str,
    *,
    jobs: int | None,
    borrow: bool | None,
    again: bool,
) -> ExtractReport:
    with Workspace.open(folder) as workspace, hands_on(place) as hands, parts_bar() as watch:
        chosen = workspace.settings.wrap.jobs if jobs is None else jobs
        return extract_parts(
            workspace, archives, out, hands or ProcessHands(chosen), borrow=borrow, again=again, watch=watch
        )


def print_extracted(printer: Printer, report: ExtractReport) -> None:
    """The report for a person."""
    rows = [
        (name, count, f"{report.fill[name]:.0%}", " | ".join(map(_short, report.examples.get(name, ()))))
        for name, count in report.fields.items()
    ]
    if rows:
        printer.table("Fields", ["field", "records that have it", "filled", "for example"], rows)
    printer.say(
        f"{count_of(report.records, 'record')} from {count_of(report.pages, 'page')} with rules; on {report.empty} of them nothing was found."
    )
    if report.borrowed:
        printer.say(
            f"{report.borrowed} more are borrowed: from pages whose own cluster has no rules, by those of another cluster of their site."
        )
    if report.taken_out:
        gone = "would be" if report.dry_run else "was" if report.taken_out == 1 else "were"
        printer.say(
            f"{count_of(report.taken_out, 'record')} of an earlier run {gone} taken out, off pages that were neither found by a run nor chosen; "
            "with them: trailmark extract --all"
        )
    if report.unchanged:
        printer.say(f"{count_of(report.unchanged, 'page was', 'pages were')} known from an earlier run and unchanged.")
    if report.without_rules:
        printer.say(f"{count_of(report.without_rules, 'page has', 'pages have')} no rules: {_some(report, 'none')}")
    for name, count in report.unsure_values.items():
        printer.say(
            f"'{name}' is unsure on {count_of(count, 'record')}: trailmark wrap says which page to mark to settle it."
        )
    for thin in report.sparse:
        printer.say(
            f"'{thin.field}' is filled on {thin.filled} of {thin.records} records only ({thin.filled / max(thin.records, 1):.0%}); "
            f"look at one that lacks it: {', '.join(thin.pages[:NAMED])}"
        )
    for field in report.unsure:
        printer.say(
            f"'{field.field}' is missing on {count_of(field.lacking, 'record')} of {field.rules}, though {field.share:.0%} have it; "
            f"worth a look: {', '.join(field.pages[:NAMED])}"
        )
    if report.failed:
        printer.say(f"{count_of(report.failed, 'page')} could not be extracted: {_some(report, 'failed')}")
    if report.dry_run:
        printer.say(f"{report.summary} Nothing was kept.")


def _some(report: ExtractReport, kind: str) -> str:
    pages = report.named.get(kind, ())
    return ", ".join(pages[:NAMED]) + (" ..." if len(pages) > NAMED else "")


def _short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:39]}…"
