"""Grouping of references and ranking at scale, on made-up ones: time, memory, and how right the groups are.

    python -m benchmarks.organise [--references 100000] [--items 100000] [--only grouping|ranking|verb]

`--only verb` fills a workspace with so many things, a tenth of them papers that hold the references, and runs `trailmark.organise` on it in a process of its own: with time and
memory stage by stage, again with nothing new, with one more paper, and with one that cites things here; then what is related to one of them.

References are written in several manners with misprints, words left out, authors cut to `et al.` and years that are off by one; how many
mean one paper falls off as it does in life: most once or twice, a few hundreds of times. Items cite what is cited already, mostly within their field.
"""

from __future__ import annotations

import argparse
import importlib
import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from evals.matching import pair_scores
from trailmark.datatypes import Record
from trailmark.organise.citation_graph import CitationGraph, ranking
from trailmark.organise.item import Item
from trailmark.organise.reference_groups import group_references
from trailmark.organise.reference_parts import ReferenceParts, reference_parts

LETTERS = "abcdefghijklmnopqrstuvwxyz"
SYLLABLES = [
    one + two
    for one in ["b", "c", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "ch", "pl", "st", "tr"]
    for two in ["a", "e", "i", "o", "u", "an", "er", "is"]
]


@dataclass(frozen=True, slots=True)
class Work:
    """A paper that is referred to."""

    authors: list[tuple[str, str]]
    title: list[str]
    venue: str
    year: int
    volume: int
    page: int


class Makers:
    """Words, names and venues from which works are made, the first of them the most common."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.words = _names(rng, 6000, 2, 4)
        self.families = [name.capitalize() for name in _names(rng, 9000, 2, 3)]
        self.venues = [" ".join(word.capitalize() for word in self._some(self.words, 4)) for _ in range(400)]

    def _some(self, words: list[str], number: int) -> list[str]:
        """Words by a law under which the first are far more common than the last."""
        return [words[int(len(words) ** self.rng.random()) - 1] for _ in range(number)]

    def work(self) -> Work:
        rng = self.rng
        authors = [
            (name, rng.choice(LETTERS).upper()) for name in self._some(self.families, rng.choice((1, 2, 2, 3, 4)))
        ]
        title, venue = self._some(self.words, rng.randint(3, 11)), self._some(self.venues, 1)[0]
        return Work(authors, title, venue, rng.randint(1960, 2020), rng.randint(1, 60), rng.randint(1, 900))


def _names(rng: Random, number: int, least: int, most: int) -> list[str]:
    names: dict[str, None] = {}
    while len(names) < number:
        names["".join(rng.choices(SYLLABLES, k=rng.randint(least, most)))] = None
    return list(names)


def written(work: Work, rng: Random) -> tuple[str, str, str]:
    """A work as somebody refers to it: the whole, the authors, the title."""
    manner = rng.randrange(3)
    cut = len(work.authors) > 2 and rng.random() < 0.2
    names = [_misprint(family, rng) for family, _ in work.authors[: 1 if cut else None]]
    if manner == 0:
        each = [f"{name}, {initial}." for name, (_, initial) in zip(names, work.authors, strict=False)]
    else:
        each = [f"{initial}. {name}" for name, (_, initial) in zip(names, work.authors, strict=False)]
    author = ", ".join(each) + (" et al." if cut else "")
    title = " ".join(_misprint(word, rng) for word in work.title if rng.random() > 0.01)
    venue = work.venue if manner != 2 else " ".join(f"{word[:4]}." for word in work.venue.split())
    year = work.year + (rng.random() < 0.03)
    last = work.page + 12
    pages = (
        ""
        if rng.random() < 0.25
        else f"{work.volume}, {work.page}-{last}"
        if manner
        else f"vol. {work.volume}, pp. {work.page}--{last}"
    )
    text = f"{author}. {title}. {venue}, {pages}, {year}." if manner else f"{author} ({year}) {title}. {venue} {pages}."
    return text, author, title


def _misprint(word: str, rng: Random) -> str:
    if rng.random() > 0.03 or len(word) < 4:
        return word
    place = rng.randrange(1, len(word) - 1)
    return rng.choice((word[:place] + word[place + 1 :], word[:place] + rng.choice(LETTERS) + word[place + 1 :]))


def references(number: int, seed: int) -> Iterator[tuple[ReferenceParts, int]]:
    """References, each with the number of the work that it means."""
    for (text, author, title), work in references_as_text(number, seed):
        yield reference_parts(text, {"author": [author], "title": [title]}), work


def references_as_text(number: int, seed: int) -> Iterator[tuple[tuple[str, str, str], int]]:
    """The same as texts with their authors and titles."""
    rng = Random(seed)
    makers = Makers(rng)
    works: list[Work] = []
    drawn: list[int] = []
    for _ in range(number):
        if not drawn or rng.random() < 0.35:
            works.append(makers.work())
            drawn.append(len(works) - 1)
        else:
            drawn.append(rng.choice(drawn))
        yield written(works[drawn[-1]], rng), drawn[-1]


def items(number: int, seed: int) -> list[Item]:
    """Items of a hundred fields that cite earlier ones, mostly of their own field and what is cited already."""
    rng = Random(seed)
    makers = Makers(rng)
    fields = [[f"{word}{field}" for word in makers.words[:300]] for field in range(100)]
    made: list[Item] = []
    drawn: list[list[int]] = [[] for _ in fields]
    for place in range(number):
        field = rng.randrange(len(fields))
        known = drawn[field]
        cited = sorted({rng.choice(known) for _ in range(rng.randrange(25))}) if known else []
        known += [place, *cited]
        words = makers._some(fields[field], 60) + makers._some(makers.words, 60)
        made.append(
            Item(f"{place:016x}", " ".join(words[:8]), " ".join(words), cites=[made[each].id for each in cited])
        )
    return made


def peak() -> float:
    """Megabytes that were resident at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def grouping(number: int) -> None:
    made = list(references(number, seed=7))
    before, start = peak(), time.process_time()
    groups = group_references([parts for parts, _ in made])
    seconds = time.process_time() - start
    precision, recall, f1 = pair_scores(groups, [work for _, work in made])
    print(
        f"grouping: {number:,} references into {len(set(groups)):,} groups ({len({work for _, work in made}):,} works) in {seconds:.1f} s of "
        f"processor; {peak():,.0f} MB at most ({before:,.0f} before); pairs: precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f}",
        flush=True,
    )


