"""How alike pages are: sets of tag paths, compared by the paths they have in common.

The second look at pages (Vertex, section III-B, sees a page as the set of its XPaths): where shingles of ten tags fall
apart because a paragraph has one link more, the set of paths hardly changes. What only the richer of two pages has counts
less than what only the poorer one has: it may be an optional section, while a page of another template lacks what this one
has and has what this one lacks.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from trailmark.cluster.signature import Features

OPTIONAL = 0.35
"""What a path counts that only the richer of two pages has."""


def likeness(one: Set[int], other: Set[int]) -> float:
    """From 0 to 1: common paths over common paths and weighted others (Tversky); two empty sets are alike."""
    common = len(one & other)
    more, less = max(len(one), len(other)) - common, min(len(one), len(other)) - common
    whole = common + less + OPTIONAL * more
    return common / whole if whole else 1.0


def likenesses(sets: Sequence[Features]) -> NDArray[np.float64]:
    """`likeness` of every pair; the sets are sorted."""
    incidence = incidence_of(sets)
    common = (incidence @ incidence.T).toarray()
    sizes = common.diagonal()
    one, other = sizes[:, None] - common, sizes[None, :] - common
    whole = common + np.minimum(one, other) + OPTIONAL * np.maximum(one, other)
    shares: NDArray[np.float64] = np.where(whole > 0, common / np.where(whole > 0, whole, 1.0), 1.0)
    return shares


def incidence_of(sets: Sequence[Features]) -> sp.csr_array:
    """(sets, features): 1 where the set holds the feature."""
    lengths = [len(paths) for paths in sets]
    joined = np.concatenate(sets) if sets else np.empty(0, dtype=np.uint32)
    _, columns = np.unique(joined, return_inverse=True)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    width = int(columns.max()) + 1 if len(columns) else 1
    return sp.csr_array((np.ones(len(joined)), columns.reshape(-1), starts), shape=(len(sets), width))


def usual_features(sets: Sequence[Features]) -> Features:
    """The features that at least half of the sets hold: what the pages of a template have in common."""
    if len(sets) == 1:
        return sets[0]
    features, counts = np.unique(np.concatenate(sets), return_counts=True)
    return features[counts * 2 >= len(sets)]


def linked(sets: Sequence[Features], *, similarity: float) -> list[list[int]]:
    """The sets in groups whose members are alike by `similarity` on average (average linkage), in order of first member."""
    if len(sets) < 2:
        return [[number] for number in range(len(sets))]
    distance = 1.0 - likenesses(sets)
    np.fill_diagonal(distance, 0.0)
    tree = linkage(squareform(distance, checks=False), "average")
    groups: dict[int, list[int]] = {}
    for number, label in enumerate(fcluster(tree, 1.0 - similarity, "distance").tolist()):
        groups.setdefault(label, []).append(number)
    return list(groups.values())
