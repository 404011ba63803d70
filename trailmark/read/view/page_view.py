"""A crawled page as the app shows it: it looks like itself, and can do nothing.

What is allowed is listed (`page_rules`), all else is left out: scripts, handlers, forms that send, frames, plug-ins, redirects.
Pictures and styles are loaded through the app, links lead to the app, and the markup is written anew from the tree, letter
by letter escaped, so that nothing of the page's own markup reaches the browser. Behind this stand two more walls: the frame is sandboxed,
and its content security policy allows nothing but the app's own pictures and styles (`view_policy`).

Work on a page grows with its length alone, and ends somewhere: elements, attributes, links, addresses and styles are counted.

The tree is the one that every room reads, so that a node that is clicked here is the node that a rule will find.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from trailmark.datatypes import Response
from trailmark.read import normalise_url
from trailmark.read.body_form import HTML_FORM, body_form
from trailmark.read.view import page_rules as rules
from trailmark.read.view.data_view import data_view
from trailmark.read.view.link_text import LONGEST, LinkText
from trailmark.read.view.page_tree import base_of, in_quirks, tree_to_show
from trailmark.read.view.style_view import MOST as MOST_STYLE
from trailmark.read.view.style_view import Href, style_view

MOST_ELEMENTS = 200_000
MOST_ATTRIBUTES = 200
"""Attributes of one element that are shown."""
MOST_LINKS = 20_000
MOST_ADDRESSES = 5000
"""Different pictures and style sheets of one page."""
LONGEST_ADDRESS = 4000


@dataclass(frozen=True, slots=True)
class ViewLink:
    """A link of the page, in the order in which they stand."""

    url: str
    anchor: str


LinkHref = Callable[[int, ViewLink], str | None]
"""(number, link) -> the app's address for it; None for a link that leads nowhere."""
LinkNote = Callable[[int, ViewLink], dict[str, str]]
"""(number, link) -> attributes that are added to it: a class, a title. Names are ours, values are escaped."""

LinkTarget = Callable[[str], str]
"""The address that a link got -> the name of the window that it opens in."""


@dataclass(frozen=True, slots=True)
class PageView:
    """What the frame shows, and the links in it."""

    html: str
    links: tuple[ViewLink, ...]


def page_view(
    response: Response,
    *,
    link_href: LinkHref,
    asset_href: Href,
    link_note: LinkNote | None = None,
    number_nodes: bool = False,
    extra: str = "",
    link_target: LinkTarget | None = None,
) -> PageView:
    """The page as it may be shown.

    With `number_nodes` every element carries its number in document order as `data-trailmark-node`. `extra` is markup of ours that
    is put at the end: a style element, the one script that the frame's policy allows. Links open in the whole window unless
    `link_target` says otherwise.
    """
    root = tree_to_show(response)
    if isinstance(root, str):
        return PageView(f'<!DOCTYPE html>\n<meta charset="utf-8"><p>{html.escape(root)}</p>', ())
    if body_form(response.body, response.header("content-type")) != HTML_FORM and root.tag != "html":
        return PageView(data_view(root, number_nodes=number_nodes, extra=extra), ())
    writer = _PageWriter(response.url, link_href, asset_href, link_note, number_nodes, extra, link_target)
    writer.base = base_of(root, response.url)
    writer.write(root)
    doctype = "" if in_quirks(response.body) else "<!DOCTYPE html>\n"
    return PageView(doctype + writer.text(), tuple(writer.links))


@lru_cache(maxsize=8)
def page_links(response: Response) -> tuple[ViewLink, ...]:
    """The links of a page by their numbers, as `page_view` counts them."""
    return page_view(response, link_href=lambda _n, _l: None, asset_href=lambda _u: None).links


def view_policy(origin: str, *, script: str = "") -> str:
    """The content security policy of a framed page; `script` is the text of the one script of ours in it, if it has one."""
    sandbox = "allow-scripts" if script else "allow-top-navigation-by-user-activation"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode("ascii")
    allowed = f"script-src 'sha256-{digest}'; " if script else ""
    return (
        f"default-src 'none'; img-src {origin}/asset data:; style-src 'unsafe-inline' {origin}/asset; "
        f"font-src {origin}/asset; {allowed}"
        f"form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox {sandbox}"
    )


