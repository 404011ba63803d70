"""A course's home -> the pages that are the course's own: its frames, and pages in its folder that these link to.

What the department, other courses, other terms or people wrote is not: it stands elsewhere, or says another number or term.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from trailmark.course.address import address, folders_below, place_of, relation, same_page
from trailmark.course.course_words import course_number, course_term
from trailmark.course.page_item import ItemPage, PageItem

MOST_PAGES = 200
"""Pages that a course owns."""
MOST_FRAMES = 20
"""Frames, and frames of frames, that are read as parts of a home."""
MOST_ITEMS = 10_000
"""Links of all pages of a course."""
REFUSED = 3
"""Pages with too many links that are met before no further one is read."""
_READABLE = ("page", "folder", "none")
PageOf = Callable[[str], ItemPage | None]
"""An address -> its page; None where it is not at hand."""


@dataclass(frozen=True, slots=True)
class CoursePages:
    """The pages of a course, its home first, and those of its own that were not at hand."""

    pages: tuple[ItemPage, ...]
    missing: tuple[str, ...] = ()


def course_pages(
    home: ItemPage, page_of: PageOf, *, most_pages: int = MOST_PAGES, most_items: int = MOST_ITEMS
) -> CoursePages:
    """A home, and where pages come from -> the pages of the course, one step from its home; frames stand for the page that holds them."""
    reading = _Reading(home, page_of, most_pages, most_items)
    front = [home]
    for page in front:  # grows by frames of frames; each address is taken once, so that a circle ends
        front += reading.take(url for url in page.frames if _same_host(url, home.url) and len(front) < MOST_FRAMES)
    for url in owned_pages(home, front[1:]):
        reading.take([url])
    return CoursePages(tuple(reading.pages), tuple(reading.missing))


def owned_pages(home: ItemPage, frames: Sequence[ItemPage] = ()) -> tuple[str, ...]:
    """A course's home and its frames -> the addresses of the pages that are its own, in page order; a home that is its host's first page has the whole host."""
    own: dict[str, str] = {place_of(page.url): page.url for page in (home, *frames)}
    known = len(own)
    inside = (item.url.partition("#")[0] for page in (home, *frames) for item in page.items if _is_own_page(item, home))
    for url in (*home.frames, *inside):
        if _same_host(url, home.url):
            own.setdefault(place_of(url), url)
    return tuple(own.values())[known : MOST_PAGES + known]


def belongs(page: ItemPage, home: ItemPage) -> bool:
    """Whether a page in a course's folder is of the course: not where it bears another number of the same kind, or lies in the folder of another term."""
    own, other = course_number((home.title, *home.headings)), course_number((page.title,))
    letters, _, digits = own.rpartition(" ")
    other_letters, _, other_digits = other.rpartition(" ")
    if own and other and letters == other_letters and digits != other_digits:
        return False
    term = course_term((home.title, *home.headings, home.url))
    folders = folders_below(address(page.url), address(home.url))
    terms = {named for folder in folders if (named := course_term((folder,)))}
    return not (term and terms and term not in terms)


class _Reading:
    """The pages of one course while they are gathered."""

    def __init__(self, home: ItemPage, page_of: PageOf, most_pages: int, most_items: int) -> None:
        self.home, self.page_of, self.most_pages, self.most_items = home, page_of, most_pages, most_items
        self.pages: list[ItemPage] = [home]
        self.missing: list[str] = []
        self._seen = {place_of(home.url)}
        self._items = len(home.items)
        self._refused = 0

    def take(self, urls: Iterator[str] | Sequence[str]) -> list[ItemPage]:
        """Addresses -> those of their pages that are new and the course's own; they are among its pages now."""
        taken = []
        for url in urls:
            if (
                place_of(url) in self._seen
                or len(self.pages) + len(self.missing) > self.most_pages
                or self._refused > REFUSED
            ):
                continue
            self._seen.add(place_of(url))
            page = self.page_of(url)
            if page is None:
                self.missing.append(url)
            elif self._is_new(page) and not self._is_too_much(page):
                self._seen.add(place_of(page.url))
                self._items += len(page.items)
                self.pages.append(page)
                taken.append(page)
        return taken

    def _is_too_much(self, page: ItemPage) -> bool:
        """Whether a page would bring more links than a course may have; each such page cost the time to read it."""
        too_much = self._items + len(page.items) > self.most_items
        self._refused += too_much
        return too_much

    def _is_new(self, page: ItemPage) -> bool:
        """Whether a page, wherever redirects led, is another one of the course."""
        known = any(same_page(page.url, each.url) for each in self.pages)
        return not known and _same_host(page.url, self.home.url) and belongs(page, self.home)


def _same_host(url: str, home: str) -> bool:
    return address(url).host == address(home).host


def _is_own_page(item: PageItem, home: ItemPage) -> bool:
    if relation(item.url, home.url, home.url) not in ("inside", "beside") or address(item.url).kind not in _READABLE:
        return False
    # Of a home that is a file, its folder's own page stands above it: a list of courses, as a rule.
    return address(item.url).own_folders != address(home.url).folders or address(item.url).kind != "folder"
