"""The phrases of a course, counted, and those of the other courses -> the phrases that tell what it is about.

How often a phrase stands there without being part of a longer one (as C-value has it, Frantzi et al.; departure: the most frequent longer one
is subtracted, not the mean), the more the fewer courses have it, in how many materials, how early, and whether in headings. Phrases with words of course life (homework, due, exam), course numbers and names of people
are passed over or count little. Constants were chosen with whole webs left out; what was measured is in `docs/why/courses.md`.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trailmark.course.knowledge.material import CourseTexts
from trailmark.course.knowledge.phrase import Key, PhraseCount, runs, spans
from trailmark.course.type_word import kinds_in
from trailmark.read.singular import stem

FEWEST = 2
"""Occurrences of a phrase that may be one of the course's."""
FEW = 3
"""Fewer occurrences than this count little."""
VERB_SHARE = 0.25
"""Share of a phrase's occurrences behind words that verbs follow, from which it is taken for one."""
_GROWTH, _HEADINGS, _LATE, _LENGTH, _WHOLE, _LEAST_WHOLE = 0.75, 3.0, 0.5, 0.6, 0.5, 0.2
_NAME, _VERB, _RARE = 0.2, 0.2, 0.25
_NUMBERED = re.compile(r"[a-z]*\d+[a-z]?")


@dataclass(frozen=True, slots=True)
class Background:
    """What the courses of a collection have in common."""

    courses: int
    seen: Mapping[Key, int]
    """In how many courses a phrase stands."""
    small: frozenset[str]
    """Words that stand somewhere in small letters: others are mostly names."""


@dataclass(frozen=True, slots=True)
class KeyPhrase:
    """A phrase that tells what a course is about."""

    key: Key
    score: float
    count: int


def background(courses: Iterable[tuple[CourseTexts, Mapping[Key, PhraseCount]]]) -> Background:
    """Courses with their phrases -> what they have in common."""
    seen: Counter[Key] = Counter()
    small: set[str] = set()
    number = 0
    for texts, counts in courses:
        number += 1
        seen.update(counts.keys())
        small |= small_words(texts)
    return Background(number, seen, frozenset(small))


def small_words(texts: CourseTexts) -> set[str]:
    """The words of a course that stand somewhere in small letters, as `stem` writes them."""
    return {
        stem(word)
        for material in texts.materials
        for passage in material.passages
        for run in runs(passage.text)
        for word in run.words
        if word[0].islower()
    }


def key_phrases(counts: Mapping[Key, PhraseCount], known: Background, most: int) -> list[KeyPhrase]:
    """A course's phrases and those of all courses, its own among them -> its most telling ones; none is part of another."""
    inside = _inside(counts)
    scored = [
        KeyPhrase(key, _score(key, count, inside.get(key, 0), known), count.count)
        for key, count in counts.items()
        if count.count >= FEWEST and is_subject(key)
    ]
    return without_parts(sorted(scored, key=lambda each: (-each.score, each.key)), most)


def without_parts(phrases: Sequence[KeyPhrase], most: int) -> list[KeyPhrase]:
    """Phrases, the best first -> the best ones, without those whose words are among another's or hold them all."""
    chosen: list[KeyPhrase] = []
    for each in phrases:
        if len(chosen) >= most or each.score <= 0:
            break
        words = set(each.key)
        if not any(words <= set(other.key) or set(other.key) <= words for other in chosen):
            chosen.append(each)
    return chosen


def is_subject(key: Key) -> bool:
    """Whether a phrase may be of the subject: none of its words is one of course life, or a course's number."""
    return not any(kinds_in(word) or _NUMBERED.fullmatch(word) for word in key)


def _score(key: Key, count: PhraseCount, inside: int, known: Background) -> float:
    free = count.count - inside
    if free <= 0:
        return 0.0
    others = max(0, known.seen.get(key, 0) - 1)
    score: float = free**_GROWTH * math.log((known.courses + 1) / (others + 0.5))
    score *= 1 + _HEADINGS * count.in_headings / count.count
    score *= 1 - _LATE * count.first
    score *= len(key) ** _LENGTH * len(count.materials)
    score *= (_LEAST_WHOLE + count.alone / count.count) ** _WHOLE
    if count.count < FEW:
        score *= _RARE
    if count.as_verb > VERB_SHARE * count.count:
        score *= _VERB
    return score * (_NAME + (1 - _NAME) * _common_share(key, count, known))


def _common_share(key: Key, count: PhraseCount, known: Background) -> float:
    """The share of a phrase's words that are spelt small somewhere: others are mostly names. Abbreviations count as common."""
    if any(word.isupper() for text in count.spellings for word in text.split()):
        return 1.0
    return sum(word in known.small for word in key) / len(key)


def _inside(counts: Mapping[Key, PhraseCount]) -> dict[Key, int]:
    """Phrase -> how often the most frequent of the longer ones that it is part of stands there."""
    most: dict[Key, int] = {}
    for key, count in counts.items():
        if len(key) > 1 and count.count >= FEWEST:
            for start, end in spans(len(key)):
                if end - start < len(key):
                    part = key[start:end]
                    most[part] = max(most.get(part, 0), count.count)
    return most
