"""What words each class emits: absolute discounting with unknown words by class; labelled (L), pooled (L+D), mixed (L*D) (section 4.2.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from trailmark.sequence.sequences import Floats
from trailmark.tag.hmm_endings import known_endings

Counts = Mapping[str, Counter[str]]
"""Class -> how often it has each word."""
Way = Literal["L", "L+D", "L*D"]
UNKNOWN = "<unknown>"


@dataclass(frozen=True, eq=False)
class Emissions:
    """Probabilities of the words of a vocabulary, `UNKNOWN` last, for each class; every column adds up to 1."""

    words: tuple[str, ...]
    classes: tuple[str, ...]
    chances: Floats
    """Words x classes."""
    mixture: Mapping[str, float]
    """Class -> weight of the labelled text, where both kinds of text were mixed."""


def emissions(
    labelled: Counts, distant: Counts, classes: Sequence[str], way: Way, *, endings: bool = False
) -> Emissions:
    """Counts of labelled text, and of what bibliographies label -> smoothed emissions of every class; unknown words are all one, or told apart by
    their endings."""
    if way == "L+D":
        labelled = {name: Counter(labelled.get(name, {})) + Counter(distant.get(name, {})) for name in classes}
    sources = [labelled, distant] if way == "L*D" else [labelled]
    words = sorted({word for source in sources for name in classes for word in source.get(name, ())})
    place = {word: number for number, word in enumerate(words)}
    tables = [_table(source, classes, place) for source in sources]
    plain = [_discounted(table) for table in tables]
    known = known_endings(words, tables) if endings else None
    parted = [
        known.parted(*each) if known else each[0] for each in zip(plain, [words] * len(plain), tables, strict=True)
    ]
    chances, mixture = parted[0], {}
    if way == "L*D":
        own, near, far = tables[0], plain[0], plain[1]
        for number in np.flatnonzero(tables[1].sum(axis=0)).tolist():
            share = _mixture(own[:, number], near[:, number], far[:, number], discount(own[:, number]))
            chances[:, number] = share * chances[:, number] + (1 - share) * parted[1][:, number]
            mixture[classes[number]] = share
    return Emissions((*words, *(known.names if known else ()), UNKNOWN), tuple(classes), chances, mixture)


def discount(counts: Floats) -> float:
    """What absolute discounting takes off every count: n1 / (n1 + 2 n2) (Ney et al. 1994)."""
    ones, twos = int((counts == 1).sum()), int((counts == 2).sum())
    return min(max(ones / (ones + 2 * twos), 0.1), 0.9) if ones else 0.5


def _table(counts: Counts, classes: Sequence[str], place: Mapping[str, int]) -> Floats:
    table = np.zeros((len(place), len(classes)))
    for number, name in enumerate(classes):
        for word, count in counts.get(name, {}).items():
            table[place[word], number] = count
    return table


def _discounted(table: Floats) -> Floats:
    """Words x classes of counts -> probabilities, with a row for unknown words below."""
    once = table.sum(axis=1) == 1
    chances = np.empty((len(table) + 1, table.shape[1]))
    for number in range(table.shape[1]):
        counts = table[:, number]
        seen = counts > 0
        distinct, total = int(seen.sum()), counts.sum()
        if not total:
            chances[:, number] = 1.0 / len(chances)
            continue
        taken = discount(counts)
        mass = taken * distinct / total
        # The share of its words that were met only once, and in this class alone, is how often it says something new.
        new = min(max(float((once & seen).sum()) / distinct, 0.01), 0.99)
        unseen = len(counts) - distinct
        unknown = mass * new if unseen else mass
        chances[:-1, number] = np.where(seen, (counts - taken) / total, (mass - unknown) / max(unseen, 1))
        chances[-1, number] = unknown
    return chances


def _mixture(counts: Floats, near: Floats, far: Floats, taken: float, *, rounds: int = 50) -> float:
    """The weight of the labelled text by EM on its own words, each of them left out of its count in turn."""
    seen = np.flatnonzero(counts)
    if not seen.size:
        return 0.0
    times, total = counts[seen], counts.sum()
    # A word that was there once is, left out, one of those that the class has never said.
    mass = taken * seen.size / total
    floor = mass * max(1 - float(near[-1]) / mass, 0.01) / (len(counts) - seen.size + 1)
    own = np.where(times > 1, (times - 1 - taken) / max(total - 1, 1), floor)
    other, share = far[:-1][seen], 0.5
    for _ in range(rounds):
        blame = share * own / np.maximum(share * own + (1 - share) * other, 1e-300)
        share = float((times * blame).sum() / total)
    return share
