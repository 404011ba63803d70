"""Keywords that walks look for: read from a file or taken from a course, and kept in the workspace by their digest, so that any process can take a walk up."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from trailmark.course.knowledge.key_phrase import is_subject
from trailmark.course.knowledge.map_maker import knowledge_map
from trailmark.course.knowledge.material import CourseTexts
from trailmark.course.knowledge.phrase import phrase_keys
from trailmark.course.package.content import plain_title
from trailmark.datatypes import Course
from trailmark.errors import InputError
from trailmark.forage.keyword_walk import PREFIX
from trailmark.learn.keyword_list import LONGEST_KEYWORD, Keyword, keyword_lines, keyword_words, parse_keywords
from trailmark.organise.topic_tree import parse_topics
from trailmark.progress import Progress, silent
from trailmark.store.json_lines import written_whole
from trailmark.verbs.archived_pages import chosen_courses
from trailmark.verbs.correct_course import find_course
from trailmark.verbs.course_texts import course_texts
from trailmark.verbs.teach import lines_of
from trailmark.workspace import Workspace

FOLDER = "keywords"
_NAME = re.compile(rf"{PREFIX}[0-9a-f]{{16}}")
LARGEST_FILE = 20_000_000
PHRASES = 60
"""Key phrases of a course that are looked for."""
TITLE_WEIGHT, HEADING_WEIGHT = 2.0, 0.5
MOST_HEADINGS = 200


def keyword_strategy_name(
    workspace: Workspace,
    files: Sequence[str | Path] = (),
    courses: Sequence[str] = (),
    progress: Progress = silent,
) -> str:
    """Files of keywords and ids of courses -> the name of the strategy that looks for all of them; the list is kept in the workspace."""
    lines = [line for file in files for line in keyword_lines(read_keyword_file(Path(file))).splitlines()]
    lines += [line for course in courses for line in course_keyword_lines(workspace, course, progress)]
    text = keyword_lines(parse_keywords(lines, " and ".join(map(str, (*files, *courses)))))
    digest = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
    folder = workspace.folder / FOLDER
    folder.mkdir(exist_ok=True)
    if not (folder / f"{digest}.txt").is_file():
        with written_whole(folder / f"{digest}.txt") as opened:
            opened.write(text.encode("utf-8", "replace"))
    return f"{PREFIX}{digest}"


def is_keyword_strategy(name: str) -> bool:
    """Whether the name of a strategy is that of a kept list of keywords."""
    return _NAME.fullmatch(name) is not None


def kept_keywords(workspace: Workspace, name: str) -> list[Keyword]:
    """The name of such a strategy -> its keywords; InputError where the list is gone."""
    file = workspace.folder / FOLDER / f"{name.removeprefix(PREFIX)}.txt"
    if not file.is_file():
        raise InputError(
            f"The keywords of {name} are no longer in {file.parent}; name their file again: --keywords FILE"
        )
    return parse_keywords(lines_of(file), str(file))


def read_keyword_file(file: Path) -> list[Keyword]:
    """A file of one keyword a line, or a topics file (`.json`), whose names and keywords count -> keywords."""
    if file.is_file() and file.stat().st_size > LARGEST_FILE:
        raise InputError(f"{file} has more than {LARGEST_FILE // 1_000_000} megabytes; a list of keywords is smaller.")
    lines = lines_of(file)
    if file.suffix.lower() == ".json":
        lines = _topic_lines("\n".join(lines), str(file))
    return parse_keywords(lines, str(file))


def course_keyword_lines(workspace: Workspace, number: str, progress: Progress = silent) -> list[str]:
    """The id of a course -> lines of keywords: its title, the titles of its items that name a subject, its key phrases and headings."""
    course = find_course(workspace, number)
    every = course_texts(workspace, chosen_courses(workspace, ()), progress)
    own = [each for each in every if each.id == course.id]
    others = [each for each in every if each.id != course.id]
    weights: dict[str, float] = {}
    for text, weight in (
        *((title, TITLE_WEIGHT) for title in [plain_title(course.title)]),
        *((each.label, 1.0 + each.score) for each in knowledge_map(own, "", most=PHRASES, others=others).phrases),
        *((title, 1.0) for title in _item_titles(course)),
        *((text, HEADING_WEIGHT) for text in _headings(own)),
    ):
        line = " ".join(text.split())[:LONGEST_KEYWORD].lstrip("#").strip()
        if any(letter.isalnum() for letter in line) and keyword_words(line):
            weights[line] = max(weight, weights.get(line, 0.0))
    if not weights:
        raise InputError(f"The course {course.id} has no title and no text from which keywords could be taken.")
    return [f"{line}\t{round(weight, 3)!r}" for line, weight in weights.items()]


def _item_titles(course: Course) -> list[str]:
    return [title for item in course.items if (title := plain_title(item.title)) and _names_subject(title)]


def _headings(texts: Sequence[CourseTexts]) -> list[str]:
    found = dict.fromkeys(
        passage.text
        for course in texts
        for material in course.materials
        for passage in material.passages
        if passage.is_heading and _names_subject(passage.text)
    )
    return list(found)[:MOST_HEADINGS]


def _names_subject(text: str) -> bool:
    """Whether a text has more than words of course life: `Homework 3` names none."""
    keys = phrase_keys(text)
    return any(is_subject(key) and len(key) > 1 for key in keys) or (bool(keys) and all(map(is_subject, keys)))


def _topic_lines(text: str, source: str) -> list[str]:
    tree = parse_topics(text, source)
    return [
        line
        for topic in tree.topics[1:]
        for line in (topic.name, *(" ".join(words) for words in topic.keywords))
        if line
    ]
