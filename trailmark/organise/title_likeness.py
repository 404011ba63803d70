"""References -> how alike the titles of many pairs of them are, all at once.

The same numbers as two sets of runs of letters at a time give, from a matrix with a row for each reference. As sets the runs of all references would be ten times what the
references are; made anew for each pair, they were most of what organising a large workspace took.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from trailmark.organise.reference_parts import ReferenceParts, letter_line

AT_ONCE = 8_192
"""References, or pairs of them, whose runs of letters are held at a time."""
SIGN_BITS = 21
"""A sign of Unicode fits in them; three of them in 64."""

Places = npt.NDArray[np.int64]
Shares = npt.NDArray[np.float64]


class TitleLikeness:
    """The runs of three letters of references: of their titles, and of the whole of each."""

    def __init__(self, references: Sequence[ReferenceParts]) -> None:
        columns: dict[int, int] = {}
        self._titles = _runs([letter_line(each.title_words) for each in references], columns)
        self._wholes = _runs([letter_line(each.words, letters_only=True) for each in references], columns)
        self._titles = _widened(self._titles, len(columns))
        self._sizes = np.asarray(self._titles.sum(axis=1)).ravel()

    def of(self, ones: Places, others: Places) -> Shares:
        """Pairs by the places of both -> how alike their titles are, from 0 to 1: as `reference_comparison.title_likeness`."""
        parts = [self._of(ones[at : at + AT_ONCE], others[at : at + AT_ONCE]) for at in range(0, len(ones), AT_ONCE)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _of(self, ones: Places, others: Places) -> Shares:
        first, second = self._titles[ones], self._titles[others]
        sizes = self._sizes[ones], self._sizes[others]
        dice = 2 * _common(first, second) / np.maximum(1, sizes[0] + sizes[1])
        within = _common(first, self._wholes[others]) / np.maximum(1, sizes[0])
        back = _common(second, self._wholes[ones]) / np.maximum(1, sizes[1])
        alike: Shares = np.maximum(dice, np.minimum(within, back))
        return alike


def _common(one: sparse.csr_array, other: sparse.csr_array) -> npt.NDArray[np.int64]:
    """Rows of two matrices -> for each pair of rows the runs that both have; one that both have twice counts twice."""
    return np.asarray(one.minimum(other).sum(axis=1, dtype=np.int64)).ravel()


def _runs(lines: Sequence[str], columns: dict[int, int]) -> sparse.csr_array:
    """Lines -> how often each has each run of three signs; runs that were not met yet get the next columns."""
    parts = [_some_runs(lines[at : at + AT_ONCE], columns) for at in range(0, max(1, len(lines)), AT_ONCE)]
    return sparse.csr_array(sparse.vstack([_widened(part, len(columns)) for part in parts], format="csr"))


def _widened(matrix: sparse.csr_array, columns: int) -> sparse.csr_array:
    """The same with columns for runs that were met since."""
    shape = (matrix.shape[0], max(1, columns))
    return sparse.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=shape)


def _some_runs(lines: Sequence[str], columns: dict[int, int]) -> sparse.csr_array:
    signs = np.frombuffer("".join(lines).encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.int64)
    lengths = np.array([len(line) for line in lines], dtype=np.int64)
    # The last two signs of a line begin no run: it would reach into the next line.
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(signs))
    starts = np.flatnonzero(left > 2)
    runs = (signs[starts] << 2 * SIGN_BITS) | (signs[starts + 1] << SIGN_BITS) | signs[starts + 2]
    known, which = np.unique(runs, return_inverse=True)
    numbers = np.array([columns.setdefault(run, len(columns)) for run in known.tolist()], dtype=np.int32)
    ends = np.cumsum(np.maximum(lengths - 2, 0))
    shape = (len(lines), max(1, len(columns)))
    counts = sparse.csr_array(
        (np.ones(len(runs), dtype=np.int16), numbers[which], np.concatenate(([0], ends))), shape=shape
    )
    counts.sum_duplicates()
    return counts
