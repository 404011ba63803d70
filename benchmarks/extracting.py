"""Extraction of a whole archive: milliseconds a page, what more processes save, and what a second run costs.

    python -m benchmarks.extracting [--pages 600] [--archive A.warc.xz --truth T.jsonl] [--repeat 3]

Without an archive the pages are made up. Rules are learnt from two annotated pages first; what is measured is the run over
all pages, from the archive to the workspace and a file; and how far exported rules agree with the vote. The peer is a bare parse of the same pages. On a machine that is
busy with other things the ratios count, not the milliseconds; the processor time beside the clock tells how busy it was.

One process and two take turns, and the best of each is compared. Beside what the clock says stands what a quiet machine with two cores could give at
most: the processor time of one process, over that of two where all of it is spread over both cores, or over that of the process which hands out the work,
if that is more. Where other work takes the cores, the clock says less, and the share of the cores that was had says why.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from trailmark.verbs.cluster import cluster


def made_up(number: int) -> tuple[bytes, dict[str, list[str]]]:
    """An item page of about 400 elements, and its facts."""
    dice = random.Random(number)
    facts = {
        "title": [f"Item {number} of {dice.randint(1, 99)}"],
        "price": [f"${dice.randint(1, 999)}.{dice.randint(10, 99)}"],
    }
    menu = "".join(f"<li class='m{n}'><a href='/{n}'>menu {n}</a></li>" for n in range(60))
    rows = "".join(f"<tr><th>name {n}</th><td>{dice.random():.4f}</td></tr>" for n in range(dice.randint(60, 90)))
    html = (
        f"<html><head><title>Shop</title></head><body><ul>{menu}</ul><div id='item'><h1>{facts['title'][0]}</h1><p>Price: "
        f"<span class='now'>{facts['price'][0]}</span></p><table>{rows}</table></div></body></html>"
    )
    return html.encode(), facts


def pages_of(chosen: argparse.Namespace) -> list[tuple[str, bytes, dict[str, list[str]]]]:
    from trailmark.store.archive import read_archive

    if chosen.archive is None:
        return [(f"http://shop.example/{n}", *made_up(n)) for n in range(chosen.pages)]
    lines = [json.loads(line) for line in chosen.truth.read_text(encoding="utf-8").splitlines()]
    truth = {each["url"]: each["values"] for each in lines}
    found = [(r.url, r.body, truth[r.url]) for r in read_archive(chosen.archive) if r.url in truth]
    # The same pages under other addresses, until there are enough.
    return [
        (f"{url}#{n}" if n else url, body, facts)
        for n in range(-(-chosen.pages // len(found)))
        for url, body, facts in found
    ]


def prepare(folder: Path, pages: list[tuple[str, bytes, dict[str, list[str]]]]) -> Path:
    """A workspace with rules from two pages, and the archive of all."""
    from trailmark.datatypes import Annotation, Response
    from trailmark.store.archive_writer import ArchiveWriter
    from trailmark.verbs.wrap import wrap
    from trailmark.workspace import Workspace

    headers = (("Content-Type", "text/html; charset=utf-8"),)
    few, all_of_them = folder / "few.warc.gz", folder / "all.warc.gz"
    for path, some in ((few, pages[:60]), (all_of_them, pages)):
        with ArchiveWriter(path) as writer:
            for url, body, _ in some:
                writer.write(Response(url, 200, headers, body))
    with Workspace.create(folder / "w") as workspace:
        cluster(workspace, [few])
        said = [(url, field, values) for url, _, facts in pages[:2] for field, values in facts.items()]
        marks = [Annotation(url, field, value) for url, field, values in said for value in values]
        marks += [Annotation(url, field, None) for url, field, values in said if not values]
        workspace.database.add_annotations(marks, "marks")
        wrap(workspace)
    return all_of_them


def agreement(folder: Path, pages: list[tuple[str, bytes, dict[str, list[str]]]]) -> None:
    """How often rules that were exported give what the vote gives: fields of at most a hundred pages."""
    from lxml import etree
    from parsel import Selector

    from trailmark.read import parse_html
    from trailmark.workspace import Workspace
    from trailmark.wrap import NodeTable
    from trailmark.wrap.writing.rules_program import rules_to_program
    from trailmark.wrap.writing.rules_stylesheet import rules_to_stylesheet

    with Workspace.open(folder) as workspace:
        rules = next(iter(workspace.rules().values()))
    names: dict[str, Any] = {}
    exec(rules_to_program([rules]), names)
    transform = etree.XSLT(etree.fromstring(rules_to_stylesheet([rules]).encode()))
    total = program = sheet = 0
    for url, body, _ in pages[:100]:
        tree = parse_html(body)[0]
        assert tree is not None
        voted = rules.record(url, NodeTable(tree)).fields
        listed = names["extract"](Selector(root=tree, type="html"), rules.id)
        made = {each.get("name"): list(dict.fromkeys(v.text for v in each)) for each in transform(tree).getroot()}
        for field in rules.fields:
            wanted = list(voted.get(field.name, ()))
            total += 1
            program += listed.get(field.name, []) == wanted
            sheet += made.get(field.name, []) == wanted
    print(f"exported rules give what the vote gives: program {program / total:.4f}, stylesheet {sheet / total:.4f}")


class Timed(NamedTuple):
    """Seconds: by the clock, of the processor in this process, and in those that it started."""

    clock: float
    here: float
    started: float


def timed(label: str, count: int, work: Any) -> Timed:
    """What work took; printed as milliseconds a page."""
    began, here, started = time.perf_counter(), _used(resource.RUSAGE_SELF), _used(resource.RUSAGE_CHILDREN)
    work()
    took = Timed(
        time.perf_counter() - began,
        _used(resource.RUSAGE_SELF) - here,
        _used(resource.RUSAGE_CHILDREN) - started,
    )
    spent = (took.here + took.started) / count * 1000
    print(f"{label:34s} {took.clock / count * 1000:7.2f} ms a page by the clock, {spent:7.2f} ms of processor")
    return took


def _used(who: int) -> float:
    return sum(resource.getrusage(who)[:2])


def both_cores(one: Timed, two: Timed) -> str:
    """What two processes save by the clock, and what they could on a quiet machine."""
    spread = max((two.here + two.started) / 2, two.here)
    had = (two.here + two.started) / two.clock
    return (
        f"two processes by the clock: {one.clock / two.clock:.2f} times as fast, with {had:.2f} of 2 cores had (one process had "
        f"{(one.here + one.started) / one.clock:.2f}); at most, on two quiet cores: {(one.here + one.started) / spread:.2f} times"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--archive", type=Path)
    parser.add_argument("--truth", type=Path)
    parser.add_argument("--repeat", type=int, default=3, help="turns of one process and two (default 3)")
    chosen = parser.parse_args()

    from trailmark.extract.extract_report import ExtractReport
    from trailmark.read import parse_html
    from trailmark.verbs.extract import extract
    from trailmark.workspace import Workspace

    pages = pages_of(chosen)
    with tempfile.TemporaryDirectory() as name:
        archive = prepare(Path(name), pages)
        print(
            f"{len(pages)} pages, {sum(len(body) for _, body, _ in pages) / len(pages) / 1000:.0f} kB each; load {os.getloadavg()[0]:.1f}"
        )
        timed("bare parse", len(pages), lambda: [parse_html(body) for _, body, _ in pages])
        with Workspace.open(Path(name) / "w") as workspace:

            def run(jobs: int, again: bool = True) -> ExtractReport:
                return extract(workspace, [archive], out=Path(name) / "out.csv", jobs=jobs, again=again)

            ones, twos = [], []
            for _ in range(chosen.repeat):
                ones.append(timed("extract, 1 process", len(pages), lambda: run(1)))
                twos.append(timed("extract, 2 processes", len(pages), lambda: run(2)))
            one, two = min(ones).clock, min(twos).clock
            known = timed("again, nothing changed", len(pages), lambda: run(1, again=False)).clock
            report = run(1, again=False)
        agreement(Path(name) / "w", pages)
    print(
        f"two processes: {one / two:.2f} times as fast; unchanged pages: {one / known:.1f} times; {report.records} records"
    )
    print(both_cores(min(ones), min(twos)))
    print(f"most memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
