"""Many pairs at once give what one pair at a time gives, to the last bit."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.organise import title_likeness as likeness_module
from trailmark.organise.pair_chances import PairChances
from trailmark.organise.paper_match import NEAREST, paper_index, paper_parts
from trailmark.organise.reference_comparison import highest_chance, same_paper, title_likeness, titled
from trailmark.organise.reference_groups import keys_of
from trailmark.organise.reference_parts import ReferenceParts, reference_parts

WORDS = st.sampled_from(
    ["engine", "engines", "engin", "analysis", "banana", "ananas", "of", "the", "Ünïcode", "図書館", "1843"]
)
LINES = st.lists(WORDS, max_size=9).map(" ".join) | st.text(max_size=30)


def made(title: str, author: str, rest: str) -> ReferenceParts:
    return reference_parts(f"{author}. {title}. {rest}", {"title": [title], "author": [author]})


REFERENCES = st.lists(st.builds(made, LINES, LINES, LINES), max_size=7)


@given(references=REFERENCES, at_once=st.integers(1, 4))
def test_many_pairs_at_once_are_as_each_alone(references: list[ReferenceParts], at_once: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(likeness_module, "AT_ONCE", at_once)
        chances = PairChances(references)
        pairs = list(product(range(len(references)), range(len(references))))
        titles = chances.title_likeness(pairs)
        assert chances.of(pairs) == [same_paper(references[one], references[other]) for one, other in pairs]
    for (one, other), title in zip(pairs, titles, strict=True):
        first, second = references[one], references[other]
        assert title == title_likeness(first, second)
        assert same_paper(first, second) <= chances.highest((one, other), title)


@given(one=st.floats(0, 1), other=st.floats(0, 1))
def test_a_title_that_is_more_alike_may_be_more(one: float, other: float) -> None:
    assert highest_chance(min(one, other)) <= highest_chance(max(one, other))


def test_a_run_that_comes_often_counts_often() -> None:
    often, once = made("na" * 900, "Ann", ""), made("na na", "Ann", "")
    assert titled(once)
    assert PairChances([often, once]).title_likeness([(0, 1), (0, 0)]) == [title_likeness(often, once), 1.0]


@given(titles=st.lists(LINES, max_size=60), wanted=REFERENCES)
def test_nearest_papers_are_those_that_share_the_most_keys(titles: list[str], wanted: list[ReferenceParts]) -> None:
    papers = {f"p{(7 * n) % 61}": paper_parts(title, ["Ann Banana"], 1843) for n, title in enumerate(titles)}
    keys = {key for each in wanted for key in keys_of(each)}
    shared = {paper: len(keys & set(keys_of(parts))) for paper, parts in papers.items() if parts.title_words}
    expected = sorted((paper for paper, n in shared.items() if n), key=lambda paper: (-shared[paper], paper))
    assert paper_index(papers).near(wanted) == expected[:NEAREST]
