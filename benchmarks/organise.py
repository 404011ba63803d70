"""Grouping of references, ranking and related items at scale, on made-up ones: time, memory, and how right the groups are.

    python benchmarks/organise.py [--references 100000] [--items 100000] [--only grouping|ranking|related]

References are written in several manners with misprints, words left out, authors cut to `et al.` and years that are off by one; how many
mean one paper falls off as it does in life: most once or twice, a few hundreds of times. Items cite what is cited already, mostly within their field.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from evals.matching import pair_scores
from trailmark.organise.citation_graph import CitationGraph, ranking
from trailmark.organise.item import Item
from trailmark.organise.reference_groups import group_references
from trailmark.organise.reference_parts import ReferenceParts, reference_parts
from trailmark.organise.related import related_items

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


def written(work: Work, rng: Random) -> ReferenceParts:
    """A work as somebody refers to it."""
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
    return reference_parts(text, {"author": [author], "title": [title]})


def _misprint(word: str, rng: Random) -> str:
    if rng.random() > 0.03 or len(word) < 4:
        return word
    place = rng.randrange(1, len(word) - 1)
    return rng.choice((word[:place] + word[place + 1 :], word[:place] + rng.choice(LETTERS) + word[place + 1 :]))


def references(number: int, seed: int) -> Iterator[tuple[ReferenceParts, int]]:
    """References, each with the number of the work that it means."""
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


def related(made: list[Item]) -> None:
    start = time.process_time()
    found = sum(len(each.related) for each in related_items(made))
    seconds = time.process_time() - start
    print(f"related: {found:,} pairs of {len(made):,} items in {seconds:.1f} s of processor; {peak():,.0f} MB at most")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--references", type=int, default=20_000)
    parser.add_argument("--items", type=int, default=20_000)
    parser.add_argument("--only", choices=("grouping", "ranking", "related"))
    options = parser.parse_args()
    if options.only in (None, "grouping"):
        grouping(options.references)
    if options.only != "grouping":
        made = items(options.items, seed=7)
        if options.only in (None, "ranking"):
            ranked(made)
        if options.only in (None, "related"):
            related(made)


if __name__ == "__main__":
    main()
