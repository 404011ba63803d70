"""`HmmTagger`: tags words by a hidden Markov model whose states belong to classes (Cora, section 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from trailmark.errors import InputError
from trailmark.sequence import HMM, Sequences
from trailmark.sequence.sequences import Floats, Ints
from trailmark.tag.feature_blocks import Document
from trailmark.tag.hmm_emissions import Counts, Emissions, Way, emissions
from trailmark.tag.hmm_endings import ending
from trailmark.tag.hmm_structure import (
    END,
    START,
    Kind,
    Merged,
    Structure,
    m_merged,
    neighbour_merged,
    one_state_a_class,
    v_merged,
)
from trailmark.tag.hmm_words import prepared
from trailmark.tag.tagged_text import TaggedDocument
from trailmark.tag.words import Tag

LEAST = 1e-300
"""Stands for a chance of nothing: a path of such steps is taken only where there is no other."""


@dataclass(frozen=True, eq=False)
class HmmTagger:
    """States with their classes, and a chain over them; the last word of every chain is its end."""

    name: str
    labels: tuple[str, ...]
    states: tuple[str, ...]
    """The class of each state."""
    words: tuple[str, ...]
    """The vocabulary; the last one stands for all that are unknown, those before it perhaps for some endings of such."""
    model: HMM
    pieces: bool = False
    """Whether it reads words cut into pieces."""

    def tag(self, documents: Sequence[Document]) -> list[list[list[Tag]]]:
        """A tag for each word; one that is nothing but marks goes with the word before it."""
        tokens = [[[prepared(word.text) for word in line] for line in document] for document in documents]
        chains = self.sequences([[token for line in document for token in line if token] for document in tokens])
        paths, chances = self.model.decode(chains), self.model.marginals(chains)
        return [
            self._lines(document, path, chance) for document, path, chance in zip(tokens, paths, chances, strict=True)
        ]

    def paths(self, documents: Sequence[Document]) -> list[str]:
        """The label of every word of all documents, by the best paths alone."""
        tokens = [[prepared(word.text) for line in document for word in line] for document in documents]
        chains = self.sequences([[token for token in document if token] for document in tokens])
        found: list[str] = []
        for document, path in zip(tokens, self.model.decode(chains), strict=True):
            states = iter(path.tolist())
            last = self.labels[0]
            for token in document:
                last = self.states[next(states)] if token else last
                found.append(last)
        return found

    def sequences(self, chains: Sequence[Sequence[str]]) -> Sequences:
        """Chains of tokens, each with its end -> one row a token."""
        place = {word: number for number, word in enumerate(self.words)}
        unknown, end = len(self.words) - 1, len(self.words)
        known = {word: place.get(word, place.get(ending(word), unknown)) for chain in chains for word in chain}
        columns = [number for chain in chains for number in [*(known[word] for word in chain), end]]
        rows = np.arange(len(columns) + 1)
        X = sp.csr_array((np.ones(len(columns)), np.asarray(columns), rows), shape=(len(columns), end + 1))
        return Sequences(X, np.array([len(chain) + 1 for chain in chains], dtype=np.int64))

    def _lines(self, document: Sequence[Sequence[str]], path: Ints, chances: Floats) -> list[list[Tag]]:
        by_class = _class_chances(chances, self.states, self.labels)
        found, last = [], Tag(self.labels[0], 0.0)
        number = 0
        for line in document:
            tags = []
            for token in line:
                if token:
                    label = self.states[int(path[number])]
                    label = label if label in self.labels else self.labels[0]
                    chance = float(by_class[number, self.labels.index(label)])
                    last, number = Tag(label, min(max(chance, 0.0), 1.0)), number + 1
                tags.append(last)
            found.append(tags)
        return found


def _class_chances(chances: Floats, states: Sequence[str], labels: Sequence[str]) -> Floats:
    """Words x states -> words x classes."""
    groups = np.array([[state == label for label in labels] for state in states], dtype=float)
    return np.asarray(chances @ groups)


def learnt_hmm(
    documents: Sequence[TaggedDocument],
    *,
    name: str,
    distant: Counts,
    way: Way = "L*D",
    kind: Kind = "ml",
) -> HmmTagger:
    """Tagged documents, and words that bibliographies label -> a tagger with one state a class."""
    paths = class_paths(documents)
    if len({label for path in paths for label in path}) < 2:
        raise InputError(f"{name}: tagged text with two labels or more is needed to learn a tagger.")
    structure = one_state_a_class(paths, kind)
    return tagger_of(name, structure, emissions(class_counts(documents), distant, _classes(structure), way))


def merged_hmm(documents: Sequence[TaggedDocument], *, name: str, distant: Counts, way: Way = "L*D") -> HmmTagger:
    """The same with states learnt by neighbour- and V-merging."""
    structure = v_merged(neighbour_merged(class_paths(documents))).structure()
    return tagger_of(name, structure, emissions(class_counts(documents), distant, _classes(structure), way))


def searched_hmm(
    documents: Sequence[TaggedDocument], *, name: str, distant: Counts, way: Way = "L*D", tries: int = 60
) -> HmmTagger:
    """The same with further merges, chosen by the error on a fifth of the documents that is held out."""
    held = max(1, len(documents) // 5)
    taught, tested = documents[:-held], documents[-held:]
    first = v_merged(neighbour_merged(class_paths(taught)))
    emitted = emissions(class_counts(taught), distant, _classes(first.structure()), way)
    truth = [label for document in tested for line in document.labels for label in line]

    def loss(model: Merged) -> float:
        tags = tagger_of(name, model.structure(), emitted).paths([document.lines for document in tested])
        return sum(one != other for one, other in zip(truth, tags, strict=True)) / max(len(truth), 1)

    found = m_merged(first, loss, tries=tries).structure()
    return tagger_of(name, found, emissions(class_counts(documents), distant, _classes(found), way))


def tagger_of(name: str, structure: Structure, emitted: Emissions) -> HmmTagger:
    """Structure and emissions -> a chain that infers."""
    column = {label: number for number, label in enumerate(emitted.classes)}
    inner = [number for number, label in enumerate(structure.classes) if label != START]
    states = [structure.classes[number] for number in inner]
    chances = np.zeros((len(emitted.words) + 1, len(states)))
    for number, label in enumerate(states):
        if label == END:
            chances[-1, number] = 1.0
        else:
            chances[:-1, number] = emitted.chances[:, column[label]]
    arrays = {
        "state": logs(chances),
        "edge": logs(structure.steps[np.ix_(inner, inner)]),
        "start": logs(structure.steps[structure.classes.index(START), inner]),
    }
    return HmmTagger(name, emitted.classes, tuple(states), emitted.words, HMM.from_arrays(arrays))


def class_paths(documents: Iterable[TaggedDocument]) -> list[list[str]]:
    """The classes of the words of each document that has any."""
    paths = [[label for _, label in tokens_of(document)] for document in documents]
    return [path for path in paths if path]


def class_counts(documents: Iterable[TaggedDocument]) -> dict[str, Counter[str]]:
    """Class -> how often it has each word."""
    counts: dict[str, Counter[str]] = {}
    for document in documents:
        for token, label in tokens_of(document):
            counts.setdefault(label, Counter())[token] += 1
    return counts


def tokens_of(document: TaggedDocument) -> list[tuple[str, str]]:
    """The words of a document as the model reads them, each with its label."""
    return [
        (token, label)
        for words, labels in zip(document.lines, document.labels, strict=True)
        for word, label in zip(words, labels, strict=True)
        if (token := prepared(word.text))
    ]


def _classes(structure: Structure) -> tuple[str, ...]:
    return tuple(sorted(set(structure.classes) - {START, END}))


def logs(chances: Floats) -> Floats:
    """Chances as the chain adds them up."""
    return np.asarray(np.log(np.maximum(chances, LEAST)))
