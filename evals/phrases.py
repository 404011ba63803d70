"""Key phrases of courses against those of their syllabi, held out, with other methods beside; and whether courses agree on what comes before.

Held out are the pages that are typed as syllabus, the titles of lectures, tutorials and readings, and the pages that list them; phrases are
taken from the texts of all other items. A phrase is right where the syllabus has it; words of course life, names, and what a quarter of all
courses have count for nobody.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from evals.courses import archive_of_web, read_written
from evals.drafted import drafted_scores
from evals.recommended import recommended_scores
from trailmark.course.course_file import WrittenCourse
from trailmark.course.knowledge.key_phrase import (
    Background,
    KeyPhrase,
    background,
    is_subject,
    key_phrases,
    small_words,
    without_parts,
)
from trailmark.course.knowledge.map_maker import knowledge_map
from trailmark.course.knowledge.material import TAUGHT, CourseTexts, Material, read_material
from trailmark.course.knowledge.phrase import Key, PhraseCount, counted_phrases, phrase_keys
from trailmark.course.knowledge.phrase_places import Places, phrase_places
from trailmark.course.knowledge.relation import course_orders, together_beyond_chance
from trailmark.datatypes import Document
from trailmark.errors import DocumentError, InputError
from trailmark.progress import Progress, silent
from trailmark.settings import TagSettings
from trailmark.store.archive import read_archive
from trailmark.tag.read_document import read_document
from trailmark.url_key import url_key

AT = 10
LISTED = frozenset(("lecture", "tutorial", "reading"))
"""Types of items whose titles are part of a syllabus."""
FEWEST_GOLD, FEWEST_LETTERS, COMMON = 20, 5000, 0.25
"""Phrases of a syllabus and letters of other texts that a course needs to be tested; share of courses from which a phrase is common."""
MAP_PHRASES = 150
"""Phrases among which the order of teaching is compared."""
_READING = TagSettings(seconds=15.0, max_pages=40)


@dataclass(frozen=True, slots=True)
class TestedCourse:
    """A course with its texts, and the phrases of its syllabus."""

    web: str
    texts: CourseTexts
    counts: Mapping[Key, PhraseCount]
    syllabus: frozenset[Key]


def evaluate_phrases(
    folder: Path, *, webs: Path | None = None, quick: bool = False, progress: Progress = silent
) -> dict[str, Any]:
    """A folder of typed courses and their webs -> precision at 10 of each method, and how often courses agree on an order."""
    files = sorted(folder.glob("*.jsonl"))
    if not files:
        raise InputError(f"{folder} holds no .jsonl file with courses: give the folder of typed courses.")
    written = [course for file in files for course in read_written(file)]
    documents = _documents(written, webs or folder.parent / "webs", quick, progress)
    courses = [_tested(each, documents) for each in written]
    known = background((each.texts, each.counts) for each in courses)
    gold = [_gold(each, courses, known) for each in courses]
    tests = [
        number
        for number, each in enumerate(courses)
        if len(gold[number]) >= FEWEST_GOLD and _letters(each.texts) >= FEWEST_LETTERS
    ]
    if not tests:
        raise InputError(
            f"No course of {folder} has a syllabus and other texts in the archives: nothing can be measured."
        )
    scores = {
        name: {n: _precision(rank(courses[n].counts, known), gold[n]) for n in tests} for name, rank in METHODS.items()
    }
    whole = [_whole_texts(each, documents) for each in written]
    return {
        "task": "phrases",
        "courses": len(tests),
        "methods": {
            name: {
                "precision_at_10": _mean(list(found.values())),
                "webs": {
                    web: _mean([found[n] for n in tests if courses[n].web == web])
                    for web in sorted({courses[n].web for n in tests})
                },
            }
            for name, found in scores.items()
        },
        "before": _agreement(whole),
        "recommended": recommended_scores(whole),
        "drafted": drafted_scores(whole),
    }


# --- the methods -------------------------------------------------------------------------------------------------

Rank = Callable[[Mapping[Key, PhraseCount], Background], list[KeyPhrase]]


def _best(scores: Mapping[Key, float], counts: Mapping[Key, PhraseCount]) -> list[KeyPhrase]:
    ranked = sorted(scores, key=lambda key: (-scores[key], key))
    lowest = min(scores.values(), default=0.0)
    return without_parts([KeyPhrase(key, scores[key] - lowest + 1e-9, counts[key].count) for key in ranked], AT)


def _frequency(counts: Mapping[Key, PhraseCount], _known: Background) -> list[KeyPhrase]:
    return _best({key: float(count.count) for key, count in counts.items()}, counts)


def _tf_idf(counts: Mapping[Key, PhraseCount], known: Background) -> list[KeyPhrase]:
    scores = {
        key: count.count * math.log((known.courses + 1) / (max(0, known.seen[key] - 1) + 0.5))
        for key, count in counts.items()
    }
    return _best(scores, counts)


def _c_value(counts: Mapping[Key, PhraseCount], _known: Background) -> list[KeyPhrase]:
    """Frantzi, Ananiadou, Mima 2000, with log2(words + 1), so that single words count too."""
    sums: defaultdict[Key, int] = defaultdict(int)
    numbers: Counter[Key] = Counter()
    for key, count in counts.items():
        for start, end in combinations(range(len(key) + 1), 2):
            if count.count > 1 and end - start < len(key):
                sums[key[start:end]] += count.count
                numbers[key[start:end]] += 1
    scores = {
        key: math.log2(len(key) + 1) * (count.count - (sums[key] / numbers[key] if key in numbers else 0))
        for key, count in counts.items()
    }
    return _best(scores, counts)


def _yake(counts: Mapping[Key, PhraseCount], _known: Background) -> list[KeyPhrase]:
    """After YAKE (Campos et al. 2020): case, place, frequency, neighbours and spread of words; a phrase multiplies its words.

    Departures: the place is a share of the text, since there are many texts; the spread is over materials, not sentences.
    """
    words = {key[0]: count for key, count in counts.items() if len(key) == 1}
    sizes = [count.count for count in words.values()]
    mean = _mean([float(size) for size in sizes])
    spread = math.sqrt(_mean([(size - mean) ** 2 for size in sizes]))
    weights = {word: _yake_word(count, mean + spread, max(sizes, default=1)) for word, count in words.items()}
    scores = {}
    for key, count in counts.items():
        own = [weights.get(word, 1.0) for word in key]
        scores[key] = -math.prod(own) / (count.count * (1 + sum(own)))
    return _best(scores, counts)


def _yake_word(count: PhraseCount, usual: float, most: int) -> float:
    large = max(
        sum(number for text, number in count.spellings.items() if text.isupper()),
        sum(number for text, number in count.spellings.items() if text[0].isupper()),
    )
    case = large / (1 + math.log(count.count))
    place = math.log(math.log(3 + 100 * count.first))
    ties = 1 + (len(count.left) + len(count.right)) / most
    return ties * (place + 0.5) / (case + count.count / usual / ties + len(count.materials) / 10 / ties + 1e-9)


def _ours(counts: Mapping[Key, PhraseCount], known: Background) -> list[KeyPhrase]:
    return key_phrases(counts, known, AT)


METHODS: dict[str, Rank] = {
    "frequency": _frequency, "tf-idf": _tf_idf, "c-value": _c_value, "yake": _yake, "ours": _ours,
}  # fmt: skip


# --- the courses -------------------------------------------------------------------------------------------------


def _documents(
    courses: Sequence[WrittenCourse], webs: Path, quick: bool, progress: Progress
) -> dict[tuple[str, str], Document]:
    """(Web, key of an address) -> the document there; with `quick` pages and texts only."""
    wanted: dict[str, set[str]] = {}
    for course in courses:
        keys = {_key(url) for item in course.items for url in (item.page, item.url)}
        wanted.setdefault(course.web, set()).update(keys | {_key(course.course)})
    found: dict[tuple[str, str], Document] = {}
    for web in progress(sorted(wanted), "phrases: webs"):
        for response in read_archive(archive_of_web(webs, web)):
            key = _key(response.url)
            plain = response.content_type in ("", "text/html", "text/plain")
            if response.status == 200 and key in wanted[web] and (plain or not quick):
                try:
                    found[web, key] = read_document(response, _READING)
                except DocumentError:
                    continue
    return found


def _tested(course: WrittenCourse, documents: Mapping[tuple[str, str], Document]) -> TestedCourse:
    lists = {_key(item.page) for item in course.items} | {_key(course.course)}
    syllabus: set[Key] = set()
    materials: dict[str, Material] = {}
    for item in course.items:
        key = _key(item.url)
        if item.kind in LISTED:
            syllabus |= phrase_keys(item.text)
        document = documents.get((course.web, key))
        if document is None or key in materials or item.kind not in TAUGHT:
            continue
        made = read_material(document, item.text, item.kind)
        if made is not None and item.kind == "syllabus":
            syllabus.update(*(phrase_keys(passage.text) for passage in made.passages))
        elif made is not None and key not in lists:
            materials[key] = made
    texts = CourseTexts(course.course, course.course, tuple(materials.values()))
    return TestedCourse(course.web, texts, counted_phrases(texts.materials), frozenset(syllabus))


def _whole_texts(course: WrittenCourse, documents: Mapping[tuple[str, str], Document]) -> CourseTexts:
    """A course with all of its texts, items in the order of the page."""
    materials: dict[str, Material] = {}
    for place, item in enumerate(course.items):
        document = documents.get((course.web, _key(item.url)))
        if document is not None and item.kind in TAUGHT and _key(item.url) not in materials:
            made = read_material(document, item.text, item.kind, place)
            if made is not None:
                materials[_key(item.url)] = made
    return CourseTexts(course.course, course.course, tuple(materials.values()))


def _gold(course: TestedCourse, courses: Sequence[TestedCourse], known: Background) -> frozenset[Key]:
    """The phrases of a syllabus that count."""
    small = known.small | small_words(course.texts)
    others = [each for each in courses if each is not course]
    return frozenset(
        key
        for key in course.syllabus
        if is_subject(key)
        and all(word in small for word in key)
        and sum(key in each.counts or key in each.syllabus for each in others) < COMMON * len(courses)
    )


def _precision(phrases: Sequence[KeyPhrase], gold: frozenset[Key]) -> float:
    return sum(each.key in gold for each in phrases[:AT]) / AT


# --- what comes before -------------------------------------------------------------------------------------------


def _agreement(courses: Sequence[CourseTexts]) -> dict[str, Any]:
    """Each course left out in turn: of pairs that others order, the share that it has in the same order; for pairs that go together, and for all."""
    found = knowledge_map(courses, "all", most=MAP_PHRASES)
    places = phrase_places(courses, [tuple(each.id.split("_")) for each in found.phrases])
    related = together_beyond_chance(places)
    every = combinations(sorted({key for firsts in places.firsts for key in firsts}), 2)
    return {"related": _share(places, list(related)), "any": _share(places, list(every))}


def _share(places: Places, pairs: Sequence[tuple[Key, Key]]) -> dict[str, Any]:
    same = all_pairs = 0
    for pair in pairs:
        ahead, behind = course_orders(places, pair)
        for left_out in (*ahead, *behind):
            rest = len([n for n in ahead if n != left_out]) - len([n for n in behind if n != left_out])
            if rest:
                all_pairs += 1
                same += (rest > 0) == (left_out in ahead)
    return {"pairs": all_pairs, "same_order": same / all_pairs if all_pairs else None}


def _letters(texts: CourseTexts) -> int:
    return sum(len(passage.text) for material in texts.materials for passage in material.passages)


def _key(url: str) -> str:
    return url_key(url.partition("#")[0])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
