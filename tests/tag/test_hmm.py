"""The paper's model: its tokens, its smoothing, its mixture, its structures (Cora, sections 4.2 and 4.3)."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile_text import HOSTILE
from trailmark.tag import TaggedDocument, Word
from trailmark.tag.hmm_edges import edged_hmm
from trailmark.tag.hmm_emissions import Way, emissions
from trailmark.tag.hmm_endings import ending
from trailmark.tag.hmm_structure import END, START, Kind, neighbour_merged, one_state_a_class, v_merged
from trailmark.tag.hmm_tagger import learnt_hmm
from trailmark.tag.hmm_words import prepared

PATHS = [["t", "t", "t", "a", "a", "e"], ["t", "t", "a", "e", "e"], ["t", "a", "d"], ["n", "t", "a", "n", "e"]]
COUNTS = st.dictionaries(
    st.sampled_from("xyz"),
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 9), min_size=1).map(Counter),
    min_size=1,
)


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("ada@cs.brown.edu,", "<email>"), ("http://www.cs.example.edu/~a", "<web>"), ("1992", "<year>"), ("15213-3890", "<zip>"),
        ("GIT-CC-92/28", "<pubnum>"), ("42", "<number>"), ("Multi-hop,", "multihop"), ("--", ""), ("Universität", "universität"),
    ],
)  # fmt: skip
def test_tokens(text: str, token: str) -> None:
    assert prepared(text) == token


@given(HOSTILE)
def test_any_word_is_a_token(text: str) -> None:
    assert len(prepared(text)) <= 60


@given(COUNTS, COUNTS, st.sampled_from(["L", "L+D", "L*D"]), st.booleans())
def test_every_class_emits_with_chances_that_add_up_to_one(
    labelled: dict[str, Counter[str]], distant: dict[str, Counter[str]], way: Way, endings: bool
) -> None:
    found = emissions(labelled, distant, tuple("xyz"), way, endings=endings)
    np.testing.assert_allclose(found.chances.sum(axis=0), 1.0)
    assert (found.chances >= 0).all()
    assert all(0.0 <= share <= 1.0 for share in found.mixture.values())


def test_the_mixture_trusts_bibliographies_where_they_foretell_the_labelled_words() -> None:
    labelled = {"title": Counter("aaabbbcccdefg")}
    like = emissions(labelled, {"title": Counter("abcdefg" * 20)}, ("title",), "L*D").mixture
    unlike = emissions(labelled, {"title": Counter("uvwxyz" * 20)}, ("title",), "L*D").mixture
    assert like["title"] < 0.3
    assert unlike["title"] > 0.7


@pytest.mark.parametrize("kind", ["full", "self", "ml", "smooth"])
def test_steps_of_one_state_a_class(kind: Kind) -> None:
    found = one_state_a_class(PATHS, kind)
    assert found.classes == (START, "a", "d", "e", "n", "t", END)
    np.testing.assert_allclose(found.steps[:-1].sum(axis=1), 1.0)
    assert not found.steps[-1].any()
    assert not found.steps[:, 0].any()
    stay = found.steps[5, 5]
    assert stay == pytest.approx({"full": 1 / 6, "self": 3 / 7, "ml": 3 / 7, "smooth": 4 / 13}[kind])


def test_neighbours_are_merged_into_runs() -> None:
    found = neighbour_merged([["t", "t", "t", "a"]])
    assert found.classes == (START, "t", "a", END)
    assert found.structure().steps[1, 1] == pytest.approx(2 / 3)


def test_v_merging_leaves_no_two_states_of_a_class_that_share_a_neighbour() -> None:
    found = v_merged(neighbour_merged(PATHS))
    for source in range(len(found.classes)):
        after = [found.classes[b] for a, b in found.counts if a == source != b]
        before = [found.classes[a] for a, b in found.counts if b == source != a]
        assert len(set(after)) == len(after)
        assert len(set(before)) == len(before)
    assert sum(found.counts.values()) == sum(len(path) + 1 for path in PATHS)
    assert len(found.classes) < len(neighbour_merged(PATHS).classes)


@pytest.mark.parametrize(
    ("word", "token"),
    [("computation", "<unknown:ion>"), ("lee", "<unknown:lee>"), ("ng", "<unknown:2>"), ("a1", "<unknown:#>"), ("", "<unknown:0>")],
)  # fmt: skip
def test_unknown_words_are_told_apart_by_their_ending(word: str, token: str) -> None:
    assert ending(word) == token


def test_an_ending_speaks_for_the_class_that_has_it() -> None:
    """Words that nobody has seen: sixty of titles end in -tion, sixty of names in -sen."""
    titles = Counter(f"{one}{other}tion" for one in "abcdef" for other in "abcdefghij")
    names = Counter(f"{one}{other}sen" for one in "abcdef" for other in "abcdefghij")
    found = emissions({"title": titles, "author": names}, {}, ("title", "author"), "L", endings=True)
    title, author = found.chances[found.words.index(ending("translation"))]
    assert title > 2 * author
    title, author = found.chances[found.words.index(ending("hansen"))]
    assert author > 2 * title
    assert found.words[-1] == "<unknown>"


def words_of(*fields: tuple[str, str]) -> TaggedDocument:
    words = tuple(Word(word) for text, _ in fields for word in text.split())
    return TaggedDocument((words,), (tuple(label for text, label in fields for _ in text.split()),))


def test_the_word_that_begins_a_field_ends_the_one_before() -> None:
    """Both fields have the same words; where one ends is told by how the next one begins, and one state a class can't hold that."""
    shown = [words_of(("go u v w", "a"), ("go v u", "b")), words_of(("go v u", "a"), ("go u w v", "b"))] * 4
    new = words_of(("go w v", "a"), ("go u w w", "b"))
    said = {
        learn.__name__: [
            tag.label for row in learn(shown, name="x", distant={}, way="L").tag([new.lines])[0] for tag in row
        ]
        for learn in (edged_hmm, learnt_hmm)
    }
    assert said["edged_hmm"] == list(new.labels[0])
    assert said["learnt_hmm"] != list(new.labels[0])
