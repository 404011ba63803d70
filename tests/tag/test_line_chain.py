"""The chain over lines below that over words: what it calls a line, what it tells each word, and that it never tells what it learnt by heart."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

from trailmark.errors import InputError
from trailmark.sequence.block_crf import NOTHING, BlockCRF
from trailmark.tag import TaggedDocument, Word
from trailmark.tag.crf_tagger import CrfRecipe, CrfTagger, learnt_tagger
from trailmark.tag.feature_blocks import Described, Vocabulary, Window, described, sequences_of, vocabulary_of
from trailmark.tag.hmm_tagger import learnt_hmm
from trailmark.tag.lexicon import Lexicon
from trailmark.tag.line_chain import TOLD_STEPS, LineRecipe, learnt_chain, line_labels, with_told
from trailmark.tag.tagger_file import tagger_from_bytes, tagger_to_bytes

WINDOW = Window(1, 2, 1)
LABELS = ("author", "note", "title")


def tagged(*lines: tuple[str, str]) -> TaggedDocument:
    words = tuple(tuple(Word(word) for word in text.split()) for text, _ in lines)
    return TaggedDocument(words, tuple((label,) * len(text.split()) for text, label in lines))


def chance_documents(count: int) -> list[TaggedDocument]:
    """A name, a title, and a line of a word that no other document has, whose field is drawn by lot."""
    dice = Random(3)
    return [
        tagged(
            (f"The theory of sets, part {number}", "title"),
            ("Ada Lovelace", "author"),
            (f"word{number} word{number} word{number}", dice.choice(("note", "title"))),
        )
        for number in range(count)
    ]


def learnt_from(documents: list[TaggedDocument]) -> tuple[Described, Vocabulary, np.ndarray]:
    found = described([document.lines for document in documents], Lexicon(), WINDOW)
    numbers = [LABELS.index(label) for document in documents for row in document.labels for label in row]
    return found, vocabulary_of(found, least=1), np.array(numbers)


def test_words_are_told_what_the_other_parts_taught_and_nothing_learnt_by_heart() -> None:
    found, vocabulary, numbers = learnt_from(chance_documents(60))
    chain, told = learnt_chain(found, vocabulary, numbers, len(LABELS), LineRecipe())
    truth = line_labels(found, numbers, len(LABELS))
    by_heart = chain.chances(found, vocabulary)
    lot = np.arange(2, len(truth), 3)
    assert by_heart[lot, truth[lot]].mean() > 0.7  # the whole chain knows each by its word
    assert told[lot, truth[lot]].mean() < 0.6  # what is told while learning does not
    plain = np.setdiff1d(np.arange(len(truth)), lot)
    assert told[plain, truth[plain]].min() > 0.8
    np.testing.assert_allclose(told.sum(axis=1), 1.0)


def test_a_line_is_what_most_of_its_words_are_and_of_equals_the_first_label() -> None:
    words = tuple(map(Word, ("a", "b", "c")))
    document = TaggedDocument((words, words[:2]), (("title", "author", "title"), ("title", "author")))
    found, _, numbers = learnt_from([document])
    assert [LABELS[number] for number in line_labels(found, numbers, len(LABELS))] == ["title", "author"]


def test_each_word_is_told_of_its_own_line_and_those_beside_it_in_its_document() -> None:
    documents = [tagged(("a b", "title"), ("c", "author")), tagged(("d", "title"))]
    found, vocabulary, _ = learnt_from(documents)
    chances = np.array([[0.1, 0.2, 0.7], [0.8, 0.1, 0.1], [0.0, 0.0, 1.0]])
    words = sequences_of(found, vocabulary, WINDOW)
    told = with_told(words, found, chances).blocks[len(words.blocks) :]
    assert [block.rows.tolist() for block in told] == [
        [NOTHING, NOTHING, 0, NOTHING],
        [0, 0, 1, 2],
        [1, 1, NOTHING, NOTHING],
    ]
    assert TOLD_STEPS == (-1, 0, 1)
    for block in told:
        np.testing.assert_array_equal(block.matrix.toarray(), chances)


@cache
def tagger() -> CrfTagger:
    recipe = CrfRecipe(WINDOW, max_iterations=20, lines=LineRecipe(max_iterations=20))
    return learnt_tagger(chance_documents(12), name="headers", lexicon=Lexicon(), recipe=recipe)


def test_what_the_chain_over_lines_says_moves_the_words() -> None:
    """Were it left out of tagging, words would be tagged as if no line said anything."""
    texts = [document.lines for document in chance_documents(12)]
    below = tagger().below
    assert below is not None
    deaf = replace(tagger(), below=replace(below, model=silenced(tagger())))
    assert not np.allclose(tagger().probabilities(texts), deaf.probabilities(texts), atol=0.01)


def silenced(tagger: CrfTagger) -> BlockCRF:
    """The chain over lines of a tagger with all weights at 0: it says the same of every line."""
    assert tagger.below is not None
    arrays = {
        name: array * 0.0 if array.dtype.kind == "f" else array
        for name, array in tagger.below.model.to_arrays().items()
    }
    return BlockCRF.from_arrays(arrays)


def test_a_tagger_that_does_not_look_at_lines_has_no_such_chain() -> None:
    recipe = CrfRecipe(Window(1, 2, 0), max_iterations=5, lines=LineRecipe())
    assert learnt_tagger(chance_documents(6), name="x", lexicon=Lexicon(), recipe=recipe).below is None


def test_one_document_alone_can_be_learnt_from() -> None:
    recipe = CrfRecipe(WINDOW, least=1, max_iterations=5, lines=LineRecipe())
    found = learnt_tagger(chance_documents(1), name="x", lexicon=Lexicon(), recipe=recipe)
    assert found.below is not None
    assert len(found.tag([]) + found.tag([[], [[]]])) == 2


def changed(content: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """A file of a tagger with its members changed."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        members = {name: file.read(name) for name in file.namelist()}
    change(members)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, member in members.items():
            file.writestr(name, member)
    return stream.getvalue()


