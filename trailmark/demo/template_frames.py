"""Pages of a site in frames: a frameset at the root, a menu beside it, and bare pages within."""

from __future__ import annotations

from html import escape

from trailmark.demo.markup import View, after, facts_text, head, is_record, paragraphs, records
from trailmark.demo.plan import PlannedPage, Section


def render(page: PlannedPage, view: View) -> str:
    if page.style == "frameset":
        return _frameset(page, view)
    if page.style == "menu":
        return _menu(page, view)
    body = "".join(_section(page, section, view) for section in page.sections)
    ways = [view.link(page, anchor, attributes=' target="_top"') for anchor in page.nav]
    ways += [view.link(page, page.up)] if page.up else []
    return (
        f'<html>\n{head(page, view)}<body bgcolor="#fffff4" link="{view.colour}">\n{body}'
        f"<p align=right><small>{' - '.join(ways)}</small></p>\n</body></html>\n"
    )


def _frameset(page: PlannedPage, view: View) -> str:
    menu, main = (view.href(page.path, anchor.path) for anchor in page.sections[0].anchors)
    return (
        f'<html>\n{head(page, view)}<frameset cols="190,*" border="0">\n'
        f'<frame name="menu" src="{menu}" noresize>\n<frame name="main" src="{main}">\n'
        f"<noframes><body>{escape(view.university)}: this site needs frames.</body></noframes>\n</frameset>\n</html>\n"
    )


def _menu(page: PlannedPage, view: View) -> str:
    anchors = page.sections[0].anchors
    first, rest = anchors[0], anchors[1:]
    lines = [f"{view.link(page, first, attributes=' target=_top')}<br><br>\n"]
    lines += [f"{view.link(page, anchor, attributes=' target=main')}<br><br>\n" for anchor in rest]
    return (
        f'<html>\n{head(page, view)}<body bgcolor="{view.colour}" text="#ffffff" link="#ffffcc" vlink="#ffffcc">\n'
        f"<b>{escape(view.department)}</b><hr>\n{''.join(lines)}</body></html>\n"
    )


def _section(page: PlannedPage, section: Section, view: View) -> str:
    level = "h2" if page.sections[0] is section else "h4"
    heading = f"<{level}><i>{escape(section.heading, quote=False)}</i></{level}>\n" if section.heading else ""
    if is_record(section):
        return heading + records(page, section, view)
    return heading + paragraphs(section) + facts_text(section) + _lines(page, section, view)


def _lines(page: PlannedPage, section: Section, view: View) -> str:
    """Definitions: the link as the term, what is said about it below."""
    lines = [f"<dt>&#149; {escape(item, quote=False)}\n" for item in section.items]
    for anchor in section.anchors:
        definition = f"<dd>{after(anchor, lead='')}" if anchor.after else ""
        lines.append(f"<dt>{view.link(page, anchor)}{definition}\n")
    return f"<dl>\n{''.join(lines)}</dl>\n" if lines else ""
