"""A workspace with rules for two shops, and archives of many of their pages: what is extracted on clusters in tests and benchmarks."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from trailmark.datatypes import Annotation, Record, Response
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.cluster import cluster
from trailmark.verbs.wrap import wrap
from trailmark.workspace import Workspace

HTML = (("Content-Type", "text/html; charset=utf-8"),)
SHOPS = ("alder", "birch")


def item(shop: str, number: int) -> tuple[str, str, dict[str, str]]:
    """URL, page and facts of an item."""
    dice = random.Random(f"{shop}{number}")
    facts = {"title": f"Item {number} of {shop}", "price": f"${dice.randint(1, 999)}.{dice.randint(10, 99)}"}
    rows = "".join(f"<tr><th>name {n}</th><td>{dice.random():.4f}</td></tr>" for n in range(dice.randint(5, 12)))
    body = (
        f"<html><head><title>{shop}</title></head><body><ul><li><a href='/'>home</a><li><a href='/all'>all</a></ul>"
        f"<div id='item'><h1>{facts['title']}</h1><p>Price: <span class='now'>{facts['price']}</span></p><table>{rows}</table></div></body></html>"
    )
    return f"http://{shop}.example/{number}", body, facts


def write(path: Path, pages: Iterable[tuple[str, str]]) -> Path:
    with ArchiveWriter(path, date="2000-01-01T00:00:00Z") as writer:
        for url, body in pages:
            writer.write(Response(url, 200, HTML, body.encode()))
    return path


def new_workspace(folder: Path) -> Path:
    """Rules learnt from two pages of each shop."""
    some = [item(shop, number) for shop in SHOPS for number in range(30)]
    archive = write(folder / "taught.warc.gz", [(url, body) for url, body, _ in some])
    with Workspace.create(folder / "w") as workspace:
        cluster(workspace, [archive])
        marks = [
            Annotation(url, field, value)
            for shop in SHOPS
            for url, _, facts in (item(shop, 0), item(shop, 1))
            for field, value in facts.items()
        ]
        workspace.database.add_annotations(marks, "marks")
        wrap(workspace)
    return folder / "w"


def archives(folder: Path, files: int, pages: int) -> list[Path]:
    """So many archives of so many pages each, of both shops and of one that has no rules."""
    folder.mkdir(exist_ok=True)
    made = []
    for number in range(files):
        first = 1000 + number * pages
        rows = [item((*SHOPS, "cedar")[n % 3], n)[:2] for n in range(first, first + pages)]
        made.append(write(folder / f"pages-{number:03d}.warc.gz", rows))
    return made


def told(records: Iterable[Record]) -> list[tuple[str, str, str, str]]:
    """Records as something that can be sorted and compared, all of them."""
    return sorted((record.url, record.kind, str(dict(record.fields)), record.made_by) for record in records)


def locally(workspace: Path, named: Sequence[Path]) -> list[tuple[str, str, str, str]]:
    """The records that `extract` keeps of archives in a workspace."""
    from trailmark.verbs.extract import extract

    with Workspace.open(workspace) as opened:
        extract(opened, named, jobs=1)
        return told(opened.database.records())
