"""Both taggers: they learn what they are shown, take any text, say chances that are chances, and come back from their bytes."""

from __future__ import annotations

import io
import zipfile
from contextlib import suppress
from dataclasses import replace
from functools import cache
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hostile_text import HOSTILE
from trailmark.errors import InputError
from trailmark.tag import TaggedDocument, Word
from trailmark.tag.bibtex import bib_entries
from trailmark.tag.crf_tagger import CrfRecipe, CrfTagger, learnt_tagger
from trailmark.tag.feature_blocks import Window
from trailmark.tag.hmm_distant import HEADERS, distant_counts
from trailmark.tag.hmm_edges import edged_hmm
from trailmark.tag.hmm_tagger import HmmTagger, learnt_hmm, merged_hmm
from trailmark.tag.lexicon import lexicon_of
from trailmark.tag.line_chain import LineRecipe
from trailmark.tag.tagger_file import tagger_from_bytes, tagger_to_bytes

TITLES = ("A Theory of Paths", "Learning to Walk", "On Graphs and Trees", "The Art of Search", "Models of Text")
NAMES = ("Ada Lovelace", "Grace B. Hopper", "Alan Turing", "Mary Shaw", "Donald Knuth")
BIB = """@string{cup = "Cambridge Press"}
@article{a, title = {A Theory of Trees}, author = {Lovelace, Ada and Alan M. Turing}, journal = "J. of " # {Paths}, year = 1990}
@book{b, title = {The {Art} of Models}, author = {Turing, Alan}, publisher = cup}"""


def document(number: int) -> TaggedDocument:
    lines = [
        (TITLES[number % 5], "title"),
        (NAMES[number % 3], "author"),
        (f"ada@site{number}.example.org", "email"),
        (f"May 199{number % 10}", "date"),
    ]
    words = tuple(tuple(Word(word) for word in text.split()) for text, _ in lines)
    return TaggedDocument(words, tuple((label,) * len(text.split()) for text, label in lines))


SHOWN = [document(number) for number in range(12)]


@cache
def taggers() -> dict[str, CrfTagger | HmmTagger]:
    entries = list(bib_entries([BIB]))
    distant = distant_counts(entries, HEADERS)
    lexicon = lexicon_of(entries)
    wide = CrfRecipe(Window(1, 2, 1), max_iterations=40)
    flat = CrfRecipe(Window(1, 2, 0), max_iterations=40)
    return {
        "crf by lines": learnt_tagger(SHOWN, name="headers", lexicon=lexicon, recipe=wide),
        "crf over a chain of lines": learnt_tagger(
            SHOWN, name="headers", lexicon=lexicon, recipe=replace(wide, lines=LineRecipe())
        ),
        "crf with edges": learnt_tagger(
            SHOWN, name="headers", lexicon=lexicon, recipe=replace(wide, edged=True, lines=LineRecipe())
        ),
        "crf by words": learnt_tagger(SHOWN, name="headers", lexicon=lexicon, recipe=flat),
        "hmm": learnt_hmm(SHOWN, name="headers", distant=distant),
        "hmm with edges": edged_hmm(SHOWN, name="headers", distant=distant),
        "hmm of merged states": merged_hmm(SHOWN, name="headers", distant=distant),
    }


KINDS = (
    "crf by lines",
    "crf over a chain of lines",
    "crf with edges",
    "crf by words",
    "hmm",
    "hmm with edges",
    "hmm of merged states",
)


@pytest.mark.parametrize("kind", KINDS)
def test_it_tags_what_it_was_shown_and_new_text(kind: str) -> None:
    new = [document(number) for number in (13, 14)]
    for shown in (SHOWN, new):
        tags = taggers()[kind].tag([each.lines for each in shown])
        assert [tuple(tuple(tag.label for tag in line) for line in each) for each in tags] == [
            each.labels for each in shown
        ]


@pytest.mark.parametrize("kind", KINDS)
@settings(deadline=None)
@given(st.lists(st.lists(st.lists(HOSTILE, max_size=4), max_size=3), max_size=3))
def test_any_text_gets_a_tag_a_word(kind: str, texts: list[list[list[str]]]) -> None:
    tagger = taggers()[kind]
    documents = [[[Word(text) for text in line] for line in lines] for lines in texts]
    tags = tagger.tag(documents)
    assert [[len(line) for line in lines] for lines in tags] == [[len(line) for line in lines] for lines in texts]
    for tag in (tag for lines in tags for line in lines for tag in line):
        assert tag.label in tagger.labels
        assert 0.0 <= tag.probability <= 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_huge_words_and_layout_are_taken(kind: str) -> None:
    words = [
        Word("x" * 1_000_000),
        Word("\x00"),
        Word("1-" * 50_000),
        Word("a@" * 50_000),
        Word("Ａ１", 1.5, True, x=0.9, y=2.0),
    ]
    assert len(taggers()[kind].tag([[words, []], [], [[]]])[0][0]) == 5


