"""Starting a course: each course's own titles as the weeks of a syllabus; is what they are titles of among the first three items that fit, beside BM25 on words?

Titles and the headings that repeat them are taken from the items, so that only their texts can tell. Right are the item itself, and others of its course whose titles say the same or
part of it. Nobody has typed which items of different courses are of one topic, so a course's own items stand for those of others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evals.recommended import K1, B, every_word
from trailmark.course.draft.proposal import SORTS, Matcher, week_keys
from trailmark.course.draft.syllabus import Week
from trailmark.course.knowledge.key_phrase import is_subject
from trailmark.course.knowledge.material import CourseTexts, Material
from trailmark.course.knowledge.phrase import Key, phrase_keys
from trailmark.course.knowledge.recommendation import best_items
from trailmark.course.knowledge.shelf import Numbers, Shelf, shelf

FIRST = 3
_WORDS = re.compile(r"\w+")
Score = Callable[[Week], Numbers]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A week, and the item whose title it was."""

    course: str
    url: str
    week: Week
    keys: frozenset[Key]


def drafted_scores(courses: Sequence[CourseTexts]) -> dict[str, Any]:
    """Courses -> the share of weeks for which an item of the right topic is among the first three, by method."""
    asked: list[_Asked] = []
    hidden = [_without_titles(course, asked) for course in courses]
    words = every_word(hidden) | week_keys([each.week for each in asked])
    shelved = shelf(hidden, words)
    places = {(item.course, item.url): number for number, item in enumerate(shelved.items)}
    tested = [each for each in asked if (each.course, each.url) in places]
    right = [
        {
            places[other.course, other.url]
            for other in tested
            if other.course == each.course and (each.keys <= other.keys or other.keys <= each.keys)
        }
        for each in tested
    ]
    methods: dict[str, Score] = {"bm25": _bm25(shelved), "ours": Matcher(shelved).scores}
    return {
        "weeks": len(tested),
        "courses": len({each.course for each in tested}),
        "in_first_3": {name: _share(shelved, tested, right, score) for name, score in methods.items()},
    }


def _share(shelved: Shelf, tested: Sequence[_Asked], right: Sequence[set[int]], score: Score) -> float:
    found = [
        bool(set(best_items(shelved, score(each.week), FIRST)) & own) for each, own in zip(tested, right, strict=True)
    ]
    return sum(found) / len(found) if found else 0.0


def _without_titles(course: CourseTexts, asked: list[_Asked]) -> CourseTexts:
    """A course -> the same without the titles that say a subject; these are asked for."""
    materials: list[Material] = []
    for each in course.materials:
        keys = frozenset(key for key in phrase_keys(each.title) if is_subject(key))
        if each.kind in SORTS and keys:
            asked.append(_Asked(course.id, each.url, Week(len(asked) + 1, each.title), keys))
            said = _plain(each.title)
            passages = [
                p for p in each.passages if _plain(p.text) != said and not (p.is_heading and said in _plain(p.text))
            ]
            each = replace(each, title="", passages=tuple(passages))
        materials.append(each)
    return replace(course, materials=tuple(materials))


def _plain(text: str) -> str:
    return " ".join(_WORDS.findall(text.lower()))


def _bm25(shelved: Shelf) -> Score:
    """The words of the week as the query."""
    counts = shelved.counts.tocsc()
    columns = {key: column for column, key in enumerate(shelved.keys) if len(key) == 1}
    lengths = np.asarray(shelved.counts[:, sorted(columns.values())].sum(axis=1)).ravel()
    norms = K1 * (1 - B + B * lengths / max(1.0, float(lengths.mean())))

    def score(week: Week) -> Numbers:
        found: Numbers = np.zeros(len(shelved))
        for key in sorted(key for key in phrase_keys(week.title) if key in columns):
            start, end = counts.indptr[columns[key] : columns[key] + 2]
            rows, values = counts.indices[start:end], counts.data[start:end]
            rarity = math.log(1 + (len(shelved) - len(rows) + 0.5) / (len(rows) + 0.5))
            found[rows] += rarity * values * (K1 + 1) / (values + norms[rows])
        return np.round(found, 6)

    return score
