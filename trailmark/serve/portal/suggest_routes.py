"""What visitors send in: a site or a document to be found here, or a mistake that they saw. It waits in a box until the owner decides."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.serve.portal import page_html
from trailmark.serve.portal.answering import frame_of, html, missing, response, state_of, word
from trailmark.serve.portal.kept_pages import Made
from trailmark.serve.portal.page_html import SuggestForm
from trailmark.serve.portal.rate import neighbourhood_of
from trailmark.verbs.suggestions import Sent, report_mistake, sender_digest, suggest_address

router = APIRouter(include_in_schema=False)
LONGEST_BODY = 16_384
MOST_FIELDS = 10
PATIENCE = 10.0
"""Seconds that a form may take to arrive."""
_CLOSED = "Nothing can be sent in here."


@router.get("/suggest")
async def suggest(request: Request) -> Response:
    """An empty form; about an item where its address is named."""
    if not frame_of(request).suggest:
        return response(request, missing(frame_of(request), _CLOSED))
    return _form(request, word(request, "item", 40))


@router.post("/suggest")
async def suggested(request: Request) -> Response:
    """Keep what was sent, and say so; or say what is wrong with it, with what was typed."""
    if not frame_of(request).suggest:
        return response(request, missing(frame_of(request), _CLOSED))
    if not sent_from_here(request):
        return Response("This form is sent from its own page.\n", 403, media_type="text/plain")
    fields = await _fields(request)
    if fields is None:
        return Response("That is too much, or came too slowly.\n", 413, media_type="text/plain")
    item = fields.get("item", "")[:40]
    if item and item not in state_of(request).desk.catalogue.shelf.known:
        return _form(request, item)
    if fields.get("website"):  # a field that nobody sees: who fills it in is a program, and is thanked
        return _form(request, item, sent=Sent(0, "site", new=True))
    try:
        sent = await run_in_threadpool(_put, request, item, fields)
    except TrailmarkError as error:
        return _form(request, item, fields, str(error), status=422)
    return _form(request, item, sent=sent)


def sent_from_here(request: Request) -> bool:
    """Whether a form came from a page of ours, as far as browsers tell: newer ones by `Sec-Fetch-Site`, older ones by `Origin`; what tells neither is no browser.

    Ours is the address that the settings name (`portal.public_address`), and the one that we were called by; http and https are not told apart,
    since a server in front may speak the one with readers and the other with us.
    """
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        return site in ("same-origin", "none")
    own = {_place(frame_of(request).ways.origin), _place(f"http://{request.headers.get('host', '')}")}
    return origin is None or _place(origin) in own - {None}


def _place(origin: str) -> tuple[str, int] | None:
    """`https://name:port` -> name and port, the usual ports being one; None where it is no such thing."""
    try:
        parts = urlsplit(origin)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    return parts.hostname, 80 if port in (None, 80, 443) else port


def _put(request: Request, item: str, fields: Mapping[str, str]) -> Sent:
    state, caller = state_of(request), request.state.caller
    sender = sender_digest(state.secret, neighbourhood_of(caller.address))
    folder, text = state.desk.folder, fields.get("text", "")
    if item:
        place = state.desk.catalogue.shelf.known.get(item)
        key = state.desk.catalogue.shelf.keys[place] if place is not None else item
        return report_mistake(
            folder, key, frame_of(request).ways.whole(frame_of(request).ways.item(item)), text, sender
        )
    return suggest_address(folder, state.desk.settings.forage, fields.get("url", ""), text, sender)


def _form(
    request: Request,
    item: str,
    fields: Mapping[str, str] | None = None,
    wrong: str = "",
    *,
    sent: Sent | None = None,
    status: int = 200,
) -> Response:
    shelf = state_of(request).desk.catalogue.shelf
    place = shelf.known.get(item) if item else None
    if item and place is None:
        return response(request, missing(frame_of(request), "There is no such item here."))
    title = shelf.titles[place] if place is not None else ""
    typed = fields or {}
    view = SuggestForm(item, title, typed.get("url", ""), typed.get("text", ""), wrong, sent)
    made = html(page_html.suggest_page(frame_of(request), view), status)
    return response(request, Made(made.body, made.kind, status, (("cache-control", "no-store"),)))


async def _fields(request: Request) -> dict[str, str] | None:
    """What a form sent; None where it is too much or too slow."""
    body = b""
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > LONGEST_BODY:
                    return None
        pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except (TimeoutError, ValueError):
        return None
    return dict(pairs)
