"""A step of the demo: the papers that the pages it found link to become records, by the taggers that come with Trailmark."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trailmark.cli.printing import Printer
from trailmark.datatypes import Record
from trailmark.demo import DemoWeb
from trailmark.demo.paper_file import DemoPaper
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.tag import tag
from trailmark.workspace import Workspace

SHOWN = 6


def tag_papers(out: Path, web: DemoWeb, printer: Printer) -> dict[str, Any]:
    """Keep the papers that goal pages link to, tag them without any other data, and compare with what the web knows of them."""
    truth = papers_found(out, web)
    if not truth:
        printer.say("   None of the pages it found links to a paper this time: there is nothing to tag.")
        return {"papers": 0, "tagged": 0, "titles_right": 0, "authors_right": 0, "references": 0, "references_found": 0}
    with ArchiveWriter(out / "papers.warc.gz") as writer:
        for url in truth:
            site = web.find(url.partition("://")[2])
            assert site is not None
            writer.write(site.respond(url))
    with Workspace.open(out / "workspace") as workspace:
        report = tag(workspace, archives=[out / "papers.warc.gz"], out=out / "papers.bib", progress=printer.progress)
        records = [record for url in truth for record in workspace.database.records(url=url, maker="tag:")]
    found = {record.url: record for record in records if record.kind == "paper"}
    counts = {
        "papers": len(truth),
        "tagged": report.papers,
        "titles_right": sum(_title_right(found.get(url), paper) for url, paper in truth.items()),
        "authors_right": sum(_authors_right(found.get(url), paper) for url, paper in truth.items()),
        "references": sum(len(paper.references) for paper in truth.values()),
        "references_found": report.references,
    }
    _print(printer, counts, truth, found)
    printer.say(f"   They are in {out / 'papers.bib'}, with their references.")
    return counts


def papers_found(out: Path, web: DemoWeb) -> dict[str, DemoPaper]:
    """Address of every paper that a page it took for a goal links to -> the paper."""
    lines = (out / "forage.jsonl").read_text(encoding="utf-8").splitlines()
    papers: dict[str, DemoPaper] = {}
    for url in (each["url"] for each in map(json.loads, lines) if each["goal"]):
        site = web.find(url.partition("://")[2])
        page = site.page(url) if site else None
        if site is None or page is None:
            continue
        there = frozenset(site.papers)
        links = dict.fromkeys(site.url(anchor.path) for anchor in page.anchors())
        papers |= {link: site.paper(link) for link in links if link in there}
    return papers


def _title_right(record: Record | None, paper: DemoPaper) -> bool:
    titles: Sequence[str] = record.fields.get("title", ()) if record is not None else ()
    return bool(titles) and titles[0].lower() == paper.title.lower()


def _authors_right(record: Record | None, paper: DemoPaper) -> bool:
    names: Sequence[str] = record.fields.get("author", ()) if record is not None else ()
    return [name.lower() for name in names] == [name.lower() for name in paper.authors]


def _print(printer: Printer, counts: dict[str, int], truth: dict[str, DemoPaper], found: dict[str, Record]) -> None:
    rows = []
    for url, paper in truth.items():
        record = found.get(url)
        title = record.fields.get("title", ("",))[0] if record else ""
        rows.append((title or "(no title found)", "yes" if _title_right(record, paper) else paper.title))
    printer.table(f"Papers ({len(rows)}, some of them)", ["title as tagged", "right"], rows[:SHOWN])
    printer.say(
        f"   Of {counts['papers']} papers that the pages found link to, {counts['tagged']} were tagged: {counts['titles_right']} titles and "
        f"{counts['authors_right']} lists of authors are right, and {counts['references_found']} references were found of {counts['references']}.",
        style="bold",
    )