def test_chances_of_a_word_add_up_to_one() -> None:
    for kind in KINDS[:4]:
        tagger = taggers()[kind]
        assert isinstance(tagger, CrfTagger)
        np.testing.assert_allclose(tagger.probabilities([each.lines for each in SHOWN]).sum(axis=1), 1.0)


@pytest.mark.parametrize("kind", KINDS)
def test_a_tagger_comes_back_from_its_bytes(kind: str) -> None:
    tagger = taggers()[kind]
    content = tagger_to_bytes(tagger)
    assert content == tagger_to_bytes(tagger)
    again = tagger_from_bytes(content)
    assert (again.name, again.labels) == (tagger.name, tagger.labels)
    assert tagger_to_bytes(again) == content
    texts = [each.lines for each in SHOWN]
    for before, after in zip(tagger.tag(texts), again.tag(texts), strict=True):
        for one, other in zip(chain(*before), chain(*after), strict=True):
            assert one.label == other.label
            assert one.probability == pytest.approx(other.probability, abs=1e-4)


def test_a_file_of_another_version_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for version, word in ((1, "older"), (99, "newer")):
        monkeypatch.setattr("trailmark.tag.tagger_file.VERSION", version)
        content = tagger_to_bytes(taggers()["crf by lines"])
        monkeypatch.undo()
        with pytest.raises(InputError, match=f"made by an? {word} Trailmark"):
            tagger_from_bytes(content)


@pytest.mark.parametrize("kind", ["crf by lines", "crf over a chain of lines", "crf with edges", "hmm"])
def test_a_damaged_file_is_refused_in_a_sentence(kind: str) -> None:
    content = tagger_to_bytes(taggers()[kind])
    for wrong in (b"", b"PK", content[:-40], content[:200], zipped({}), zipped({"head.npy": b"\x00"})):
        with pytest.raises(InputError, match="not a tagger"):
            tagger_from_bytes(wrong, source="a.tagger")
    for place in range(0, len(content), max(1, len(content) // 60)):
        changed = content[:place] + bytes([content[place] ^ 0x55]) + content[place + 1 :]
        with suppress(InputError):  # and no other error
            assert tagger_from_bytes(changed).labels


def zipped(members: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return stream.getvalue()


def test_learning_again_gives_the_same_bytes() -> None:
    lexicon = lexicon_of(bib_entries([BIB]))
    recipe = CrfRecipe(Window(1, 2, 1), max_iterations=10, lines=LineRecipe(max_iterations=10))
    first, second = (tagger_to_bytes(learnt_tagger(SHOWN, name="x", lexicon=lexicon, recipe=recipe)) for _ in range(2))
    assert first == second


def test_nothing_to_learn_is_said() -> None:
    single = TaggedDocument(((Word("a"),),), (("title",),))
    with pytest.raises(InputError, match="two labels"):
        learnt_tagger([single], name="x", lexicon=lexicon_of([]))
    with pytest.raises(InputError, match="two labels"):
        learnt_hmm([single], name="x", distant={})
    with pytest.raises(InputError, match="two labels"):
        edged_hmm([single], name="x", distant={})


def test_the_first_word_of_a_field_may_be_a_state_of_its_own() -> None:
    """Two fields of the same words: with edges `go` begins the second one, and without nothing tells where it begins."""
    shown = [flat(("go u v w", "a"), ("go v u", "b")), flat(("go v u", "a"), ("go u w v", "b"))] * 6
    recipe = CrfRecipe(Window(0, 0, 0), least=1, edged=True)
    tagger = learnt_tagger(shown, name="x", lexicon=lexicon_of([]), recipe=recipe)
    assert (tagger.labels, tagger.states) == (("a", "b"), ("a", "b", "a", "b"))
    new = flat(("go w v", "a"), ("go u w w", "b"))
    (row,) = tagger.tag([new.lines])[0]
    assert tuple(tag.label for tag in row) == new.labels[0]
    chances = tagger.probabilities([new.lines])
    assert chances.shape == (7, 2)
    assert [tag.probability for tag in row] == pytest.approx(
        [float(chances[at, "ab".index(tag.label)]) for at, tag in enumerate(row)]
    )


def flat(*fields: tuple[str, str]) -> TaggedDocument:
    words = tuple(Word(word) for text, _ in fields for word in text.split())
    return TaggedDocument((words,), (tuple(label for text, label in fields for _ in text.split()),))
