"""The network log of a browser (HAR 1.2) -> the pages that were visited, with their bodies where the log holds them.

Only what was loaded as a page of its own counts: not styles, images, scripts' requests or frames. Browsers tell it in
different words: Chrome notes the type of each request, all modern ones send `Sec-Fetch-Dest`, and every one names for each
request the page it was made for, of which the first HTML answer is the page itself.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trailmark.datatypes import Response
from trailmark.read import normalise_url
from trailmark.teach.recorded_page import RecordedPage

HTML = ("text/html", "application/xhtml+xml")
REDIRECTS = (301, 302, 303, 307, 308)
MOST_BODY = 20_000_000


@dataclass(frozen=True, slots=True)
class HarEntry:
    """A request of the log and its answer; words that the log lacks are empty."""

    url: str
    started: str
    page: str
    """The page that the request was made for, by the log's name for it."""
    kind: str
    """What Chrome says was asked for: document, image, ..."""
    status: object
    media_type: str
    text: str
    """The body, as text or in base64."""
    in_base64: bool
    asked: Mapping[str, str]
    """Headers of the request, by their names in small letters."""
    answered: Mapping[str, str]
    """Headers of the answer."""


def har_pages(entries: Sequence[object]) -> tuple[list[RecordedPage], tuple[Response, ...]]:
    """The entries of a log -> the pages in order, and the answers that the log holds whole."""
    pages: list[RecordedPage] = []
    responses: list[Response] = []
    seen_pages: set[str] = set()
    waiting: RecordedPage | None = None
    known = [entry for value in entries if (entry := har_entry(value)) is not None]
    for entry in sorted(known, key=lambda entry: entry.started):
        if not _is_page(entry, seen_pages):
            continue
        page = waiting or _asked_page(entry)
        if entry.status in REDIRECTS:
            # The click led here; where it ended is the next page request.
            waiting = page
            continue
        seen_pages.add(entry.page)
        waiting = None
        pages.append(RecordedPage(entry.url, page.anchor, page.came_from, typed=page.typed))
        if (response := _response(entry)) is not None:
            responses.append(response)
    return pages, tuple(responses)


def har_entry(value: object) -> HarEntry | None:
    """An entry as the log has it -> what is of use in it; None where it is no request for a page that was answered."""
    entry = _object(value)
    request, response = entry.get("request"), entry.get("response")
    if not isinstance(request, dict) or not isinstance(response, dict) or request.get("method", "GET") != "GET":
        return None
    url, content = request.get("url"), _object(response.get("content"))
    if not isinstance(url, str):
        return None
    return HarEntry(
        url=url,
        started=str(entry.get("startedDateTime", "")),
        page=_text(entry.get("pageref")),
        kind=_text(entry.get("_resourceType")),
        status=response.get("status"),
        media_type=_text(content.get("mimeType")).lower(),
        text=_text(content.get("text")),
        in_base64=content.get("encoding") == "base64",
        asked=_headers(request.get("headers")),
        answered=_headers(response.get("headers")),
    )


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _headers(value: object) -> dict[str, str]:
    """The list of names and values -> values by name; the first of a name counts."""
    headers: dict[str, str] = {}
    for header in map(_object, value if isinstance(value, list) else []):
        if isinstance(text := header.get("value"), str):
            headers.setdefault(str(header.get("name", "")).lower(), text)
    return headers


def _is_page(entry: HarEntry, seen_pages: set[str]) -> bool:
    wanted = entry.asked.get("sec-fetch-dest")
    if wanted is not None:
        return wanted == "document"
    if entry.kind not in ("", "document") or (entry.page and entry.page in seen_pages):
        return False
    return entry.status in REDIRECTS or entry.media_type.startswith(HTML)


def _asked_page(entry: HarEntry) -> RecordedPage:
    """Same-site referrers name the page; those across sites name only the host, and say nothing of use."""
    referrer = entry.asked.get("referer")
    same_host = referrer is not None and _host(referrer) == _host(entry.url)
    typed = entry.asked.get("sec-fetch-site") == "none"
    return RecordedPage(entry.url, came_from=referrer if same_host else None, typed=typed)


def _host(url: str) -> str:
    return (normalise_url(url) or "").partition("://")[2].partition("/")[0]


def _response(entry: HarEntry) -> Response | None:
    """The answer, if the log holds its body; browsers write text decoded, so it is UTF-8 whatever the page was."""
    url = normalise_url(entry.url)
    if url is None or not entry.text or len(entry.text) > MOST_BODY:
        return None
    if entry.status != 200 or not entry.media_type.startswith(HTML):
        return None
    media_type = entry.media_type.partition(";")[0].strip()
    if not entry.in_base64:
        body = entry.text.encode("utf-8", "replace")
        return Response(url, 200, _content_type(f"{media_type}; charset=utf-8"), body)
    decoded = _decoded(entry.text)
    named = entry.answered.get("content-type") or media_type
    return None if decoded is None else Response(url, 200, _content_type(named), decoded)


def _content_type(value: str) -> tuple[tuple[str, str], ...]:
    return (("Content-Type", value.replace("\r", " ").replace("\n", " ")),)


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
