"""`package --from`: the address of a department -> packages of its courses, in one go.

1. The site is walked: by what the workspace learnt of a goal that is a course, else by words. 2. What was found becomes courses, with their own pages, and the items that teach something are
fetched by the forager's rules, so that what states an open licence can be copied. 3. The courses are packed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.course.address import relation
from trailmark.course.course_walk import TAUGHT, CourseWalk, is_course_page
from trailmark.course.knowledge.material import taught_items
from trailmark.errors import InputError
from trailmark.forage.forage_run import Watch
from trailmark.progress import Progress, silent
from trailmark.read import read_page
from trailmark.report import Report
from trailmark.store.course_table import read_courses
from trailmark.verbs.course import course
from trailmark.verbs.fetched_pages import fetch_and_keep
from trailmark.verbs.forage import forage
from trailmark.verbs.package import PackageReport, package
from trailmark.workspace import Workspace

BUDGET = 300
"""Pages that the walk fetches, where nothing else is said."""
_OWN = ("inside", "beside", "site")
MOST_ITEMS = 500
"""Items of all courses that are fetched."""


@dataclass(frozen=True, slots=True)
class PackedSiteReport(Report):
    """What `package --from --json` prints."""

    address: str
    pages: int
    """Fetched on the walk."""
    by_words: bool
    """Whether the walk went by words, since no goal that is a course was learnt."""
    found: int
    """Pages that the walk took for courses."""
    items_fetched: int
    packed: PackageReport | None
    """None where no course was found."""
    why: str = ""
    """What became of the address, where no page could be read there."""


def package_site(
    workspace: Workspace,
    address: str,
    folder: str | Path,
    *,
    archives: Sequence[str | Path] = (),
    form: str = "scorm12",
    budget: int | None = None,
    progress: Progress = silent,
    watch: Watch | None = None,
) -> PackedSiteReport:
    """The address of a department or a course -> one package a course in a folder. Pages come from `archives` where any are named."""
    if not address.lower().startswith(("http://", "https://")):
        raise InputError(f"'{address[:200]}' is no address of a site: give it whole, as http://www.cs.example.edu/")
    goals = [
        goal for goal in workspace.goals() if goal.lower() in {each.lower() for each in workspace.settings.course.goals}
    ]
    walked = forage(
        workspace,
        [address],
        archives=archives,
        strategy="path" if goals else CourseWalk(),
        goal=goals,
        budget=budget or BUDGET,
        site_budget=budget or BUDGET,
        watch=watch,
    )
    homes = [goal.url for goal in walked.goals] or _own_page(workspace, address, archives)
    ids: list[str] = []
    if homes:
        read = course(workspace, homes, archives, fetch=not archives, are_found=True, progress=progress)
        ids = [line.id for line in read.courses if TAUGHT & line.types.keys()]
    fetched = 0 if archives else _fetch_items(workspace, ids, progress)
    packed = package(workspace, folder, courses=ids, form=form, progress=progress) if ids else None
    why = next((site.why for site in walked.sites if site.ended == "unreachable"), "")
    return PackedSiteReport(address, walked.pages, not goals, len(homes), fetched, packed, why)


def _own_page(workspace: Workspace, address: str, archives: Sequence[str | Path]) -> list[str]:
    """The address itself, where its page is one of a course."""
    with workspace.replay([Path(each) for each in archives], all_known=True) as replay:
        response = replay.fetch(address)
    is_one = response.status == 200 and is_course_page(read_page(response))
    return [address] if is_one else []


def _fetch_items(workspace: Workspace, ids: Sequence[str], progress: Progress) -> int:
    """Items of the courses' own hosts that teach something and are in no archive, fetched; how many. What others have is linked to."""
    with workspace.replay(all_known=True) as replay:
        wanted = [
            item.url
            for each in read_courses(workspace.database, ids)
            for item, _ in taught_items(each)
            if relation(item.url, each.url, each.url) in _OWN and item.url not in replay
        ]
    urls = list(dict.fromkeys(wanted))[:MOST_ITEMS]
    return fetch_and_keep(workspace, urls, progress)[0] if urls else 0
