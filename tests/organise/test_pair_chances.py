"""Many pairs at once give what one pair at a time gives, to the last bit."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.organise import name_likeness as name_module
from trailmark.organise import pair_chances as pair_module
from trailmark.organise import reference_candidates as candidate_module
from trailmark.organise import title_likeness as likeness_module
from trailmark.organise.name_likeness import NameLikeness
from trailmark.organise.pair_chances import PairChances
from trailmark.organise.paper_match import NEAREST, paper_index, paper_parts
from trailmark.organise.reference_candidates import MANY_KEYS, NEIGHBOURS, Candidates
from trailmark.organise.reference_comparison import name_likeness, same_paper, title_likeness, titled
from trailmark.organise.reference_groups import keys_of
from trailmark.organise.reference_parts import ReferenceParts, reference_parts
from trailmark.organise.title_likeness import TitleLikeness

WORDS = st.sampled_from(
    ["engine", "engines", "engin", "analysis", "banana", "ananas", "of", "the", "Ünïcode", "図書館", "1843"]
)
LINES = st.lists(WORDS, max_size=9).map(" ".join) | st.text(max_size=30)


def made(title: str, author: str, rest: str) -> ReferenceParts:
    return reference_parts(f"{author}. {title}. {rest}", {"title": [title], "author": [author]})


REFERENCES = st.lists(st.builds(made, LINES, LINES, LINES), max_size=7)


def places(numbers: list[int]) -> npt.NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64)


@given(references=REFERENCES, at_once=st.integers(1, 4))
def test_many_pairs_at_once_are_as_each_alone(references: list[ReferenceParts], at_once: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for module in (likeness_module, pair_module, name_module):
            patch.setattr(module, "AT_ONCE", at_once)
        pairs = list(product(range(len(references)), range(len(references))))
        ones, others = places([one for one, _ in pairs]), places([other for _, other in pairs])
        alone = [same_paper(references[one], references[other]) for one, other in pairs]
        assert PairChances(references).of(ones, others).tolist() == alone
        titles = TitleLikeness(references).of(ones, others).tolist()
        assert titles == [title_likeness(references[one], references[other]) for one, other in pairs]
        names = zip(*(each.tolist() for each in NameLikeness(references).of(ones, others)), strict=True)
        assert list(names) == [name_likeness(references[one], references[other]) for one, other in pairs]


def test_a_run_that_comes_often_counts_often() -> None:
    often, once = made("na" * 900, "Ann", ""), made("na na", "Ann", "")
    assert titled(once)
    alike = TitleLikeness([often, once]).of(places([0, 0]), places([1, 0])).tolist()
    assert alike == [title_likeness(often, once), 1.0]


@given(references=REFERENCES, crowd=st.integers(1, 4), rows=st.integers(1, 3))
def test_pairs_share_keys_enough_or_are_neighbours(references: list[ReferenceParts], crowd: int, rows: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidate_module, "LARGEST_BLOCK", crowd)
        patch.setattr(candidate_module, "ROWS", rows)
        candidates = Candidates.of(references, keys_of)
        found = [
            pair for ones, others in candidates.pairs() for pair in zip(ones.tolist(), others.tolist(), strict=True)
        ]
    keys = [set(keys_of(each)) for each in references]
    blocks = {key: [place for place, held in enumerate(keys) if key in held] for held in keys for key in held}
    crowded = {key for key, block in blocks.items() if len(block) > crowd}
    expected = set()
    for one, other in combinations(range(len(references)), 2):
        mine = {key for key in keys[one] - crowded if len(blocks[key]) > 1}
        if len(mine & keys[other]) >= (2 if len(mine) >= MANY_KEYS else 1):
            expected.add((one, other))
    for key in crowded:
        row = sorted(blocks[key], key=lambda place: (references[place].title_words, references[place].names, place))
        beside = [row[at : at + 1 + NEIGHBOURS] for at in range(len(row))]
        expected |= {(min(first, each), max(first, each)) for first, *others in beside for each in others}
    assert found == sorted(expected)
    assert candidates.crowded.tolist() == sorted({place for key in crowded for place in blocks[key]})


@given(titles=st.lists(LINES, max_size=60), wanted=REFERENCES)
def test_nearest_papers_are_those_that_share_the_most_keys(titles: list[str], wanted: list[ReferenceParts]) -> None:
    papers = {f"p{(7 * n) % 61}": paper_parts(title, ["Ann Banana"], 1843) for n, title in enumerate(titles)}
    keys = {key for each in wanted for key in keys_of(each)}
    shared = {paper: len(keys & set(keys_of(parts))) for paper, parts in papers.items() if parts.title_words}
    expected = sorted((paper for paper, n in shared.items() if n), key=lambda paper: (-shared[paper], paper))
    assert paper_index(papers).near(wanted) == expected[:NEAREST]
