"""What every template needs: addresses in the site's manner, escaped text, sections in a few shapes of list."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from posixpath import relpath

from trailmark.demo.catalogue import detail_html, row_html
from trailmark.demo.plan import Anchor, PlannedPage, Section


@dataclass(frozen=True, slots=True)
class View:
    """What a template is told about the site besides the page."""

    root: str
    university: str
    department: str
    links: str
    """absolute, rooted, relative or base."""
    colour: str
    layout: int
    """Of records."""
    meta: str
    """The charset to declare in the head; empty for none."""

    def link(self, page: PlannedPage, anchor: Anchor, *, attributes: str = "") -> str:
        text = escape(anchor.text, quote=False)
        return f'<a href="{escape(self.href(page.path, anchor.path))}"{attributes}>{text}</a>'

    def href(self, source: str, target: str) -> str:
        """The address of `target` as a page at `source` writes it."""
        if "://" in target or self.links == "rooted":
            return target
        if self.links == "absolute":
            return self.root + target[1:]
        if self.links == "base":
            return target[1:] or "./"
        return relative(source, target)

    def base(self) -> str:
        return f'<base href="{self.root}">\n' if self.links == "base" else ""


def relative(source: str, target: str) -> str:
    """A relative address; the folder of the source is what stands before its last slash."""
    folder = source.split("?")[0].rsplit("/", 1)[0] + "/"
    path, mark, query = target.partition("?")
    head, name = path.rsplit("/", 1)
    way = relpath(head + "/", folder)
    written = name if way == "." and name else f"{way}/{name}"
    return written + mark + query


def facts_text(section: Section) -> str:
    return "".join(f"<b>{escape(name)}:</b> {fact(value)}<br>\n" for name, value in section.facts)


def fact(value: str) -> str:
    """A value as it stands on the page; an e-mail address is a link that leads to no page."""
    shown = escape(value)
    return f'<a href="mailto:{shown}">{shown}</a>' if "@" in value else shown


def paragraphs(section: Section, *, tag: str = "<p>", end: str = "</p>") -> str:
    return "".join(f"{tag}{escape(text, quote=False)}{end}\n" for text in section.text)


def bullet_list(
    page: PlannedPage, section: Section, view: View, *, opening: str = "<ul>", closing: str = "</ul>"
) -> str:
    """Items and links of a section, one bullet each."""
    lines = [f"<li>{escape(item, quote=False)}\n" for item in section.items]
    lines += [f"<li>{view.link(page, anchor)}{after(anchor)}\n" for anchor in section.anchors]
    return f"{opening}\n{''.join(lines)}{closing}\n" if lines else ""


def records(page: PlannedPage, section: Section, view: View) -> str:
    """A detail, or the entries of a list page."""
    if section.record is not None:
        return detail_html(section.record, view.layout)
    pairs = zip(section.rows, section.anchors, strict=True)
    rows = "".join(row_html(record.fields, view.link(page, anchor), view.layout) for record, anchor in pairs)
    return f'<table border="1">\n{rows}</table>\n' if view.layout % 2 == 0 else f"<div>\n{rows}</div>\n"


def is_record(section: Section) -> bool:
    return section.record is not None or bool(section.rows)


def after(anchor: Anchor, *, lead: str = ", ") -> str:
    """What stands behind a link."""
    return lead + escape(anchor.after, quote=False) if anchor.after else ""


def head(page: PlannedPage, view: View, *, style: str = "") -> str:
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={view.meta}">\n' if view.meta else ""
    sheet = f"<style>\n{style}</style>\n" if style else ""
    return f"<head>\n{meta}{view.base()}<title>{escape(page.title, quote=False)}</title>\n{sheet}</head>\n"
