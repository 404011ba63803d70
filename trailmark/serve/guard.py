"""The guard at the door of the app: every request passes here before any page of ours sees it.

1. The Host header must name this app (a foreign name pointed at this machine is turned away).
2. A browser shows its key in a cookie, a program in `Authorization: Bearer KEY`. `/enter` gives a browser its key, for a link that holds once
   or for the token. Wrong keys, links and tokens wait for their answer.
3. Other sites may link to the app, and nothing else: no pictures, frames, scripts or forms of theirs reach it.
4. What changes something is a POST with the form's own token, or with a program's key; a program's key opens the JSON API alone.
5. Every answer carries a strict content security policy and its companions.

Addresses inside of framed pages (/view, /asset) carry a signature instead, since a sandboxed frame has no cookies.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Protocol
from urllib.parse import parse_qs, parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trailmark.serve.brake import Brake
from trailmark.serve.key_ring import DAY, KeyRing
from trailmark.serve.keys import Keys, same
from trailmark.serve.options import Options
from trailmark.serve.sent_body import BodyRefusal, given_again, is_form, whole_body

CSRF_FIELD, CSRF_HEADER = "csrf", "x-trailmark-csrf"
SIGNED_PATHS = ("/view", "/view/scores", "/view/question", "/view/annotate", "/asset")
ENTRANCE = "/enter"
RECORDER_CALLS = (("POST", "/api/trails"),)
"""All that the recorder's key opens: it lies in a browser that visits foreign sites."""
_SAFE = ("GET", "HEAD", "OPTIONS")
_CLOSED = (
    "Open the app with the link that `trailmark serve` printed; it works once. "
    "`trailmark serve --link` on the same workspace prints another one."
)
_WRONG = "That key is wrong, too old, or was taken back; the page Keys of the app makes another one."
_ELSEWHERE = "That key does not open this: a program's opens the JSON API, the recorder's teaches trails, a browser's is a cookie."
_USED = "That link is wrong, too old, or was used already: `trailmark serve --link` on the same workspace prints another one."

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


class ProjectChoice(Protocol):
    """Which of several workspaces is meant."""

    def choose(self, *wishes: str) -> str:
        """The first of the names that is one of ours, or else the first project; empty where there is one workspace only."""
        ...

    def knows(self, name: str) -> bool:
        """Whether a name can be that of a project here."""
        ...


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who asks."""

    session: str
    """What forms of theirs are signed for: the id of a browser's key."""
    known: bool = False
    program: bool = False
    """By a key in a header, which no other site can make a browser send."""
    wrong: bool = False
    """A key was shown, and is none."""
    elsewhere: bool = False
    """A key was shown, and does not open what was asked for."""


