"""An archived answer -> the file that a package carries of it, harmless wherever it is opened; or nothing.

A page is written anew without anything that acts (`read/view`), in one file: style sheets and pictures that were archived stand in it,
nothing else is loaded, and its own content security policy says so to the browser. Other files keep their bytes, under an ending that
no server hands out as a page: a text is a text, a PDF a PDF, what is not known is left out.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urljoin

from trailmark.datatypes import Response
from trailmark.read.body_form import HTML_FORM, TEXT_FORM, body_form
from trailmark.read.charset import decode
from trailmark.read.document_kind import document_kind
from trailmark.read.view.page_view import LinkHref, page_view, shown_address
from trailmark.read.view.style_view import style_view

Asset = Callable[[str], Response | None]
"""The address of a picture or style sheet -> its archived answer; None where there is none."""
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline' data:; font-src data:; base-uri 'none'; form-action 'none'"
MOST_ASSET_BYTES, MOST_ASSETS_BYTES = 500_000, 3_000_000
"""Bytes of one picture or style sheet in a page, and of all of them."""
DEEPEST_STYLE = 3
"""Style sheets within style sheets."""
_PICTURE_STARTS = {
    b"\x89PNG\r\n": "image/png",
    b"GIF8": "image/gif",
    b"\xff\xd8\xff": "image/jpeg",
}
_BYTES = {
    b"PK\x03\x04": {"docx", "pptx", "xlsx", "odt", "odp", "ods", "zip", "epub"},
    b"\xd0\xcf\x11\xe0": {"doc", "ppt", "xls"},
    b"\x1f\x8b": {"gz", "tgz"},
    b"{\\rtf": {"rtf"},
}
"""First bytes -> the endings that they may have; with any other one the file is left out."""
_PAGES = frozenset(("", "text/html", "application/xhtml+xml"))
_MARKUP = _PAGES | {"text/xml"}
_ENDING = re.compile(r"\.([A-Za-z0-9]{1,5})$")


@dataclass(frozen=True, slots=True)
class LocalCopy:
    """A file of a package."""

    body: bytes
    ending: str
    is_framed: bool
    """Whether a browser shows it inside of another page: pages and texts; other files are opened by themselves."""


def local_copy(response: Response, *, link_href: LinkHref, asset: Asset) -> LocalCopy | None:
    """What was archived -> the copy that may be handed on; None where it is nothing that is known."""
    said = response.header("content-type")
    kind = document_kind(response.body, said, response.url)
    if kind in ("pdf", "postscript"):
        return LocalCopy(response.body, "pdf" if kind == "pdf" else "ps", is_framed=False)
    ending = _known_bytes(response)
    if ending:
        return LocalCopy(response.body, ending, is_framed=False)
    form = body_form(response.body, said)
    if form == TEXT_FORM or (response.content_type.startswith("text/") and response.content_type not in _MARKUP):
        text = decode(response.body, said)[0].replace("\x00", "")
        return LocalCopy(b"\xef\xbb\xbf" + text.encode("utf-8", "replace"), "txt", is_framed=True)
    if form != HTML_FORM or response.content_type not in _PAGES:
        return None
    return LocalCopy(_page(response, link_href, _Assets(asset)).encode("utf-8", "replace"), "html", is_framed=True)


def is_page(response: Response) -> bool:
    """Whether an answer is a page of HTML."""
    said = response.header("content-type")
    kind = document_kind(response.body, said, response.url)
    return kind in ("html", "") and response.content_type in _PAGES and body_form(response.body, said) == HTML_FORM


def _page(response: Response, link_href: LinkHref, assets: _Assets) -> str:
    shown = page_view(
        response,
        link_href=link_href,
        asset_href=assets.data_address,
        link_target=lambda href: "_blank" if "://" in href else "_self",
    ).html
    doctype, _, rest = shown.partition("\n") if shown.startswith("<!DOCTYPE") else ("", "", shown)
    return f'{doctype}<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">{rest}'


def _known_bytes(response: Response) -> str:
    """The ending of a file that is told by its first bytes, where its name has one that goes with them."""
    found = _ENDING.search(response.url.partition("?")[0].partition("#")[0])
    named = found[1].lower() if found else ""
    for start, endings in _BYTES.items():
        if response.body.startswith(start):
            return named if named in endings else ""
    return ""


class _Assets:
    """Pictures and style sheets of one page, written out, as long as all of them together are not too large."""

    def __init__(self, asset: Asset) -> None:
        self._asset, self._left = asset, MOST_ASSETS_BYTES

    def data_address(self, url: str, depth: int = 0) -> str | None:
        """The address of a picture or a style sheet -> the same as an address that holds it; None where it is not to be had."""
        response = self._asset(url)
        if response is None or response.status != 200 or not 0 < len(response.body) <= MOST_ASSET_BYTES:
            return None
        kind = next((kind for start, kind in _PICTURE_STARTS.items() if response.body.startswith(start)), "")
        body = response.body
        if not kind and response.content_type == "text/css" and depth < DEEPEST_STYLE:
            kind, body = "text/css;charset=utf-8", self._style(response, depth).encode("utf-8", "replace")
        address = f"data:{kind};base64,{base64.b64encode(body).decode('ascii')}" if kind else ""
        if not address or len(address) > self._left:
            return None
        self._left -= len(address)
        return address

    def _style(self, response: Response, depth: int) -> str:
        text = decode(response.body, response.header("content-type"))[0]

        def inner(raw: str) -> str | None:
            return shown_address(
                urljoin(response.url, raw), response.url, lambda url: self.data_address(url, depth + 1)
            )

        return style_view(text, inner)
