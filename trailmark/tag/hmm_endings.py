"""Unknown words told apart by how they end: `-tion` is hardly ever a name, however new the word is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from trailmark.sequence.sequences import Floats

LETTERS = 3
"""Of an ending."""
RARE = 3
"""Times that a class has a word, at most, which stands for words that it has never said."""
LEAST = 5
"""Rare words that an ending must have to be one."""
PRIOR = 50.0
"""Words of all classes together that are put beside the rare ones of each."""


def ending(word: str) -> str:
    """The token that stands for an unknown word: how it ends, or that it has digits or hardly a letter."""
    if any(map(str.isdigit, word)):
        return "<unknown:#>"
    return f"<unknown:{word[-LETTERS:] if len(word) >= LETTERS else len(word)}>"


@dataclass(frozen=True, slots=True)
class Endings:
    """Endings that are told apart, and how usual each is among all rare words; behind them the share of all others."""

    names: tuple[str, ...]
    usual: Floats

    def parted(self, chances: Floats, words: Sequence[str], table: Floats) -> Floats:
        """Words x classes with the row of unknown words last, and the counts they are from -> the same with a row for each ending before
        the last, which stands for all others."""
        counts = np.array([_counted(_rare(words, [column]), self.names) for column in table.T]).T
        shares = counts + PRIOR * self.usual[:, None]
        return np.vstack([chances[:-1], chances[-1] * shares / shares.sum(axis=0)])


def known_endings(words: Sequence[str], tables: Sequence[Floats]) -> Endings:
    """Words, and how often each class of each source has them -> the endings that enough rare words have."""
    counts = _rare(words, [column for table in tables for column in table.T])
    names = tuple(sorted(name for name, count in counts.items() if count >= LEAST))
    usual = np.array(_counted(counts, names))
    usual[-1] += 1.0
    return Endings(names, usual / usual.sum())


def _counted(counts: Counter[str], names: Sequence[str]) -> list[float]:
    """How many words have each ending, and how many another."""
    own = [float(counts[name]) for name in names]
    return [*own, counts.total() - sum(own)]


def _rare(words: Sequence[str], columns: Sequence[Floats]) -> Counter[str]:
    """How many rare words of some classes end in each way."""
    rare = (np.flatnonzero((column > 0) & (column <= RARE)).tolist() for column in columns)
    return Counter(ending(words[at]) for places in rare for at in places)
