"""A planned page as the bytes that a server sends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING
from zlib import crc32

from trailmark.datatypes import Response
from trailmark.demo import (
    template_cms,
    template_divs,
    template_frames,
    template_lists,
    template_personal,
    template_tables,
)
from trailmark.demo.encoding import ENCODINGS, GREETINGS, Charset, encoded
from trailmark.demo.markup import View
from trailmark.demo.plan import PlannedPage, Section

if TYPE_CHECKING:
    from trailmark.demo.web import DemoSite

COLOURS = ("#003366", "#663300", "#1d5c3a", "#5b1a4f", "#7a1f1f", "#224488", "#33506b", "#4a5d23")
TEMPLATES = {
    "tables": template_tables.render,
    "lists": template_lists.render,
    "frames": template_frames.render,
    "divs": template_divs.render,
    "cms": template_cms.render,
}
REDESIGN = {"tables": "divs", "lists": "tables", "frames": "lists", "divs": "cms", "cms": "divs"}
"""The template that catalogue pages have in version 2."""
LAYOUTS_OF = {"tables": (0, 1, 2), "lists": (2, 1, 0), "frames": (1, 0, 2), "divs": (3, 4, 1), "cms": (4, 3, 1)}


def page_response(site: DemoSite, url: str, page: PlannedPage | None) -> Response:
    """Status 200 with the page's bytes, or 404."""
    if page is None:
        body = b"<html><head><title>404 Not Found</title></head><body><h1>Not Found</h1></body></html>\n"
        return Response(url, 404, (("Content-Type", "text/html"),), body)
    if page.work is not None:
        return Response(url, 200, (("Content-Type", "application/pdf"),), site.paper(page.path).body)
    encoding = page_encoding(site, page)
    kind = f"text/html; charset={encoding.header}" if encoding.header else "text/html"
    return Response(url, 200, (("Content-Type", kind),), encoded(page_html(site, page), encoding))


def page_html(site: DemoSite, page: PlannedPage) -> str:
    """The page's markup as text: what its bytes must decode to."""
    who, second = site.who, site.web.version == 2 and page.style == "catalogue"
    view = View(
        root=site.root,
        university=site.plan.university,
        department=site.plan.department,
        links=who.links,
        colour=COLOURS[crc32(who.host.encode()) % len(COLOURS)],
        layout=_record_layout(who.template, who.town, second=second),
        meta=page_encoding(site, page).meta,
    )
    return _renderer(who.template, page, second)(_greeted(site, page), view)


def _renderer(template: str, page: PlannedPage, second: bool) -> Callable[[PlannedPage, View], str]:
    if page.style == "personal":
        return template_personal.render
    if page.style == "print":
        return template_lists.render
    return TEMPLATES[REDESIGN[template] if second else template]


def _record_layout(template: str, town: str, *, second: bool) -> int:
    """Which layout records have: one of the template's time, and after the redesign another one."""
    first = LAYOUTS_OF[template][crc32(town.encode()) % 3]
    if not second:
        return first
    later = LAYOUTS_OF[REDESIGN[template]]
    return next(layout for layout in later if layout != first)


def page_encoding(site: DemoSite, page: PlannedPage) -> Charset:
    """The site's encoding; UTF-16 is kept to a few pages, as a stray editor would leave them."""
    name = site.who.charset
    if name == "utf-16" and crc32(page.path.encode()) % 8:
        name = "utf-8"
    return ENCODINGS[name]


def _greeted(site: DemoSite, page: PlannedPage) -> PlannedPage:
    greeting = GREETINGS.get(site.who.charset)
    if greeting is None or page.style in ("frameset", "menu", "catalogue"):
        return page
    return replace(page, sections=(*page.sections, Section("", (greeting,))))
