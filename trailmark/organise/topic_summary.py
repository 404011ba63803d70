"""What a person is shown of topics: their strongest words, how sure is sure, and which topics are taken for each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from trailmark.organise.topic_model import Placement
from trailmark.organise.word_counts import Numbers

WORDS = 12
SURE = 0.7
"""An item whose likeliest place is less likely is doubtful."""
CONFUSED = 10
"""Pairs of topics that are shown."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """Two topics that share items: as many as would be of the second among those of the first."""

    topic: str
    other: str
    items: float


def strongest_words(placement: Placement, most: int = WORDS) -> list[tuple[str, ...]]:
    """For each leaf the words that tell it from the others: probable in it, and more so than elsewhere."""
    logs = placement.model.log_words
    words = sorted(placement.model.vocabulary.columns, key=placement.model.vocabulary.columns.__getitem__)
    if not words:
        return [() for _ in logs[:-1]]
    total = np.exp(logs).mean(axis=0)
    return [_strongest(row, total, words, most) for row in logs[:-1]]


def _strongest(row: Numbers, total: Numbers, words: list[str], most: int) -> tuple[str, ...]:
    """By p log(p / mean): the share of each word in how far the leaf is from the mean of all."""
    probable = np.exp(row)
    gain = probable * (row - np.log(total))
    order = sorted(np.argsort(-gain, kind="stable")[: most * 2], key=lambda column: (-gain[column], words[column]))
    return tuple(words[column] for column in order if gain[column] > 0)[:most]


def confusions(placement: Placement, most: int = CONFUSED) -> list[Confusion]:
    """Pairs of topics between which the most items are shared out, by the model's own belief."""
    posterior = placement.posterior[:, :-1]
    tree = placement.model.tree
    shared = np.zeros((posterior.shape[1], posterior.shape[1]))
    best = placement.posterior.argmax(axis=1)
    for leaf in range(posterior.shape[1]):
        shared[leaf] = posterior[best == leaf].sum(axis=0)
    np.fill_diagonal(shared, 0.0)
    order = sorted(zip(*np.nonzero(shared > 0.5), strict=True), key=lambda pair: (-shared[pair], pair))[:most]
    names = [tree.topics[leaf].id for leaf in tree.leaves]
    return [Confusion(names[one], names[other], round(float(shared[one, other]), 1)) for one, other in order]
