"""Pages of the late 1990s: a layout table with the menu on the left, font tags, colours in attributes, upper-case tags."""

from __future__ import annotations

from html import escape

from trailmark.demo.markup import View, after, fact, head, is_record, paragraphs, records
from trailmark.demo.plan import Anchor, PlannedPage, Section


def render(page: PlannedPage, view: View) -> str:
    menu = "".join(
        f'<TR><TD BGCOLOR="#eeeecc"><FONT FACE="Arial" SIZE="2">{view.link(page, anchor)}</FONT></TD></TR>\n'
        for anchor in page.nav
    )
    side = (
        f'<TD WIDTH="160" VALIGN="top"><TABLE BORDER="0" CELLSPACING="2" CELLPADDING="4" WIDTH="100%">\n{menu}</TABLE></TD>\n'
        if menu
        else ""
    )
    body = "".join(_section(page, section, view) for section in page.sections)
    up = f'<FONT SIZE="-1">Up: {view.link(page, page.up)}</FONT><P>\n' if page.up else ""
    return (
        f'<HTML>\n{head(page, view)}<BODY BGCOLOR="#ffffff" LINK="{view.colour}" VLINK="#666666">\n'
        f'<TABLE WIDTH="100%" BORDER="0" CELLPADDING="8"><TR><TD COLSPAN="2" BGCOLOR="{view.colour}">'
        f'<FONT COLOR="#ffffff" FACE="Arial" SIZE="5">{escape(view.university)}</FONT></TD></TR>\n'
        f'<TR>{side}<TD VALIGN="top">\n{up}{body}</TD></TR></TABLE>\n'
        f'<HR NOSHADE SIZE="1"><CENTER><FONT SIZE="1">{escape(view.department)} &middot; best viewed at 800 x 600</FONT></CENTER>\n'
        "</BODY>\n</HTML>\n"
    )


def _section(page: PlannedPage, section: Section, view: View) -> str:
    size = "5" if page.sections[0] is section else "4"
    heading = ""
    if section.heading:
        heading = f'<FONT FACE="Arial" SIZE="{size}" COLOR="{view.colour}"><B>{escape(section.heading, quote=False)}</B></FONT><BR>\n'
    if is_record(section):
        return heading + records(page, section, view)
    return heading + paragraphs(section, tag="<P>", end="") + _facts(section) + _rows(page, section, view)


def _facts(section: Section) -> str:
    rows = "".join(
        f'<TR><TD BGCOLOR="#eeeeee"><FONT SIZE="2"><B>{escape(name)}</B></FONT></TD><TD>{fact(value)}</TD></TR>\n'
        for name, value in section.facts
    )
    return f'<TABLE BORDER="0" CELLPADDING="3">\n{rows}</TABLE>\n' if rows else ""


def _rows(page: PlannedPage, section: Section, view: View) -> str:
    rows = [f'<TR><TD COLSPAN="2">{escape(item, quote=False)}</TD></TR>\n' for item in section.items]
    rows += [_row(page, anchor, view) for anchor in section.anchors]
    return f'<TABLE BORDER="0" CELLSPACING="1" CELLPADDING="3">\n{"".join(rows)}</TABLE><BR>\n' if rows else ""


def _row(page: PlannedPage, anchor: Anchor, view: View) -> str:
    return f'<TR><TD>{view.link(page, anchor)}</TD><TD><FONT SIZE="2">{after(anchor, lead="")}</FONT></TD></TR>\n'
