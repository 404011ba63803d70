"""`recommend`: an item of a course -> what other courses, and an encyclopaedia that was taken in, have on the same, with the reason, and an abstract of the item."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from trailmark.course.knowledge.phrase import Key
from trailmark.course.knowledge.recommendation import Recommendation, recommendations
from trailmark.course.knowledge.shelf import Shelf, shelf
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.report import Report
from trailmark.url_key import url_key
from trailmark.verbs.archived_pages import chosen_courses
from trailmark.verbs.course_texts import each_course_texts
from trailmark.verbs.wiki_articles import article_texts
from trailmark.workspace import Workspace

DEFAULT_LIMIT = 10
PHRASES = 8
"""Of an item, by which articles are looked for."""


@dataclass(frozen=True, slots=True)
class RecommendReport(Report):
    """What `recommend --json` prints."""

    url: str
    title: str
    course: str
    abstract: tuple[str, ...]
    """Sentences of the item, in order."""
    recommended: tuple[Recommendation, ...]
    """The best first."""


def recommend(
    workspace: Workspace,
    url: str,
    *,
    limit: int = DEFAULT_LIMIT,
    sentences: int | None = None,
    progress: Progress = silent,
) -> RecommendReport:
    """The address of an item of a course -> what other courses and articles say of the same, and what it says in a few sentences: as many as the settings say, where no number is given."""
    length = workspace.settings.course.sentences if sentences is None else sentences
    courses = chosen_courses(workspace, ())
    shelved = shelf(each_course_texts(workspace, courses, progress))
    number = _number(shelved, url)
    if articles := article_texts(workspace, _best_phrases(shelved, number)):
        shelved = shelf(chain(each_course_texts(workspace, courses, progress), articles))
        number = _number(shelved, url)
    item = shelved.items[number]
    return RecommendReport(
        item.url,
        item.title,
        item.course,
        shelved.abstract(number, length),
        tuple(recommendations(shelved, number, limit)),
    )


def _best_phrases(shelved: Shelf, number: int) -> list[Key]:
    """The phrases that weigh most in an item."""
    weights = {shelved.keys[column]: weight for column, weight in shelved.row(number).items()}
    return sorted(weights, key=lambda key: (-weights[key], key))[:PHRASES]


def _number(shelved: Shelf, url: str) -> int:
    found = next((number for number, each in enumerate(shelved.items) if url_key(each.url) == url_key(url)), None)
    if found is None:
        raise InputError(
            f"{url} is no item of a course whose text is archived; see which there are: trailmark course --list"
        )
    return found
