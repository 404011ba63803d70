"""Groups of references -> the paper in the workspace that each means, by the same comparison as references with each other.

A group means one paper at most, and a paper is meant by one group at most: of several, the likeliest pair goes first. What was matched before stays, so a new paper or a new group
costs its own comparisons and no more.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from trailmark.organise.reference_comparison import same_paper
from trailmark.organise.reference_groups import THRESHOLD, keys_of
from trailmark.organise.reference_parts import ReferenceParts, reference_parts

COMPARED = 6
"""Members of a group that are compared with a paper."""
NEAREST = 20
"""Papers that share the most keys with a group, which are compared with it."""


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


@dataclass(frozen=True, slots=True)
class PaperIndex:
    """Papers by the keys under which references find them."""

    papers: dict[str, ReferenceParts] = field(default_factory=dict)
    holders: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, paper: str, parts: ReferenceParts) -> None:
        """One more paper; one that is there already stays as it is."""
        if paper not in self.papers and parts.title_words:
            self.papers[paper] = parts
            for key in dict.fromkeys(keys_of(parts)):
                self.holders[key].append(paper)

    def near(self, members: Sequence[ReferenceParts]) -> list[str]:
        """A group -> papers that share keys with it, the most first."""
        keys = dict.fromkeys(key for parts in members for key in keys_of(parts))
        shared = Counter(paper for key in keys for paper in self.holders.get(key, ()))
        return [paper for paper, _ in sorted(shared.items(), key=lambda pair: (-pair[1], pair[0]))[:NEAREST]]

    def chances(self, members: Sequence[ReferenceParts]) -> list[tuple[str, float]]:
        """A group -> papers that it may mean, each with the mean chance over its members."""
        some = members[:COMPARED]
        return [
            (paper, sum(same_paper(self.papers[paper], parts) for parts in some) / len(some))
            for paper in self.near(some)
        ]


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
    found = sorted(
        (-chance, group, paper)
        for group, members in groups.items()
        if group not in kept and members
        for paper, chance in index.chances(members)
        if chance > threshold and paper not in taken and (group, paper) not in barred
    )
    for chance, group, paper in found:
        if group not in kept and paper not in taken:
            kept[group] = PaperMatch(group, paper, -chance)
            taken.add(paper)
    return [kept[group] for group in sorted(kept)]
