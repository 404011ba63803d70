"""`trailmark show URL`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.printing import Printer, json_option, replay_option
from trailmark.cli.record import print_records
from trailmark.cli.why import print_why
from trailmark.datatypes import Page
from trailmark.quoting import count_of
from trailmark.read import url_words
from trailmark.store.archive import archives_in
from trailmark.verbs.data_sets import DataSetReport, data_set_page
from trailmark.verbs.show import ShowReport, show, show_all, show_archived
from trailmark.workspace import Workspace, settings_in

WORDS_SHOWN = 40
LINKS_SHOWN = 60
LISTED, LONGEST = 50, 300
"""Records of a data set that are listed, and letters of each."""
SITES_SHOWN = 200


@click.command("show")
@click.argument("url", required=False)
@click.option(
    "--all", "every", is_flag=True, help="Read every page of the archives and say how many, and which was slowest."
)
@click.option("--sites", is_flag=True, help="List the sites that the archives hold, with a page of each to begin at.")
@click.option(
    "--why", is_flag=True, help="Say what the learnt navigator takes the page and its best links for, and why."
)
@click.option(
    "--goal", metavar="NAME", help="With --why: as the navigator of this goal sees it, where several were learnt."
)
@click.option(
    "--record", is_flag=True, help="Show the records that were lifted off the page, and where each value stood."
)
@click.option(
    "--data-set",
    metavar="FOLDER",
    help="List records of this data set: a folder, or an address as s3://bucket/records/.",
)
@click.option("--kind", help="With --data-set: only records of this kind.")
@click.option(
    "--containing",
    default="",
    metavar="TEXT",
    help="With --data-set: only records with these letters in a value or the address.",
)
@click.option(
    "--skip",
    type=click.IntRange(0),
    default=0,
    help="With --data-set: leave out so many before the first that is listed.",
)
@replay_option
@json_option
@click.pass_obj
def verb(
    folder: Path,
    url: str | None,
    every: bool,
    sites: bool,
    why: bool,
    goal: str | None,
    record: bool,
    data_set: str | None,
    kind: str | None,
    containing: str,
    skip: int,
    archives: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Show what Trailmark sees in a page: title, words, headings, repetition, links.

    The page comes from the archives given, from the workspace, or, if neither has it, from the network. With --why it must be in
    the archives or the workspace; where a trail passes it, it is judged at the end of that path.

    \b
    trailmark show http://www.example.org/ --replay site.warc.gz
    trailmark -w my-project show http://www.example.org/people/ --json
    trailmark show --all --replay site.warc.gz
    trailmark show --sites --replay site.warc.gz
    trailmark -w my-project show http://www.example.org/people/ --why
    trailmark -w my-project show http://www.example.org/people/ --why --goal course
    trailmark -w my-project show http://shop.example/item/7 --record
    trailmark show --data-set s3://bucket/records/ --kind item --containing lamp
    """
    printer = Printer(as_json)
    if data_set is not None:
        print_data_set(printer, data_set_page(data_set, kind=kind, containing=containing, most=LISTED, skip=skip), skip)
        return
    if kind or containing or skip:
        raise click.UsageError("--kind, --containing and --skip go with --data-set")
    if sites:
        _show_sites(printer, folder, archives)
        return
    if url is None and not every:
        raise click.UsageError("name the URL of a page, --all or --sites")
    if goal is not None and not why:
        raise click.UsageError("--goal says whose navigator explains the page: it goes with --why")
    if every:
        read = show_all(archives or _own_archives(folder), settings_in(folder), progress=printer.progress)
        printer.say(read.summary)
        printer.report(read)
    elif why:
        _show_why(printer, folder, str(url), archives, goal)
    elif record:
        _show_records(printer, folder, str(url), archives)
    else:
        seen = _seen(folder, str(url), archives)
        print_page(printer, seen)
        printer.report(seen)


