"""Algorithm 1 on vectors, then pages to templates."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cluster.cluster_pages import item_page, person_page, signed, twin_page
from trailmark.cluster import Template, assign, group_pages
from trailmark.cluster.evidence import split_by_evidence
from trailmark.cluster.grouping import group_vectors
from trailmark.cluster.masked_vector import covers
from trailmark.settings import ClusterSettings

V1, V2, V3 = bytes([0] * 5 + [1, 2, 4]), bytes([0] * 5 + [6, 2, 3]), bytes([0] * 5 + [1, 5, 3])
"""Example 3.1. As printed, its second and third vectors are exchanged: only in this order do its steps follow."""


def test_the_worked_example() -> None:
    groups, pruned = group_vectors([V1, V2, V3], least=1)
    assert pruned == []
    found = {group.signature: (group.importance, group.pages) for group in groups}
    assert found == {"0.0.0.0.0.1.*.*": (2, (0, 2)), "0.0.0.0.0.*.*.3": (1, (1,))}


def test_pruning_leaves_pages_over() -> None:
    groups, pruned = group_vectors([V1, V2, V3], least=2)
    assert [group.pages for group in groups] == [(0, 2)]
    assert pruned == [1]
    assert group_vectors([V1, V2, V3], least=3) == ([], [0, 1, 2])
    assert group_vectors([]) == ([], [])


def by_the_book(vectors: list[bytes], least: int) -> dict[int, str]:
    """Algorithm 1 with dictionaries, word by word; page -> written masked vector."""

    def candidates(vector: bytes) -> list[str]:
        wild = [w for count in range(3) for w in sorted(combinations(range(8), count), reverse=True)]
        return [".".join("*" if n in w else str(b) for n, b in enumerate(vector)) for w in wild]

    table: Counter[str] = Counter()
    for vector in vectors:
        table.update(candidates(vector))
    sizes = Counter(vectors)
    for vector in sorted(sizes, key=lambda v: sizes[v]):
        best = max(candidates(vector), key=lambda name: table[name])
        for name in candidates(vector):
            if name != best:
                table[name] -= sizes[vector]
    kept = {name: count for name, count in table.items() if count >= max(least, 1)}
    chosen = {}
    for page, vector in enumerate(vectors):
        names = [name for name in candidates(vector) if name in kept]
        if names:
            chosen[page] = max(names, key=lambda name: kept[name])
    return chosen


small_vectors = st.lists(st.tuples(*[st.integers(0, 1)] * 3).map(lambda t: bytes((0, 0, 0, 0, 0, *t))), max_size=14)
any_vectors = st.lists(st.binary(min_size=8, max_size=8), max_size=6)


@pytest.mark.slow
@given(st.one_of(small_vectors, any_vectors), st.integers(1, 4))
@settings(max_examples=120)
def test_three_passes_against_the_book(vectors: list[bytes], least: int) -> None:
    groups, pruned = group_vectors(vectors, least=least)
    found = {page: group.signature for group in groups for page in group.pages}
    assert found == by_the_book(vectors, least)
    assert sorted([*found, *pruned]) == list(range(len(vectors)))
    for group in groups:
        assert group.importance >= least
        assert all(covers(group.signature, vectors[page]) for page in group.pages)


def labels_of(pages: list[tuple[str, str]], **options: object) -> tuple[list[set[str]], list[int], tuple[int, ...]]:
    groups = group_pages([signed(html) for _, html in pages], ClusterSettings(**options))  # type: ignore[arg-type]
    return (
        [{pages[p][0] for p in members} for members in groups.pages],
        [len(m) for m in groups.pages],
        groups.left_over,
    )


def test_templates_come_apart_and_stay_whole() -> None:
    pages = [("item", item_page(n)) for n in range(40)] + [("person", person_page(n)) for n in range(15)]
    random.Random(5).shuffle(pages)
    kinds, sizes, left_over = labels_of(pages)
    assert kinds == [{"item"}, {"person"}]
    assert sizes == [40, 15]
    assert left_over == ()


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_small_sites(count: int) -> None:
    pages = [("item", item_page(n)) for n in range(count)] + [("person", person_page(n)) for n in range(count)]
    kinds, sizes, _ = labels_of(pages)
    assert kinds == [{"item"}, {"person"}]
    assert sizes == [count, count]


def test_nothing_gives_nothing() -> None:
    assert labels_of([]) == ([], [], ())


def test_twins_are_told_apart_by_title_and_menu() -> None:
    pages = [(kind, twin_page(n, kind)) for n in range(12) for kind in ("uses", "tree")]
    kinds, sizes, _ = labels_of(pages)
    assert sorted(map(sorted, kinds)) == [["tree"], ["uses"]]
    assert sizes == [12, 12]


def test_a_title_word_alone_splits_nothing() -> None:
    """Half of the titles name a brand; the structure does not follow it."""
    pages = [signed(twin_page(n, "uses").replace("uses of", "uses of acme" if n % 2 else "uses of")) for n in range(12)]
    parts = split_by_evidence(range(12), pages, share=0.1, support=1)
    assert [part.pages for part in parts] == [list(range(12))]


def test_pages_below_the_smallest_cluster_are_left_over() -> None:
    pages = [("item", item_page(n)) for n in range(10)] + [("person", person_page(1))]
    kinds, sizes, left_over = labels_of(pages, smallest=2)
    assert (kinds, sizes, left_over) == ([{"item"}], [10], (10,))


def test_new_pages_join_without_clustering_again() -> None:
    first = [signed(item_page(n)) for n in range(20)] + [signed(person_page(n)) for n in range(20)]
    groups = group_pages(first)
    templates = [Template.from_json(each.to_json()) for each in groups.templates]
    for n in range(100, 110):
        assert assign(signed(item_page(n)), templates) == next(i for i, m in enumerate(groups.pages) if 0 in m)
        assert assign(signed(person_page(n)), templates) == next(i for i, m in enumerate(groups.pages) if 20 in m)
    assert assign(signed("<table><tr><td>quite another page</td></tr></table>"), templates) is None
    assert assign(first[0], []) is None


def test_new_twins_join_the_right_twin() -> None:
    pages = [(kind, twin_page(n, kind)) for n in range(12) for kind in ("uses", "tree")]
    groups = group_pages([signed(html) for _, html in pages])
    for kind in ("uses", "tree"):
        found = assign(signed(twin_page(99, kind)), groups.templates)
        assert found is not None
        assert {pages[p][0] for p in groups.pages[found]} == {kind}


def test_more_groups_than_are_linked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trailmark.cluster.page_groups._MOST_LINKED", 4)
    pages = [("item", item_page(n)) for n in range(30)] + [("person", person_page(n)) for n in range(30)]
    random.Random(3).shuffle(pages)
    kinds, sizes, _ = labels_of(pages)
    assert all(len(kind) == 1 for kind in kinds)
    assert sum(sizes) == 60
    assert len(sizes) <= 6


@pytest.mark.slow
@given(st.lists(st.integers(0, 3), max_size=12))
@settings(max_examples=25, deadline=None)
def test_every_page_is_in_one_place(numbers: list[int]) -> None:
    make: list[Callable[[int], str]] = [item_page, person_page, lambda n: twin_page(n, "uses"), lambda n: "<p>x</p>"]
    groups = group_pages([signed(make[number](place)) for place, number in enumerate(numbers)])
    everything = sorted([page for members in groups.pages for page in members] + list(groups.left_over))
    assert everything == list(range(len(numbers)))
