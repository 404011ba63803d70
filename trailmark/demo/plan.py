"""A site as data: which pages exist, what they say, and where they link, independent of markup.

A `SitePlan` is what templates turn into HTML and what the truth is read from. Paths start with a slash; an anchor
to another host holds a whole URL instead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Literal

from trailmark.datatypes import Record
from trailmark.demo.wording import slug
from trailmark.demo.works import Work

Style = Literal["site", "personal", "print", "frameset", "menu", "catalogue"]
PathStyle = Literal["html", "capitals", "folders", "nodes"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link as the page shows it."""

    path: str
    text: str
    after: str = ""
    """Words that stand behind the link."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands below it."""

    heading: str = ""
    text: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    items: tuple[str, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    record: Record | None = None
    rows: tuple[Record, ...] = ()
    """Records of a list page, one for each of `anchors`."""


@dataclass(frozen=True, slots=True)
class PlannedPage:
    """One page before it has any markup."""

    path: str
    title: str
    kind: str
    """What the page is, decoys told apart; finer than its label."""
    sections: tuple[Section, ...] = ()
    label: str | None = None
    nav: tuple[Anchor, ...] = ()
    up: Anchor | None = None
    style: Style = "site"
    work: Work | None = None
    """Of a paper: what it is."""

    def anchors(self) -> Iterator[Anchor]:
        """Every link of the page, navigation first."""
        yield from self.nav
        if self.up is not None:
            yield self.up
        for section in self.sections:
            yield from section.anchors


@dataclass(frozen=True, slots=True)
class Redirect:
    status: int
    path: str


@dataclass(frozen=True, slots=True)
class Calendar:
    """Months without end; only their pattern is kept."""

    pattern: str
    """Path with {year} and {month:02d}."""
    title: str
    first: tuple[int, int]
    """The month that the site links to."""
    nav: tuple[Anchor, ...] = ()


@dataclass(frozen=True, slots=True)
class SitePlan:
    """Everything there is to know about a site but its markup."""

    university: str
    department: str
    pages: dict[str, PlannedPage]
    redirects: dict[str, Redirect]
    missing: frozenset[str]
    """Paths that pages link to although there is nothing: deliberate 404s."""
    calendar: Calendar
    robots: str


@dataclass(slots=True)
class Draft:
    """A plan in the making: the rooms of a site add their pages to it."""

    rng: Random
    town: str
    style: PathStyle
    root: str = "/"
    pages: dict[str, PlannedPage] = field(default_factory=dict)
    redirects: dict[str, Redirect] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    nodes: dict[tuple[str, ...], str] = field(default_factory=dict)
    nav: tuple[Anchor, ...] = ()

    def path(self, *parts: str) -> str:
        """The address of a page, in the manner of the site."""
        words = tuple(slug(part) for part in parts)
        if self.style == "html":
            return "/" + "/".join(words) + ".html"
        if self.style == "capitals":
            return "/Info/" + "/".join(word.capitalize() for word in words) + ".htm"
        if self.style == "folders" or len(words) == 1:
            return "/" + "/".join(words) + "/"
        # Content systems number their pages: the address says nothing.
        return self.nodes.setdefault(words, f"/node/{117 + 3 * len(self.nodes)}")

    def add(
        self,
        path: str,
        title: str,
        kind: str,
        *sections: Section,
        label: str | None = None,
        up: Anchor | None = None,
        style: Style = "site",
    ) -> Anchor:
        """Adds a page; returns a link to it."""
        assert path not in self.pages, f"two pages at {path}"
        nav = self.nav if style in ("site", "catalogue") else ()
        filled = tuple(section for section in sections if section != Section(section.heading))
        self.pages[path] = PlannedPage(path, title, kind, filled, label, nav, up, style)
        return Anchor(path, title)

    def gone(self, path: str) -> str:
        """A path that links may point to although nothing is there."""
        self.missing.add(path)
        return path

    def append(self, path: str, section: Section) -> None:
        """Adds a section to a page that exists already."""
        page = self.pages[path]
        self.pages[path] = replace(page, sections=(*page.sections, section))


def paginate(draft: Draft, items: list[Anchor], size: int, *parts: str) -> list[tuple[str, list[Anchor]]]:
    """Splits a list over pages: (path, items) for each; the first page has the address without a number."""
    chunks = [items[start : start + size] for start in range(0, len(items), size)] or [[]]
    first = draft.path(*parts)
    numbered = [first]
    for number in range(2, len(chunks) + 1):
        separate = f"{first}?page={number}"
        numbered.append(
            separate if draft.style in ("folders", "nodes") else draft.path(*parts[:-1], f"{parts[-1]}-{number}")
        )
    return list(zip(numbered, chunks, strict=True))


def pager(pages: list[tuple[str, list[Anchor]]], position: int, words: dict[str, str]) -> tuple[Anchor, ...]:
    """Links from one page of a list to its neighbours."""
    links = []
    if position > 0:
        links.append(Anchor(pages[position - 1][0], words["previous"]))
    if position + 1 < len(pages):
        links.append(Anchor(pages[position + 1][0], words["next"]))
    return tuple(links)
