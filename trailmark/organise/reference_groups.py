"""References -> groups that mean the same paper, by average linkage: two groups become one while their members, on average, are more likely the same than not.

Averages do not chain: that a is like b and b like c makes a and c no pair unless they are alike themselves. Only references that share keys are compared (blocking). A key that
too many share brings neighbours in alphabetical order together; the groups that come of it are grouped again, some members standing for each. So a paper
that is cited a thousand times in a thousand ways of writing is one group, and no step compares all with all.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product

import numpy as np

from trailmark.organise.name_likeness import Places, Shares
from trailmark.organise.pair_chances import PairChances
from trailmark.organise.reference_candidates import Candidates, Keys
from trailmark.organise.reference_comparison import same_paper
from trailmark.organise.reference_parts import ReferenceParts

THRESHOLD = 0.5
KEY_LETTERS = 4
"""Of a name or a word, so that most misprints leave the key as it is."""
TITLE_KEYS = 6
NAME_KEYS = 4
LONG_TITLE = 5
"""Words of a title that with first author and year tells one paper from another."""
ROUNDS = 5
STAND_FOR = 3
"""Members of a group that stand for it when groups are compared."""
COMPARED = 12
"""Members of a group that a new reference is compared with, the first and the latest."""

Similarity = Callable[[ReferenceParts, ReferenceParts], float]
Chances = Callable[[Places, Places], Shares]
"""Pairs of references by the places of both -> the similarity of each."""


def keys_of(parts: ReferenceParts) -> list[str]:
    """A reference -> the keys under which others may find it: a name with a word of the title, or with a number, or two words of the title."""
    names = list(dict.fromkeys(name[:KEY_LETTERS] for name in parts.names))[:NAME_KEYS]
    words = sorted(
        {word[:KEY_LETTERS] for word in parts.title_words if len(word) > 3}, key=lambda word: (-len(word), word)
    )
    words = words[:TITLE_KEYS]
    keys = [f"{name} {word}" for name in names for word in words]
    keys += [f"{name} {number}" for name in names for number in sorted(parts.numbers)]
    keys += [f"{first}+{second}" for place, first in enumerate(words) for second in words[place + 1 :]]
    return keys or [" ".join(parts.words[:3])]


def group_references(
    references: Sequence[ReferenceParts],
    *,
    threshold: float = THRESHOLD,
    similarity: Similarity = same_paper,
    keys: Keys = keys_of,
) -> list[int]:
    """References -> for each the number of its group: that of the group's first member. Only those that share `keys` are compared."""
    first: dict[Hashable, int] = {}
    copies = [first.setdefault(imprint(parts), place) for place, parts in enumerate(references)]
    group = {place: place for place in first.values()}
    members = _members(group)
    chances = _chances(references, similarity)
    for _ in range(ROUNDS):
        merged, crowded = _round(members, references, threshold, chances, keys)
        group = {place: merged.get(number, number) for place, number in group.items()}
        again = {merged[number] for number in crowded}
        if not again or all(number == other for number, other in merged.items()):
            break
        # What shared no crowded key was compared with all that it could be.
        members = {number: listed for number, listed in _members(group).items() if number in again}
    return [group[copy] for copy in copies]


def imprint(parts: ReferenceParts) -> Hashable:
    """What is the same in two references that need no comparison: all words; where it is long, the title with the first author and the year."""
    if len(parts.title_words) >= LONG_TITLE and parts.names and parts.years:
        return parts.title_words, parts.names[0], parts.years
    return parts.words


def _members(group: Mapping[int, int]) -> dict[int, list[int]]:
    members: dict[int, list[int]] = defaultdict(list)
    for place, number in group.items():
        members[number].append(place)
    return members


def _round(
    members: Mapping[int, Sequence[int]],
    references: Sequence[ReferenceParts],
    threshold: float,
    chances: Chances,
    keys: Keys,
) -> tuple[dict[int, int], set[int]]:
    """Groups -> for each the group that it becomes part of, and those that share a key with too many to be compared with all."""
    numbers = sorted(members)
    candidates = Candidates.of([references[number] for number in numbers], keys)
    standing = _standing([members[number] for number in numbers])
    near: Pairs = defaultdict(dict)
    for ones, others in candidates.pairs():
        means = _means(ones, others, standing, chances)
        noted = means > NOTED
        rows = zip(ones[noted].tolist(), others[noted].tolist(), means[noted].tolist(), strict=True)
        for one, other, score in rows:
            near[numbers[one]][numbers[other]] = near[numbers[other]][numbers[one]] = score
    merged = {number: number for number in numbers}
    for component in _components(numbers, near):
        merged.update(_linked(component, near, threshold))
    return merged, {numbers[place] for place in candidates.crowded.tolist()}