def test_a_file_of_the_version_before_is_still_read() -> None:
    plain = CrfRecipe(WINDOW, max_iterations=5)
    now = learnt_tagger(chance_documents(6), name="x", lexicon=Lexicon(), recipe=plain)

    def earlier(members: dict[str, bytes]) -> None:
        head = json.loads(np.load(io.BytesIO(members["head.npy"])).tobytes())
        stream = io.BytesIO()
        np.save(stream, np.frombuffer(json.dumps(head | {"version": 2}).encode(), dtype=np.uint8))
        members["head.npy"] = stream.getvalue()

    again = tagger_from_bytes(changed(tagger_to_bytes(now), earlier))
    assert isinstance(again, CrfTagger)
    assert again.below is None
    texts = [document.lines for document in chance_documents(3)]
    np.testing.assert_allclose(again.probabilities(texts), now.probabilities(texts), atol=1e-4)


@pytest.mark.parametrize(
    "change",
    [
        lambda members: members.pop("lines_edges.npy"),
        lambda members: members.update({"lines_state.npy": members["state.npy"]}),
        lambda members: members.update({"lines_sizes.npy": members["sizes.npy"]}),
        lambda members: members.update({"lines_start.npy": members["sizes.npy"]}),
        lambda members: [members.pop(name) for name in list(members) if name.startswith("lines_")],
    ],
)
def test_a_chain_over_lines_that_does_not_fit_is_refused(change: Callable[[dict[str, bytes]], None]) -> None:
    with pytest.raises(InputError, match="damaged or not a tagger"):
        tagger_from_bytes(changed(tagger_to_bytes(tagger()), change))


def test_a_hidden_markov_model_with_a_chain_over_lines_is_refused() -> None:
    donor = tagger_to_bytes(tagger())

    def crossed(members: dict[str, bytes]) -> None:
        with zipfile.ZipFile(io.BytesIO(donor)) as file:
            members |= {name: file.read(name) for name in file.namelist() if name.startswith("lines_")}

    hmm = tagger_to_bytes(learnt_hmm(chance_documents(6), name="x", distant={}))
    with pytest.raises(InputError, match="damaged or not a tagger"):
        tagger_from_bytes(changed(hmm, crossed))
