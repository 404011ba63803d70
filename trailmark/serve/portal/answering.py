"""From a request to an answer: what was asked in words, the page from the desk, and whether the reader has it already."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from fastapi import Request
from starlette.responses import Response

from trailmark.serve.portal.desk import Desk, Reading
from trailmark.serve.portal.kept_pages import Made
from trailmark.serve.portal.page_html import Frame, error_page
from trailmark.serve.portal.porch import Caller
from trailmark.store.search_results import FACETS
from trailmark.verbs.portal_facets import OWN

LONGEST_WORD = 400
"""Characters of a chosen value; a query may have more, and says itself how much of it was read."""
LONGEST_QUERY = 1000
FRESH = "public, max-age=60"


class Missing(Exception):
    """There is no such page; the sentence says so."""


@dataclass(frozen=True, slots=True)
class PortalState:
    """What every route has at hand."""

    desk: Desk
    frame: Frame
    """Without ways: those are of the caller."""
    theme: str
    logo: tuple[bytes, str] | None
    contact: str
    secret: bytes
    """By which senders are told apart, and not remembered."""
    documents: set[str] = field(default_factory=set)
    """Neighbourhoods of addresses to which an archived document is on its way."""


Builder = Callable[[Reading, Frame], Made]


def state_of(request: Request) -> PortalState:
    """The portal's state."""
    state: PortalState = request.app.state.portal
    return state


def frame_of(request: Request) -> Frame:
    """What stands around pages, for who asks."""
    caller: Caller = request.state.caller
    return replace(state_of(request).frame, ways=caller.ways)


async def answer(request: Request, name: tuple[object, ...], build: Builder) -> Response:
    """A page's name, which tells it from all others, and how it is built -> the answer."""
    state, frame = state_of(request), frame_of(request)
    made = await state.desk.page((frame.ways, *name), lambda reading: build(reading, frame))
    return response(request, made, state.desk.changed)


def response(request: Request, made: Made, changed: str = "") -> Response:
    """A page that was made -> the answer, or that the reader has it already."""
    headers = {"cache-control": FRESH, **dict(made.headers)}
    if made.status == 200 and made.etag:
        headers["etag"] = made.etag
        headers["vary"] = "host, x-forwarded-host"
        if changed:
            headers["last-modified"] = changed
        if has_it(request, made.etag, changed):
            return Response(status_code=304, headers=headers)
    return Response(made.body, made.status, headers={**headers, "content-type": made.kind})


def has_it(request: Request, etag: str, changed: str) -> bool:
    """Whether the reader's copy is this very one."""
    tags = request.headers.get("if-none-match")
    if tags is not None:
        known = {tag.strip().removeprefix("W/") for tag in tags[:2000].split(",")}
        return etag in known or "*" in known
    return bool(changed) and request.headers.get("if-modified-since") == changed


def html(text: str, status: int = 200) -> Made:
    """A page in HTML."""
    return Made(text.encode(), status=status)


def missing(frame: Frame, sentence: str = "There is no such page.") -> Made:
    """A page that says that there is none."""
    return html(error_page(frame, 404, sentence), 404)


def word(request: Request, name: str, longest: int = LONGEST_WORD) -> str:
    """A word of the address; empty where it was not said."""
    return request.query_params.get(name, "")[:longest].strip()


def query(request: Request) -> str:
    """What is looked for."""
    return word(request, "q", LONGEST_QUERY + 1)


def number(request: Request, name: str = "page") -> int:
    """A number of the address; 1 where it is none."""
    text = word(request, name, 6)
    return max(1, int(text)) if text.isascii() and text.isdigit() else 1


def chosen(request: Request) -> dict[str, str]:
    """The values by which results are narrowed."""
    own = [OWN + field for field in state_of(request).desk.catalogue.facet_values]
    return {name: value for name in (*FACETS, *own) if (value := word(request, name))}
