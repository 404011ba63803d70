"""Early pages: headings, rules and bulleted lists, no tables and no colours but the browser's own."""

from __future__ import annotations

from html import escape

from trailmark.demo.markup import View, bullet_list, facts_text, head, is_record, paragraphs, records
from trailmark.demo.plan import PlannedPage, Section


def render(page: PlannedPage, view: View) -> str:
    menu = " |\n".join(view.link(page, anchor) for anchor in page.nav)
    body = "".join(_section(page, section, view) for section in page.sections)
    up = f"<p>Back to {view.link(page, page.up)}</p>\n" if page.up else ""
    top = f"[ {menu} ]\n<hr>\n" if menu else ""
    return (
        f"<html>\n{head(page, view)}<body>\n{top}{body}<hr>\n{up}"
        f"<address>{escape(view.department)}, {escape(view.university)}</address>\n</body>\n</html>\n"
    )


def _section(page: PlannedPage, section: Section, view: View) -> str:
    first = page.sections[0] is section
    tag = "h1" if first else "b"
    heading = f"<{tag}>{escape(section.heading, quote=False)}</{tag}>\n" if section.heading else ""
    if is_record(section):
        return heading + records(page, section, view)
    return heading + paragraphs(section, end="") + facts_text(section) + bullet_list(page, section, view)
