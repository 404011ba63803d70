"""`CrfTagger`: tags words by a conditional random field over their attributes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from trailmark.errors import InputError
from trailmark.sequence.block_crf import BlockCRF, BlockSequences
from trailmark.sequence.sequences import Floats, Ints
from trailmark.tag.feature_blocks import (
    STEP_KINDS,
    WIDE,
    Document,
    Vocabulary,
    Window,
    described,
    sequences_of,
    vocabulary_of,
)
from trailmark.tag.lexicon import Lexicon
from trailmark.tag.line_chain import LineChain, LineRecipe, learnt_chain, with_told
from trailmark.tag.tagged_text import TaggedDocument
from trailmark.tag.words import Tag

AT_ONCE = 20_000
"""Words that are tagged together: bounds memory whatever the number of documents."""


@dataclass(frozen=True, slots=True)
class CrfRecipe:
    """How a tagger is learnt."""

    window: Window = Window()  # noqa: RUF009 - frozen
    least: int = 2
    """An attribute must stand at so many words to be looked at."""
    l2: float = 0.5
    l2_wide: float = 2.0
    """Of what is said by lines, headings and words far off, which over-fit first."""
    l2_edge: float = 0.05
    max_iterations: int = 40
    written: int = 0
    """References written out from bibliographies that are learnt from too."""
    worn: bool = False
    """Whether some documents are learnt from a second time, as a bad reading gives them."""
    mixed: int = 0
    """Copies of each document that are learnt from too, with fields of other documents in the place of some of its own."""
    restyled: bool = False
    """Whether those copies have other capitals, or no commas."""
    edged: bool = False
    """Whether the first word of a field is a state of its own; it makes learning take twice as long."""
    lines: LineRecipe | None = None
    """How a chain over whole lines is learnt below that over words; None for none. It needs a window that looks at lines."""


PLAIN = CrfRecipe()
"""For a tagger of which nothing is known beforehand."""


@dataclass(frozen=True, eq=False)
class CrfTagger:
    """A tagger that is ready; `tag` takes any text."""

    name: str
    labels: tuple[str, ...]
    states: tuple[str, ...]
    """The label of each state: one state a label, or one more for the first words of its fields."""
    window: Window
    lexicon: Lexicon
    vocabulary: Vocabulary
    model: BlockCRF
    below: LineChain | None = None
    """A chain over lines, whose chances every word is told."""
    pieces: bool = False
    """Whether it reads words cut into pieces."""

    def tag(self, documents: Sequence[Document]) -> list[list[list[Tag]]]:
        """A tag for each word: the best path, each with its own probability."""
        return [tags for group in _groups(documents) for tags in self._tagged(group)]

    def probabilities(self, documents: Sequence[Document]) -> Floats:
        """Words of all documents x labels."""
        return self._by_label(self.model.marginals(self._sequences(documents)))

    def _by_label(self, chances: Floats) -> Floats:
        """Words x states -> words x labels."""
        if self.states == self.labels:
            return chances
        return np.asarray(chances @ np.array([[state == label for label in self.labels] for state in self.states]))

    def _sequences(self, documents: Sequence[Document]) -> BlockSequences:
        found = described(documents, self.lexicon, self.window)
        words = sequences_of(found, self.vocabulary, self.window)
        return words if self.below is None else with_told(words, found, self.below.chances(found, self.vocabulary))

    def _tagged(self, documents: Sequence[Document]) -> Iterator[list[list[Tag]]]:
        path, chances = self.model.decode_with_marginals(self._sequences(documents))
        label_of = np.array([self.labels.index(label) for label in self.states])
        said = label_of[path]
        own = self._by_label(chances)[np.arange(len(said)), said]
        tags = (Tag(self.labels[label], min(float(chance), 1.0)) for label, chance in zip(said, own, strict=True))
        for document in documents:
            yield [[next(tags) for _ in line] for line in document]


def learnt_tagger(
    documents: Sequence[TaggedDocument], *, name: str, lexicon: Lexicon, recipe: CrfRecipe = PLAIN
) -> CrfTagger:
    """Tagged documents -> a tagger; InputError where there is nothing to learn."""
    labels = tuple(sorted({label for document in documents for line in document.labels for label in line}))
    if len(labels) < 2:
        raise InputError(f"{name}: tagged text with two labels or more is needed to learn a tagger.")
    found = described([document.lines for document in documents], lexicon, recipe.window)
    vocabulary = vocabulary_of(found, least=recipe.least)
    numbers = _numbers(documents, labels)
    states, taken = _states(documents, labels, numbers) if recipe.edged else (labels, numbers)
    data = sequences_of(found, vocabulary, recipe.window, taken)
    strengths = [recipe.l2_wide if view in WIDE else recipe.l2 for view, _ in recipe.window.blocks]
    below = None
    if recipe.lines is not None and recipe.window.lines:
        below, chances = learnt_chain(found, vocabulary, numbers, len(labels), recipe.lines)
        data = with_told(data, found, chances)
        strengths += [recipe.lines.l2_told] * (len(data.blocks) - len(strengths))
    model = BlockCRF(
        n_states=len(states),
        n_kinds=STEP_KINDS,
        l2=strengths,
        l2_edge=recipe.l2_edge,
        max_iterations=recipe.max_iterations,
    )
    return CrfTagger(name, labels, states, recipe.window, lexicon, vocabulary, model.fit(data), below)


def _numbers(documents: Sequence[TaggedDocument], labels: Sequence[str]) -> Ints:
    number = {label: place for place, label in enumerate(labels)}
    flat = [number[label] for document in documents for line in document.labels for label in line]
    return np.asarray(flat, dtype=np.int64)


def _states(
    documents: Sequence[TaggedDocument], labels: tuple[str, ...], numbers: Ints
) -> tuple[tuple[str, ...], Ints]:
    """The label of each state, and the state of every word: each label once for words that go on, once for first ones."""
    starts = np.zeros(len(numbers), dtype=bool)
    starts[1:] = numbers[1:] != numbers[:-1]
    ends = np.cumsum([sum(map(len, document.labels)) for document in documents])
    starts[[0, *(end for end in ends if end < len(numbers))]] = True
    return labels * 2, numbers + len(labels) * starts


def _groups(documents: Sequence[Document]) -> Iterator[list[Document]]:
    """Documents in groups of about `AT_ONCE` words."""
    group: list[Document] = []
    words = 0
    for document in documents:
        group.append(document)
        words += sum(map(len, document))
        if words >= AT_ONCE:
            yield group
            group, words = [], 0
    if group:
        yield group
