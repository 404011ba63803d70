"""The porch of the portal: every request passes here first, and every answer last.

Only reading is let in; what is too long, too frequent or calls us by no name is turned away with a sentence; who asks is told by the connection, or by a server in front that the settings
trust; no answer leaves without its headers, and none shows a path or a trace of ours. Nobody holds an answer for longer than a minute without reading it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trailmark.serve.portal.options import Network, PortalOptions, is_prefix
from trailmark.serve.portal.rate import Rate
from trailmark.serve.portal.ways import Ways

LONGEST_PATH, LONGEST_QUERY = 1000, 4000
PATIENCE = 60.0
"""Seconds that a reader may take for a part of an answer."""
POSTED = ("/oai", "/suggest")
"""The only addresses that may be asked by POST: a protocol that wants it, and the box for what visitors send in."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; frame-src 'self'; connect-src 'none'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
    "cache-control": "no-store",
}
KEPT = "public, max-age=3600"
"""How long browsers keep our style sheet, script and pictures."""
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252})(?::\d{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::\d{1,5})?")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, and by what name they called us."""

    address: str
    ways: Ways


class Porch:
    """ASGI middleware."""

    def __init__(self, app: ASGIApp, options: PortalOptions, rate: Rate) -> None:
        self.app, self.options, self.rate = app, options, rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        own = {"cache-control": KEPT} if self._inner(scope["path"]).startswith("/static/") else {}
        outward = _Outward(send, {**HEADERS, **own}, head=scope["method"] == "HEAD")
        try:
            await self._let_in(scope, receive, outward)
        except Exception:
            logger.exception("a page of the portal could not be made")
            if outward.begun:
                raise
            await _refuse(500, "Something went wrong here; it was noted. Try again later.")(scope, receive, outward)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        caller = self._caller(scope, headers)
        path = self._inner(scope["path"])
        refusal = self._refusal(scope, path, caller)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        inner = {**scope, "path": path, "raw_path": path.encode("utf-8", "replace"), "root_path": ""}
        inner["method"] = "GET" if scope["method"] == "HEAD" else scope["method"]
        inner["state"] = {**scope.get("state", {}), "caller": caller}
        await self.app(inner, receive, send)

    def _refusal(self, scope: Scope, path: str, caller: Caller | None) -> PlainTextResponse | None:
        if caller is None:
            return _refuse(400, "This site is not called by that name.")
        if len(scope["path"]) > LONGEST_PATH or len(scope["query_string"]) > LONGEST_QUERY:
            return _refuse(414, "That address is too long.")
        if scope["method"] not in ("GET", "HEAD") and not (scope["method"] == "POST" and path in POSTED):
            return _refuse(405, "This site is for reading alone.", allow="GET, HEAD")
        wait = 0.0 if path.startswith("/static/") else self.rate.wait(caller.address)
        if wait:
            return _refuse(429, "Too many pages at once: wait a moment.", **{"retry-after": str(math.ceil(wait))})
        return None

    def _inner(self, path: str) -> str:
        """The path without the prefix; a server in front may have taken it away already."""
        prefix = self.options.prefix
        if prefix and (path == prefix or path.startswith(f"{prefix}/")):
            return path[len(prefix) :] or "/"
        return path

    def _caller(self, scope: Scope, headers: Headers) -> Caller | None:
        peer = (scope.get("client") or ("", 0))[0]
        origin, prefix = self.options.public_origin, self.options.prefix
        scheme, host, address = scope["scheme"], headers.get("host", ""), peer
        if _is_of(peer, self.options.trusted):
            forwarded = [part.strip() for part in headers.get("x-forwarded-for", "").split(",")]
            address = next(
                (each for each in reversed(forwarded) if each and not _is_of(each, self.options.trusted)), peer
            )
            scheme = said if (said := headers.get("x-forwarded-proto", scheme)) in ("http", "https") else scheme
            host = headers.get("x-forwarded-host", host)
            told = headers.get("x-forwarded-prefix", "").rstrip("/")
            prefix = told if is_prefix(told) else prefix
        if not origin:
            if not _HOST.fullmatch(host):
                return None
            origin = f"{scheme}://{host}"
        return Caller(address, Ways(prefix, origin))


class _Outward:
    """What leaves: with our headers, without a body where only the head was wanted, and not for ever."""

    def __init__(self, send: Send, headers: Mapping[str, str], *, head: bool) -> None:
        self._send, self._headers, self._head = send, headers, head
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                headers.setdefault(name, value)
        elif self._head:
            message = {**message, "body": b""}
        await asyncio.wait_for(self._send(message), PATIENCE)


def _is_of(address: str, networks: Iterable[Network]) -> bool:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return any(found in network for network in networks)


def _refuse(status: int, sentence: str, **headers: str) -> PlainTextResponse:
    return PlainTextResponse(sentence + "\n", status_code=status, headers=headers)
