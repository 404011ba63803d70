"""Ranks of things from who cites whom: all of them where citations between things changed, those of new things alone where none did.

How ranks are kept right without ranking all again: a thing that neither cites another here nor is cited here leaves times cited, hubs and authorities of all others as they are, and makes all
PageRanks smaller by one and the same factor. So a new one of these gets what the rest says it has, and all are ranked again when that factor is more than `NEAR` from 1, which is also the difference
below which a rank is not written again. So no rank is off by more than twice that share.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from trailmark.organise.citation_graph import CitationGraph, ranking
from trailmark.organise.word_counts import Numbers
from trailmark.store.organised import (
    Connection,
    Organised,
    RankRow,
    cited_by_item,
    item_keys,
    read_ranks,
    set_fact,
    set_ranks,
)

NEAR = 1e-3
"""Share by which a rank must differ from what it was to be written."""
RANKED = "ranked"
"""The fact that tells how many things there were when all were ranked, and the PageRank of one that nothing cites."""


def rank_anew(connection: Connection) -> None:
    """All things ranked; those whose ranks are others than they were, by more than a trifle, are written."""
    cites = cited_by_item(connection)
    graph = CitationGraph.of({key: cites.get(key, ()) for key in item_keys(connection)})
    found = ranking(graph)
    now = np.array([found.cited, found.hubs, found.authorities, found.pageranks])
    set_ranks(connection, _moved(graph.ids, now, list(read_ranks(connection))))
    least = float(found.pageranks.min()) if len(graph.ids) else 1.0
    set_fact(connection, RANKED, f"{len(graph.ids)} {least!r}")


def rank_beside(organised: Organised, fresh: Sequence[str], *, relinked: bool) -> None:
    """New things ranked beside the others; all of them where citations between things are others now, or so many came that all PageRanks moved."""
    ranked, _, least = (organised.fact(RANKED) or "").partition(" ")
    (number,) = organised.connection.execute("SELECT COUNT(*) FROM items").fetchone()
    more = number - int(ranked or 0)
    if relinked or not ranked or not 0 <= more <= NEAR * int(ranked):
        rank_anew(organised.connection)
    else:
        own = 1 / (1 / float(least) + more)
        set_ranks(organised.connection, [(key, 0, 0.0, 0.0, own) for key in fresh])


def _moved(keys: Sequence[str], now: Numbers, before: Sequence[RankRow]) -> Iterator[RankRow]:
    """Ranks of things by key, a column each, and those they had -> those that differ."""
    place = {row[0]: number for number, row in enumerate(before)}
    old = np.array([*zip(*before, strict=True)][1:], dtype=np.float64).reshape(len(now), -1)
    places = np.array([place.get(key, -1) for key in keys], dtype=np.int64)
    known = places >= 0
    differ = np.ones(len(keys), dtype=np.bool_)
    mine, theirs = now[:, known], old[:, places[known]]
    differ[known] = (np.abs(mine - theirs) > NEAR * np.maximum(mine, theirs)).any(axis=0)
    for number in np.flatnonzero(differ).tolist():
        cited, *others = now[:, number].tolist()
        yield keys[number], int(cited), others[0], others[1], others[2]
