"""`NaiveBayes`: multinomial naive Bayes with Laplace smoothing, each position alone (PathLearner, table 3).

Positions whose state is not known are left out. Written as a chain of one position: log priors are its start weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from trailmark.errors import InputError
from trailmark.sequence import inference
from trailmark.sequence.sequences import Floats, Ints, Sequences
from trailmark.sequence.weights import Weights


class NaiveBayes:
    """Feature values are counts: none may be negative."""

    def __init__(self, *, n_states: int, laplace: float = 1.0) -> None:
        self.n_states = n_states
        self.laplace = laplace

    def fit(self, sequences: Sequences) -> NaiveBayes:
        """Counts the labelled positions."""
        sets = sequences.label_sets(self.n_states)
        nodes = sets * (sets.sum(axis=1) == 1)[:, None] * position_weights(sequences)[:, None]
        words = word_counts(sequences, nodes)
        self.weights_ = Weights(
            smoothed_logs(words.T, self.laplace).T,
            np.zeros((self.n_states, self.n_states)),
            smoothed_logs(nodes.sum(axis=0), self.laplace),
            np.zeros((0, self.n_states, self.n_states)),
        )
        return self

    @property
    def state_weights_(self) -> Floats:
        """Features x states: log Pr(feature | state)."""
        return self.weights_.state

    @property
    def edges_(self) -> Floats:
        """No transition is better than another."""
        return self.weights_.edge

    def decode(self, sequences: Sequences) -> list[Ints]:
        """The most probable state of each position."""
        return sequences.split(inference.best_states(self, sequences.apart()))

    def marginals(self, sequences: Sequences) -> list[Floats]:
        """Positions x states of each sequence: the probability of each state."""
        return sequences.split(inference.state_probabilities(self, sequences.apart()))

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What inference needs, as named arrays."""
        return {"state": self.weights_.state, "start": self.weights_.start}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> NaiveBayes:
        """A model that infers as the saved one did."""
        states = arrays["start"].size
        model = cls(n_states=states)
        model.weights_ = Weights(
            arrays["state"], np.zeros((states, states)), arrays["start"], np.zeros((0, states, states))
        )
        return model


def position_weights(sequences: Sequences) -> Floats:
    """The importance of its sequence for every position."""
    weights = np.ones(len(sequences)) if sequences.weights is None else sequences.weights
    return np.repeat(weights, sequences.lengths)


def word_counts(sequences: Sequences, nodes: Floats) -> Floats:
    """Features x states: how often each feature was seen in each state."""
    if sequences.X.nnz and sequences.X.data.min() < 0:
        raise InputError("Multinomial models count features: a value must not be negative.")
    counts: Floats = sequences.X.T @ nodes
    return counts


def smoothed_logs(counts: Floats, laplace: float) -> Floats:
    """log of (count + laplace), normalised over the last axis."""
    raised = counts + laplace
    with np.errstate(divide="ignore"):
        logs: Floats = np.log(raised) - np.log(raised.sum(axis=-1, keepdims=True))
    return logs
