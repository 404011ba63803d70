"""Pages of about 2015: nested divs with classes, a navigation bar, cards, and a small style sheet."""

from __future__ import annotations

from html import escape

from trailmark.demo.markup import View, after, fact, head, is_record, records
from trailmark.demo.plan import PlannedPage, Section

STYLE = """body {{ margin: 0; font: 16px/1.5 Georgia, serif; color: #222; background: #f6f6f4 }}
a {{ color: {colour} }}
.masthead {{ background: {colour}; color: #fff; padding: 1.2em 2em; font: 600 1.4em sans-serif }}
.navbar {{ background: #fff; border-bottom: 1px solid #ddd }}
.navbar ul {{ display: flex; flex-wrap: wrap; gap: 1.2em; list-style: none; margin: 0; padding: .7em 2em }}
.navbar a {{ text-decoration: none; font: 15px sans-serif }}
.page {{ max-width: 60em; margin: 1.5em auto; background: #fff; padding: 1em 2em; border-radius: 4px }}
.rows .row {{ padding: .35em 0; border-bottom: 1px solid #eee }}
.muted, .site-footer {{ color: #777; font-size: .9em }}
.site-footer {{ text-align: center; padding: 1.5em }}
.caption {{ display: inline-block; width: 9em; color: #777 }}
"""


def render(page: PlannedPage, view: View) -> str:
    menu = "".join(f'<li class="nav-item">{view.link(page, anchor)}</li>\n' for anchor in page.nav)
    bar = f'<nav class="navbar"><ul>\n{menu}</ul></nav>\n' if menu else ""
    trail = ""
    if page.up is not None:
        trail = f'<div class="breadcrumb">{view.link(page, page.up)} &rsaquo; <span>{escape(page.title)}</span></div>\n'
    body = "".join(_section(page, section, view) for section in page.sections)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n{head(page, view, style=STYLE.format(colour=view.colour))}<body>\n'
        f'<header class="masthead">{escape(view.university)}</header>\n{bar}'
        f'<div class="wrapper"><div class="page"><main>\n{trail}{body}</main></div></div>\n'
        f'<footer class="site-footer"><div>{escape(view.department)}</div></footer>\n</body>\n</html>\n'
    )


def _section(page: PlannedPage, section: Section, view: View) -> str:
    level = "h1" if page.sections[0] is section else "h2"
    heading = f"<{level}>{escape(section.heading, quote=False)}</{level}>\n" if section.heading else ""
    if is_record(section):
        return f'<div class="section">{heading}{records(page, section, view)}</div>\n'
    text = "".join(f"<p>{escape(paragraph, quote=False)}</p>\n" for paragraph in section.text)
    facts = "".join(
        f'<div class="fact"><span class="caption">{escape(name)}</span> <span>{fact(value)}</span></div>\n'
        for name, value in section.facts
    )
    return f'<div class="section">\n{heading}{text}{facts}{_rows(page, section, view)}</div>\n'


def _rows(page: PlannedPage, section: Section, view: View) -> str:
    rows = [f'<div class="row">{escape(item, quote=False)}</div>\n' for item in section.items]
    for anchor in section.anchors:
        muted = f' <span class="muted">{after(anchor, lead="")}</span>' if anchor.after else ""
        rows.append(f'<div class="row"><div class="name">{view.link(page, anchor)}</div>{muted}</div>\n')
    return f'<div class="rows">\n{"".join(rows)}</div>\n' if rows else ""
