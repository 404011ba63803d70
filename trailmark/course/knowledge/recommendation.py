"""An item of a course -> items of other courses that speak of the same, ranked, with the phrases that they share.

Phrases of one to four words, weighed by how rare they are among all items (tf-idf), compared by their angle. Measured against BM25 on words by
`trailmark evaluate phrases`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trailmark.course.knowledge.key_phrase import is_subject
from trailmark.course.knowledge.material import CourseTexts, Material
from trailmark.course.knowledge.phrase import Key, PhraseCount, counted_phrases, spelling

MOST_SHARED = 5
"""Phrases that are named as the reason."""
FEWEST_LETTERS = 300
"""Of a text that can be recommended."""


@dataclass(frozen=True, slots=True)
class Shelved:
    """An item with its phrases and their weights; the weights' squares sum to one."""

    course: str
    material: Material
    counts: Mapping[Key, PhraseCount]
    weights: Mapping[Key, float]


@dataclass(frozen=True, slots=True)
class Recommendation:
    """An item that speaks of the same."""

    course: str
    url: str
    title: str
    kind: str
    score: float
    """From 0 to 1."""
    shared: tuple[str, ...]
    """The phrases that it shares, those that count most first."""


def shelf(courses: Sequence[CourseTexts]) -> list[Shelved]:
    """Courses -> their items, pages of the courses themselves left out, each with the weights of its phrases."""
    items = [
        (course.id, material, counted_phrases([material]))
        for course in courses
        for material in course.materials
        if material.kind != "home" and sum(len(passage.text) for passage in material.passages) >= FEWEST_LETTERS
    ]
    seen = Counter(key for _, _, counts in items for key in counts)
    return [Shelved(course, material, counts, _weights(counts, seen, len(items))) for course, material, counts in items]


def _weights(counts: Mapping[Key, PhraseCount], seen: Mapping[Key, int], items: int) -> dict[Key, float]:
    raw = {
        key: (1 + math.log(count.count)) * math.log((items + 1) / seen[key]) * math.sqrt(len(key))
        for key, count in counts.items()
        if seen[key] > 1 and is_subject(key)
    }
    length = math.sqrt(sum(value * value for value in raw.values()))
    return {key: value / length for key, value in raw.items()} if length else {}


def recommendations(item: Shelved, shelved: Sequence[Shelved], most: int) -> list[Recommendation]:
    """An item and all items -> those of other courses that are most like it; one that shares nothing is none."""
    found = [_compared(item, other) for other in shelved if other.course != item.course]
    ranked = sorted((each for each in found if each.score > 0), key=lambda each: (-each.score, each.url))
    first: dict[str, Recommendation] = {}
    for each in ranked:
        first.setdefault(each.url, each)
    return list(first.values())[:most]


def likeness(item: Shelved, other: Shelved) -> float:
    """How much two items speak of the same, from 0 to 1."""
    return sum(weight * other.weights[key] for key, weight in item.weights.items() if key in other.weights)


def _compared(item: Shelved, other: Shelved) -> Recommendation:
    parts = {key: weight * other.weights[key] for key, weight in item.weights.items() if key in other.weights}
    named: list[Key] = []
    for key in sorted(parts, key=lambda key: (-parts[key], key)):
        if len(named) < MOST_SHARED and not any(set(key) <= set(had) or set(had) <= set(key) for had in named):
            named.append(key)
    material = other.material
    shared = tuple(spelling(other.counts[key]) for key in named)
    return Recommendation(
        other.course, material.url, material.title, material.kind, round(sum(parts.values()), 4), shared
    )
