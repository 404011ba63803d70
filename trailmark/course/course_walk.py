"""A way to courses for those who taught none: links by their words, and pages that offer several sorts of material, and say that they are of a course, are taken for one.

A strategy of `forage` (`trailmark.strategy`). What a workspace learnt from trails is better, and is used where there is some.
"""

from __future__ import annotations

import re
from collections import Counter

import numpy as np

from trailmark.course.address import address, relation
from trailmark.course.course_words import course_number
from trailmark.course.type_word import kinds_in
from trailmark.datatypes import Link, Page
from trailmark.strategy import FollowedLink, Judgement, Visit

GOAL = "course"
FEWEST_KINDS, FEWEST_ITEMS = 2, 5
"""Sorts of material that a course page leads to in its own folder, and how many links do."""
MOST_LINKS, LONGEST = 400, 120
MATERIAL = frozenset(("lecture", "assignment", "exam", "solution", "syllabus", "reading", "tutorial"))
TAUGHT = frozenset(("lecture", "assignment"))
"""What every course has some of."""
_SPOKEN = r"cours|class(?:es)?(?![a-z])|lectur|syllab|kurse?\b|vorles|cursos|asignatur|corsi|insegnament|\u8bfe\u7a0b|\u8ab2\u7a0b|\u6388\u696d"
"""What speaks of courses, on the way to them and on their own pages."""
_WAY = re.compile(rf"{_SPOKEN}|teach|curricul|undergrad|graduate|semester|lehre", re.IGNORECASE)
_NO_WAY = re.compile(
    r"calendar|login|search|print|news|event|archive|mailto|\.(?:jpe?g|png|gif|zip|gz|mp[34])\b", re.IGNORECASE
)
_COURSE = re.compile(rf"{_SPOKEN}|homework|introduction to", re.IGNORECASE)
_NUMBERED = re.compile(r"/[a-z]{2,5}-?[0-9]{2,4}[a-z]?\b", re.IGNORECASE)
HEADINGS, LONGEST_HEAD = 3, 400
TAKEN, LEFT = 0.8, 0.1
"""Share of courses among the pages that are taken for one, and among the others, where it was measured (`python -m evals.course_pages`)."""
BY_WORDS, BY_ADDRESS, BY_NUMBER, OTHERWISE, AGAINST = 1.0, 0.5, 0.9, 0.05, 0.01


class CourseWalk:
    """The strategy; it remembers nothing."""

    name, judges, learns = "course-words", True, False

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        """A page -> whether it is a course, and how likely each of its links leads to one."""
        del link
        is_course = is_course_page(page)
        judgement = Judgement(GOAL if is_course else "", is_course, TAKEN if is_course else LEFT, goal_name=GOAL)
        return Visit(judgement, np.array([_worth(each) for each in page.links], dtype=np.float64))


def is_course_page(page: Page) -> bool:
    """Whether a page in a folder of its own, which says that it is of a course, links to several sorts of material there."""
    if not address(page.url).own_folders or not _says_course(page):
        return False
    kinds: Counter[str] = Counter()
    for link in page.links[:MOST_LINKS]:
        if relation(link.url, page.url, page.url) in ("inside", "beside"):
            kinds.update({found.kind for found in kinds_in(link.anchor[:LONGEST])} & MATERIAL)
    return len(kinds) >= FEWEST_KINDS and kinds.total() >= FEWEST_ITEMS and bool(TAUGHT & kinds.keys())


def _says_course(page: Page) -> bool:
    """Whether title, first headings or address speak of a course, or have the number of one: people and projects offer papers and software in folders of their own, too."""
    head = [text[:LONGEST_HEAD] for text in (page.title, *(heading.text for heading in page.headings[:HEADINGS]))]
    if course_number(head) or any(map(_COURSE.search, head)):
        return True
    return bool(_COURSE.search(page.url) or _NUMBERED.search(page.url))


def _worth(link: Link) -> float:
    words, url = link.anchor[:LONGEST], link.url[:LONGEST]
    if _NO_WAY.search(f"{words} {url}"):
        return AGAINST
    if _WAY.search(words):
        return BY_WORDS
    if course_number((words,)):
        return BY_NUMBER
    return BY_ADDRESS if _WAY.search(url) else OTHERWISE
