"""Home pages that people wrote themselves: unlike the site around them, and unlike one another."""

from __future__ import annotations

from html import escape
from zlib import crc32

from trailmark.demo.markup import View, bullet_list, facts_text, head, paragraphs
from trailmark.demo.plan import PlannedPage, Section

BACKGROUNDS = ("#ffffff", "#f0fff0", "#fff8e7", "#eef4ff")


def render(page: PlannedPage, view: View) -> str:
    """The owner's taste is drawn from the first part of the path, so that a home page and what hangs below it match."""
    taste = crc32(page.path.split("/")[1].encode())
    body = "".join(_section(page, section, view, taste) for section in page.sections)
    up = f"<hr>\n<i>{view.link(page, page.up)}</i>\n" if page.up else ""
    centre = ("<center>\n", "</center>\n") if taste % 5 == 0 else ("", "")
    ground = BACKGROUNDS[taste % len(BACKGROUNDS)]
    return f'<html>\n{head(page, view)}<body bgcolor="{ground}">\n{centre[0]}{body}{centre[1]}{up}</body>\n</html>\n'


def _section(page: PlannedPage, section: Section, view: View, taste: int) -> str:
    level = "h1" if page.sections[0] is section else ("h3", "b", "h2")[taste % 3]
    heading = f"<{level}>{escape(section.heading, quote=False)}</{level}>\n" if section.heading else ""
    if taste % 4 == 1 and section.anchors and not section.items:
        line = " |\n".join(view.link(page, anchor) for anchor in section.anchors)
        return f"{heading}{paragraphs(section)}{facts_text(section)}<p>[ {line} ]</p>\n"
    opening, closing = (("<ul>", "</ul>"), ("<ol>", "</ol>"))[taste % 2]
    return (
        heading
        + paragraphs(section)
        + facts_text(section)
        + bullet_list(page, section, view, opening=opening, closing=closing)
    )
