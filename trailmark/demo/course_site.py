"""A course with its pages and the type of every link: one page with headings, separate pages by anchor, or a table by week.

The first two are the cases of Intinno (section 3.1.2); real pages have the third, and headings that are bold text, definition lists or frames.
Drawn from a number and nothing else: they teach the typer that comes with Trailmark, and `DemoSite` serves them below `/class/`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from trailmark.datatypes import Response
from trailmark.demo.course_words import DATES, LEADS, OTHERS, PARTS, TOPICS
from trailmark.demo.lesson_text import lesson_text, topic_of
from trailmark.demo.people import FAMILY, GIVEN
from trailmark.demo.prose import COURSES
from trailmark.demo.wording import slug

LAYOUTS = ("headings", "bold", "terms", "colons", "pages", "frames", "weeks")
CASE_1, CASE_2 = 1, 2
_TAUGHT = frozenset(("lecture", "tutorial", "reading", "assignment", "solution", "exam"))
_LICENCE, _OPEN_SHARE = "https://creativecommons.org/licenses/by/4.0/", 0.5
"""Courses of this share let anyone copy their pages."""
_SEASONS = ("Spring", "Summer", "Fall", "Winter")


class TypedLink(NamedTuple):
    """A link of a generated course, with the truth about it."""

    page: str
    url: str
    text: str
    heading: str
    kind: str
    case: int


@dataclass(frozen=True, slots=True)
class CourseSite:
    """A generated course: its home, its pages by address, and the type of every link."""

    home: str
    code: str
    title: str
    term: str
    """`1996 autumn`."""
    teacher: str
    layout: str
    pages: dict[str, str]
    """Address -> markup, the home first."""
    links: tuple[TypedLink, ...]
    files: dict[str, str]
    """Address -> text of all that its pages link to in its own folder, and is no page of the course."""

    def responses(self) -> Iterator[Response]:
        """Its pages and files, as a server sends them."""
        for url, text in (self.pages | self.files).items():
            kind = "text/html; charset=utf-8" if text.startswith("<html>") else "text/plain; charset=utf-8"
            yield Response(url, 200, (("Content-Type", kind),), text.encode())


class _Entry(NamedTuple):
    """A link to be: its words, where it leads, its type, the words behind it."""

    text: str
    href: str
    kind: str
    after: str = ""


@dataclass(slots=True)
class _Draft:
    """A course in the making."""

    rng: Random
    home: str
    code: str
    teacher: str
    names: dict[str, str] = field(default_factory=dict)
    """Type -> the heading of its items, as this course has it."""
    links: list[TypedLink] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)

    def link(self, page: str, entry: _Entry, heading: str, case: int) -> str:
        """The markup of a link, which is noted."""
        url = entry.href if entry.href.startswith(("mailto:", "news:")) else urljoin(page, entry.href)
        self.links.append(TypedLink(page, url, entry.text, heading, entry.kind, case))
        return f'<a href="{escape(entry.href)}">{escape(entry.text)}</a>{escape(entry.after)}'


_Layout = Callable[[_Draft, str, str, dict[str, list[_Entry]]], None]
"""A way to lay a course out, which adds its pages to a draft: title, term, the items of each type."""


def make_course_site(
    rng: Random, folder: str, *, layout: str | None = None, code: str = "", title: str = ""
) -> CourseSite:
    """Numbers, and the address of a folder -> a course whose home it is."""
    layout = layout or rng.choice(LAYOUTS)
    code = code or f"{rng.choice(('CS', 'CSE', 'EE', 'MA', 'COMP', 'INF'))} {rng.randint(100, 599)}"
    title = title or rng.choice(COURSES)
    year, season = rng.randint(1995, 2022), rng.choice(_SEASONS)
    draft = _Draft(rng, folder, code, _person(rng))
    parts = {kind: entries for kind in PARTS if (entries := _entries(draft, kind))}
    _LAYOUTS[layout](draft, f"{code}: {title}", f"{season} {year}", parts)
    season = "autumn" if season == "Fall" else season.lower()
    pages = {folder: draft.pages.pop(folder), **draft.pages}
    is_open = Random(f"licence/{folder}").random() < _OPEN_SHARE
    files = {
        link.url: _file(link, title, is_open=is_open)
        for link in draft.links
        if link.url.startswith(folder) and link.url not in pages
    }
    return CourseSite(folder, code, title, f"{year} {season}", draft.teacher, layout, pages, tuple(draft.links), files)


def _file(link: TypedLink, title: str, *, is_open: bool) -> str:
    """What stands behind a link: a page or a text, about a topic where it teaches something; pages may be under an open licence."""
    told = lesson_text(topic_of(f"{link.text} {link.url}", link.url), title, link.url) if link.kind in _TAUGHT else ()
    if link.url.endswith((".html", "/")):
        body = "".join(f"<p>{escape(text)}</p>\n" for text in told)
        foot = f'<p><a rel="license" href="{_LICENCE}">Creative Commons Attribution</a></p>\n' if is_open else ""
        lead = f"<h1>{escape(link.text)}</h1>\n<p>{escape(title)}: {escape(link.text)}.</p>\n"
        return _head(link.text, lead + body + foot)
    return "\n".join((f"{title}: {link.text}", *told, ""))


def _person(rng: Random) -> str:
    return f"{rng.choice(GIVEN)} {rng.choice(FAMILY)}"


def _entries(draft: _Draft, kind: str) -> list[_Entry]:
    """The items of a type in the manner of the course: one way to call them, one sort of file."""
    rng, part = draft.rng, PARTS[kind]
    if rng.random() > part.share:
        return []
    text, file = rng.choice(part.texts), rng.choice(part.files)
    draft.names[kind] = rng.choice(part.headings)
    after = rng.choice(DATES)
    mixed = rng.random() < 0.4
    first = rng.choice((0, 1, 1, 1))
    entries = []
    for number in range(first, first + rng.randint(*part.counts)):
        topic = rng.choice(TOPICS)
        person = draft.teacher if kind == "people" and number == first else _person(rng)
        words = {
            "n": number, "topic": topic, "slug": slug(topic), "code": draft.code, "person": person,
            "login": slug(person.split()[-1]), "host": urlsplit(draft.home).netloc,
        }  # fmt: skip
        said = rng.choice(part.texts) if mixed else text
        entries.append(
            _Entry(said.format(**words), file.format(**words), kind, f" {after.format(**words)}" if after else "")
        )
    return list({entry.href: entry for entry in entries}.values())


def _others(draft: _Draft, count: int) -> list[_Entry]:
    host = urlsplit(draft.home).netloc
    chosen = draft.rng.sample(OTHERS, count)
    return [_Entry(text, href.format(host=host), "other") for text, href in chosen]


def _head(title: str, body: str) -> str:
    return f"<html><head><title>{escape(title)}</title></head>\n<body>\n{body}</body></html>\n"


def _top(draft: _Draft, title: str, term: str) -> str:
    lead = draft.rng.choice(LEADS).format(code=draft.code)
    return (
        f"<h1>{escape(title)}</h1>\n<p><i>{escape(term)}</i></p>\n<p>{escape(lead)}</p>\n"
        f"<p>Instructor: {escape(draft.teacher)}</p>\n"
    )


def _foot(draft: _Draft, page: str, case: int) -> str:
    links = [draft.link(page, entry, "", case) for entry in _others(draft, draft.rng.randint(1, 4))]
    return f"<hr>\n<p>{' | '.join(links)}</p>\n"


def _listed(links: Sequence[str]) -> str:
    return "<ul>\n" + "".join(f"<li>{link}\n" for link in links) + "</ul>\n"


def _sections(draft: _Draft, page: str, parts: dict[str, list[_Entry]], case: int) -> Iterator[tuple[str, list[str]]]:
    """(Heading, links) of each part; solutions stand beside what they solve where the course has them there."""
    beside = "solution" in parts and "assignment" in parts and draft.names["solution"] == "Homework"
    for kind, entries in parts.items():
        if beside and kind == "solution":
            continue
        heading = draft.names[kind]
        links = [draft.link(page, entry, heading, case) for entry in entries]
        if beside and kind == "assignment":
            solved = [draft.link(page, entry, heading, case) for entry in parts["solution"]]
            links = [f"{link} ({solved[place]})" if place < len(solved) else link for place, link in enumerate(links)]
        yield heading, links


def _one_page(mark: str) -> _Layout:
    """One page whose parts have headings of a sort."""

    def layout(draft: _Draft, title: str, term: str, parts: dict[str, list[_Entry]]) -> None:
        body = [_top(draft, title, term)]
        for heading, links in _sections(draft, draft.home, parts, CASE_1):
            if mark == "dl":
                body.append(f"<dl><dt>{escape(heading)}\n" + "".join(f"<dd>{link}\n" for link in links) + "</dl>\n")
            else:
                body.append(mark.format(escape(heading)) + _listed(links))
        draft.pages[draft.home] = _head(title, "".join(body) + _foot(draft, draft.home, CASE_1))

    return layout


def _separate(draft: _Draft, title: str, term: str, parts: dict[str, list[_Entry]]) -> None:
    """A page for each part, and a home that leads to them."""
    draft.pages[draft.home] = _head(title, _top(draft, title, term) + _menu(draft, draft.home, title, parts))


def _menu(draft: _Draft, page: str, title: str, parts: dict[str, list[_Entry]]) -> str:
    leads = []
    for kind, entries in parts.items():
        heading = draft.names[kind]
        name = draft.rng.choice((slug(heading), kind))
        leads.append((draft.link(page, _Entry(heading, f"{name}.html", kind), "", CASE_2), name, kind, entries))
    menu = _listed([lead for lead, *_ in leads]) + _foot(draft, page, CASE_1)
    for _, name, kind, entries in leads:
        own = urljoin(draft.home, f"{name}.html")
        if own in draft.pages:
            continue
        heading = draft.names[kind]
        links = [draft.link(own, entry, heading, CASE_2) for entry in entries]
        back = draft.link(own, _Entry(draft.rng.choice(("Home", draft.code, "Back")), "./", "other"), "", CASE_2)
        draft.pages[own] = _head(f"{title}: {heading}", f"<h1>{escape(heading)}</h1>\n{_listed(links)}<p>{back}</p>\n")
    return menu


def _framed(draft: _Draft, title: str, term: str, parts: dict[str, list[_Entry]]) -> None:
    """A frameset with a menu, behind which each part has a page."""
    menu, main = urljoin(draft.home, "menu.html"), urljoin(draft.home, "main.html")
    draft.pages[draft.home] = (
        f"<html><head><title>{escape(title)}, {escape(term)}</title></head>\n"
        '<frameset cols="20%,80%"><frame src="menu.html"><frame src="main.html"></frameset></html>\n'
    )
    draft.pages[main] = _head(title, _top(draft, title, term))
    draft.pages[menu] = _head(title, _menu(draft, menu, title, parts))


def _weeks(draft: _Draft, title: str, term: str, parts: dict[str, list[_Entry]]) -> None:
    """A table with a row for each week and a column for each of a few types; the rest stands below headings."""
    page = draft.home
    columns = [kind for kind in ("lecture", "reading", "assignment", "solution") if kind in parts]
    heads = "".join(f"<th>{escape(draft.names[kind])}" for kind in columns)
    rows = []
    for week in range(max(len(parts[kind]) for kind in columns) if columns else 0):
        cells = []
        for kind in columns:
            links = [draft.link(page, entry, draft.names[kind], CASE_1) for entry in parts[kind][week : week + 1]]
            cells.append(f"<td>{''.join(links)}")
        rows.append(f"<tr><td>Week {week + 1}{''.join(cells)}</tr>\n")
    rest = {kind: entries for kind, entries in parts.items() if kind not in columns}
    below = "".join(
        f"<h2>{escape(head)}</h2>\n{_listed(links)}" for head, links in _sections(draft, page, rest, CASE_1)
    )
    table = f"<table><tr><th>Week{heads}</tr>\n{''.join(rows)}</table>\n" if columns else ""
    draft.pages[page] = _head(title, _top(draft, title, term) + table + below + _foot(draft, page, CASE_1))


_LAYOUTS: dict[str, _Layout] = {
    "headings": _one_page("<h2>{}</h2>\n"),
    "bold": _one_page("<p><b>{}</b></p>\n"),
    "terms": _one_page("dl"),
    "colons": _one_page("<p>{}:</p>\n"),
    "pages": _separate,
    "frames": _framed,
    "weeks": _weeks,
}
