"""Signatures beside the parse that they follow, and the choice of pages to annotate: one process, one run, processor time.

    python -m benchmarks.signatures [DIR] [--pages 200] [--archive A.warc.xz]...

DIR holds archives, at any depth; pages of the first few of them are taken. Without an archive the pages are made up: item pages of about 900 elements. The aim is 1,000 shingle vectors a second and
core; what counts on a shared machine is the ratio to the parse of the same pages. The peer is a min-hash of the same shingles
with one hash object for each shingle, as a plain Python program would do it.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

ROUNDS = 3
MOST_READ = 10
"""Pages that are read for each that is taken."""


def archives_below(folder: Path | None) -> list[Path]:
    """The archives in a folder, at any depth, by name."""
    return (
        []
        if folder is None
        else sorted(
            path
            for path in folder.rglob("*.warc*")
            if path.name.endswith((".warc", ".warc.gz", ".warc.zst", ".warc.xz"))
        )
    )


def made_up(number: int) -> bytes:
    """A page of about 900 elements in a template with optional parts."""
    dice = random.Random(number)
    menu = "".join(f"<li class='m{n}'><a href='/{n}'>menu {n}</a></li>" for n in range(60))
    rows = "".join(
        f"<tr class='row'><th>name {n}</th><td><span class='v'>{dice.random()}</span></td></tr>"
        for n in range(dice.randint(120, 160))
    )
    notes = "".join(f"<div class='note'><p>{dice.random()} <b>x</b></p></div>" for n in range(dice.randint(20, 60)))
    return (
        f"<html><head><title>Page {number}</title></head><body><ul>{menu}</ul><h1>Page {number}</h1>"
        f"<table>{rows}</table>{notes}</body></html>"
    ).encode()


def bodies(archives: Iterable[Path], most: int) -> list[bytes]:
    from trailmark.store.archive import read_archive

    every = (r.body for archive in archives for r in read_archive(archive) if r.status == 200 and r.body)
    found = list(islice(every, MOST_READ * most))
    step = max(1, len(found) // most)
    return found[::step][:most] or [made_up(number) for number in range(most)]


def plain_vector(tags: list[str]) -> bytes:
    """The peer: eight salted hashes of every shingle, the minimum of each."""
    shingles = {" ".join(tags[n : n + 10]).encode() for n in range(max(1, len(tags) - 9))}
    salts = [bytes([n]) * 8 for n in range(8)]
    return bytes(
        min(hashlib.blake2b(each, digest_size=8, salt=salt).digest() for each in shingles)[-1] for salt in salts
    )


def milliseconds(work: Callable[[Any], object], items: list[Any]) -> float:
    """Processor time for each item, the best of a few rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        began = time.process_time()
        for item in items:
            work(item)
        best = min(best, time.process_time() - began)
    return best / len(items) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--archive", type=Path, action="append", default=[])
    chosen = parser.parse_args()

    from trailmark.cluster import annotation_order, group_pages, page_nodes, sign_page, sign_tags
    from trailmark.cluster.signature import shingle_vector, tag_codes
    from trailmark.read import parse_html

    pages = bodies([*chosen.archive, *archives_below(chosen.folder)], chosen.pages)
    trees = [tree for tree in (parse_html(body)[0] for body in pages) if tree is not None]
    tags = [[element.tag for element in tree.iter("*")] for tree in trees]
    print(f"{len(trees)} pages, {sum(map(len, tags)) / len(trees):.0f} elements each on average")
    parse = milliseconds(parse_html, pages)
    steps: list[tuple[str, float]] = [
        ("parse (lxml, with decoding)", parse),
        ("shingle vector from tags", milliseconds(lambda each: shingle_vector(tag_codes(each)), tags)),
        ("shingle vector from a tree", milliseconds(sign_tags, trees)),
        ("whole signature from a tree", milliseconds(sign_page, trees)),
        ("paths and contents for sampling", milliseconds(page_nodes, trees)),
        ("peer: hash objects, from tags", milliseconds(plain_vector, tags)),
    ]
    for name, each in steps:
        print(f"{name:32s} {each:7.3f} ms a page  {1000 / each:8.0f} pages/s  {each / parse:5.2f} of the parse")
    signatures = [sign_page(tree) for tree in trees]
    began = time.process_time()
    groups = group_pages(signatures)
    print(f"grouping: {time.process_time() - began:.2f} s, {len(groups.templates)} clusters")
    nodes = [page_nodes(tree) for tree in trees] * max(1, 400 // len(trees))
    began = time.process_time()
    order = annotation_order(nodes)
    print(f"annotation order of {len(nodes)} pages: {time.process_time() - began:.2f} s, {len(order)} chosen")
    return 0


if __name__ == "__main__":
    sys.exit(main())
