"""The texts of courses -> their knowledge map."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trailmark.course.knowledge.key_phrase import FEW, Background, KeyPhrase, background, is_subject, key_phrases
from trailmark.course.knowledge.knowledge_map import KnowledgeMap, MapPhrase
from trailmark.course.knowledge.material import CourseTexts
from trailmark.course.knowledge.phrase import Key, PhraseCount, counted_phrases, phrase_id, spelling
from trailmark.course.knowledge.phrase_places import Places, phrase_places, sentence
from trailmark.course.knowledge.relation import relations

MOST_EVIDENCE = 3
DEFAULT_PHRASES = 40
FEWEST_OF_A_COURSE = 10
"""Phrases of each course that may come on the map of several."""
ENOUGH_LETTERS = 10_000
"""Of a course's texts; the phrases of one with fewer count less."""


@dataclass(frozen=True, slots=True)
class CountedCourse:
    """A course with its phrases."""

    texts: CourseTexts
    counts: Mapping[Key, PhraseCount]


def counted_course(texts: CourseTexts) -> CountedCourse:
    """A course -> the same with its phrases counted."""
    return CountedCourse(texts, counted_phrases(texts.materials))


def knowledge_map(
    courses: Sequence[CourseTexts],
    title: str,
    *,
    most: int = DEFAULT_PHRASES,
    others: Sequence[CourseTexts] = (),
) -> KnowledgeMap:
    """Courses, and others that only show which phrases are common, -> their map with at most so many phrases."""
    counted = [counted_course(each) for each in courses]
    known = background((each.texts, each.counts) for each in (*counted, *(counted_course(each) for each in others)))
    chosen, owners = _chosen(counted, known, most)
    places = phrase_places(courses, [each.key for each in chosen])
    ids = {each.key: phrase_id(each.key) for each in chosen}
    phrases = tuple(_map_phrase(each, owners[each.key], counted, places, chosen[0].score) for each in chosen)
    return KnowledgeMap(title, phrases, relations(places, ids), {each.texts.id: each.texts.title for each in counted})


def _chosen(
    counted: Sequence[CountedCourse], known: Background, most: int
) -> tuple[list[KeyPhrase], Mapping[Key, list[int]]]:
    """The best phrases of all courses together, and the numbers of the courses that they are phrases of.

    A phrase of one course may be the head of another's: it is then the broader one, and both stay.
    """
    own = max(FEWEST_OF_A_COURSE, math.ceil(most / max(1, len(counted))))
    scores: defaultdict[Key, float] = defaultdict(float)
    owners: defaultdict[Key, list[int]] = defaultdict(list)
    for number, each in enumerate(counted):
        best = key_phrases(each.counts, known, own)
        weight = min(1.0, _letters(each.texts) / ENOUGH_LETTERS)
        for phrase in best:
            scores[phrase.key] += weight * phrase.score / best[0].score
            owners[phrase.key].append(number)
    total = {key: sum(each.counts[key].count for each in counted if key in each.counts) for key in scores}
    ranked = sorted(scores, key=lambda key: (-scores[key], key))
    phrases = [KeyPhrase(key, scores[key], total[key]) for key in ranked]
    chosen = phrases[:most]
    for head, narrower in _heads(chosen, counted).items():
        owners[head] = sorted({number for key in narrower for number in owners[key]})
        chosen.append(
            KeyPhrase(head, min(scores[key] for key in narrower), sum(_count(each, head) for each in counted))
        )
    return sorted(chosen, key=lambda each: (-each.score, each.key)), owners


def _count(course: CountedCourse, key: Key) -> int:
    return course.counts[key].count if key in course.counts else 0


def _heads(chosen: Sequence[KeyPhrase], counted: Sequence[CountedCourse]) -> dict[Key, list[Key]]:
    """Phrases -> the heads that several of them share (`statement` of conditional and compound statements), where these are phrases too."""
    known = {each.key for each in chosen}
    shared: defaultdict[Key, list[Key]] = defaultdict(list)
    for key in sorted(known):
        for start in range(1, len(key)):
            shared[key[start:]].append(key)
    return {
        head: keys
        for head, keys in sorted(shared.items())
        if len(keys) > 1
        and head not in known
        and sum(_count(each, head) for each in counted) >= FEW
        and is_subject(head)
    }


def _letters(texts: CourseTexts) -> int:
    return sum(len(passage.text) for material in texts.materials for passage in material.passages)


def _map_phrase(
    phrase: KeyPhrase, owners: Sequence[int], counted: Sequence[CountedCourse], places: Places, best: float
) -> MapPhrase:
    counts = [each.counts[phrase.key] for each in counted if phrase.key in each.counts]
    together = PhraseCount()
    for count in counts:
        together.spellings.update(count.spellings)
    found = [place for place in places.passages if phrase.key in place.keys][: 4 * MOST_EVIDENCE]
    told = tuple(dict.fromkeys(sentence(place, (phrase.key,)) for place in found))[:MOST_EVIDENCE]
    firsts = [firsts[phrase.key][0] for firsts in places.firsts if phrase.key in firsts]
    return MapPhrase(
        phrase_id(phrase.key),
        spelling(together),
        round(phrase.score / best, 4) if best else 0.0,
        phrase.count,
        tuple(counted[number].texts.id for number in owners),
        round(sum(firsts) / len(firsts), 4) if firsts else 0.5,
        told,
    )
