"""Keywords -> preliminary labels (Cora, 5.1), and how far each keyword is to be believed.

The paper steps through the keywords and takes the first that matches. Here each keyword that occurs votes for its topic with a weight: at first how rare it is
(log of one over its share of the items: a more specific keyword goes first), later how much more often than by chance the items with it turned out to be of its topic,
so that `window`, which half of the topics use, loses its say to `xterm`, which one does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from trailmark.organise.topic_tree import TopicTree
from trailmark.organise.word_counts import Counts, Numbers
from trailmark.sequence import log_odds

SUREST = 0.99
"""Share of its topic beyond which a keyword is believed no more: the last items decide nothing."""
LEAST = 0.001
BELIEVED, TRUST = 0.8, 10.0
"""A keyword is taken to be right so often before anything is known of it, as surely as after so many items."""


@dataclass(frozen=True, slots=True)
class Keyword:
    """Words in a row, and the topic that they speak for."""

    words: tuple[str, ...]
    topic: int


def keywords_of(tree: TopicTree) -> tuple[Keyword, ...]:
    """All keywords of a tree, the deeper topic first; one that stands in a topic and above it speaks for the deeper."""
    deepest: dict[tuple[str, ...], int] = {}
    for number, topic in enumerate(tree.topics):
        for words in topic.keywords:
            deepest[words] = number  # children come after their parents
    order = sorted(deepest, key=lambda words: (-len(tree.path(deepest[words])), deepest[words], words))
    return tuple(Keyword(words, deepest[words]) for words in order)


class KeywordFinder:
    """Finds keywords in the words of an item."""

    def __init__(self, keywords: Sequence[Keyword]) -> None:
        self.keywords = keywords
        self._starts: dict[str, list[int]] = {}
        for number, keyword in enumerate(keywords):
            self._starts.setdefault(keyword.words[0], []).append(number)

    def occurrences(self, texts: Iterable[Sequence[str]]) -> Counts:
        """Words of each item -> log(1 + n) for each keyword that occurs n times."""
        rows, columns, values = [], [], []
        items = 0
        for words in texts:
            for number, n in sorted(self._count(words).items()):
                rows.append(items)
                columns.append(number)
                values.append(np.log1p(n))
            items += 1
        return sparse.csr_array((values, (rows, columns)), shape=(items, len(self.keywords)), dtype=np.float64)

    def _count(self, words: Sequence[str]) -> dict[int, int]:
        found: dict[int, int] = {}
        for number in self._matches(words):
            found[number] = found.get(number, 0) + 1
        return found

    def _matches(self, words: Sequence[str]) -> Iterator[int]:
        for place, word in enumerate(words):
            for number in self._starts.get(word, ()):
                keyword = self.keywords[number].words
                if len(keyword) == 1 or tuple(words[place : place + len(keyword)]) == keyword:
                    yield number


def rarity(occurrences: Counts) -> Numbers:
    """Weights before anything is learnt: log of one over the share of items with the keyword."""
    items = occurrences.shape[0]
    return np.log((items + 1) / (_items_with(occurrences) + 1))


def reliability(occurrences: Counts, keywords: Sequence[Keyword], tree: TopicTree, posterior: Numbers) -> Numbers:
    """What the items with a keyword turned out to be -> its weight: log odds of its topic among them, less those among all; zero at worst."""
    present = occurrences.astype(bool).astype(np.float64)
    among = np.asarray(present.T @ posterior)
    weights = np.zeros(len(keywords))
    for number, keyword in enumerate(keywords):
        leaves = list(tree.leaves_under(keyword.topic))
        share = (among[number, leaves].sum() + BELIEVED * TRUST) / (among[number].sum() + TRUST)
        weights[number] = _odds(share) - _odds(posterior[:, leaves].sum() / max(len(posterior), 1))
    return np.maximum(weights, 0.0)


def _odds(share: float) -> float:
    """The log-odds of a share, within what is believed."""
    return float(log_odds(np.clip(np.array(share), LEAST, SUREST)))


def _items_with(occurrences: Counts) -> Numbers:
    return np.bincount(occurrences.indices, minlength=occurrences.shape[1]).astype(np.float64)


def rule_list(occurrences: Counts, keywords: Sequence[Keyword], tree: TopicTree) -> npt.NDArray[np.int64]:
    """The paper's own: for each item the place of the leaf whose keyword comes first in the list, rarest first among the deepest; -1 for none."""
    leaf = {topic: place for place, topic in enumerate(tree.leaves)}
    depth = [len(tree.path(keyword.topic)) for keyword in keywords]
    rare = rarity(occurrences)
    order = sorted(range(len(keywords)), key=lambda number: (-depth[number], -rare[number], number))
    labels = np.full(occurrences.shape[0], -1, dtype=np.int64)
    columns = occurrences.tocsc()
    for number in reversed(order):
        if keywords[number].topic in leaf:
            labels[columns.indices[columns.indptr[number] : columns.indptr[number + 1]]] = leaf[keywords[number].topic]
    return labels


def votes(occurrences: Counts, keywords: Sequence[Keyword], weights: Numbers, tree: TopicTree) -> Numbers:
    """Occurrences and weights -> for each item and leaf the sum of the votes of the leaf's own keywords."""
    leaf = {topic: place for place, topic in enumerate(tree.leaves)}
    speaks = np.zeros((len(keywords), len(tree.leaves)))
    for number, keyword in enumerate(keywords):
        if keyword.topic in leaf:
            speaks[number, leaf[keyword.topic]] = weights[number]
    return np.asarray(occurrences @ speaks)


def regions(occurrences: Counts, keywords: Sequence[Keyword], weights: Numbers, tree: TopicTree) -> Numbers:
    """For each item and leaf the sum of the votes of keywords of topics above the leaf."""
    speaks = np.zeros((len(keywords), len(tree.leaves)))
    for number, keyword in enumerate(keywords):
        if not tree.topics[keyword.topic].leaf:
            speaks[number, list(tree.leaves_under(keyword.topic))] = weights[number]
    return np.asarray(occurrences @ speaks)
