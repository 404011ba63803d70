"""Pages of a content system: regions, blocks and fields, a side bar, and more wrappers than words."""

from __future__ import annotations

from html import escape

from trailmark.demo.markup import View, after, fact, head, is_record, records
from trailmark.demo.plan import PlannedPage, Section

STYLE = """* {{ box-sizing: border-box }}
body {{ margin: 0; font: 15px/1.6 "Helvetica Neue", Arial, sans-serif; color: #333 }}
a {{ color: {colour}; text-decoration: none }} a:hover {{ text-decoration: underline }}
#header {{ border-top: 6px solid {colour}; padding: 1em 3em; font-size: 1.5em; font-weight: 300 }}
#columns {{ display: grid; grid-template-columns: 15em 1fr; gap: 2em; padding: 1em 3em }}
.block-menu ul {{ list-style: none; padding: 0 }} .block-menu li {{ padding: .4em 0; border-bottom: 1px dotted #ccc }}
.teaser {{ border-left: 4px solid {colour}; padding: .2em .8em; margin: .7em 0; background: #fafafa }}
.field-label {{ font-weight: 600 }} .region-footer {{ padding: 2em 3em; color: #888; font-size: .85em }}
"""


def render(page: PlannedPage, view: View) -> str:
    menu = "".join(f'<li class="leaf"><span>{view.link(page, anchor)}</span></li>\n' for anchor in page.nav)
    crumb = f'<div class="breadcrumb" role="navigation">{view.link(page, page.up)} / </div>\n' if page.up else ""
    body = "".join(_section(page, section, view) for section in page.sections)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n{head(page, view, style=STYLE.format(colour=view.colour))}'
        f'<body class="not-front no-sidebars"><div id="page">\n'
        f'<div id="header"><div class="region region-header">{escape(view.university)}</div></div>\n'
        f'<div id="columns"><aside class="region region-sidebar"><nav class="block block-menu"><ul class="menu">\n{menu}</ul></nav></aside>\n'
        f'<div id="content"><div class="region region-content">\n{crumb}<article class="node">\n'
        f'<h1 class="title">{escape(page.title, quote=False)}</h1>\n<div class="content">\n{body}</div></article></div></div></div>\n'
        f'<div class="region region-footer">{escape(view.department)}</div>\n</div></body>\n</html>\n'
    )


def _section(page: PlannedPage, section: Section, view: View) -> str:
    shown = section.heading if page.sections[0] is not section else ""
    heading = f'<h3 class="block-title">{escape(shown, quote=False)}</h3>\n' if shown else ""
    if is_record(section):
        return f'<section class="block">{heading}{records(page, section, view)}</section>\n'
    text = "".join(
        f'<div class="field field-body"><p>{escape(paragraph, quote=False)}</p></div>\n' for paragraph in section.text
    )
    facts = "".join(
        f'<div class="field"><div class="field-label">{escape(name)}:&nbsp;</div><div class="field-item">{fact(value)}</div></div>\n'
        for name, value in section.facts
    )
    return f'<section class="block">\n{heading}{text}{facts}{_view(page, section, view)}</section>\n'


def _view(page: PlannedPage, section: Section, view: View) -> str:
    rows = [f'<div class="views-row"><p>{escape(item, quote=False)}</p></div>\n' for item in section.items]
    for anchor in section.anchors:
        summary = f'<div class="summary">{after(anchor, lead="")}</div>' if anchor.after else ""
        rows.append(f'<div class="views-row teaser"><h4>{view.link(page, anchor)}</h4>{summary}</div>\n')
    return f'<div class="view-content">\n{"".join(rows)}</div>\n' if rows else ""
