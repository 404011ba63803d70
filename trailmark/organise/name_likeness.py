"""References -> which share of the names of one the other has, for many pairs at once: the same numbers as `reference_comparison.name_likeness` gives for one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from trailmark.organise.reference_comparison import ALIKE, LONG_NAME
from trailmark.organise.reference_parts import ReferenceParts, grams

AT_ONCE = 2_048
"""Names that are compared with all others at a time."""

Places = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]


class NameLikeness:
    """The names of references, and for each reference the names that it has or that are one of its own with a misprint."""

    def __init__(self, references: Sequence[ReferenceParts]) -> None:
        self._names, names = rows_of([each.names for each in references])
        self._known = sparse.csr_array(self._names @ _alike([str(name) for name in names]))
        self._known.data = np.ones_like(self._known.data)
        self._sizes = np.array([len(each.names) for each in references], dtype=np.int64)

    def of(self, ones: Places, others: Places) -> tuple[Shares, Shares]:
        """Pairs by the places of both -> of the shares of each one's names that the other has the smaller and the larger; a half where one has none."""
        some = (self._sizes[ones] > 0) & (self._sizes[others] > 0)
        first = np.where(some, self._share(ones, others), 0.5)
        second = np.where(some, self._share(others, ones), 0.5)
        return np.minimum(first, second), np.maximum(first, second)

    def _share(self, ones: Places, others: Places) -> Shares:
        return common(self._names[ones], self._known[others]) / np.maximum(1, self._sizes[ones])


def rows_of(values: Sequence[Iterable[Hashable]]) -> tuple[sparse.csr_array, list[Hashable]]:
    """For each reference its values -> a matrix with how often each has each, and the values of its columns."""
    columns: dict[Hashable, int] = {}
    held = [[columns.setdefault(value, len(columns)) for value in row] for row in values]
    starts = np.concatenate(([0], np.cumsum([len(row) for row in held], dtype=np.int64)))
    indices = np.array([column for row in held for column in row], dtype=np.int32)
    shape = (len(held), max(1, len(columns)))
    counts = sparse.csr_array((np.ones(len(indices), dtype=np.int32), indices, starts), shape=shape)
    counts.sum_duplicates()
    return counts, list(columns)


def common(one: sparse.csr_array, other: sparse.csr_array) -> npt.NDArray[np.int64]:
    """Rows of two matrices -> for each pair of rows the sum of the products of what both have."""
    return np.asarray(one.multiply(other).sum(axis=1, dtype=np.int64)).ravel()


def _alike(names: Sequence[str]) -> sparse.csr_array:
    """Names -> 1 where two are the same, or one with a misprint."""
    same = sparse.eye_array(max(1, len(names)), dtype=np.int32, format="csr")
    long = np.array([place for place, name in enumerate(names) if len(name) >= LONG_NAME], dtype=np.int64)
    if not len(long):
        return same
    runs, _ = rows_of([sorted(grams((names[place],))) for place in long])
    sizes, turned = np.diff(runs.indptr), sparse.csr_array(runs.T)
    found = [
        _alike_in(runs[at : at + AT_ONCE], turned, sizes[at : at + AT_ONCE], sizes)
        for at in range(0, len(long), AT_ONCE)
    ]
    ones = np.concatenate([rows + number * AT_ONCE for number, (rows, _) in enumerate(found)])
    others = np.concatenate([columns for _, columns in found])
    both = sparse.csr_array((np.ones(len(ones), dtype=np.int32), (long[ones], long[others])), shape=same.shape)
    return sparse.csr_array(same + both)


def _alike_in(
    some: sparse.csr_array, turned: sparse.csr_array, sizes: npt.NDArray[np.int32], all_sizes: npt.NDArray[np.int32]
) -> tuple[Places, Places]:
    """Some names by their runs of letters, and all of them -> the pairs that have enough in common."""
    shared = sparse.coo_array(some @ turned)
    alike = 2 * shared.data / np.maximum(1, sizes[shared.row] + all_sizes[shared.col]) > ALIKE
    return shared.row[alike].astype(np.int64), shared.col[alike].astype(np.int64)