def print_data_set(printer: Printer, report: DataSetReport, skip: int) -> None:
    """What a data set holds, and a page of it."""
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in report.kinds.items())
    printer.say(f"{report.folder} holds {kinds or 'no records'}, of {count_of(report.parts, 'part')}.")
    rows = [
        (each.url, each.kind, "; ".join(f"{name}: {' | '.join(values)}" for name, values in each.fields.items()))
        for each in report.records
    ]
    if rows:
        title = f"Records {skip + 1:,} to {skip + len(rows):,} of {report.count:,}"
        printer.table(title, ["page", "kind", "values"], [(url, kind, text[:LONGEST]) for url, kind, text in rows])
    if report.aside:
        printer.say(
            f"{count_of(report.aside, 'page was', 'pages were')} set aside, for example {report.set_aside[0].url or report.set_aside[0].archive}: {report.set_aside[0].reason}"
        )
    printer.report(report)


def _show_sites(printer: Printer, folder: Path, archives: tuple[Path, ...]) -> None:
    from trailmark.verbs.archive_sites import archive_sites

    report = archive_sites(archives or _own_archives(folder), settings_in(folder))
    rows = [(each.site, each.pages, each.first) for each in report.sites[:SITES_SHOWN]]
    printer.table("Sites", ["site", "pages", "begin at"], rows)
    if len(report.sites) > SITES_SHOWN:
        printer.say(f"... and {len(report.sites) - SITES_SHOWN} more; --json lists them all.")
    printer.report(report)


def _own_archives(folder: Path) -> tuple[Path, ...]:
    with Workspace.open(folder) as workspace:
        return archives_in(workspace.archive_folder)


def _seen(folder: Path, url: str, archives: tuple[Path, ...]) -> ShowReport:
    """Where archives are named, no workspace is needed."""
    if archives:
        return show_archived(url, archives, settings_in(folder))
    with Workspace.open(folder) as workspace:
        return show(workspace, url)


def _show_why(printer: Printer, folder: Path, url: str, archives: tuple[Path, ...], goal: str | None) -> None:
    from trailmark.verbs.explain import explain

    with Workspace.open(folder) as workspace:
        report = explain(workspace, url, archives, goal=goal)
    print_why(printer, report)
    printer.report(report)


def _show_records(printer: Printer, folder: Path, url: str, archives: tuple[Path, ...]) -> None:
    from trailmark.verbs.show_record import trace_records

    with Workspace.open(folder) as workspace:
        report = trace_records(workspace, url, archives)
    print_records(printer, report)
    printer.report(report)


def print_page(printer: Printer, report: ShowReport) -> None:
    """The page as tables."""
    page = report.page
    printer.say(page.title or "(no title)", style="bold")
    rows: list[tuple[str, object]] = [
        ("URL", page.url),
        ("status", report.status),
        ("type", page.content_type or "unknown"),
        ("charset", page.charset or "-"),
        ("words of the URL", " ".join(url_words(page.url))),
        ("words of the head", _some(page.head_tokens)),
        ("words of the body", _some(page.body_tokens)),
        ("repetition", _repetition(page)),
        ("cut", "; ".join(page.cuts) or "nothing"),
    ]
    printer.table("Page", ["what", "seen"], rows)
    if page.headings:
        marked = [(h.level, h.text, "yes" if h.known else "") for h in page.headings]
        printer.table("Headings (level 7: bold or large text alone on its line)", ["level", "text", "known"], marked)
    if page.links:
        links = [
            (
                n,
                link.anchor,
                " ".join(url_words(link.url)),
                link.place,
                link.heading,
                link.block if link.repeated else "",
            )
            for n, link in enumerate(page.links[:LINKS_SHOWN])
        ]
        title = f"Links ({len(page.links)}" + (f", the first {LINKS_SHOWN})" if len(page.links) > LINKS_SHOWN else ")")
        printer.table(title, ["#", "anchor", "URL words", "place", "under the heading", "block"], links)


def _some(tokens: tuple[str, ...]) -> str:
    return " ".join(tokens[:WORDS_SHOWN]) + (" ..." if len(tokens) > WORDS_SHOWN else "")


def _repetition(page: Page) -> str:
    if not page.repetition.found:
        return "none"
    blocks = page.repetition.blocks[:5]
    return "; ".join(
        f"{b.items} x <{' '.join(b.pattern[:6])}> ({b.coverage:.0%} of the page, {count_of(len(b.links), 'link')})"
        for b in blocks
    )
