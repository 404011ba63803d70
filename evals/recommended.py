"""Recommended material: of two halves of a course, the other half ranked among the items of all courses, beside BM25 on words."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trailmark.course.knowledge.material import CourseTexts
from trailmark.course.knowledge.recommendation import Shelved, likeness, shelf

FEWEST_ITEMS = 4
"""Items of a course that is tested."""
K1, B = 1.2, 0.75
"""As BM25 is mostly used."""
Score = Callable[[int, int], float]


def recommended_scores(courses: Sequence[CourseTexts]) -> dict[str, Any]:
    """Courses -> mean reciprocal rank of the first item of the other half of the course, by method."""
    shelved = shelf(courses)
    own: defaultdict[str, list[int]] = defaultdict(list)
    for number, each in enumerate(shelved):
        own[each.course].append(number)
    tested = [numbers for numbers in own.values() if len(numbers) >= FEWEST_ITEMS]
    methods: dict[str, Score] = {
        "bm25": _bm25(shelved),
        "ours": lambda item, other: likeness(shelved[item], shelved[other]),
    }
    return {
        "items": sum(len(numbers[::2]) for numbers in tested),
        "courses": len(tested),
        "mean_reciprocal_rank": {name: _mean_rank(tested, len(shelved), score) for name, score in methods.items()},
    }


def _mean_rank(courses: Sequence[Sequence[int]], total: int, score: Score) -> float:
    ranks = []
    for numbers in courses:
        asked, wanted = numbers[::2], set(numbers[1::2])
        shown = [each for each in range(total) if each in wanted or each not in numbers]
        for item in asked:
            ordered = sorted(shown, key=lambda other: (-score(item, other), other))
            ranks.append(1 / next(rank for rank, other in enumerate(ordered, start=1) if other in wanted))
    return sum(ranks) / len(ranks) if ranks else 0.0


def _bm25(shelved: Sequence[Shelved]) -> Score:
    """All words of an item as the query."""
    words = [_words(each) for each in shelved]
    seen = Counter(word for each in words for word in each)
    lengths = [sum(each.values()) for each in words]
    usual = sum(lengths) / max(1, len(lengths))
    rarity = {word: math.log(1 + (len(words) - count + 0.5) / (count + 0.5)) for word, count in seen.items()}

    def score(item: int, other: int) -> float:
        norm = K1 * (1 - B + B * lengths[other] / usual)
        found = words[other]
        return sum(
            rarity[word] * found[word] * (K1 + 1) / (found[word] + norm) for word in words[item] if word in found
        )

    return score


def _words(item: Shelved) -> Mapping[str, int]:
    return {key[0]: count.count for key, count in item.counts.items() if len(key) == 1}
