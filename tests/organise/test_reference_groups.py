"""References that mean the same paper."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.organise.reference_comparison import dice, same_paper, share
from trailmark.organise.reference_groups import COMPARED, _linked, group_references, join_group, keys_of
from trailmark.organise.reference_parts import ReferenceParts, grams, plain_words, reference_parts
from trailmark.organise.word_match import group_by_words


def reference(author: str, title: str, rest: str) -> ReferenceParts:
    return reference_parts(f"{author} {title} {rest}", {"author": [author], "title": [title]})


ENGINE = reference("Lovelace, A.", "Notes on the analytical engine.", "Scientific Memoirs 3, 666-731, 1943.")
MISPRINT = reference("A. Lovelance", "Notes on the analitical engine", "Sci. Mem., vol 3, pp. 666-731 (1943)")
BROKEN = reference("Ada Lovelace.", "Notes on the analyti- cal engine", "In Scientific Memoirs, 1943")
SKETCH = reference("Menabrea, L.", "Sketch of the difference engine.", "Bibliotheque 41, 352-376, 1942.")
LATER = reference("Lovelace, A.", "Letters on flying machines.", "Scientific Memoirs 9, 1-20, 1949.")


def test_misprints_broken_words_and_other_orders_are_the_same_paper() -> None:
    assert group_references([ENGINE, SKETCH, MISPRINT, LATER, BROKEN]) == [0, 1, 0, 3, 0]


def test_the_same_author_and_venue_do_not_make_one_paper_of_two() -> None:
    assert same_paper(ENGINE, LATER) < 0.1
    assert same_paper(ENGINE, MISPRINT) > 0.9


def test_without_titles_authors_volume_and_pages_decide() -> None:
    one = reference_parts(
        "M. Ahl, J. Pal, O. Ing, J Appl. Phys., 76, 893, (1994).", {"author": ["M. Ahl, J. Pal, O. Ing"]}
    )
    same = reference_parts(
        "M. Ahl, J. Pal and O. Ing, J. Appl. Phys. 76 893 1994", {"author": ["M. Ahl, J. Pal and O. Ing"]}
    )
    other = reference_parts(
        "M. Ahl, J. Pal, O. Ing, J Appl. Phys., 79, 4241, (1996).", {"author": ["M. Ahl, J. Pal, O. Ing"]}
    )
    assert same_paper(one, same) > 0.5 > same_paper(one, other)


def test_groups_are_numbered_by_their_first_member_and_copies_cost_nothing() -> None:
    groups = group_references([SKETCH, *[ENGINE] * 50, MISPRINT, SKETCH])
    assert groups == [0, *[1] * 50, 1, 0]


def test_a_new_reference_joins_the_likeliest_group_or_founds_one() -> None:
    groups = {4: [ENGINE], 7: [SKETCH], 9: []}
    assert join_group(MISPRINT, groups) == 4
    assert join_group(LATER, groups) is None
    assert join_group(LATER, {}) is None
    assert join_group(MISPRINT, {4: [ENGINE] * (COMPARED * 3)}) == 4


def test_what_means_the_same_shares_a_key() -> None:
    assert set(keys_of(ENGINE)) & set(keys_of(MISPRINT))
    assert set(keys_of(ENGINE)) & set(keys_of(BROKEN))
    assert not set(keys_of(ENGINE)) & set(keys_of(SKETCH))


def test_the_papers_own_grouping_joins_the_best_match_by_words() -> None:
    assert group_by_words([ENGINE, SKETCH, ENGINE, LATER]) == [0, 1, 0, 3]
    assert group_by_words([]) == []


def chain_similarity(one: ReferenceParts, other: ReferenceParts) -> float:
    near = abs(int(one.words[-1]) - int(other.words[-1]))
    return {0: 1.0, 1: 0.8}.get(near, 0.0)


def test_groups_do_not_chain() -> None:
    """a is like b, b like c, c like d, and so on: no long chain may become one group."""
    row = [reference("Same Author", "same title words here", str(number)) for number in range(12)]
    groups = group_references(row, similarity=chain_similarity)
    assert max(groups.count(group) for group in groups) <= 3
    assert len(set(groups)) >= 5


matrices = st.integers(2, 6).flatmap(
    lambda size: st.lists(st.floats(0, 1), min_size=size * (size - 1) // 2, max_size=size * (size - 1) // 2).map(
        lambda values: (size, values)
    )
)


@given(matrices)
def test_linkage_is_what_brute_force_gives(case: tuple[int, list[float]]) -> None:
    size, values = case
    near: dict[int, dict[int, float]] = {place: {} for place in range(size)}
    table = np.zeros((size, size))
    for (one, other), value in zip(itertools.combinations(range(size), 2), values, strict=True):
        near[one][other] = near[other][one] = table[one, other] = table[other, one] = value
    groups = [[place] for place in range(size)]
    gaps = []
    while len(groups) > 1:
        means = {
            (a, b): table[np.ix_(groups[a], groups[b])].mean() for a, b in itertools.combinations(range(len(groups)), 2)
        }
        ranked = sorted(means.values(), reverse=True)
        gaps.append(min([abs(ranked[0] - 0.5), *([ranked[0] - ranked[1]] if len(ranked) > 1 else [])]))
        (a, b), best = max(means.items(), key=lambda pair: pair[1])
        if best <= 0.5:
            break
        groups[a] += groups.pop(b)
    if gaps and min(gaps) < 1e-9:
        return  # two pairs are equally alike: either may go first
    mine = _linked(list(range(size)), near, 0.5)
    assert {frozenset(place for place in range(size) if mine[place] == mine[other]) for other in range(size)} == {
        frozenset(each) for each in groups
    }


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_two_texts_can_be_compared_either_way_round(one: str, other: str) -> None:
    first, second = reference_parts(one, {"title": [one]}), reference_parts(other, {"author": [other]})
    assert same_paper(first, second) == pytest.approx(same_paper(second, first))
    assert 0 <= same_paper(first, second) <= 1
    assert keys_of(first) == keys_of(first)


@given(st.lists(st.text(max_size=6), max_size=6))
def test_shares_are_shares(words: list[str]) -> None:
    runs = grams(tuple(plain_words(" ".join(words))))
    assert dice(runs, runs) == pytest.approx(1.0) or not runs
    assert 0 <= share(runs, grams(("abc",))) <= 1


def test_a_paper_cited_in_hundreds_of_ways_is_one_group_and_another_of_its_author_is_not_in_it() -> None:
    """Keys that so many share were once left out, and each of these was a group of its own."""
    title = "Notes on the analytical engine and its numbers"
    ways = [
        reference("Lovelace, A.", title[:place] + letter + title[place + 1 :], f"Memoirs {100 + place}, 1943.")
        for letter in "abcdefghikmnopqrs"
        for place in range(24, len(title))
    ]
    groups = group_references([*ways, LATER])
    assert len(ways) > 300
    largest = max(groups.count(group) for group in set(groups))
    assert largest >= 0.98 * len(ways)
    assert groups.count(groups[-1]) == 1


def test_what_is_the_same_without_a_comparison_is_the_same_with_one() -> None:
    one = reference("Lovelace, A.", "Notes on the analytical engine", "Memoirs 3, 666, 1943.")
    other = reference("Lovelace, A. and Menabrea, L.", "Notes on the analytical engine", "Report 12, 1943.")
    assert group_references([one, other], similarity=lambda _one, _other: 0.0) == [0, 0]
    assert same_paper(one, other) > 0.5
