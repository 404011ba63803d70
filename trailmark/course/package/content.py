"""A course and what was archived of it -> the lessons of a package and their files, the same for every format.

Which items are copied and which are linked to is decided here: a copy is made of what was archived, states a licence that the owner's
rule takes (`package.copies`), does not ask to be left alone, and is not too large. All else is a link.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from trailmark.course.address import relation
from trailmark.course.package.file_name import file_stem
from trailmark.course.package.licence import Licence, page_licence, refuses_copies
from trailmark.course.package.local_copy import LocalCopy, is_page, local_copy
from trailmark.datatypes import Course, CourseItem, Response
from trailmark.quoting import terminal_text
from trailmark.read import tree_of
from trailmark.read.view.page_view import ViewLink
from trailmark.settings import PackageSettings
from trailmark.url_key import url_key

LONGEST_TITLE = 200
KINDS = {
    "syllabus": "Syllabus",
    "lecture": "Lectures",
    "tutorial": "Tutorials",
    "reading": "Readings",
    "video": "Videos",
    "assignment": "Assignments",
    "exam": "Exams",
    "solution": "Solutions",
    "software": "Software",
    "discussion": "Discussions",
    "people": "People",
    "grades": "Grades",
}
"""Types of items and what their groups are called."""
WEB = ("http://", "https://", "ftp://")
"""How addresses begin that an item may have."""
UNLICENSED, REFUSED, NOT_ARCHIVED, TOO_LARGE, UNKNOWN_KIND = (
    "no licence that allows copies",
    "asks not to be copied",
    "not archived",
    "too large",
    "a kind of file that is not copied",
)
"""Why an item is a link."""


@dataclass(frozen=True, slots=True)
class Archived:
    """What an archive has of an address."""

    response: Response
    date: str = ""
    """The day on which it was fetched, as 1996-11-05; empty where that is not known."""


Find = Callable[[str], Archived | None]
"""An address -> what was archived of it with 200; None where nothing was."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """An item of the course as the package has it."""

    number: int
    item: CourseItem
    title: str
    copy: str = ""
    """Path of the copy in the package, with the place in it where the item stands; empty where the item is a link."""
    is_framed: bool = False
    """Whether the copy is shown inside of the lesson's page."""
    licence: Licence | None = None
    date: str = ""
    why_linked: str = ""

    @property
    def page(self) -> str:
        """Path of the lesson's own page in the package."""
        return f"items/{self.number:03d}-{file_stem(self.title)}.html"


