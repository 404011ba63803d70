"""Shingle vectors -> groups: the three passes of algorithm 1 of Vertex (section III-A).

The paper leaves open how ties are broken. Here the 8/8 vectors of equal count are taken in the order of their first page,
and among candidates of equal count the one with fewest wild cards wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trailmark.cluster.masked_vector import MASKS, masked_values, written

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PageGroup:
    """Pages under one masked shingle vector."""

    signature: str
    importance: int
    """Count of the masked vector after the second pass; the group may be larger or smaller."""
    pages: tuple[int, ...]
    """Positions of its pages."""


def group_vectors(vectors: Sequence[bytes], *, least: int = 20) -> tuple[list[PageGroup], list[int]]:
    """Groups, largest first, and the positions of pages whose masked vectors all counted fewer than `least`."""
    if not vectors:
        return [], []
    distinct, counts, pages_of = _distinct(vectors)
    table = np.frombuffer(b"".join(distinct), dtype=np.uint8).reshape(len(distinct), -1)
    candidates, total = _candidates(table)
    weight = _first_pass(candidates, counts, total)
    _second_pass(candidates, counts, weight)
    weight[weight < least] = 0
    return _third_pass(distinct, candidates, weight, pages_of)


def _distinct(vectors: Sequence[bytes]) -> tuple[list[bytes], Counts, list[list[int]]]:
    """The 8/8 vectors in the order of their first page, their counts and their pages."""
    pages: dict[bytes, list[int]] = {}
    for position, vector in enumerate(vectors):
        pages.setdefault(vector, []).append(position)
    return list(pages), np.array([len(page) for page in pages.values()], dtype=np.int64), list(pages.values())


def _candidates(table: NDArray[np.uint8]) -> tuple[NDArray[np.int64], int]:
    """(vectors, masks): the number of each candidate; vectors that share a masked vector share its number."""
    values = masked_values(table)
    numbers = np.empty(values.shape, dtype=np.int64)
    total = 0
    for mask in range(len(MASKS)):
        known, inverse = np.unique(values[:, mask], return_inverse=True)
        numbers[:, mask] = inverse.reshape(-1) + total
        total += len(known)
    return numbers, total


def _first_pass(candidates: NDArray[np.int64], counts: Counts, total: int) -> Counts:
    """Pages that each masked vector covers."""
    weight = np.zeros(total, dtype=np.int64)
    np.add.at(weight, candidates, counts[:, None])
    return weight


def _second_pass(candidates: NDArray[np.int64], counts: Counts, weight: Counts) -> None:
    """Each 8/8 vector, rarest first, leaves its count with its strongest candidate and takes it from the others."""
    for vector in np.argsort(counts, kind="stable"):
        mine = candidates[vector]
        strongest = mine[np.argmax(weight[mine])]
        weight[mine] -= counts[vector]
        weight[strongest] += counts[vector]


def _third_pass(
    distinct: list[bytes], candidates: NDArray[np.int64], weight: Counts, pages_of: list[list[int]]
) -> tuple[list[PageGroup], list[int]]:
    """Every page goes to the strongest candidate that was not pruned; the counts stay as they are."""
    best = np.argmax(weight[candidates], axis=1)
    members: dict[int, list[int]] = {}
    signatures: dict[int, str] = {}
    pruned: list[int] = []
    for vector, mask in enumerate(best.tolist()):
        number = int(candidates[vector, mask])
        if weight[number] <= 0:
            pruned += pages_of[vector]
            continue
        members.setdefault(number, []).extend(pages_of[vector])
        signatures[number] = written(distinct[vector], MASKS[mask])
    groups = [PageGroup(signatures[n], int(weight[n]), tuple(sorted(pages))) for n, pages in members.items()]
    return sorted(groups, key=lambda group: (-len(group.pages), group.pages[0])), sorted(pruned)
