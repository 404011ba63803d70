"""Who cites whom -> times cited, hubs and authorities (HITS), PageRank: of all items, or within a topic.

All by power iteration on a sparse matrix. An item that cites itself does not count, and one that cites another twice counts once. HITS is run on all of the graph with a tenth
of every item mixed in (as PageRank does): on a graph that falls apart the bare iteration gives all weight to one part, and which one depends on where it begins.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from trailmark.organise.word_counts import Counts, Numbers

FOLLOWED = 0.85
"""Share of a reader's steps that follow a citation; the others begin anywhere."""
MIXED = 0.1
"""Share of HITS that is spread over all items that cite, or are cited."""
MOST_ROUNDS = 400
CLOSE = 1e-9
"""Change of all values together at which a row of rounds ends."""


@dataclass(frozen=True, slots=True)
class CitationGraph:
    """Items and a matrix with 1 where the item of the row cites that of the column."""

    ids: tuple[str, ...]
    matrix: Counts

    @classmethod
    def of(cls, cites: Mapping[str, Sequence[str]]) -> CitationGraph:
        """Ids of items with the ids that each cites -> their graph. What is cited and is no item is left out."""
        ids = tuple(cites)
        place = {id_: number for number, id_ in enumerate(ids)}
        pairs = [
            number * len(ids) + other
            for number, cited in enumerate(cites.values())
            for each in cited
            if (other := place.get(each)) is not None and other != number
        ]
        rows, columns = np.divmod(np.unique(np.array(pairs, dtype=np.int64)), max(1, len(ids)))
        return cls(ids, sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(ids), len(ids))))

    def within(self, ids: Collection[str]) -> CitationGraph:
        """The part of the graph that lies among some items: those of a topic."""
        wanted = frozenset(ids)
        places = np.array([place for place, id_ in enumerate(self.ids) if id_ in wanted], dtype=np.int64)
        inside = self.matrix[places, :][:, places] if len(places) else sparse.csr_array((0, 0))
        return CitationGraph(tuple(self.ids[place] for place in places), sparse.csr_array(inside))


@dataclass(frozen=True, slots=True)
class Rank:
    """What citations say of one item."""

    cited: int = 0
    """Items that cite it."""
    hub: float = 0.0
    """High for surveys: it cites what is cited much. The hubs of all items sum to 1; 0 where it cites nothing."""
    authority: float = 0.0
    """High for seminal papers: cited by good hubs. They sum to 1 as well; 0 where nothing cites it."""
    pagerank: float = 0.0
    """They sum to 1."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The ranks of all items of a graph, in its order: what `Rank` says of one, as columns."""

    ids: tuple[str, ...]
    cited: Numbers
    hubs: Numbers
    authorities: Numbers
    pageranks: Numbers
    rounds: int
    """Of the iteration that took the most."""

    @property
    def ranks(self) -> Mapping[str, Rank]:
        """Of each item by its id."""
        rows = zip(self.ids, self.cited, self.hubs, self.authorities, self.pageranks, strict=True)
        return {id_: Rank(int(n), float(hub), float(authority), float(page)) for id_, n, hub, authority, page in rows}


def ranking(graph: CitationGraph) -> Ranking:
    """A graph -> the rank of each item."""
    cited = np.asarray(graph.matrix.sum(axis=0), dtype=np.float64).ravel()
    hubs, authorities, first = hubs_and_authorities(graph.matrix)
    pages, second = pagerank(graph.matrix)
    return Ranking(graph.ids, cited, hubs, authorities, pages, max(first, second))


def hubs_and_authorities(cites: Counts) -> tuple[Numbers, Numbers, int]:
    """A matrix of citations -> hubs, authorities (Kleinberg 1999), each summing to 1, and the rounds it took.

    Rounds are over items that cite and items that are cited alone: of all others the value is 0, and there may be many.
    """
    citing, cited = np.flatnonzero(np.diff(cites.indptr)), np.unique(cites.indices)
    hubs, authorities = np.zeros(cites.shape[0]), np.zeros(cites.shape[1])
    if not cites.nnz:
        return hubs, authorities, 0
    linked = sparse.csr_array(sparse.csr_array(cites[citing, :])[:, cited])
    hubs[citing], authorities[cited], count = _mutual(linked)
    return hubs, authorities, count


def _mutual(linked: Counts) -> tuple[Numbers, Numbers, int]:
    """A matrix without an empty row or column -> what each row, and each column, is worth by the other; the rounds it took."""
    rows, columns = linked.shape
    hubs, authorities = np.full(rows, 1 / rows), np.full(columns, 1 / columns)
    backward = sparse.csr_array(linked.T)
    for count in range(1, MOST_ROUNDS + 1):
        authorities = _mixed(backward @ hubs)
        better = _mixed(linked @ authorities)
        change = float(np.abs(better - hubs).sum())
        hubs = better
        if change < CLOSE:
            return hubs, authorities, count
    return hubs, authorities, MOST_ROUNDS


def _mixed(values: Numbers) -> Numbers:
    mixed: Numbers = (1 - MIXED) * values / values.sum() + MIXED / len(values)
    return mixed


def pagerank(cites: Counts, followed: float = FOLLOWED) -> tuple[Numbers, int]:
    """A matrix of citations -> PageRank (Brin and Page 1998), summing to 1, and the rounds it took. Items that cite nothing lead anywhere."""
    size = cites.shape[0]
    if not size:
        return np.zeros(0), 0
    out = np.asarray(cites.sum(axis=1)).ravel()
    backward = sparse.csr_array(cites.T)
    shares, ends = 1 / np.maximum(out, 1), out == 0
    ranks = np.full(size, 1 / size)
    for count in range(1, MOST_ROUNDS + 1):
        led = followed * (backward @ (ranks * shares)) + followed * ranks[ends].sum() / size + (1 - followed) / size
        change = float(np.abs(led - ranks).sum())
        ranks = led / led.sum()
        if change < CLOSE:
            return ranks, count
    return ranks, MOST_ROUNDS
