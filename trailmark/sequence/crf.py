"""`CRF`: a linear-chain conditional random field (PathLearner, sections 2.1-2.4).

    Pr(y | x, W) = exp(W . F(x, y)) / Z(x)                                              (1)

State features, edge features, and transition features conditioned on the observation; L2; L-BFGS.

Departures from the paper: three strengths of L2 (the paper's is not given), partly known labels, importance of sequences,
state weights shared over groups, forbidden transitions. The base case of eqs. 2 and 6 leaves the first position
without a transition: alpha_1(y) = exp(start(y) + W . f(y, x, 1)), with start = 0 unless `start_weights` is set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from trailmark.errors import InputError
from trailmark.sequence import inference, prefix
from trailmark.sequence.likelihood import Likelihood, likelihood
from trailmark.sequence.sequences import Bools, Floats, Ints, Sequences, Sparse
from trailmark.sequence.weights import Weights, WeightShape, masked, sharing_matrix, spread, unpack


class CRF:
    """`fit` learns `weights_`; `edges_` and `state_weights_` are the effective ones that inference uses.

    The penalty is l2 * (sum of squares), not half of it: `l2_state` for state weights, `l2_edge` for transitions and
    starts, `l2_conditioned` for conditioned transitions, which over-fit first and want more. `feature_scale` (one
    number a feature) and `group_scale` (one a group of `sharing`, or a state) multiply `l2_state`.
    `forbidden[y', y]` steps are never taken in inference; in training only with `mask_training`, which costs
    accuracy when examples are few. `noise` and `seed` tell states apart that no label does.
    """

    def __init__(
        self,
        *,
        n_states: int,
        l2_state: float = 1.0,
        l2_edge: float = 1.0,
        l2_conditioned: float = 10.0,
        feature_scale: npt.ArrayLike | None = None,
        sharing: npt.ArrayLike | None = None,
        group_scale: npt.ArrayLike | None = None,
        forbidden: npt.ArrayLike | None = None,
        mask_training: bool = False,
        start_weights: bool = False,
        transitions: bool = True,
        max_iterations: int = 500,
        tolerance: float = 1e-8,
        memory: int = 10,
        noise: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.n_states = n_states
        self.l2_state = l2_state
        self.l2_edge = l2_edge
        self.l2_conditioned = l2_conditioned
        self.feature_scale = feature_scale
        self.sharing = sharing
        self.group_scale = group_scale
        self.forbidden = forbidden
        self.mask_training = mask_training
        self.start_weights = start_weights
        self.transitions = transitions
        self.max_iterations = max_iterations
        self.tolerance = tolerance
        self.memory = memory
        self.noise = noise
        self.seed = seed

    def fit(self, sequences: Sequences, *, start: CRF | Weights | None = None) -> CRF:
        """Learns from labelled sequences; `start` gives the weights to begin with (0 otherwise)."""
        objective = self.objective(sequences)
        first = self._first(objective.shape, start)
        if first.size and len(sequences):
            first, self.objective_, self.iterations_ = self._minimised(objective, first)
        else:
            self.objective_, self.iterations_ = 0.0, 0
        return self._take(unpack(first, objective.shape))

    def objective(self, sequences: Sequences) -> Likelihood:
        """The function that `fit` minimises: flat weights -> (value, gradient)."""
        sharing = sharing_matrix(self.sharing, self.n_states)
        groups = self.n_states if sharing is None else sharing.shape[0]
        features = sequences.X.shape[1]
        conditioned = 0 if sequences.E is None or not self.transitions else sequences.E.shape[1]
        shape = WeightShape(features, groups, self.n_states, conditioned, self.start_weights)
        return likelihood(
            sequences,
            shape,
            self._penalty(shape),
            sharing=sharing,
            forbidden=self._forbidden() if self.mask_training else None,
            edges=self.transitions,
        )

    def decode(self, sequences: Sequences) -> list[Ints]:
        """The best path of each sequence (eq. 2)."""
        return sequences.split(inference.best_states(self, sequences))

    def marginals(self, sequences: Sequences) -> list[Floats]:
        """Positions x states of each sequence: the probability of each state."""
        return sequences.split(inference.state_probabilities(self, sequences))

    def log_z(self, sequences: Sequences, *, labelled: bool = False) -> Floats:
        """log Z of each sequence, restricted to its label sets where `labelled`."""
        return inference.log_z(self, sequences, labelled=labelled)

    def log_likelihood(self, sequences: Sequences) -> Floats:
        """log Pr(labels | x) of each sequence; unknown labels are summed out."""
        return self.log_z(sequences, labelled=True) - self.log_z(sequences)

    def state_scores(self, X: Sparse) -> Floats:
        """Candidates x states: W . f of the state features."""
        scores: Floats = X @ self.state_weights_
        return scores

    def start_alpha(self, scores: Floats, *, allowed: Bools | None = None) -> Floats:
        """log alpha of first positions."""
        return prefix.start(self, scores, allowed=allowed)

    def extend_alpha(
        self, alpha: Floats, scores: Floats, *, allowed: Bools | None = None, E: Sparse | None = None
    ) -> Floats:
        """log alpha one position further (eq. 6); one prefix or one a candidate."""
        return prefix.extend_alpha(self, alpha, scores, allowed=allowed, E=E)

    def start_delta(self, scores: Floats, *, allowed: Bools | None = None) -> Floats:
        """delta of first positions."""
        return prefix.start(self, scores, allowed=allowed)

    def extend_delta(
        self, delta: Floats, scores: Floats, *, allowed: Bools | None = None, E: Sparse | None = None
    ) -> Floats:
        """delta one position further (eq. 2); one prefix or one a candidate."""
        return prefix.extend_delta(self, delta, scores, allowed=allowed, E=E)

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What inference needs, as named arrays."""
        named = {name: getattr(self.weights_, name) for name in _KINDS}
        for name in ("sharing", "forbidden"):
            value = getattr(self, name)
            named[name] = np.zeros((0, 0)) if value is None else np.asarray(value, dtype=bool)
        return named

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> CRF:
        """A model that infers as the saved one did; the settings of its training are not kept."""
        weights = Weights(*(np.asarray(arrays[name], dtype=np.float64) for name in _KINDS))
        sharing, forbidden = (arrays[name] if arrays[name].size else None for name in ("sharing", "forbidden"))
        return cls(n_states=weights.edge.shape[0], sharing=sharing, forbidden=forbidden)._take(weights)

    def _take(self, weights: Weights) -> CRF:
        self.weights_ = weights
        self.state_weights_ = np.ascontiguousarray(spread(weights.state, sharing_matrix(self.sharing, self.n_states)))
        self.edges_ = masked(weights.edge, self._forbidden())
        return self

    def _forbidden(self) -> Bools | None:
        if self.forbidden is None:
            return None
        matrix = np.asarray(self.forbidden, dtype=bool)
        if matrix.shape != (self.n_states, self.n_states):
            raise InputError(f"forbidden must be {self.n_states} x {self.n_states}, from state to state.")
        return matrix

    def _penalty(self, shape: WeightShape) -> Floats:
        by_feature = _vector(self.feature_scale, shape.features, "feature_scale")
        by_group = _vector(self.group_scale, shape.groups, "group_scale")
        kinds = (self.l2_edge, self.l2_edge, self.l2_conditioned)
        rest = [np.full(size, l2) for size, l2 in zip(shape.sizes[1:], kinds, strict=True)]
        return np.concatenate([self.l2_state * np.outer(by_feature, by_group).ravel(), *rest])

    def _minimised(self, objective: Likelihood, first: Floats) -> tuple[Floats, float, int]:
        options: Any = {
            "maxcor": self.memory,
            "maxiter": self.max_iterations,
            "maxfun": 2 * self.max_iterations,
            "ftol": self.tolerance,
            "gtol": self.tolerance,
        }
        # Weights that are held far apart in strength make a long valley: in units of their own penalty they don't.
        unit = 1.0 / np.sqrt(1.0 + 2.0 * objective.penalty)

        def scaled(point: Any) -> Any:
            value, gradient = objective(point * unit)
            return value, gradient * unit

        optimum = minimize(scaled, first / unit, jac=True, method="L-BFGS-B", options=options)
        return np.asarray(optimum.x) * unit, float(optimum.fun), int(optimum.nit)

    def _first(self, shape: WeightShape, start: CRF | Weights | None) -> Floats:
        if start is not None:
            given = start if isinstance(start, Weights) else start.weights_
            flat = given.flat(shape)
            if flat.size != sum(shape.sizes):
                raise InputError("The model to start from has other features or states.")
            return flat.copy()
        flat = np.zeros(sum(shape.sizes))
        if self.noise:
            # States that nothing tells apart need a push to become different.
            flat[: shape.sizes[0]] = np.random.default_rng(self.seed).normal(0, self.noise, shape.sizes[0])
        return flat


_KINDS = ("state", "edge", "start", "conditioned")


def _vector(values: npt.ArrayLike | None, size: int, name: str) -> Floats:
    vector = np.ones(size) if values is None else np.asarray(values, dtype=np.float64)
    if vector.shape != (size,):
        raise InputError(f"{name} must hold {size} numbers.")
    return vector
