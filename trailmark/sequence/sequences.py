"""`Sequences`: observations and labels of many chains, stacked; and `Batch`: those of equal length, laid out for speed.

All positions of all sequences stand one below the other in one sparse matrix. A label may be known, unknown (-1) or partly
known (a set); a position may admit some states only (page positions admit page-states, link positions link-states:
PathLearner, section 2.4.2). The learners see `Batch`es: the positions of sequences of one length, all first positions
first, so that one step of a recursion is one contiguous matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from trailmark.errors import InputError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Sparse = sp.csr_array[Any, tuple[int, int]]

UNKNOWN = -1


@dataclass(frozen=True, eq=False)
class Sequences:
    """Many chains: `X` and `lengths` always, the rest where it is known."""

    X: Sparse
    """Positions x features."""
    lengths: Ints
    """Positions of each sequence, in order; 0 is allowed."""
    labels: npt.NDArray[Any] | None = None
    """One state a position (-1: unknown), or a boolean matrix positions x states of the states it may be."""
    E: Sparse | None = None
    """Positions x edge features (anchor words) that meet the previous and the current state; ignored at first positions."""
    allowed_states: Bools | None = None
    """Positions x states: which states the model may take there; None where all may."""
    weights: Floats | None = None
    """Importance of each sequence in training; None for 1."""

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "X", _csr(self.X))
        put(self, "lengths", np.asarray(self.lengths, dtype=np.int64).reshape(-1))
        if self.E is not None:
            put(self, "E", _csr(self.E))
        if self.labels is not None:
            labels = np.asarray(self.labels)
            put(self, "labels", labels.astype(np.int64) if labels.ndim == 1 else labels.astype(bool))
        if self.allowed_states is not None:
            put(self, "allowed_states", np.asarray(self.allowed_states).astype(bool))
        if self.weights is not None:
            put(self, "weights", np.asarray(self.weights, dtype=np.float64))
        self._check()

    def _check(self) -> None:
        if (self.lengths < 0).any() or self.lengths.sum() != self.X.shape[0]:
            raise InputError(f"lengths add up to {self.lengths.sum()}, but X has {self.X.shape[0]} positions.")
        for name, rows in (("labels", self.labels), ("E", self.E), ("allowed_states", self.allowed_states)):
            if rows is not None and rows.shape[0] != self.X.shape[0]:
                raise InputError(f"{name} has {rows.shape[0]} rows, but X has {self.X.shape[0]} positions.")
        if self.weights is not None and self.weights.shape != self.lengths.shape:
            raise InputError(f"There are {self.weights.size} sequence weights for {len(self)} sequences.")
        if self.weights is not None and not (np.isfinite(self.weights) & (self.weights >= 0)).all():
            raise InputError("A sequence weight is not a finite number of at least 0.")
        for name, matrix in (("X", self.X), ("E", self.E)):
            if matrix is not None and not np.isfinite(matrix.data).all():
                raise InputError(f"{name} holds a value that is not a finite number.")

    def __len__(self) -> int:
        return int(self.lengths.size)

    @property
    def offsets(self) -> Ints:
        """Where each sequence starts, and behind them all where the last one ends."""
        return np.concatenate([np.zeros(1, np.int64), np.cumsum(self.lengths)])

    def take(self, chosen: npt.ArrayLike) -> Sequences:
        """The chosen sequences (numbers or a boolean mask), in the order given."""
        wanted = np.arange(len(self))[np.asarray(chosen, dtype=None if np.size(chosen) else np.int64)]
        rows = position_rows(self.offsets[wanted], self.lengths[wanted])
        return replace(
            self,
            X=self.X[rows],
            lengths=self.lengths[wanted],
            labels=None if self.labels is None else self.labels[rows],
            E=None if self.E is None else self.E[rows],
            allowed_states=None if self.allowed_states is None else self.allowed_states[rows],
            weights=None if self.weights is None else self.weights[wanted],
        )

    def split(self, stacked: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
        """An array with one row a position, cut into one array a sequence."""
        offsets = self.offsets
        return [stacked[start:end] for start, end in pairwise(offsets)]

    def apart(self) -> Sequences:
        """Every position as a sequence of its own: for models without transitions."""
        weights = None if self.weights is None else np.repeat(self.weights, self.lengths)
        return replace(self, lengths=np.ones(self.X.shape[0], np.int64), E=None, weights=weights)

    def label_sets(self, n_states: int) -> Bools:
        """Positions x states: the states that labels and `allowed_states` leave open."""
        sets = np.ones((self.X.shape[0], n_states), dtype=bool)
        if self.allowed_states is not None:
            sets &= _as_wide(self.allowed_states, n_states, "allowed_states")
        if self.labels is None:
            return sets
        if self.labels.ndim == 2:
            return sets & _as_wide(self.labels, n_states, "labels")
        known = np.flatnonzero(self.labels != UNKNOWN)
        if known.size and not (self.labels[known].min() >= 0 and self.labels[known].max() < n_states):
            raise InputError(f"A label is not one of the {n_states} states.")
        only = np.zeros((known.size, n_states), dtype=bool)
        only[np.arange(known.size), self.labels[known]] = True
        sets[known] &= only
        return sets


@dataclass(frozen=True, eq=False)
class Batch:
    """Sequences of one length; row `t * count + b` of a matrix is position t of sequence b."""

    length: int
    count: int
    rows: Ints
    """Rows in the stacked matrices."""
    members: Ints
    """Numbers of the sequences."""
    known: bool
    """Whether one state is left at every position."""


def batches(
    sequences: Sequences, *, sets: Bools | None = None, max_positions: int = 1024, max_count: int = 1_000_000
) -> Iterator[Batch]:
    """All sequences that have positions, grouped by length (and by being wholly labelled), in batches of bounded size."""
    offsets, lengths = sequences.offsets[:-1], sequences.lengths
    known = np.zeros(len(sequences), dtype=bool)
    if sets is not None:
        unsure = np.concatenate([[0], np.cumsum(sets.sum(axis=1) != 1)])
        known = unsure[offsets + lengths] == unsure[offsets]
    order = np.lexsort((np.arange(len(sequences)), known, lengths))
    order = order[lengths[order] > 0]
    kinds = lengths[order] * 2 + known[order]
    for group in np.split(order, np.flatnonzero(np.diff(kinds)) + 1) if order.size else []:
        length = int(lengths[group[0]])
        size = max(1, min(max_count, max_positions // length))
        for first in range(0, group.size, size):
            members = group[first : first + size]
            rows = (offsets[members][None, :] + np.arange(length)[:, None]).ravel()
            yield Batch(length, members.size, rows, members, bool(known[group[0]]))


def position_rows(starts: Ints, lengths: Ints) -> Ints:
    """Row numbers of runs that start at `starts`, one after the other."""
    ends = np.cumsum(lengths)
    rows: Ints = np.arange(int(lengths.sum())) + np.repeat(starts - (ends - lengths), lengths)
    return rows


def _csr(matrix: Any) -> Sparse:
    rows: Sparse = sp.csr_array(matrix, dtype=np.float64)
    if rows.indices.dtype != np.int32 and max(rows.nnz, *rows.shape) < np.iinfo(np.int32).max:
        narrow = (rows.data, rows.indices.astype(np.int32), rows.indptr.astype(np.int32))
        rows = sp.csr_array(narrow, shape=rows.shape)
    return rows


def _as_wide(matrix: Bools, n_states: int, name: str) -> Bools:
    if matrix.ndim != 2 or matrix.shape[1] != n_states:
        raise InputError(f"{name} must have one column for each of the {n_states} states.")
    return matrix
