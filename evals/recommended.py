"""Recommended material: of two halves of a course, the other half ranked among the items of all courses, beside BM25 on words."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from trailmark.course.knowledge.material import CourseTexts
from trailmark.course.knowledge.phrase import Key, phrase_keys
from trailmark.course.knowledge.recommendation import LEAST
from trailmark.course.knowledge.shelf import Shelf, shelf

FEWEST_ITEMS = 4
"""Items of a course that is tested."""
K1, B = 1.2, 0.75
"""As BM25 is mostly used."""
Score = Callable[[int, int], float]


def recommended_scores(courses: Sequence[CourseTexts]) -> dict[str, Any]:
    """Courses -> mean reciprocal rank of the first item of the other half of the course, by method."""
    shelved = shelf(courses, every_word(courses))
    own: defaultdict[str, list[int]] = defaultdict(list)
    for number, each in enumerate(shelved.items):
        own[each.course].append(number)
    tested = [numbers for numbers in own.values() if len(numbers) >= FEWEST_ITEMS]
    methods: dict[str, Score] = {
        "bm25": _bm25(shelved),
        "ours": shelved.likeness,
    }
    return {
        "items": sum(len(numbers[::2]) for numbers in tested),
        "courses": len(tested),
        "mean_reciprocal_rank": {name: _mean_rank(tested, len(shelved), score) for name, score in methods.items()},
        "of_one_course": _of_one_course(shelved),
    }


def _of_one_course(shelved: Shelf) -> dict[str, float]:
    """The share of pairs of items that are of one course: of those that are alike enough to be recommended, and of the others."""
    names = {each.course: place for place, each in enumerate(shelved.items)}
    own = np.array([names[each.course] for each in shelved.items])
    upper = np.triu_indices(len(shelved), 1)
    alike = (shelved.weights @ shelved.weights.T).toarray()[upper] >= LEAST
    same = (own[:, None] == own[None, :])[upper]
    return {"alike": float(same[alike].mean()) if alike.any() else 0.0, "others": float(same[~alike].mean())}


def every_word(courses: Sequence[CourseTexts]) -> set[Key]:
    """Courses -> all their words, as keys: for BM25 those count too that one item alone has."""
    texts = (passage.text for course in courses for material in course.materials for passage in material.passages)
    return {key for text in texts for key in phrase_keys(text) if len(key) == 1}


def _mean_rank(courses: Sequence[Sequence[int]], total: int, score: Score) -> float:
    ranks = []
    for numbers in courses:
        asked, wanted = numbers[::2], set(numbers[1::2])
        shown = [each for each in range(total) if each in wanted or each not in numbers]
        for item in asked:
            ordered = sorted(shown, key=lambda other: (-score(item, other), other))
            ranks.append(1 / next(rank for rank, other in enumerate(ordered, start=1) if other in wanted))
    return sum(ranks) / len(ranks) if ranks else 0.0


def _bm25(shelved: Shelf) -> Score:
    """All words of an item as the query."""
    words = [_words(shelved, number) for number in range(len(shelved))]
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


def _words(shelved: Shelf, item: int) -> Mapping[str, float]:
    start, end = shelved.counts.indptr[item : item + 2]
    columns, values = shelved.counts.indices[start:end].tolist(), shelved.counts.data[start:end].tolist()
    keys = zip((shelved.keys[column] for column in columns), values, strict=True)
    return {key[0]: count for key, count in keys if len(key) == 1}
