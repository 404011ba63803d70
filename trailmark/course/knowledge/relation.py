"""Where phrases stand -> how they stand to one another, by counts that a person can check.

- `related`: they stand in the same passages more often than chance has it (Dunning's log-likelihood ratio).
- `before`: of the courses that teach both, most teach the first one first, and they are related: a step that may belong to a prerequisite graph. Other
  courses had such a step no more often than chance has it (`docs/why/courses.md`), so it is told as unsure, with its count. Weaker
  edges that would close a circle are left out, and so are those that follow from others.
- `broader`: the first phrase is the head of the second (`grammar`, `regular grammar`), or the heading above most of its passages.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from trailmark.course.knowledge.knowledge_map import Relation, RelationKind
from trailmark.course.knowledge.phrase import Key
from trailmark.course.knowledge.phrase_places import Place, Places, sentence
from trailmark.quoting import count_of

BEYOND_CHANCE = 10.83
"""Log-likelihood ratio that chance exceeds once in a thousand pairs."""
FEWEST_TOGETHER = 2
MOST_RELATED = 6
"""Relations of one phrase to others by standing together, the strongest."""
UNDER_HEADING = 0.6
"""Share of a phrase's passages that stand under headings with the broader one."""
MOST_EVIDENCE = 3
MOST_OF_COURSES = 0.66
"""Share of the courses that teach both which have the same order."""
CLEARLY = 0.25
"""Share of a course that lies between the first lessons of two phrases where their order counts."""
FEWEST_COURSES = 2
"""Courses with the same order, where there are several at all."""
Pair = tuple[Key, Key]
Name = TypeVar("Name", Key, str)


def relations(places: Places, ids: Mapping[Key, str]) -> tuple[Relation, ...]:
    """Where phrases stand, and their ids on the map -> their relations, by kind and strength."""
    together = together_beyond_chance(places)
    broader = tuple(_tree(_broader(places, ids)))
    steps = defaultdict[str, set[str]](set)
    for each in broader:
        steps[each.first].add(each.second)
    apart = {pair: told for pair, told in together.items() if not _stand_above(steps, ids[pair[0]], ids[pair[1]])}
    return (*broader, *_before(places, together, ids), *_related(places, apart, ids))


def _stand_above(steps: Mapping[str, set[str]], first: str, second: str) -> bool:
    """Whether one phrase is broader than the other, over any number of steps: SKOS has no such pair related as well."""
    return _reaches(steps, first, second) or _reaches(steps, second, first)


def _tree(edges: Iterable[Relation]) -> Iterator[Relation]:
    """Relations from broader to narrower, the strongest first, without those that would close a circle."""
    kept: defaultdict[str, set[str]] = defaultdict(set)
    for each in sorted(edges, key=lambda each: (-each.strength, each.first, each.second)):
        if each.second not in kept[each.first] and not _reaches(kept, each.second, each.first):
            kept[each.first].add(each.second)
            yield each


def together_beyond_chance(places: Places) -> dict[Pair, tuple[float, list[Place]]]:
    """Pairs that stand together beyond chance -> (log-likelihood ratio, the passages)."""
    single: Counter[Key] = Counter()
    both: defaultdict[Pair, list[Place]] = defaultdict(list)
    for place in places.passages:
        single.update(place.keys)
        for pair in combinations(sorted(place.keys), 2):
            if not _nested(*pair):
                both[pair].append(place)
    found = {}
    for pair, where in both.items():
        if len(where) >= FEWEST_TOGETHER:
            ratio = likelihood_ratio(len(where), single[pair[0]], single[pair[1]], places.total)
            if ratio > BEYOND_CHANCE:
                found[pair] = (ratio, where)
    return found


def likelihood_ratio(both: int, first: int, second: int, total: int) -> float:
    """Counts of passages with both phrases, with each, and of all -> how unlikely chance is; 0 where they meet less often than by chance."""
    if both * total <= first * second:
        return 0.0
    table = ((both, first - both), (second - both, total - first - second + both))
    rows, columns = (first, total - first), (second, total - second)
    value = 0.0
    for row in range(2):
        for column in range(2):
            seen, expected = table[row][column], rows[row] * columns[column] / total
            if seen > 0 and expected > 0:
                value += seen * math.log(seen / expected)
    return 2 * value


def _nested(first: Key, second: Key) -> bool:
    """Whether one phrase is part of the other: they stand together by their spelling."""
    return set(first) <= set(second) or set(second) <= set(first)


def _related(
    places: Places, together: Mapping[Pair, tuple[float, list[Place]]], ids: Mapping[Key, str]
) -> Iterator[Relation]:
    taken: Counter[Key] = Counter()
    for (first, second), (ratio, where) in sorted(together.items(), key=lambda each: (-each[1][0], each[0])):
        if max(taken[first], taken[second]) < MOST_RELATED:
            taken.update((first, second))
            why = f"together in {count_of(len(where), 'passage')} of {places.total}"
            yield _relation("related", first, second, ratio, why, where, ids)


