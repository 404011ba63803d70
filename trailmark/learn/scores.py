"""Precision, recall and F1 of predicted labels, as in PathLearner's tables 2 and 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LabelScore:
    """One label's figures."""

    precision: float
    recall: float
    support: int
    """How often the label is true."""

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def label_scores(pairs: Iterable[tuple[str, str]]) -> dict[str, LabelScore]:
    """Score of every label that is true somewhere, from (true, predicted) pairs."""
    counted = Counter(pairs)
    true, predicted, right = Counter[str](), Counter[str](), Counter[str]()
    for (truth, guess), count in counted.items():
        true[truth] += count
        predicted[guess] += count
        right[truth] += count * (truth == guess)
    return {
        label: LabelScore(
            right[label] / predicted[label] if predicted[label] else 0.0, right[label] / true[label], true[label]
        )
        for label in true
    }


def mean_score(scores: Mapping[str, LabelScore]) -> LabelScore:
    """Mean precision and recall over labels, each label counting once (row A of the tables)."""
    count = len(scores) or 1
    return LabelScore(
        sum(score.precision for score in scores.values()) / count,
        sum(score.recall for score in scores.values()) / count,
        sum(score.support for score in scores.values()),
    )


def accuracy(pairs: Iterable[tuple[str, str]]) -> float:
    """Share of pairs that agree."""
    counted = Counter(truth == guess for truth, guess in pairs)
    return counted[True] / (counted.total() or 1)
