"""Which old rules serve a changed site (Vertex, section IV-C).

Pages of the changed site are grouped anew, and each new group looks for an old cluster whose rules it can go on with. In the
order of strictness: the group has the same masked signature (cluster match); all its pages match the old signature (page match);
or, past the paper, it shares URLs with the old cluster, as a redesigned page keeps its address. Candidates are then put to the
field test on the pages that both have, field by field: what passes is reused, the rest is relearnt or asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Match = Literal["cluster", "page", "url"]
_STRICTNESS: dict[Match, int] = {"cluster": 0, "page": 1, "url": 2}


@dataclass(frozen=True, slots=True, eq=False)
class OldCluster:
    """A cluster with rules, as it was before the change."""

    id: str
    signatures: frozenset[str]
    urls: frozenset[str]
    importance: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class NewGroup:
    """Pages of the changed site that look alike now; `pages` has what the matching of pages looks at, by URL."""

    signatures: frozenset[str]
    pages: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An old cluster whose rules may serve a new group."""

    cluster: str
    match: Match
    shared: int
    """URLs that both have."""


def candidates(
    group: NewGroup, old: Sequence[OldCluster], matches: Callable[[OldCluster, Any], bool]
) -> list[Candidate]:
    """Old clusters that share URLs with the group, the likeliest first; ties go to the more important cluster.

    `matches` tells whether a page matches the signature of an old cluster.
    """
    ranked = []
    for cluster in old:
        shared = len(cluster.urls & group.pages.keys())
        if shared:
            ranked.append((Candidate(cluster.id, _match(group, cluster, matches), shared), cluster.importance))
    ranked.sort(key=lambda pair: (_STRICTNESS[pair[0].match], -pair[1], -pair[0].shared, pair[0].cluster))
    return [candidate for candidate, _ in ranked]


def _match(group: NewGroup, old: OldCluster, matches: Callable[[OldCluster, Any], bool]) -> Match:
    if group.signatures and group.signatures == old.signatures:
        return "cluster"
    return "page" if all(matches(old, page) for page in group.pages.values()) else "url"