def _relation(
    kind: RelationKind,
    first: Key,
    second: Key,
    strength: float,
    why: str,
    where: Sequence[Place],
    ids: Mapping[Key, str],
) -> Relation:
    told = dict.fromkeys(sentence(place, (first, second)) for place in where[: 4 * MOST_EVIDENCE])
    return Relation(kind, ids[first], ids[second], round(strength, 3), why, tuple(told)[:MOST_EVIDENCE])


def course_orders(places: Places, pair: Pair) -> tuple[list[int], list[int]]:
    """Two phrases -> (courses that teach the first one first, courses that teach the second one first)."""
    ahead: list[int] = []
    behind: list[int] = []
    for number, firsts in enumerate(places.firsts):
        if pair[0] in firsts and pair[1] in firsts:
            difference = firsts[pair[1]][0] - firsts[pair[0]][0]
            if abs(difference) > CLEARLY:
                (ahead if difference > 0 else behind).append(number)
    return ahead, behind


def _before(
    places: Places, together: Mapping[Pair, tuple[float, list[Place]]], ids: Mapping[Key, str]
) -> list[Relation]:
    edges = []
    fewest = min(FEWEST_COURSES, max(1, len(places.firsts) - 1))
    for pair in together:
        ahead, behind = course_orders(places, pair)
        first, second = pair
        if len(behind) > len(ahead):
            first, second, ahead, behind = second, first, behind, ahead
        if len(ahead) >= max(fewest, MOST_OF_COURSES * (len(ahead) + len(behind))):
            edges.append((len(ahead) - len(behind), together[pair][0], first, second, ahead, behind))
    edges.sort(key=lambda edge: (-edge[0], -edge[1], edge[2], edge[3]))
    kept: dict[Key, set[Key]] = defaultdict(set)
    chosen = []
    for edge in edges:
        if not _reaches(kept, edge[3], edge[2]):
            kept[edge[2]].add(edge[3])
            chosen.append(edge)
    return [
        _step(places, edge[2], edge[3], edge[4], edge[5], ids)
        for edge in chosen
        if not _follows(kept, edge[2], edge[3])
    ]


def _step(
    places: Places, first: Key, second: Key, ahead: list[int], behind: list[int], ids: Mapping[Key, str]
) -> Relation:
    both = len(ahead) + len(behind)
    why = f"often before: taught first in {len(ahead)} of {count_of(both, 'course')} that teach both; unsure"
    told = []
    for number in ahead[:2]:
        firsts = places.firsts[number]
        told += [sentence(firsts[first][1], (first,)), sentence(firsts[second][1], (second,))]
    return Relation("before", ids[first], ids[second], round(len(ahead) / both, 3), why, tuple(dict.fromkeys(told)))


def _reaches(edges: Mapping[Name, set[Name]], start: Name, goal: Name) -> bool:
    """Whether there is a way along the edges; a walk without recursion."""
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        if here == goal:
            return True
        fresh = edges.get(here, set()) - seen
        seen |= fresh
        waiting += fresh
    return False


def _follows(edges: Mapping[Key, set[Key]], first: Key, second: Key) -> bool:
    """Whether an edge follows from others: there is a longer way."""
    return any(_reaches(edges, other, second) for other in edges[first] if other != second)


def _broader(places: Places, ids: Mapping[Key, str]) -> Iterator[Relation]:
    where: defaultdict[Key, list[Place]] = defaultdict(list)
    for place in places.passages:
        for key in place.keys:
            where[key].append(place)
    for key in sorted(where):
        head = next((key[start:] for start in range(1, len(key)) if key[start:] in ids), None)
        if head is not None:
            yield _relation("broader", head, key, 1.0, "the head of the phrase", where[key], ids)
    yield from _by_headings(where, ids)


def _by_headings(where: Mapping[Key, list[Place]], ids: Mapping[Key, str]) -> Iterator[Relation]:
    for key in sorted(where):
        above: defaultdict[Key, list[Place]] = defaultdict(list)
        for place in where[key]:
            for heading in place.heading_keys:
                if not _nested(heading, key):
                    above[heading].append(place)
        for heading in sorted(above):
            share = len(above[heading]) / len(where[key])
            if len(above[heading]) >= FEWEST_TOGETHER and share >= UNDER_HEADING:
                told = [
                    each
                    for place in above[heading][:2]
                    for each in (sentence(place, (heading,), place.heading), sentence(place, (key,)))
                ]
                why = f"{len(above[heading])} of its {len(where[key])} passages stand under headings that say so"
                yield Relation("broader", ids[heading], ids[key], round(share, 3), why, tuple(dict.fromkeys(told)))
