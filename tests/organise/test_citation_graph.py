"""Times cited, hubs, authorities, PageRank."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.organise.citation_graph import (
    FOLLOWED,
    MIXED,
    MOST_ROUNDS,
    CitationGraph,
    Rank,
    hubs_and_authorities,
    pagerank,
    ranking,
)


def named(edges: set[tuple[int, int]], size: int) -> dict[str, list[str]]:
    return {f"n{one}": [f"n{other}" for start, other in sorted(edges) if start == one] for one in range(size)}


graphs = st.integers(1, 9).flatmap(
    lambda size: st.tuples(st.just(size), st.sets(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))))
)


def dense_pagerank(table: np.ndarray) -> np.ndarray:
    """The eigenvector of the whole matrix of steps, by numpy."""
    size = len(table)
    out = table.sum(axis=1, keepdims=True)
    steps = np.where(out > 0, table / np.maximum(out, 1), 1 / size)
    values, vectors = np.linalg.eig((FOLLOWED * steps + (1 - FOLLOWED) / size).T)
    best = np.real(vectors[:, np.argmax(np.real(values))])
    return np.asarray(best / best.sum())


def dense_hits(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Hubs and authorities by plain loops over numbers until nothing changes."""
    citing, cited = table.sum(axis=1) > 0, table.sum(axis=0) > 0
    hubs = citing / citing.sum()
    for _ in range(250):
        bare = table.T @ hubs
        authorities = (1 - MIXED) * bare / bare.sum() + MIXED * cited / cited.sum()
        bare = table @ authorities
        hubs = (1 - MIXED) * bare / bare.sum() + MIXED * citing / citing.sum()
    return hubs, authorities


@given(graphs)
def test_pagerank_is_the_eigenvector_that_numpy_finds(case: tuple[int, set[tuple[int, int]]]) -> None:
    graph = CitationGraph.of(named(case[1], case[0]))
    ranks, rounds = pagerank(graph.matrix)
    assert ranks == pytest.approx(dense_pagerank(graph.matrix.toarray()), abs=1e-8)
    assert ranks.sum() == pytest.approx(1)
    assert rounds <= MOST_ROUNDS


@given(graphs)
def test_hubs_and_authorities_are_what_plain_loops_give(case: tuple[int, set[tuple[int, int]]]) -> None:
    graph = CitationGraph.of(named(case[1], case[0]))
    hubs, authorities, rounds = hubs_and_authorities(graph.matrix)
    assert rounds <= MOST_ROUNDS
    if not graph.matrix.nnz:
        assert not hubs.any()
        assert not authorities.any()
        return
    true_hubs, true_authorities = dense_hits(graph.matrix.toarray())
    assert hubs == pytest.approx(true_hubs, abs=1e-4)
    assert authorities == pytest.approx(true_authorities, abs=1e-4)
    assert (hubs[graph.matrix.sum(axis=1) == 0] == 0).all()
    assert (authorities[graph.matrix.sum(axis=0) == 0] == 0).all()


@given(graphs, st.randoms(use_true_random=False))
def test_the_order_of_the_items_changes_no_rank(case: tuple[int, set[tuple[int, int]]], rng: object) -> None:
    cites = named(case[1], case[0])
    names = list(cites)
    rng.shuffle(names)  # type: ignore[attr-defined]
    one, other = ranking(CitationGraph.of(cites)).ranks, ranking(CitationGraph.of({n: cites[n] for n in names})).ranks
    for name in names:
        assert one[name].cited == other[name].cited
        assert one[name].pagerank == pytest.approx(other[name].pagerank, abs=1e-8)
        assert one[name].authority == pytest.approx(other[name].authority, abs=1e-6)


def test_what_cites_itself_or_twice_or_what_is_not_there_counts_once_or_not_at_all() -> None:
    graph = CitationGraph.of({"a": ["a", "b", "b", "gone"], "b": ["b"]})
    ranks = ranking(graph).ranks
    assert (ranks["a"].cited, ranks["b"].cited) == (0, 1)
    assert ranks["a"].hub == pytest.approx(1)
    assert ranks["a"].authority == 0


def test_a_survey_is_the_hub_and_the_seminal_paper_the_authority() -> None:
    cites = {"survey": ["s1", "s2", "s3"], "x": ["s1"], "y": ["s1", "s2"], "s1": [], "s2": [], "s3": [], "alone": []}
    ranks = ranking(CitationGraph.of(cites)).ranks
    assert max(ranks, key=lambda id_: ranks[id_].hub) == "survey"
    assert max(ranks, key=lambda id_: ranks[id_].authority) == "s1"
    assert ranks["alone"].hub == ranks["alone"].authority == 0 < ranks["alone"].pagerank


def test_a_part_that_hangs_alone_keeps_its_authorities() -> None:
    """The bare iteration would leave nothing to the smaller part."""
    big = {f"b{n}": ["B"] for n in range(9)} | {"B": []}
    ranks = ranking(CitationGraph.of(big | {"s1": ["S"], "s2": ["S"], "S": []})).ranks
    assert ranks["B"].authority > ranks["S"].authority > 0.001


def test_within_a_topic_only_its_own_citations_count() -> None:
    graph = CitationGraph.of({"a": ["t"], "b": ["t"], "c": ["u"], "t": [], "u": []})
    inside = ranking(graph.within(["c", "u", "t", "never there"])).ranks
    assert list(inside) == ["c", "t", "u"]
    assert (inside["t"].cited, inside["u"].cited) == (0, 1)


def test_an_empty_graph_has_no_ranks() -> None:
    assert ranking(CitationGraph.of({})).ranks == {}
    assert ranking(CitationGraph.of({"a": ["b"]}).within([])).ranks == {}
    assert ranking(CitationGraph.of({"a": []})).ranks == {"a": Rank(0, 0.0, 0.0, 1.0)}
