"""Archived copies: a page is shown in a frame without anything that acts; a PDF is handed out as a file to keep.

A PDF comes from strangers. It is not drawn under our address: inside a sandbox browsers show none, and outside of one it would be as near to our pages as they
are to each other. Who saves it opens it with a reader of their own choice, which knows that it came from the web. It bears the kind that its first bytes prove,
and a name of ours.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from trailmark.datatypes import Response as Answer
from trailmark.read.body_form import has_rules
from trailmark.read.view.page_view import page_view
from trailmark.serve.portal import page_html
from trailmark.serve.portal.answering import answer, html, missing, state_of
from trailmark.serve.portal.desk import Reading
from trailmark.serve.portal.kept_pages import Made
from trailmark.serve.portal.page_html import CopyForm, Frame
from trailmark.serve.portal.rate import neighbourhood_of
from trailmark.verbs.portal_item import item_view, source_copy

router = APIRouter(include_in_schema=False)
LARGEST_COPY = 3_000_000
"""Bytes of an archived page that is shown."""
LARGEST_FILE = 20_000_000
"""Bytes of an archived document that is handed out."""
AT_ONCE = 6
"""Documents on their way at once, one a neighbourhood of addresses: each is held in memory until its reader has it."""
PART, LONGEST = 262_144, 300.0
"""Bytes of a document that leave at a time, and seconds after which a reader who still has not got it is left."""
PDF = b"%PDF-"
COPY_POLICY = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox"
FILE_POLICY = "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
_NONE = "There is no archived copy of that."


@router.get("/item/{name}/copy/{number}")
async def copy(request: Request, name: str, number: str) -> Response:
    """The page around an archived copy."""

    def build(reading: Reading, frame: Frame) -> Made:
        found = _copy(reading, name, number)
        if found is None:
            return missing(frame, _NONE)
        place, which, answer = found
        view = item_view(reading.catalogue, reading.library, reading.folder, place)
        if view is None or which > len(view.sources):
            return missing(frame, _NONE)
        kind = answer.content_type if re.fullmatch(r"[\w.+/-]{1,60}", answer.content_type) else "file"
        return html(page_html.copy_page(frame, view, which, kind, len(answer.body), _shown(answer)))

    return await answer(request, ("copy", name, number), build)


@router.get("/item/{name}/copy/{number}/page")
async def copied_page(request: Request, name: str, number: str) -> Response:
    """An archived page as it may be shown in a frame: no scripts, no pictures, no links, and a policy that forbids them."""

    def build(reading: Reading, frame: Frame) -> Made:
        found = _copy(reading, name, number)
        if found is None or not has_rules(found[2].content_type) or len(found[2].body) > LARGEST_COPY:
            return missing(frame, _NONE)
        view = page_view(found[2], link_href=lambda _number, _link: None, asset_href=lambda _url: None)
        headers = (
            ("content-security-policy", COPY_POLICY),
            ("x-frame-options", "SAMEORIGIN"),
            ("referrer-policy", "no-referrer"),
            ("x-robots-tag", "noindex"),
        )
        return Made(view.html.encode("utf-8", "replace"), headers=headers)

    return await answer(request, ("copied page", name, number), build)


def _shown(answer: Answer) -> CopyForm:
    """How a copy can be had."""
    if is_pdf(answer):
        return "file" if len(answer.body) <= LARGEST_FILE else "large"
    if not has_rules(answer.content_type):
        return "none"
    return "page" if len(answer.body) <= LARGEST_COPY else "large"


def is_pdf(answer: Answer) -> bool:
    """By its first bytes, whatever the site called it; not what was called a page, and so is shown as one."""
    return answer.body.startswith(PDF) and not has_rules(answer.content_type)


@router.get("/item/{name}/copy/{number}/file")
async def copied_file(request: Request, name: str, number: str) -> Response:
    """An archived PDF, to be saved."""
    under_way, reader = state_of(request).documents, neighbourhood_of(request.state.caller.address)
    if reader in under_way or len(under_way) >= AT_ONCE:
        sentence = "Documents are handed out a few at a time, one to each reader: try again in a moment.\n"
        return PlainTextResponse(sentence, 503, headers={"retry-after": "5"})

    def build(reading: Reading, frame: Frame) -> Made:
        found = _copy(reading, name, number)
        if found is None or _shown(found[2]) != "file":
            return missing(frame, _NONE)
        headers = (
            ("content-security-policy", FILE_POLICY),
            ("content-disposition", f'attachment; filename="{name}-{found[1]}.pdf"'),
            ("referrer-policy", "no-referrer"),
            ("x-robots-tag", "noindex"),
        )
        return Made(found[2].body, "application/pdf", headers=headers)

    under_way.add(reader)
    try:
        plain = await answer(request, ("copied file", name, number), build)
    except BaseException:
        under_way.discard(reader)
        raise
    return _Outgoing(plain, lambda: under_way.discard(reader))


class _Outgoing(Response):
    """An answer that leaves in parts, within a time, and says when it has left or was given up."""

    def __init__(self, whole: Response, ended: Callable[[], None]) -> None:
        super().__init__(whole.body, whole.status_code, dict(whole.headers))
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive
        try:
            async with asyncio.timeout(LONGEST):
                await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
                for start in range(0, len(self.body), PART):
                    part = bytes(self.body[start : start + PART])
                    await send({"type": "http.response.body", "body": part, "more_body": True})
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            self._ended()


def _copy(reading: Reading, address: str, number: str) -> tuple[int, int, Answer] | None:
    """Address and number -> the item's place, the number of the source, and its archived answer."""
    if not (number.isascii() and number.isdigit() and len(number) <= 3) or not reading.settings.portal.copies:
        return None
    shelf = reading.catalogue.shelf
    place = shelf.known.get(address)
    if place is None:
        return None
    found = source_copy(reading.library, reading.folder, reading.settings, shelf.keys[place], int(number))
    return None if found is None else (place, int(number), found[2])