class _PageWriter:
    def __init__(
        self,
        base: str,
        link_href: LinkHref,
        asset_href: Href,
        link_note: LinkNote | None,
        number_nodes: bool,
        extra: str,
        link_target: LinkTarget | None,
    ) -> None:
        self.base, self.links = base, list[ViewLink]()
        self._link_href, self._asset_href, self._link_note = link_href, asset_href, link_note
        self._number_nodes, self._extra = number_nodes, extra
        self._link_target = link_target or _whole_window
        self._out: list[str] = []
        self._skip: etree._Element | None = None
        self._number = -1
        self._open: list[tuple[etree._Element, int, str, int]] = []
        self._texts = LinkText()
        self._own: dict[str, str | None] = {}
        self._styles = MOST_STYLE

    def text(self) -> str:
        return "".join(self._out) + self._extra

    def write(self, root: etree._Element) -> None:
        """Every element in document order; no recursion, so that no depth is too deep."""
        in_svg: list[etree._Element] = []
        for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
            if event in ("comment", "pi"):
                self._text(element.tail)
                self._texts.add(element.tail)
                continue
            tag = str(element.tag).lower()
            if event == "start":
                self._number += 1
                self._texts.add_picture(element, tag)
                if self._skip is None:
                    if tag == "svg" or in_svg:
                        in_svg.append(element)
                    self._start(element, tag, drawing=bool(in_svg))
                self._texts.add(element.text)
                continue
            if in_svg and in_svg[-1] is element:
                in_svg.pop()
            if self._open and self._open[-1][0] is element:
                self._close_link(*self._open.pop())
            self._end(element, tag)
            self._texts.add(element.tail)

    def _start(self, element: etree._Element, tag: str, *, drawing: bool) -> None:
        known = tag in rules.ELEMENTS or rules.CUSTOM.fullmatch(tag)
        if (
            tag in rules.LEFT_OUT
            or self._number > MOST_ELEMENTS
            or (drawing and tag not in rules.SVG)
            or _is_unseen(element, tag)
        ):
            self._skip = element
            return
        if not known:
            self._text(element.text)
            return
        if tag == "style":
            self._out.append(f"<style>{self._style(element.text or '')}</style>")
            self._skip = element
            return
        shown = rules.SHOWN_AS.get(tag, tag)
        self._out.append(f"<{shown}{''.join(self._attributes(element, tag))}")
        if tag in ("a", "area"):
            self._link(element)
        self._out.append(">")
        if tag in ("iframe", "frame"):
            self._framed(element)
            self._skip = element if tag == "iframe" else None
        if tag == "head":
            self._out.append('<meta charset="utf-8">')
        if self._skip is None:
            self._text(element.text)

    def _end(self, element: etree._Element, tag: str) -> None:
        if self._skip is None or self._skip is element:
            wrote = tag in rules.ELEMENTS or rules.CUSTOM.fullmatch(tag)
            left = self._skip is element and tag not in ("iframe",)
            self._skip = None
            if wrote and not left and tag not in rules.VOID:
                self._out.append(f"</{rules.SHOWN_AS.get(tag, tag)}>")
            self._text(element.tail)

    def _text(self, text: str | None) -> None:
        if text and self._skip is None:
            self._out.append(html.escape(text, quote=False))

    # --- attributes ----------------------------------------------------------------------------------------------

    def _attributes(self, element: etree._Element, tag: str) -> Iterator[str]:
        if self._number_nodes:
            yield _attribute(f"{rules.OURS}-node", str(self._number))
        # Values are looked up one by one: items() would look through all attributes for each of them.
        for raw in element.keys()[:MOST_ATTRIBUTES]:
            name, value = str(raw).lower(), str(element.get(raw, ""))
            if name == "style":
                yield _attribute("style", self._style(value))
            elif _is_kept(tag, name, value):
                yield _attribute(name, value)
        if tag == "img":
            yield from self._picture(element)
        elif tag == "link":
            yield _attribute("rel", "stylesheet") + self._address("href", element.get("href", ""))
        elif tag == "use":
            local = element.get(
                "href", element.get("{http://www.w3.org/1999/xlink}href", element.get("xlink:href", ""))
            )
            yield _attribute("href", local) if local.startswith("#") else ""
        elif tag in ("input", "button", "select", "textarea"):
            yield " disabled"
        if element.get("background"):
            yield self._address("background", element.get("background", ""))

    def _style(self, text: str) -> str:
        """Styles of the page, as far as all of them together are no more than one sheet may be."""
        self._styles -= len(text)
        return style_view(text, self._asset) if self._styles >= 0 else ""

    def _link(self, element: etree._Element) -> None:
        """The address of a link; its text is known, and the address written, once the link ends."""
        raw = element.get("href")
        if raw is None:
            return
        if raw.strip().startswith("#"):
            self._out.append(_attribute("href", raw.strip()))
            return
        url = normalise_url(raw, self.base) if len(self.links) < MOST_LINKS else None
        if url is not None:
            self._open.append((element, len(self._out), url, len(self.links)))
            self._texts.begin()
            self.links.append(ViewLink(url, ""))
            self._out.append("")

    def _close_link(self, element: etree._Element, place: int, url: str, number: int) -> None:
        self.links[number] = ViewLink(url, self._texts.end(element))
        self._out[place] = self._numbered(number)

    def _numbered(self, number: int) -> str:
        link = self.links[number]
        own = self._link_href(number, link)
        notes = self._link_note(number, link) if self._link_note else {}
        target = _attribute("target", self._link_target(own)) if own else ""
        parts = [_attribute("href", own) + target + ' rel="noreferrer"'] if own else []
        return "".join([*parts, *(_attribute(name, value) for name, value in notes.items())])

    def _framed(self, element: etree._Element) -> None:
        """A page within the page, as a link to it: that is what it is to a trail."""
        url = normalise_url(element.get("src", ""), self.base) if element.get("src") else None
        if url is not None and len(self.links) < MOST_LINKS:
            name = " ".join((element.get("name") or element.get("title") or "framed page").split())
            self.links.append(ViewLink(url, name[:LONGEST]))
            attributes = self._numbered(len(self.links) - 1)
            self._out.append(f"<a{attributes}>[{html.escape(name)}: {html.escape(url)}]</a>")

    def _picture(self, element: etree._Element) -> Iterator[str]:
        # Pictures that a script would load later stand in one of these.
        for name in ("src", "data-src", "data-original", "data-lazy-src"):
            if element.get(name) and (written := self._address("src", element.get(name, ""))):
                yield written
                return

    def _address(self, name: str, raw: str) -> str:
        own = self._asset(raw)
        return _attribute(name, own) if own else ""

    def _asset(self, raw: str) -> str | None:
        """The app's address of something that the page loads."""
        if raw not in self._own and len(self._own) < MOST_ADDRESSES:
            self._own[raw] = shown_address(raw, self.base, self._asset_href)
        return self._own.get(raw)