class Guard:
    """ASGI middleware; it streams, so that server-sent events pass."""

    def __init__(
        self, app: ASGIApp, options: Options, keys: Keys, ring: KeyRing, projects: ProjectChoice | None = None
    ) -> None:
        self.app, self.options, self.keys, self.ring, self.projects = app, options, keys, ring, projects
        self.brake = Brake()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, _with_headers(send))

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self.options.knows(host):
            await _refuse(scope, 421, "This app is not called by that name.")(scope, receive, send)
            return
        if self.options.is_public(host):
            # Asked through the server in front: addresses that pages are given begin as people see them.
            scope["scheme"] = self.options.public_origin.partition(":")[0]
        visitor = self._visitor(scope, headers)
        scope.setdefault("state", {})["session"] = visitor.session
        wish = self._wish(scope)
        scope["state"]["project"] = project = self._project(wish, headers)
        answer = await self._turned_away(scope, headers, visitor)
        if answer is None and wish and self.projects is not None and not self.projects.knows(wish):
            # Never another one in its place: what is sent would be kept there.
            answer = _refuse(scope, 404, f"There is no project '{wish[:60]}' here.")
        if answer is None and scope["method"] not in _SAFE:
            receive, answer = await self._checked_body(scope, headers, receive, visitor, project)
        await (answer or self.app)(scope, receive, send)

    # --- who asks ------------------------------------------------------------------------------------------------

    def _visitor(self, scope: Scope, headers: Headers) -> Visitor:
        kind, _, shown = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer":
            kind = self._kind(shown.strip())
            opened = _opens(kind, scope)
            return Visitor(secrets.token_urlsafe(18), opened, program=opened, wrong=not kind, elsewhere=not opened)
        cookie = _cookie_of(headers, self.options.cookie)
        key = self.ring.find(cookie) if cookie else None
        if key is None or key.kind != "browser":
            return Visitor(secrets.token_urlsafe(18))
        return Visitor(key.id, known=True)

    def _wish(self, scope: Scope) -> str:
        """The workspace that an address names, where it names one."""
        if b"p=" not in scope["query_string"]:
            return ""
        query: str = scope["query_string"].decode("latin-1")
        try:
            return dict(parse_qsl(query, max_num_fields=100, separator="&")).get("p", "")
        except ValueError:  # too many fields: no address of ours
            return query

    def _project(self, wish: str, headers: Headers) -> str:
        """The workspace that a request is about, where there are several: as its address says, or as the browser remembers."""
        if self.projects is None:
            return ""
        return self.projects.choose(wish, _cookie_of(headers, self.options.project_cookie))

    def _kind(self, shown: str) -> str:
        """What a key in a header is for; empty where it is none. The token is good for all that a program does."""
        if self.options.token and same(shown, self.options.token):
            return "program"
        key = self.ring.find(shown)
        return key.kind if key is not None else ""

    async def _turned_away(self, scope: Scope, headers: Headers, visitor: Visitor) -> Response | None:
        if _is_signed(scope) or visitor.program:
            return None
        if visitor.wrong:
            return await self._slowly(scope, _WRONG)
        if visitor.elsewhere:
            return _refuse(scope, 403, _ELSEWHERE)
        if _foreign(headers):
            return _refuse(scope, 403, "Another site asked for this; only a link may lead here.")
        if scope["path"] == ENTRANCE:
            return await self._enter(scope, headers, visitor)
        return None if visitor.known else _refuse(scope, 401, _CLOSED)

    async def _enter(self, scope: Scope, headers: Headers, visitor: Visitor) -> Response:
        """A browser's key for a link or the token, and on to the first page: neither should stay in the history."""
        answer = RedirectResponse("/", status_code=303)
        if visitor.known:
            return answer
        if scope["method"] != "GET" or "sec-purpose" in headers or "purpose" in headers:
            # A browser that looks ahead would use the link up.
            return _refuse(scope, 401, _CLOSED)
        query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        days = self.options.key_days
        if self.options.token and same(query.get("token", ""), self.options.token):
            entered = self.ring.make("browser", "a browser, by the token", days)
        elif (linked := self.ring.enter(self.keys, query.get("link", ""), days)) is not None:
            entered = linked
        else:
            return await self._slowly(scope, _USED)
        answer.headers.append("set-cookie", self._cookie(entered[1]))
        return answer

    def _cookie(self, text: str) -> str:
        lasts = int(self.options.key_days * DAY)
        secure = "; Secure" if self.options.secure else ""
        return f"{self.options.cookie}={text}; Path=/; Max-Age={lasts}; HttpOnly; SameSite=Lax{secure}"

    async def _slowly(self, scope: Scope, sentence: str) -> Response:
        if await self.brake.wrong_key():
            return _refuse(scope, 401, sentence)
        answer = _refuse(scope, 429, "Too many wrong keys at once: wait a minute.")
        answer.headers["connection"] = "close"
        return answer

    # --- what is asked -------------------------------------------------------------------------------------------

    async def _checked_body(
        self, scope: Scope, headers: Headers, receive: Receive, visitor: Visitor, project: str
    ) -> tuple[Receive, Response | None]:
        """The body read whole and handed on, where a program sent it, or the form's token is in it or in a header."""
        if not visitor.program and not self._own_origin(headers):
            return receive, _refuse(scope, 403, "Another site sent this form; nothing was changed.")
        body = await whole_body(headers, receive)
        if isinstance(body, BodyRefusal):
            answer = _refuse(scope, body.status, body.sentence)
            answer.headers["connection"] = "close"
            return receive, answer
        if not visitor.program and not self._own_form(headers, body, visitor.session, project):
            of = "is of another project than the one that is open now, " if project else ""
            return receive, _refuse(
                scope, 403, f"This form is too old, {of}or is not one of ours: go back, load the page again and repeat."
            )
        return given_again(body, receive), None

    def _own_form(self, headers: Headers, body: bytes, session: str, project: str) -> bool:
        token = headers.get(CSRF_HEADER, "")
        if not token and is_form(headers):
            token = parse_qs(body.decode("utf-8", "replace")).get(CSRF_FIELD, [""])[0]
        return self.keys.holds(token, "csrf", *csrf_words(session, project))

    def _own_origin(self, headers: Headers) -> bool:
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        origin = headers.get("origin")
        return origin is None or self.options.is_own_origin(origin, headers.get("host", ""))


def csrf_words(session: str, project: str) -> tuple[str, ...]:
    """What a form's token is signed for: a visitor and, where there are several, the project whose page the form stood on."""
    return (session, project) if project else (session,)


def _cookie_of(headers: Headers, name: str) -> str:
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return cookie.value if cookie else ""


def _opens(kind: str, scope: Scope) -> bool:
    """Whether a key of this kind, sent in a header, opens what is asked for."""
    if kind == "recorder":
        return (scope["method"], scope["path"]) in RECORDER_CALLS
    return kind == "program" and scope["path"].startswith("/api/")


def _is_signed(scope: Scope) -> bool:
    return scope["method"] in _SAFE and scope["path"] in SIGNED_PATHS


def _foreign(headers: Headers) -> bool:
    """Whether another site's page asks for more than a link would (the browser tells in Sec-Fetch-*)."""
    if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return False
    return headers.get("sec-fetch-mode") != "navigate" or headers.get("sec-fetch-dest") != "document"


def wants_json(path: str, headers: Headers) -> bool:
    """Whether who asks is a program that speaks JSON: it calls the API, sends JSON, or asks for it and not for a page."""
    wished = headers.get("accept", "")
    sends = headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"
    return path.startswith("/api/") or sends or ("application/json" in wished and "text/html" not in wished)


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending


def _refuse(scope: Scope, status: int, sentence: str) -> Response:
    """A sentence; for a program, and for scripts of ours, as the API says its errors."""
    if wants_json(scope["path"], Headers(scope=scope)):
        return JSONResponse({"error": sentence}, status_code=status)
    return PlainTextResponse(sentence + "\n", status_code=status)
