"""`HMM`: a hidden Markov model with multinomial emissions and Laplace smoothing, the generative baseline.

Wholly labelled sequences are counted once. Where labels are unknown or partly known, counts are expectations under the
label sets (Baum-Welch): the first model counts known labels only, and each round counts again with the last model.
It serves as a chain like the CRF: its log probabilities take the place of weights, so prefixes extend the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from trailmark.sequence import inference, lattice
from trailmark.sequence.naive_bayes import position_weights, smoothed_logs, word_counts
from trailmark.sequence.sequences import Bools, Floats, Ints, Sequences
from trailmark.sequence.weights import Weights


class HMM:
    """Feature values are counts: none may be negative."""

    def __init__(
        self,
        *,
        n_states: int,
        laplace: float = 1.0,
        forbidden: npt.ArrayLike | None = None,
        max_iterations: int = 50,
        tolerance: float = 1e-6,
        noise: float = 0.01,
        seed: int = 0,
    ) -> None:
        self.n_states = n_states
        self.laplace = laplace
        self.forbidden = forbidden
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.noise = noise
        self.seed = seed

    def fit(self, sequences: Sequences) -> HMM:
        """Counts what is labelled, and in rounds what is not."""
        sets = sequences.label_sets(self.n_states)
        self._take(self._known(sequences, sets))
        self.log_likelihoods_: list[float] = []
        if (sets.sum(axis=1) == 1).all():
            return self
        for _ in range(self.max_iterations):
            counted, value = self._expected(sequences, sets)
            self._take(counted)
            self.log_likelihoods_.append(value)
            if len(self.log_likelihoods_) > 1 and self._settled():
                break
        return self

    def decode(self, sequences: Sequences) -> list[Ints]:
        """The best path of each sequence."""
        return sequences.split(inference.best_states(self, sequences))

    def marginals(self, sequences: Sequences) -> list[Floats]:
        """Positions x states of each sequence: the probability of each state."""
        return sequences.split(inference.state_probabilities(self, sequences))

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What inference needs, as named arrays."""
        weights = self.weights_
        return {"state": weights.state, "edge": self.edges_, "start": weights.start}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> HMM:
        """A model that infers as the saved one did."""
        states = arrays["start"].size
        model = cls(n_states=states)
        model._take(Weights(arrays["state"], arrays["edge"], arrays["start"], np.zeros((0, states, states))))
        return model

    def _take(self, weights: Weights) -> None:
        self.weights_, self.state_weights_, self.edges_ = weights, weights.state, weights.edge

    def _model(self, words: Floats, moves: Floats, starts: Floats) -> Weights:
        """Smoothed log probabilities from counts."""
        steps = np.full(moves.shape, self.laplace)
        if self.forbidden is not None:
            steps[np.asarray(self.forbidden, dtype=bool)] = 0.0
            moves = np.where(steps > 0, moves, 0.0)
        raised = moves + steps
        total = raised.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore"):
            edges = np.log(raised) - np.log(np.where(total > 0, total, 1.0))
        states = self.n_states
        start = smoothed_logs(starts, self.laplace)
        return Weights(smoothed_logs(words.T, self.laplace).T, edges, start, np.zeros((0, states, states)))

    def _known(self, sequences: Sequences, sets: Bools) -> Weights:
        """The model that counts known labels only, with a little noise where some are unknown."""
        certain = sets.sum(axis=1) == 1
        nodes = sets * certain[:, None] * position_weights(sequences)[:, None]
        words = word_counts(sequences, nodes)
        if not certain.all():
            # Without noise, states that no label tells apart would stay the same in every round.
            words = words + self.noise * np.random.default_rng(self.seed).random(words.shape) * (1 + words.mean())
        firsts = sequences.offsets[:-1][sequences.lengths > 0]
        later = np.ones(len(nodes), dtype=bool)
        later[firsts] = False
        after = np.flatnonzero(later)
        moves = sets[after - 1].T.astype(float) * certain[after - 1] @ nodes[after]
        return self._model(words, moves, nodes[firsts].sum(axis=0))

    def _expected(self, sequences: Sequences, sets: Bools) -> tuple[Weights, float]:
        """One round of Baum-Welch, and the log-likelihood of the model it started from."""
        words, moves, starts, value = self.expected_counts(sequences, sets=sets)
        return self._model(words, moves, starts), value

    def expected_counts(
        self, sequences: Sequences, *, sets: Bools | None = None
    ) -> tuple[Floats, Floats, Floats, float]:
        """(Words x states, states x states, states) as often as the model expects them, and its log-likelihood."""
        nodes = np.zeros((sequences.X.shape[0], self.n_states))
        moves = np.zeros((self.n_states, self.n_states))
        starts, value = np.zeros(self.n_states), 0.0
        for batch, scores, edges in inference.batch_scores(self, sequences, sets=sets):
            weights = np.ones(batch.count) if sequences.weights is None else sequences.weights[batch.members]
            posterior = lattice.posterior(scores, edges, weights)
            inference.require(np.isfinite(posterior.log_z), batch)
            nodes[batch.rows] = posterior.nodes.reshape(batch.rows.size, -1)
            moves += posterior.edges
            starts += posterior.nodes[0].sum(axis=0)
            value += float(posterior.log_z @ weights)
        return word_counts(sequences, nodes), moves, starts, value

    def _settled(self) -> bool:
        before, now = self.log_likelihoods_[-2:]
        return abs(now - before) <= self.tolerance * abs(now)
