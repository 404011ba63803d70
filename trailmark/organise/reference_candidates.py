"""References by the keys that they share -> pairs of them that are worth comparing, without a look at all pairs.

Who shares how many keys with whom is the product of a sparse matrix (a row a reference, a column a key) with itself, some rows at a time: its memory does not grow with the references.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from trailmark.organise.reference_parts import ReferenceParts

LARGEST_BLOCK = 200
"""Different references with one key that are all compared with each other."""
NEIGHBOURS = 4
"""Of a reference in a larger block, in alphabetical order, that it is compared with."""
MANY_KEYS = 8
"""From which on two references must share two keys to be compared: one is shared by chance."""
ROWS = 512
"""References whose partners are looked for at a time."""

Places = npt.NDArray[np.int64]
Keys = Callable[[ReferenceParts], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Candidates:
    """References and the keys that two or more of them share."""

    held: sparse.csr_array
    """A row a reference, a column a key, 1 where it has the key; keys that too many share are left out."""
    beside: Places
    """Pairs that are neighbours where too many share a key: the lower place times the number of all, and the higher."""
    crowded: Places
    """References with a key that too many share."""

    @classmethod
    def of(cls, references: Sequence[ReferenceParts], keys: Keys) -> Candidates:
        """References -> what of them is worth comparing, by the keys of each."""
        held = _held(references, keys)
        sizes = np.bincount(held.indices, minlength=held.shape[1])
        by_key = sparse.csc_array(held)
        rows = [
            by_key.indices[by_key.indptr[key] : by_key.indptr[key + 1]] for key in np.flatnonzero(sizes > LARGEST_BLOCK)
        ]
        beside = [_neighbours(row, references) for row in rows]
        crowded = np.unique(np.concatenate(rows)) if rows else np.zeros(0, np.int64)
        wanted = np.flatnonzero((sizes > 1) & (sizes <= LARGEST_BLOCK))
        pairs = np.unique(np.concatenate(beside)) if beside else np.zeros(0, np.int64)
        return cls(sparse.csr_array(by_key[:, wanted]), pairs, crowded.astype(np.int64))

    def pairs(self) -> Iterator[tuple[Places, Places]]:
        """The lower places and the higher ones of pairs that share keys enough, or are neighbours: each pair once, in their order."""
        number = self.held.shape[0]
        least = np.where(np.diff(self.held.indptr) >= MANY_KEYS, 2, 1)
        turned = sparse.csr_array(self.held.T)
        for start in range(0, number, ROWS):
            end = min(number, start + ROWS)
            shared = sparse.coo_array(self.held[start:end] @ turned)
            ones, others = shared.row.astype(np.int64) + start, shared.col.astype(np.int64)
            enough = (others > ones) & (shared.data >= least[ones])
            low, high = np.searchsorted(self.beside, (start * number, end * number))
            found = np.union1d(ones[enough] * number + others[enough], self.beside[low:high])
            yield found // max(1, number), found % max(1, number)


def _held(references: Sequence[ReferenceParts], keys: Keys) -> sparse.csr_array:
    """References -> a row each, with 1 for each key that it has."""
    columns: dict[str, int] = {}
    held, ends = array("i"), array("q", [0])
    for parts in references:
        held.extend([columns.setdefault(key, len(columns)) for key in dict.fromkeys(keys(parts))])
        ends.append(len(held))
    ones = np.ones(len(held), dtype=np.int32)
    indices, starts = np.array(held, dtype=np.int32), np.array(ends, dtype=np.int64)
    return sparse.csr_array((ones, indices, starts), shape=(len(references), max(1, len(columns))))


def _neighbours(block: npt.NDArray[np.int32], references: Sequence[ReferenceParts]) -> Places:
    """References with one key -> pairs that stand side by side in alphabetical order."""
    row = np.array(
        sorted(block.tolist(), key=lambda place: (references[place].title_words, references[place].names, place)),
        dtype=np.int64,
    )
    pairs = [(row[:-step], row[step:]) for step in range(1, NEIGHBOURS + 1)]
    return np.concatenate([np.minimum(*pair) * len(references) + np.maximum(*pair) for pair in pairs])
