"""Chosen phrases and the texts of courses -> where each phrase stands: passages, the headings above them, the lesson in which it comes first."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from trailmark.course.knowledge.knowledge_map import Evidence
from trailmark.course.knowledge.material import CourseTexts, Material
from trailmark.course.knowledge.phrase import Key, phrase_keys

LONGEST_SENTENCE = 300
_ENDS = re.compile(r"(?<=[.!?])\s+(?=[A-Z\u201c\"(])")
LESSONS = ("lecture", "tutorial", "reading", "video", "assignment")
"""Types of items whose order is that in which things are taught, the best first."""


@dataclass(frozen=True, slots=True)
class Place:
    """A passage with the phrases in it and in the heading above it."""

    course: int
    material: Material
    passage: int
    keys: frozenset[Key]
    heading: int
    """Number of the passage that is the heading above; -1 where there is none."""
    heading_keys: frozenset[Key]


@dataclass(slots=True)
class Places:
    """All passages that hold any of the phrases, and when each phrase is first taught."""

    passages: list[Place] = field(default_factory=list)
    firsts: list[dict[Key, tuple[float, Place]]] = field(default_factory=list)
    """For each course: phrase -> (share of its lessons before the first that has it, that place)."""
    total: int = 0
    """Passages that were looked at."""


def phrase_places(courses: Sequence[CourseTexts], chosen: Collection[Key]) -> Places:
    """Courses and phrases -> where the phrases stand."""
    wanted = frozenset(chosen)
    places = Places()
    for number, course in enumerate(courses):
        order = _order(course)
        firsts: dict[Key, tuple[float, Place]] = {}
        for each in course.materials:
            for place in _of_material(number, each, wanted):
                places.passages.append(place)
                when = order.get(each.url)
                if when is not None:
                    for key in place.keys:
                        if key not in firsts or when < firsts[key][0]:
                            firsts[key] = (when, place)
            places.total += len(each.passages)
        places.firsts.append(firsts)
    return places


def _order(course: CourseTexts) -> dict[str, float]:
    """Address of a lesson -> its share of the way through the course, by the first type of which there are several."""
    for kind in LESSONS:
        lessons = sorted((each for each in course.materials if each.kind == kind), key=lambda each: each.place)
        if len(lessons) > 1:
            return {each.url: number / (len(lessons) - 1) for number, each in enumerate(lessons)}
    return {}


def _of_material(course: int, material: Material, wanted: frozenset[Key]) -> Iterator[Place]:
    heading, above = -1, frozenset[Key]()
    for number, passage in enumerate(material.passages):
        keys = frozenset(phrase_keys(passage.text) & wanted)
        if passage.is_heading:
            heading, above = number, keys
        if keys:
            under = heading if heading != number else -1
            yield Place(course, material, number, keys, under, above if under >= 0 else frozenset())


def sentences_of(text: str) -> list[str]:
    """A passage -> its sentences: one ends with a point, a question or exclamation mark before a blank and a capital letter."""
    return _ENDS.split(text)


def sentence(place: Place, keys: Collection[Key], passage: int | None = None) -> Evidence:
    """A place and phrases -> the sentence of its passage that has them, or those that have one each, cut to a readable length."""
    sentences = sentences_of(place.material.passages[place.passage if passage is None else passage].text)
    wanted = set(keys)
    best = max(sentences, key=lambda each: len(phrase_keys(each) & wanted))
    if not wanted <= phrase_keys(best):
        best = " ... ".join(each for each in sentences if phrase_keys(each) & wanted) or best
    words = " ".join(best.split())
    return Evidence(place.material.url, words[:LONGEST_SENTENCE] + ("..." if len(words) > LONGEST_SENTENCE else ""))
