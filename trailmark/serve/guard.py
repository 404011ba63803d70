"""The guard at the door of the app: every request passes here before any page of ours sees it.

1. The Host header must name this app (a foreign name pointed at this machine is turned away).
2. Where a token was set, a cookie or `Authorization: Bearer TOKEN` shows it; `?token=TOKEN` once gives the cookie.
3. Other sites may link to the app, and nothing else: no pictures, frames, scripts or forms of theirs reach it.
4. What changes something is a POST with the form's own token, or with the API's token in its header.
5. Every answer carries a strict content security policy and its companions.

Addresses inside of framed pages (/view, /asset) carry a signature instead, since a sandboxed frame has no cookies.
"""

from __future__ import annotations

import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trailmark.serve.keys import Keys, same
from trailmark.serve.options import Options

MOST_BODY = 20_000_000
CSRF_FIELD, CSRF_HEADER = "csrf", "x-trailmark-csrf"
SIGNED_PATHS = ("/view", "/view/scores", "/view/question", "/view/annotate", "/asset")
_SAFE = ("GET", "HEAD", "OPTIONS")
_FORM = "application/x-www-form-urlencoded"

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), interest-cohort=()",
    "cache-control": "no-store",
}


class Guard:
    """ASGI middleware; it streams, so that server-sent events pass."""

    def __init__(self, app: ASGIApp, options: Options, keys: Keys) -> None:
        self.app, self.options, self.keys = app, options, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, _with_headers(send))

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if not self.options.knows(headers.get("host", "")):
            await _refuse(421, "This app is not called by that name.")(scope, receive, send)
            return
        session = self._session(headers)
        scope.setdefault("state", {})["session"] = session or secrets.token_urlsafe(18)
        answer = self._turned_away(scope, headers, known=session is not None)
        if answer is None and scope["method"] not in _SAFE and not self._bearer(headers):
            receive, answer = await self._checked_body(scope, headers, receive)
        if session is None and not self.options.token and not _is_signed(scope):
            send = self._with_cookie(send, scope["state"]["session"])
        await (answer or self.app)(scope, receive, send)

    # --- who asks ------------------------------------------------------------------------------------------------

    def _session(self, headers: Headers) -> str | None:
        """The visitor's session, where the cookie is one that this app gave."""
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(self.options.cookie)
        except CookieError:
            return None
        session, _, signature = (cookie.value if cookie else "").partition(".")
        return session if session and self.keys.holds(signature, "session", session, self.options.token) else None

    def _bearer(self, headers: Headers) -> bool:
        kind, _, token = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer":
            return False
        return same(token, self.keys.api_token) or bool(self.options.token and same(token, self.options.token))

    def _turned_away(self, scope: Scope, headers: Headers, *, known: bool) -> Response | None:
        if _is_signed(scope) or self._bearer(headers):
            return None
        if _foreign(headers):
            return _refuse(403, "Another site asked for this; only a link may lead here.")
        if not self.options.token or known:
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["method"] == "GET" and any(
            name == "token" and same(value, self.options.token) for name, value in query
        ):
            return self._welcome(scope, query)
        return _refuse(401, "Open the app with the address that `trailmark serve` printed: it ends in ?token=...")

    def _welcome(self, scope: Scope, query: list[tuple[str, str]]) -> Response:
        """The cookie for the token, and the same address without it: it should not stay in the history."""
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        path = "/" + scope["path"].lstrip("/")
        answer = RedirectResponse(path + (f"?{rest}" if rest else ""), status_code=303)
        answer.headers.append("set-cookie", self._cookie(scope["state"]["session"]))
        return answer

    def _cookie(self, session: str) -> str:
        signature = self.keys.sign("session", session, self.options.token)
        return f"{self.options.cookie}={session}.{signature}; Path=/; HttpOnly; SameSite=Lax"

    def _with_cookie(self, send: Send, session: str) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", self._cookie(session))
            await send(message)

        return sending

    # --- what is asked -------------------------------------------------------------------------------------------

    async def _checked_body(self, scope: Scope, headers: Headers, receive: Receive) -> tuple[Receive, Response | None]:
        """The body read whole and handed on, where the form's token is in it or in a header."""
        if not _own_origin(scope, headers):
            return receive, _refuse(403, "Another site sent this form; nothing was changed.")
        body = await _whole(receive)
        if body is None:
            return receive, _refuse(413, f"More than {MOST_BODY:,} bytes were sent; nothing was changed.")
        token = headers.get(CSRF_HEADER, "")
        if not token and headers.get("content-type", "").partition(";")[0].strip().lower() == _FORM:
            token = parse_qs(body.decode("utf-8", "replace")).get(CSRF_FIELD, [""])[0]
        if not self.keys.holds(token, "csrf", scope["state"]["session"]):
            return receive, _refuse(
                403, "This form is too old, or is not one of ours: go back, load the page again and repeat."
            )
        return _again(body, receive), None


def _is_signed(scope: Scope) -> bool:
    return scope["method"] in _SAFE and scope["path"] in SIGNED_PATHS


def _foreign(headers: Headers) -> bool:
    """Whether another site's page asks for more than a link would (the browser tells in Sec-Fetch-*)."""
    if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return False
    return headers.get("sec-fetch-mode") != "navigate" or headers.get("sec-fetch-dest") != "document"


def _own_origin(scope: Scope, headers: Headers) -> bool:
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or origin == f"{scope.get('scheme', 'http')}://{headers.get('host', '')}"


async def _whole(receive: Receive) -> bytes | None:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MOST_BODY:
            return None
        if not message.get("more_body"):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    given = False

    async def receiving() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receiving


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _refuse(status: int, sentence: str) -> Response:
    return PlainTextResponse(sentence + "\n", status_code=status)