def _standing(members: Sequence[Sequence[int]]) -> Places:
    """The members of groups -> a row a group with those that stand for it; -1 where there are fewer."""
    standing = np.full((len(members), STAND_FOR), -1, dtype=np.int64)
    for row, listed in enumerate(members):
        standing[row, : len(listed[:STAND_FOR])] = listed[:STAND_FOR]
    return standing


def _means(ones: Places, others: Places, standing: Places, chances: Chances) -> Shares:
    """Pairs of groups -> the mean similarity of those that stand for them."""
    sums, pairs = np.zeros(len(ones)), np.zeros(len(ones))
    for one, other in product(range(STAND_FOR), repeat=2):
        first, second = standing[ones, one], standing[others, other]
        there = np.flatnonzero((first >= 0) & (second >= 0))
        sums[there] += chances(first[there], second[there])
        pairs[there] += 1
    means: Shares = sums / pairs
    return means


def _chances(references: Sequence[ReferenceParts], similarity: Similarity) -> Chances:
    """How pairs of references are compared: many at once where that is known to give the same."""
    if similarity is same_paper:
        return PairChances(references).of

    def alone(ones: Places, others: Places) -> Shares:
        pairs = zip(ones.tolist(), others.tolist(), strict=True)
        return np.array([similarity(references[one], references[other]) for one, other in pairs], dtype=np.float64)

    return alone


def join_group(
    parts: ReferenceParts,
    groups: Mapping[int, Sequence[ReferenceParts]],
    *,
    threshold: float = THRESHOLD,
    similarity: Similarity = same_paper,
) -> int | None:
    """A reference that comes later, and the groups that share a key with it -> the one it joins; None where it founds one."""
    scores = [
        (_mean(similarity(parts, member) for member in _some(members)), -number)
        for number, members in groups.items()
        if members
    ]
    best, number = max(scores, default=(0.0, 0))
    return -number if best > threshold else None


def _some(members: Sequence[ReferenceParts]) -> Sequence[ReferenceParts]:
    return members if len(members) <= COMPARED else [*members[: COMPARED // 2], *members[-COMPARED // 2 :]]


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


Pairs = dict[int, dict[int, float]]


def _components(places: Sequence[int], near: Pairs) -> Iterator[list[int]]:
    """Sets of references that are linked by pairs worth a thought."""
    left = set(places)
    for place in places:
        if place in left:
            component = _reach(place, near)
            left.difference_update(component)
            if len(component) > 1:
                yield sorted(component)


WORTH = 0.05
"""Probability below which two references are not even linked through others."""
NOTED = 1e-3
"""Below which a pair is as good as one that was never compared, and is not remembered."""


def _reach(start: int, near: Pairs) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for other, score in near[waiting.pop()].items():
            if score > WORTH and other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _linked(component: list[int], near: Pairs, threshold: float) -> dict[int, int]:
    """Average linkage inside a component, the likeliest pair of groups first. Pairs that no key brought together count as unlike."""
    inside = set(component)
    sums: Pairs = {
        place: {other: score for other, score in near[place].items() if other in inside} for place in component
    }
    sizes = dict.fromkeys(component, 1)
    group = {place: place for place in component}
    members = {place: [place] for place in component}
    queue = [
        (-score, one, other)
        for one in component
        for other, score in sums[one].items()
        if one < other and score > threshold
    ]
    heapq.heapify(queue)
    while queue:
        score, one, other = heapq.heappop(queue)
        if one not in sums or other not in sums or -score != sums[one][other] / (sizes[one] * sizes[other]):
            continue  # one of the two has become part of a larger group since
        _merge(one, other, sums, sizes)
        members[one] += members.pop(other)
        for third, total in sums[one].items():
            mean = total / (sizes[one] * sizes[third])
            if mean > threshold:
                heapq.heappush(queue, (-mean, min(one, third), max(one, third)))
    for number, listed in members.items():
        group.update(dict.fromkeys(listed, number))
    return group


def _merge(one: int, other: int, sums: Pairs, sizes: dict[int, int]) -> None:
    """`other` becomes part of `one`."""
    gone = sums.pop(other)
    gone.pop(one)
    sums[one].pop(other)
    for third, total in gone.items():
        sums[third].pop(other)
        sums[one][third] = sums[third][one] = sums[one].get(third, 0.0) + total
    sizes[one] += sizes.pop(other)