def ranked(made: list[Item]) -> None:
    start = time.process_time()
    graph = CitationGraph.of({item.id: item.cites for item in made})
    ranks = ranking(graph)
    seconds = time.process_time() - start
    print(
        f"ranking: {len(made):,} items, {graph.matrix.nnz:,} citations in {seconds:.1f} s of processor "
        f"({ranks.rounds} rounds); {peak():,.0f} MB at most",
        flush=True,
    )


def fill(folder: Path, number: int, references_: int) -> None:
    """A workspace with things of a hundred fields, a tenth of them papers with references to others."""
    from trailmark.store.record_table import add_records
    from trailmark.workspace import create

    made, rng = items(number, seed=7), Random(8)
    every = max(1, number // max(1, number // 10))
    cited = [text for text, _ in references_as_text(references_, seed=7)]
    share = max(1, -(-references_ // max(1, number // every)))
    with create(folder) as workspace, workspace.database.transaction() as connection:
        for place, item in enumerate(made):
            own = cited[(place // every) * share :][:share] if place % every == 0 else []
            if own and place:  # and some to papers that are here
                others = (made[rng.randrange(place)] for _ in range(3))
                own += [
                    (f"A. {each.id[-4:]}. {each.title}. 1999.", f"A. {each.id[-4:]}", each.title) for each in others
                ]
            add_records(connection, records(place, item, own), at="2026-01-01")
    topics = [
        {"name": f"Field {n}", "keywords": [f"{word}{n}" for word in Makers(Random(7)).words[:3]]} for n in range(20)
    ]
    (folder / "topics.json").write_text(json.dumps({"name": "All", "children": topics}))


def records(place: int, item: Item, references_: Sequence[tuple[str, str, str]]) -> list[Record]:
    """A thing, and its references, as records."""
    url = f"http://s{place % 500}.test/{place}"
    fields = {"title": (item.title,), "author": (f"Ann {item.id[-4:]}",), "abstract": (item.text,), "year": ("1999",)}
    cited = [
        Record(url, "reference", {"text": (text,), "author": (author,), "title": (title,)}, "tag:references")
        for text, author, title in references_
    ]
    return [Record(url, "paper" if references_ else "page", fields, "tag:headers"), *cited]


STAGES = (
    ("organise_things", "whole_news", "reading records"),
    ("organise_things", "one_of_each", "doubles"),
    ("organise_citations", "group_references", "grouping references"),
    ("organise_things", "citations_of", "citations in all"),
    ("organise_things", "put_items", "writing items"),
    ("organise_things", "put_marks", "writing marks"),
    ("organise_things", "rank_anew", "ranking"),
    ("organise_things", "refresh_index", "index for search"),
    ("organise", "place_items", "topics"),
)


def watched(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
    """The same work, told when it ends."""

    def told(*arguments: Any, **more: Any) -> Any:
        start = time.process_time()
        made = work(*arguments, **more)
        print(
            f"  {name}: {time.process_time() - start:.1f} s of processor; {peak():,.0f} MB at most so far", flush=True
        )
        return made

    return told


def run_verb(folder: Path, number: int) -> None:
    """Organise a workspace that was filled, in this process."""
    from trailmark.store.record_table import add_records
    from trailmark.verbs.organise import organise
    from trailmark.verbs.organised_record import organised_record
    from trailmark.workspace import Workspace

    def timed(name: str) -> None:
        start, wall = time.process_time(), time.perf_counter()
        report = organise(workspace)
        print(
            f"{name}: {time.process_time() - start:.2f} s of processor, {time.perf_counter() - wall:.2f} s by the clock; {report.items:,} things, "
            f"{report.references:,} references, {report.linked:,} of them to things here; grouped: {report.citations}, topics: {report.learnt}",
            flush=True,
        )

    with Workspace.open(folder) as workspace:
        untold = {
            (module, name): getattr(importlib.import_module(f"trailmark.verbs.{module}"), name)
            for module, name, _ in STAGES
        }
        for module, name, words in STAGES:
            setattr(importlib.import_module(f"trailmark.verbs.{module}"), name, watched(words, untold[module, name]))
        timed("all of it")
        for (module, name), work in untold.items():
            setattr(importlib.import_module(f"trailmark.verbs.{module}"), name, work)
        timed("nothing new")
        rng = Random(99)
        for more in range(3):
            item = items(200, seed=1000 + more)[-1]
            late = [text for text, _ in references_as_text(12, seed=7)]
            with workspace.database.transaction() as connection:
                add_records(connection, records(number + more, item, late), at="2026-01-02")
            timed("one more paper with twelve references")
        here = workspace.folder / "organised.db"
        with closing(sqlite3.connect(f"{here.as_uri()}?mode=ro", uri=True)) as connection:
            titles = [title for (title,) in connection.execute("SELECT title FROM items WHERE id IN (5, 50, 500)")]
        cited = [(f"A. Ann. {title}. 1999.", "A. Ann", title) for title in titles]
        with workspace.database.transaction() as connection:
            add_records(connection, records(number + 3, items(200, seed=1003)[-1], cited), at="2026-01-02")
        timed("one more paper that cites three things here, so that all are ranked again")
        start = time.perf_counter()
        numbers = [rng.randrange(1, number) for _ in range(20)]
        for each in numbers:
            organised_record(workspace, each)
        print(
            f"what is related to a record: {(time.perf_counter() - start) / len(numbers) * 1000:.0f} ms by the clock each"
        )
    size = (folder / "organised.db").stat().st_size / 1e6
    print(f"organised.db: {size:,.0f} MB; trailmark.db: {(folder / 'trailmark.db').stat().st_size / 1e6:,.0f} MB")


def verb(number: int, references_: int) -> None:
    """Fill a workspace, and organise it in another process, so that its memory is its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "workspace"
        fill(folder, number, references_)
        command = [sys.executable, __file__, "--items", str(number), "--within", str(folder)]
        subprocess.run(command, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--references", type=int, default=20_000)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--only", choices=("grouping", "ranking", "verb"))
    parser.add_argument("--within", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.within is not None:
        run_verb(options.within, options.items)
        return
    if options.only in (None, "verb"):
        verb(options.items, options.references)
    if options.only == "verb":
        return
    if options.only in (None, "grouping"):
        grouping(options.references)
    if options.only != "grouping":
        ranked(items(options.items, seed=7))


if __name__ == "__main__":
    main()
