"""Groups of references -> the paper in the workspace that each means, by the same comparison as references with each other.

A group means one paper at most, and a paper is meant by one group at most: of several, the likeliest pair goes first. What was matched before stays, so a new paper or a new group
costs its own comparisons and no more.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trailmark.organise.pair_chances import PairChances
from trailmark.organise.reference_groups import THRESHOLD, keys_of
from trailmark.organise.reference_parts import ReferenceParts, reference_parts

COMPARED = 6
"""Members of a group that are compared with a paper."""
NEAREST = 20
"""Papers that share the most keys with a group, which are compared with it."""
AT_ONCE = 4_096
"""Papers of groups that are compared at a time."""


def paper_parts(title: str, authors: Sequence[str], year: int | None) -> ReferenceParts:
    """What is known of a paper -> the parts of a reference to it."""
    written = ", ".join(authors)
    text = f"{written}. {title}. {year or ''}"
    return reference_parts(text, {"author": [written], "title": [title]})


@dataclass(frozen=True, slots=True)
class PaperMatch:
    """The paper that a group means."""

    group: int
    paper: str
    chance: float


class PaperIndex:
    """Papers by the keys under which references find them."""

    def __init__(self) -> None:
        self.papers: dict[str, ReferenceParts] = {}
        self._holders: dict[str, array[int]] = {}
        self._ordered: tuple[list[str], npt.NDArray[np.int64]] | None = None

    def add(self, paper: str, parts: ReferenceParts) -> None:
        """One more paper; one that is there already stays as it is."""
        if paper not in self.papers and parts.title_words:
            number = len(self.papers)
            self.papers[paper] = parts
            self._ordered = None
            for key in dict.fromkeys(keys_of(parts)):
                self._holders.setdefault(key, array("i")).append(number)

    def near(self, members: Sequence[ReferenceParts]) -> list[str]:
        """A group -> papers that share keys with it, the most first."""
        keys = dict.fromkeys(key for parts in members for key in keys_of(parts))
        held = [np.frombuffer(self._holders[key], dtype=np.intc) for key in keys if key in self._holders]
        if not held:
            return []
        ids, rank = self._order()
        shared = np.bincount(np.concatenate(held))
        found = np.flatnonzero(shared)
        # One number that is higher where more keys are shared, and of those that share as many where the id comes first.
        worth = shared[found] * len(ids) - rank[found]
        if len(found) > NEAREST:
            most = np.argpartition(worth, -NEAREST)[-NEAREST:]
            found, worth = found[most], worth[most]
        return [ids[number] for number in found[np.argsort(-worth)].tolist()]

    def _order(self) -> tuple[list[str], npt.NDArray[np.int64]]:
        """The ids of papers by number, and the place that each has among all in alphabetical order."""
        if self._ordered is None:
            ids = list(self.papers)
            rank = np.empty(len(ids), dtype=np.int64)
            rank[sorted(range(len(ids)), key=ids.__getitem__)] = np.arange(len(ids))
            self._ordered = ids, rank
        return self._ordered


def paper_index(papers: Mapping[str, ReferenceParts]) -> PaperIndex:
    """Papers by id -> their index."""
    index = PaperIndex()
    for paper, parts in papers.items():
        index.add(paper, parts)
    return index


def match_papers(
    groups: Mapping[int, Sequence[ReferenceParts]],
    index: PaperIndex,
    *,
    known: Iterable[PaperMatch] = (),
    barred: Collection[tuple[int, str]] = (),
    threshold: float = THRESHOLD,
) -> list[PaperMatch]:
    """Groups of references -> which means which paper, by group.

    `known` matches stay where their group and paper are still there; `barred` pairs of group and paper are none, since a person said so.
    """
    kept = {match.group: match for match in known if match.group in groups and match.paper in index.papers}
    taken = {match.paper for match in kept.values()}
    wanted = {group: members[:COMPARED] for group, members in groups.items() if group not in kept and members}
    found = sorted(
        (-chance, group, paper)
        for group, paper, chance in _likely(wanted, index, threshold)
        if paper not in taken and (group, paper) not in barred
    )
    for chance, group, paper in found:
        if group not in kept and paper not in taken:
            kept[group] = PaperMatch(group, paper, -chance)
            taken.add(paper)
    return [kept[group] for group in sorted(kept)]


def _likely(
    groups: Mapping[int, Sequence[ReferenceParts]], index: PaperIndex, threshold: float
) -> Iterator[tuple[int, str, float]]:
    """Groups -> papers that each may mean, with the mean chance over its members where that is above the threshold."""
    place = {paper: number for number, paper in enumerate(index.papers)}
    references = [*index.papers.values(), *(parts for members in groups.values() for parts in members)]
    chances, first = PairChances(references), len(place)
    waiting: list[tuple[int, str, range]] = []
    for group, members in groups.items():
        own = range(first, first + len(members))
        first += len(members)
        waiting += [(group, paper, own) for paper in index.near(members)]
        if len(waiting) >= AT_ONCE:
            yield from _above(waiting, place, chances, threshold)
            waiting = []
    yield from _above(waiting, place, chances, threshold)


def _above(
    candidates: Sequence[tuple[int, str, range]], place: Mapping[str, int], chances: PairChances, threshold: float
) -> Iterator[tuple[int, str, float]]:
    """Groups and papers, with the places of the members that speak for them -> those whose mean is above the threshold."""
    sizes = np.array([len(own) for _, _, own in candidates], dtype=np.int64)
    papers = np.array([place[paper] for _, paper, _ in candidates], dtype=np.int64)
    firsts = np.array([own.start for _, _, own in candidates], dtype=np.int64)
    sums = np.zeros(len(candidates))
    for member in range(COMPARED):
        there = np.flatnonzero(sizes > member)
        sums[there] += chances.of(papers[there], firsts[there] + member)
    means = sums / sizes
    for number in np.flatnonzero(means > threshold).tolist():
        group, paper, _ = candidates[number]
        yield group, paper, float(means[number])
