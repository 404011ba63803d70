"""The two addresses that a framed page is made of: /view is the page, /asset what it loads.

Both carry a signature over all that they say, made when the app wrote the address: nobody else can make one, so that neither is
a way through the app to somewhere. A sandboxed frame sends no cookies; the signature is what lets it in.
"""

from __future__ import annotations

import re
import threading
import time
from typing import Any
from urllib.parse import urlencode

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from trailmark.datatypes import Response as Answer
from trailmark.errors import TrailmarkError
from trailmark.read.body_form import has_rules
from trailmark.read.charset import decode
from trailmark.read.view.page_view import LinkHref, PageView, page_view, shown_address, view_policy
from trailmark.read.view.style_view import style_view
from trailmark.serve.key_ring import DAY
from trailmark.serve.keys import same
from trailmark.serve.rendering import FOLDER
from trailmark.serve.state import AppState, state_of

router = APIRouter(include_in_schema=False)

_PICTURE = re.compile(r"image/(?:png|gif|jpe?g|pjpeg|webp|avif|bmp|x-ms-bmp|x-icon|vnd\.microsoft\.icon|svg\+xml)")
_FONT = re.compile(r"(?:font/[\w.+-]+|application/(?:x-)?font-[\w.+-]+|application/vnd\.ms-fontobject)")
_SIGNS = {
    b"\x89PNG": "image/png",
    b"GIF8": "image/gif",
    b"\xff\xd8\xff": "image/jpeg",
    b"wOFF": "font/woff",
    b"wOF2": "font/woff2",
}
_ASSET_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_SHEET = "text/css"
MOST_UNDER_WAY = 24
"""Pictures and style sheets that are answered at the same time; a browser asks for six of a page."""
_UNDER_WAY = threading.BoundedSemaphore(MOST_UNDER_WAY)


def asset_href(state: AppState, *, live: bool) -> Any:
    """The app's address of what a page loads."""

    def href(url: str) -> str | None:
        return signed(state, "/asset", u=url, live=str(int(live)))

    return href


def signed(state: AppState, path: str, **words: str) -> str:
    """A path and its words -> an address of ours with a signature over them; `check` knows it again, today and tomorrow."""
    words = {**words, "p": state.project} if state.project else words
    return f"{path}?{urlencode({**words, 'k': _signature(state, path, words, today())})}"


def check(state: AppState, path: str, **words: str) -> bool:
    """Whether the words of an address, its signature `k` among them, were signed by us today or the day before."""
    signature, day = words.pop("k", ""), today()
    words = {**words, "p": state.project} if state.project else words
    return any(same(signature, _signature(state, path, words, signed_on)) for signed_on in (day, day - 1))


def today() -> int:
    """The day, counted as the signature counts it: an address that got about is of no use for long."""
    return int(time.time() // DAY)


def shown(
    request: Request,
    answer: Answer,
    *,
    link_href: LinkHref,
    live: bool,
    script: str = "",
    extra: str = "",
    **more: Any,
) -> tuple[Response, PageView]:
    """A page as the answer for a frame, with the arguments of `page_view`.

    The frame around it says sandbox="allow-top-navigation-by-user-activation", so that its links work. With `script`, the name of a
    file in static/, it says sandbox="allow-scripts" instead: that one script runs in it, written into the page since a frame without
    an origin can't load it, and talks to the page around with postMessage. It is no module, and must not hold `</script`.
    """
    state = state_of(request)
    if not has_rules(answer.content_type):
        return _placeholder(request, answer), PageView("", ())
    text = (FOLDER / "static" / script).read_text(encoding="utf-8") if script else ""
    extra += f"<script>{text}</script>" if text else ""
    view = page_view(answer, link_href=link_href, asset_href=asset_href(state, live=live), extra=extra, **more)
    return _framed(request, view.html, script=text), view


def _framed(request: Request, html: str, *, script: str = "") -> Response:
    origin = f"{request.url.scheme}://{request.headers['host']}"
    headers = {
        "content-security-policy": view_policy(origin, script=script),
        "x-frame-options": "SAMEORIGIN",
        "referrer-policy": "no-referrer",
    }
    return HTMLResponse(html, headers=headers)


def _placeholder(request: Request, answer: Answer) -> Response:
    kind = answer.content_type if re.fullmatch(r"[\w.+/-]{1,60}", answer.content_type) else "file"
    size = f"{len(answer.body):,} bytes"
    return _framed(
        request, f"<!DOCTYPE html><title>{kind}</title><p>A document ({kind}, {size}). It is not shown here.</p>"
    )


@router.get("/asset")
async def asset(request: Request, u: str = "", live: str = "0", k: str = "") -> Response:
    """A picture, a style sheet or a font of a page that is shown; at once that there is no time for it where too many are under way.

    They have threads of their own, so that those of the app are free for its pages whatever a picture's server does.
    """
    state = state_of(request)
    if not check(state, "/asset", u=u, live=live, k=k):
        return Response("This address is not one of ours.\n", 403, media_type="text/plain")
    if not _UNDER_WAY.acquire(blocking=False):
        return _nothing(503)
    try:
        return await to_thread.run_sync(_asset, state, u, live == "1", limiter=CapacityLimiter(1))
    finally:
        _UNDER_WAY.release()


def _asset(state: AppState, url: str, live: bool) -> Response:
    try:
        answer = state.pages.asset(url, live=live)
    except TrailmarkError:
        return _nothing()
    kind = _kind(answer)
    if answer.status != 200 or not kind or len(answer.body) > state.settings.serve.max_asset_bytes:
        return _nothing()
    if kind != _SHEET:
        return Response(answer.body, headers={**_ASSET_HEADERS, "content-type": kind})
    text, _ = decode(answer.body, answer.header("content-type"))
    href = asset_href(state, live=live)
    body = style_view(text, lambda address: shown_address(address, answer.url, href)).encode()
    return Response(body, headers={**_ASSET_HEADERS, "content-type": "text/css; charset=utf-8"})


_ASSET_HEADERS = {
    "content-security-policy": _ASSET_POLICY,
    "cross-origin-resource-policy": "cross-origin",  # the frame it is shown in has no origin
    "access-control-allow-origin": "*",  # fonts are asked for so; only a signed address answers
    "cache-control": "private, max-age=3600",
}


def _nothing(status: int = 404) -> Response:
    caching = "no-store" if status == 503 else "private, max-age=60"
    return Response(b"", status, headers={**_ASSET_HEADERS, "cache-control": caching}, media_type="text/plain")


def _kind(answer: Answer) -> str:
    """The media type, where it is one that is shown; what the first bytes prove counts more than what the server calls it."""
    for sign, kind in _SIGNS.items():
        if answer.body.startswith(sign):
            return kind
    named = answer.content_type
    return named if named == _SHEET or _PICTURE.fullmatch(named) or _FONT.fullmatch(named) else ""


def _signature(state: AppState, path: str, words: dict[str, str], day: int) -> str:
    return state.keys.sign("address", str(day), path, *_flat(words))


def _flat(words: dict[str, str]) -> list[str]:
    return [part for name in sorted(words) for part in (name, words[name])]