@dataclass(frozen=True, slots=True)
class Group:
    """Lessons that stand together in the outline."""

    name: str
    title: str
    lessons: tuple[Lesson, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """How a course that was drafted is taught."""

    weeks: Mapping[int, str]
    """Number of a week -> what it is about."""
    homes: Mapping[str, str]
    """Address of an item -> the home of the course that it is of."""


@dataclass(frozen=True, slots=True)
class Content:
    """What a package holds, whatever its format."""

    course: Course
    lessons: tuple[Lesson, ...]
    """By type and position."""
    copies: tuple[tuple[str, LocalCopy], ...]
    """(Path, file)."""
    left_out: int = 0
    """Items of types that the package has, that are more than it takes or lead to no address of the web."""
    plan: Plan | None = None
    """Of a course that was drafted."""

    @property
    def groups(self) -> tuple[Group, ...]:
        """Lessons in groups: by type, or by week where there is a plan."""
        if self.plan is None:
            kinds = dict.fromkeys(lesson.item.kind for lesson in self.lessons)
            found = [(f"group-{kind}", KINDS.get(kind, kind), kind) for kind in kinds]
            return tuple(
                Group(name, title, tuple(each for each in self.lessons if each.item.kind == kind))
                for name, title, kind in found
            )
        weeks = dict.fromkeys(lesson.item.position or 0 for lesson in self.lessons)
        return tuple(
            Group(
                f"group-week-{week}",
                plain_title(f"{week}. {self.plan.weeks.get(week, '')}"),
                tuple(each for each in self.lessons if (each.item.position or 0) == week),
            )
            for week in weeks
        )


def package_content(course: Course, find: Find, settings: PackageSettings, plan: Plan | None = None) -> Content:
    """A course, and its plan where it was drafted -> its lessons in order, and copies of what may be copied.

    Of a draft a person said what is in: whatever its type, and as often as it is in, but once a week.
    """
    kinds = settings.types if plan is None else tuple(dict.fromkeys((*settings.types, *KINDS)))
    wanted = _ordered([item for item in course.items if item.kind in kinds], kinds, by_week=plan is not None)
    items = [item for item in wanted if item.url.lower().startswith(WEB)][: settings.max_items]
    homes = plan.homes if plan is not None else {}
    sources = {_key(item.url): _source(item, homes.get(item.url, course.url), find, settings) for item in items}
    copies = _all_copies(_copy_names(items, sources), sources, find, settings)
    lessons = tuple(
        _lesson(number, item, sources[_key(item.url)], copies.get(_key(item.url)))
        for number, item in enumerate(items, start=1)
    )
    written = tuple((copy.path, copy.file) for copy in copies.values() if copy.file is not None)
    return Content(course, lessons, written, len(wanted) - len(items), plan)


@dataclass(frozen=True, slots=True)
class _Source:
    """What is known of an item's address before anything is copied."""

    archived: Archived | None
    licence: Licence | None = None
    why_linked: str = ""


def _source(item: CourseItem, home: str, find: Find, settings: PackageSettings) -> _Source:
    archived = find(item.url)
    if archived is None:
        return _Source(None, why_linked=NOT_ARCHIVED)
    response = archived.response
    tree = tree_of(response) if is_page(response) else None
    licence = page_licence(tree) if tree is not None else _licence_beside(item, home, find)
    if refuses_copies(response, tree):
        return _Source(archived, licence, REFUSED)
    if not _is_allowed(licence, settings.copies):
        return _Source(archived, licence, UNLICENSED)
    return _Source(archived, licence, TOO_LARGE if len(response.body) > settings.max_file_bytes else "")


def _licence_beside(item: CourseItem, home: str, find: Find) -> Licence | None:
    """The licence of a file, which can't state one itself: that of the page which links to it, where it stands with the course."""
    if not item.page or relation(item.url, item.page, home) not in ("inside", "beside"):
        return None
    page = find(item.page)
    if page is None or not is_page(page.response):
        return None
    tree = tree_of(page.response)
    return page_licence(tree) if tree is not None else None


def _is_allowed(licence: Licence | None, rule: str) -> bool:
    if rule == "all":
        return True
    taken = {"open": ("open",), "non-commercial": ("open", "non-commercial")}.get(rule, ())
    return licence is not None and licence.terms in taken


def _copy_names(items: Sequence[CourseItem], sources: dict[str, _Source]) -> dict[str, str]:
    """Key of an address that is to be copied -> the name of its copy; places of one page share it."""
    names: dict[str, str] = {}
    for number, item in enumerate(items, start=1):
        if not sources[_key(item.url)].why_linked:
            names.setdefault(_key(item.url), f"{number:03d}")
    return names


@dataclass(frozen=True, slots=True)
class _Copy:
    """A copy under its path, or why there is none."""

    path: str
    file: LocalCopy | None
    why_not: str = ""


def _all_copies(
    names: dict[str, str], sources: dict[str, _Source], find: Find, settings: PackageSettings
) -> dict[str, _Copy]:
    """Key of an address -> its copy. Copies link to one another: where one fails, they are written again without it."""
    failed: dict[str, _Copy] = {}
    while True:
        made = dict(_copies(names, sources, find, settings))
        worse = {key: copy for key, copy in made.items() if copy.file is None}
        if not worse:
            return made | failed
        failed |= worse
        names = {key: name for key, name in names.items() if key not in failed}


def _copies(
    names: dict[str, str], sources: dict[str, _Source], find: Find, settings: PackageSettings
) -> Iterator[tuple[str, _Copy]]:
    """(Key, copy), as long as all of them together are not too large."""
    left = settings.max_bytes

    def link_href(_number: int, link: ViewLink) -> str:
        name = names.get(_key(link.url))
        return f"{name}.html{_fragment(link.url)}" if name and _is_page_source(sources[_key(link.url)]) else link.url

    def asset(url: str) -> Response | None:
        archived = find(url)
        return archived.response if archived else None

    for key, name in names.items():
        archived = sources[key].archived
        file = local_copy(archived.response, link_href=link_href, asset=asset) if archived else None
        if file is None:
            yield key, _Copy("", None, UNKNOWN_KIND)
        elif len(file.body) > min(left, settings.max_file_bytes):
            yield key, _Copy("", None, TOO_LARGE)
        else:
            left -= len(file.body)
            yield key, _Copy(f"copies/{name}.{file.ending}", file)


def _is_page_source(source: _Source) -> bool:
    return source.archived is not None and is_page(source.archived.response)


def _lesson(number: int, item: CourseItem, source: _Source, copy: _Copy | None) -> Lesson:
    title = plain_title(item.title) or plain_title(item.url)
    date = source.archived.date if source.archived else ""
    if copy is None or copy.file is None:
        why = source.why_linked or (copy.why_not if copy else "")
        return Lesson(number, item, title, licence=source.licence, date=date, why_linked=why)
    place = _fragment(item.url) if copy.file.ending == "html" else ""
    return Lesson(number, item, title, copy.path + place, copy.file.is_framed, source.licence, date)


def plain_title(text: str) -> str:
    """A text of the web -> one line of it that can stand in any file, at most 200 letters."""
    return terminal_text(" ".join(text.split()))[:LONGEST_TITLE].strip()


def why_counts(contents: Sequence[Content]) -> dict[str, int]:
    """Packages -> how many of their items are links, by the reason."""
    return dict(Counter(lesson.why_linked for each in contents for lesson in each.lessons if lesson.why_linked))


def _ordered(items: Sequence[CourseItem], kinds: Sequence[str], *, by_week: bool) -> list[CourseItem]:
    """By type as the owner ordered them, then by number or week, then as they stand on the page, each address once; or by week first, each address once a week."""
    first: dict[tuple[str, int | None], CourseItem] = {}
    for item in items:
        first.setdefault((item.url, item.position if by_week else None), item)
    ordered = sorted(first.values(), key=lambda item: (kinds.index(item.kind), _position(item), item.place))
    return sorted(ordered, key=_position) if by_week else ordered


def _position(item: CourseItem) -> tuple[bool, int]:
    return item.position is None, item.position or 0


def _key(url: str) -> str:
    return url_key(url.partition("#")[0])


def _fragment(url: str) -> str:
    _, mark, place = url.partition("#")
    return f"{mark}{place}" if place else ""
