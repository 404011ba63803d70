"""The last part of the demo: from the goal pages that were found to records, with two marked entries a template."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from trailmark.cli.printing import Printer
from trailmark.datatypes import Cluster
from trailmark.demo import DemoWeb
from trailmark.quoting import json_text
from trailmark.verbs.cluster import cluster
from trailmark.verbs.export import export
from trailmark.verbs.extract import extract
from trailmark.verbs.teach import teach_annotations
from trailmark.verbs.wrap import wrap
from trailmark.workspace import Workspace

MARKED = 2
"""Entries that are marked on one page of each template."""
SHOWN = 8

Papers = dict[str, list[str]]
"""Page -> what its entries say."""


def lift_records(out: Path, web: DemoWeb, printer: Printer) -> tuple[dict[str, Any], str]:
    """Cluster what was fetched, mark two entries of each template that goal pages have, learn rules, lift records.

    Gives a report, and a page that has records.
    """
    fetched = [json.loads(line) for line in (out / "forage.jsonl").read_text(encoding="utf-8").splitlines()]
    truth = _truth(web, (each["url"] for each in fetched if each["goal"]))
    if not truth:
        printer.say("   None of the pages it took for goals is one this time: there is nothing to lift.")
        return {"marked": 0, "records": 0, "papers": 0, "right": 0}, ""
    marks = out / "marks.jsonl"
    with Workspace.open(out / "workspace") as workspace:
        clusters = cluster(workspace, progress=printer.progress).clusters
        marked = _mark(clusters, truth)
        marks.write_text("".join(json_text(each) + "\n" for each in marked), encoding="utf-8")
        teach_annotations(workspace, [marks])
        wrap(workspace, progress=printer.progress)
        extracted = extract(workspace, progress=printer.progress)
        found = {
            (r.url, *r.fields.get("paper", ())): r.fields.get("year", ("",))[0] for r in workspace.database.records()
        }
        if found:
            export(workspace, out / "records.csv")
    _print(printer, found)
    wanted = {(url, each) for url, entries in truth.items() for each in entries}
    right = len(wanted.intersection(found))
    pages = len({each["url"] for each in marked})
    printer.say(
        f"   From {len(marked) // 2} entries marked on {pages} pages it lifted {len(found)} records; "
        f"of the {len(wanted)} papers on the {len(truth)} goal pages found, {right} came out word for word."
    )
    printer.say(f"   All are in {out / 'records.csv'}, the marks in {marks}.")
    records = extracted.records + extracted.borrowed
    report = {"marked": len(marked), "records": records, "papers": len(wanted), "right": right}
    return report, next((url for url, *_ in found), "")


def _truth(web: DemoWeb, urls: Iterable[str]) -> Papers:
    """What the entries of the publication pages among these say."""
    papers: Papers = {}
    for url in urls:
        site = web.find(url.partition("://")[2])
        page = site.page(url) if site else None
        if page is not None and page.kind == "publications":
            papers[url] = [item for section in page.sections for item in section.items]
    return papers


def _mark(clusters: Iterable[Cluster], truth: Papers) -> list[dict[str, str]]:
    """As a person would: the page to annotate first that is a goal, its first entries, whole and their year."""
    marks = []
    for group in clusters:
        page = next((url for url in [*group.sample, *group.pages] if url in truth), None)
        for entry in truth[page][:MARKED] if page else ():
            marks.append({"url": str(page), "field": "paper", "value": entry})
            marks.append({"url": str(page), "field": "year", "value": entry.rstrip(".")[-4:]})
    return marks


def _print(printer: Printer, records: Mapping[tuple[str, ...], str]) -> None:
    """A few records, taken evenly."""
    rows = [
        (" ".join(paper), year, url.partition("://")[2].partition(".")[0]) for (url, *paper), year in records.items()
    ]
    step = max(1, len(rows) // SHOWN)
    printer.table(f"Records ({len(rows)}, some of them)", ["paper", "year", "site"], rows[::step][:SHOWN])