def shown_address(raw: str, base: str, href: Href) -> str | None:
    """The app's address for one that stands in a page or a style sheet; a picture that is written out stays."""
    address = raw.strip()
    if rules.PICTURES.fullmatch(address):
        return address
    url = normalise_url(address, base) if 0 < len(address) <= LONGEST_ADDRESS else None
    return href(url) if url is not None else None


def _whole_window(_href: str) -> str:
    return "_top"


def _is_kept(tag: str, name: str, value: str) -> bool:
    if name.startswith(rules.OURS):
        return False
    if tag == "input" and name == "type":
        return value.strip().lower() in rules.INPUT_TYPES
    if name == "name":
        return tag in rules.NAMED
    if name in rules.PAINT and "(" in value:
        return value.replace(" ", "").lower().startswith("url(#")
    return name in rules.ATTRIBUTES or bool(rules.MORE_ATTRIBUTES.fullmatch(name))


def _is_unseen(element: etree._Element, tag: str) -> bool:
    """Elements that are allowed in some shapes only."""
    if tag == "link":
        return "stylesheet" not in (element.get("rel") or "").lower().split() or not element.get("href")
    return tag == "input" and (element.get("type") or "").strip().lower() in ("hidden", "image")


def _attribute(name: str, value: str) -> str:
    return f' {name}="{html.escape(value)}"'
