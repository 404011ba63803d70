"""Which pages are homes of courses: those that were named, else what was found for a goal that is a course, and courses that were read before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from trailmark.course.address import address, place_of
from trailmark.errors import InputError
from trailmark.read import normalise_url
from trailmark.store.course_table import course_addresses
from trailmark.store.wanted_pages import pages_found_for
from trailmark.workspace import Workspace, names_of

LONGEST = 200


def course_homes(workspace: Workspace, urls: Sequence[str], goal: str | None) -> list[str]:
    """Addresses that were named, each once in their order; else those of the workspace, those that stand higher first. InputError where there is none."""
    if urls:
        return list(dict.fromkeys(_address(url) for url in urls))
    goals = (goal,) if goal is not None else workspace.settings.course.goals
    homes = _known(workspace, goals)
    if not homes:
        raise InputError(
            f"No page was found for the goal {names_of(list(goals))}, and no course was read before: name the page of a course, "
            "trailmark course URL --archive ARCHIVE, or say with --goal NAME which goal is a course."
        )
    return highest_first(homes)


def highest_first(homes: Iterable[str]) -> list[str]:
    """Addresses -> each place once, those that stand higher in their sites first."""
    unique = {place_of(url): url for url in sorted(homes, reverse=True)}
    return sorted(unique.values(), key=lambda url: (len(address(url).own_folders), url))


def has_courses(workspace: Workspace) -> bool:
    """Whether pages were found for a goal that is a course, or courses were read before."""
    return bool(_known(workspace, workspace.settings.course.goals))


def _known(workspace: Workspace, goals: Sequence[str]) -> set[str]:
    return {*pages_found_for(workspace.database, goals), *course_addresses(workspace.database)}


def _address(url: str) -> str:
    whole = normalise_url(url, url)
    if whole is None or not whole.lower().startswith(("http://", "https://")):
        raise InputError(f"'{url[:LONGEST]}' is no address of a page: give it whole, as http://www.example.edu/cs101/")
    return whole
