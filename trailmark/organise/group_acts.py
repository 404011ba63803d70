"""What a person said of groups (these are one, this is another), laid over the groups that were found: it holds however often they are found anew.

Acts name references, not groups, since groups come and go. Of two acts that contradict each other the later one holds; an act that is taken back is as if it had never been.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Likeness = Callable[[int, int], float]


@dataclass(frozen=True, slots=True)
class GroupAct:
    """One thing that a person said."""

    kind: Literal["together", "apart"]
    references: tuple[str, ...]
    """Ids. `together`: all of them mean one thing. `apart`: the first means another than each of the others."""


def merge_groups(one: Sequence[str], other: Sequence[str]) -> GroupAct:
    """The members of two groups -> the act that makes one of them."""
    return GroupAct("together", (*one, *other))


def split_off(reference: str, group: Iterable[str]) -> GroupAct:
    """A reference and the members of its group -> the act that takes it out of there."""
    return GroupAct("apart", (reference, *(each for each in group if each != reference)))


def not_the_same(one: str, other: str) -> GroupAct:
    """Two references -> the act that keeps them apart; where they are in one group the second leaves it."""
    return GroupAct("apart", (other, one))


PAPER = "paper:"
"""Stands before the key of a paper in the workspace, where an act names one."""


def not_this_paper(paper: str, group: Iterable[str]) -> GroupAct:
    """The key of a paper here, and the members of a group -> the act that keeps the group from meaning it."""
    return GroupAct("apart", (PAPER + paper, *group))


def barred_papers(acts: Iterable[GroupAct]) -> set[tuple[str, str]]:
    """Acts -> pairs of a reference and the key of a paper that it does not mean."""
    return {
        (reference, act.references[0].removeprefix(PAPER))
        for act in acts
        if act.kind == "apart" and act.references[:1] and act.references[0].startswith(PAPER)
        for reference in act.references[1:]
    }


def taken_back(acts: Sequence[GroupAct], place: int) -> tuple[GroupAct, ...]:
    """Acts without one of them."""
    return (*acts[:place], *acts[place + 1 :])


def apply_acts(
    references: Sequence[str], groups: Sequence[int], acts: Sequence[GroupAct], likeness: Likeness | None = None
) -> list[int]:
    """Ids of references, the number of each one's group, and acts -> for each reference the place of the first member of its group.

    Groups that no act names stay as they are. Where a group falls in two, members of whom nothing was said go with those they are most like by
    `likeness` (of two places), else with those who stay.
    """
    place_of = {reference: place for place, reference in enumerate(references)}
    said = _Said.of([_known(act, place_of) for act in acts])
    whole = _united(groups, said)
    result = list(range(len(references)))
    for members in whole:
        parts = _parts(members, groups, said, likeness) if any(place in said.foes for place in members) else [members]
        for part in parts:
            for place in part:
                result[place] = min(part)
    return result


def _known(act: GroupAct, place_of: dict[str, int]) -> tuple[str, list[int]]:
    """An act by places; references that are gone are left out, and an `apart` whose first is gone says nothing."""
    if act.kind == "apart" and act.references[:1] and act.references[0] not in place_of:
        return act.kind, []
    return act.kind, list(dict.fromkeys(place_of[each] for each in act.references if each in place_of))


@dataclass(frozen=True, slots=True)
class _Said:
    """All that was said and holds: by place the block of those that are one, and by block those it must not meet."""

    block: dict[int, int]
    foes: dict[int, set[int]]
    leaving: set[int]

    @classmethod
    def of(cls, acts: Sequence[tuple[str, list[int]]]) -> _Said:
        said = cls({}, {}, set())
        for kind, places in reversed(acts):
            if kind == "together":
                said._together(places)
            else:
                for other in places[1:]:
                    said._apart(places[0], other)
        return said

    def root(self, place: int) -> int:
        while (up := self.block.get(place, place)) != place:
            place = up
        return place

    def _together(self, places: list[int]) -> None:
        leaders: list[int] = []
        for place in places:
            if not any(self._join(leader, place) for leader in leaders):
                leaders.append(place)

    def _join(self, one: int, other: int) -> bool:
        first, second = sorted((self.root(one), self.root(other)))
        if first == second:
            return True
        if second in self.foes.get(first, ()):
            return False
        self.block[second] = first
        for foe in self.foes.pop(second, set()):
            self.foes[foe].discard(second)
            self._enemies(first, foe)
        return True

    def _apart(self, one: int, other: int) -> None:
        first, second = self.root(one), self.root(other)
        if first != second:
            self._enemies(first, second)
            self.leaving.add(one)

    def _enemies(self, one: int, other: int) -> None:
        self.foes.setdefault(one, set()).add(other)
        self.foes.setdefault(other, set()).add(one)


def _united(groups: Sequence[int], said: _Said) -> list[list[int]]:
    """Groups, those with members of one block joined."""
    first: dict[int, int] = {}
    home = list(range(len(groups)))

    def top(place: int) -> int:
        while home[place] != place:
            home[place] = home[home[place]]
            place = home[place]
        return place

    for place, group in enumerate(groups):
        for other in (first.setdefault(group, place), said.root(place)):
            one, two = sorted((top(place), top(other)))
            home[two] = one
    members: dict[int, list[int]] = {}
    for place in range(len(groups)):
        members.setdefault(top(place), []).append(place)
    return list(members.values())


def _parts(members: Sequence[int], groups: Sequence[int], said: _Said, likeness: Likeness | None) -> list[list[int]]:
    """The members of a group in which some must not meet -> parts in which none do, as few as come by taking them in order; who leaves is taken last."""
    blocks: dict[int, list[int]] = {}
    for place in members:
        blocks.setdefault(said.root(place), []).append(place)
    leaving = {said.root(place) for place in said.leaving}
    named = sorted((root for root in blocks if root in said.foes), key=lambda root: (root in leaving, blocks[root][0]))
    rooms: list[list[int]] = []
    roots: list[set[int]] = []
    for root in named:
        for room, inside in zip(rooms, roots, strict=True):
            if not said.foes[root] & inside:
                room += blocks[root]
                inside.add(root)
                break
        else:
            rooms.append(list(blocks[root]))
            roots.append({root})
    settled = [list(room) for room in rooms]
    for root, block in blocks.items():
        if root not in said.foes:
            rooms[_room(block, settled, groups, likeness)] += block
    return rooms


def _room(
    block: Sequence[int], rooms: Sequence[Sequence[int]], groups: Sequence[int], likeness: Likeness | None
) -> int:
    """Which part a block goes to that may go to any: the likest, else that with the most of its own group, else the first."""
    own = Counter(groups[place] for place in block)

    def worth(number: int) -> tuple[float, int, int]:
        room = rooms[number]
        alike = max(likeness(one, other) for one in block for other in room) if likeness else 0.0
        return alike, sum(groups[place] in own for place in room), -number

    return max(range(len(rooms)), key=worth)
