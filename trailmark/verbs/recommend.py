"""`recommend`: an item of a course -> what other courses have on the same, with the reason, and an abstract of the item."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.course.knowledge.abstract import abstract
from trailmark.course.knowledge.recommendation import Recommendation, Shelved, recommendations, shelf
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.report import Report
from trailmark.url_key import url_key
from trailmark.verbs.archived_pages import chosen_courses
from trailmark.verbs.course_texts import course_texts
from trailmark.workspace import Workspace

DEFAULT_LIMIT, DEFAULT_SENTENCES = 10, 3


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
    sentences: int = DEFAULT_SENTENCES,
    progress: Progress = silent,
) -> RecommendReport:
    """The address of an item of a course -> items of other courses that speak of the same, and what it says in a few sentences."""
    shelved = shelf(course_texts(workspace, chosen_courses(workspace, ()), progress))
    item = _item(shelved, url)
    return RecommendReport(
        item.material.url,
        item.material.title,
        item.course,
        abstract(item.material, item.weights, sentences),
        tuple(recommendations(item, shelved, limit)),
    )


def _item(shelved: Sequence[Shelved], url: str) -> Shelved:
    found = next((each for each in shelved if url_key(each.material.url) == url_key(url)), None)
    if found is None:
        raise InputError(
            f"{url} is no item of a course whose text is archived; see which there are: trailmark course --list"
        )
    return found
