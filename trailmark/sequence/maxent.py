"""`MaxEnt`: maximum entropy, the CRF without transitions: every position is classified alone (PathLearner, table 3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

from trailmark.sequence import inference
from trailmark.sequence.crf import CRF
from trailmark.sequence.sequences import Floats, Ints, Sequences


class MaxEnt:
    """Shares the CRF's training: each position is a chain of one."""

    crf_: CRF

    def __init__(
        self,
        *,
        n_states: int,
        l2_state: float = 1.0,
        feature_scale: npt.ArrayLike | None = None,
        sharing: npt.ArrayLike | None = None,
        group_scale: npt.ArrayLike | None = None,
        max_iterations: int = 500,
        tolerance: float = 1e-8,
    ) -> None:
        self.n_states = n_states
        self.l2_state = l2_state
        self.feature_scale = feature_scale
        self.sharing = sharing
        self.group_scale = group_scale
        self.max_iterations = max_iterations
        self.tolerance = tolerance

    def fit(self, sequences: Sequences, *, start: MaxEnt | None = None) -> MaxEnt:
        """Learns from labelled positions; unknown ones tell nothing."""
        chain = CRF(**self._settings(), transitions=False)
        self.crf_ = chain.fit(sequences.apart(), start=None if start is None else start.crf_)
        return self

    def decode(self, sequences: Sequences) -> list[Ints]:
        """The most probable state of each position."""
        return sequences.split(inference.best_states(self.crf_, sequences.apart()))

    def marginals(self, sequences: Sequences) -> list[Floats]:
        """Positions x states of each sequence: the probability of each state."""
        return sequences.split(inference.state_probabilities(self.crf_, sequences.apart()))

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """What inference needs, as named arrays."""
        return self.crf_.to_arrays()

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, npt.NDArray[Any]]) -> MaxEnt:
        """A model that infers as the saved one did."""
        chain = CRF.from_arrays(arrays)
        model = cls(n_states=chain.n_states, sharing=chain.sharing)
        model.crf_ = chain
        return model

    def _settings(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if not name.endswith("_")}
