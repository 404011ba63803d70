"""The network log of a browser (HAR 1.2) -> the pages that were visited, with their bodies where the log holds them.

Only what was loaded as a page of its own counts: not styles, images, scripts' requests or frames. Browsers tell it in
different words: Chrome notes the type of each request, all modern ones send `Sec-Fetch-Dest`, and every one names for each
request the page it was made for, of which the first HTML answer is the page itself.
"""

from __future__ import annotations

import base64
import binascii
from typing import Any

from trailmark.datatypes import Response
from trailmark.read import normalise_url
from trailmark.teach.recorded_page import RecordedPage

HTML = ("text/html", "application/xhtml+xml")
REDIRECTS = (301, 302, 303, 307, 308)
MOST_BODY = 20_000_000


def har_pages(log: dict[str, Any]) -> tuple[list[RecordedPage], tuple[Response, ...]]:
    """The pages in order, and the answers that the log holds whole."""
    entries = sorted(filter(_is_entry, log["entries"]), key=lambda entry: str(entry.get("startedDateTime", "")))
    pages: list[RecordedPage] = []
    responses: list[Response] = []
    seen_pages: set[str] = set()
    waiting: RecordedPage | None = None
    for entry in entries:
        if not _is_page(entry, seen_pages):
            continue
        page = waiting or _asked_page(entry)
        if entry["response"].get("status") in REDIRECTS:
            # The click led here; where it ended is the next page request.
            waiting = page
            continue
        seen_pages.add(_page_of(entry))
        waiting = None
        url = entry["request"]["url"]
        pages.append(RecordedPage(url, page.anchor, page.came_from, typed=page.typed))
        if (response := _response(entry)) is not None:
            responses.append(response)
    return pages, tuple(responses)


def _is_entry(entry: Any) -> bool:
    if not isinstance(entry, dict):
        return False
    request, response = entry.get("request"), entry.get("response")
    return (
        isinstance(request, dict)
        and isinstance(response, dict)
        and isinstance(request.get("url"), str)
        and request.get("method", "GET") == "GET"
    )


def _is_page(entry: dict[str, Any], seen_pages: set[str]) -> bool:
    wanted = _header(entry["request"], "sec-fetch-dest")
    if wanted is not None:
        return wanted == "document"
    kind = entry.get("_resourceType")
    if isinstance(kind, str) and kind != "document":
        return False
    page = _page_of(entry)
    if page and page in seen_pages:
        return False
    return entry["response"].get("status") in REDIRECTS or _mime(entry).startswith(HTML)


def _page_of(entry: dict[str, Any]) -> str:
    page = entry.get("pageref")
    return page if isinstance(page, str) else ""


def _asked_page(entry: dict[str, Any]) -> RecordedPage:
    """Same-site referrers name the page; those across sites name only the host, and say nothing of use."""
    url = entry["request"]["url"]
    referrer = _header(entry["request"], "referer")
    same_host = referrer is not None and _host(referrer) == _host(url)
    how = _header(entry["request"], "sec-fetch-site")
    return RecordedPage(url, came_from=referrer if same_host else None, typed=how == "none")


def _host(url: str) -> str:
    return (normalise_url(url) or "").partition("://")[2].partition("/")[0]


def _header(message: dict[str, Any], name: str) -> str | None:
    headers = message.get("headers")
    for header in headers if isinstance(headers, list) else []:
        if isinstance(header, dict) and str(header.get("name", "")).lower() == name:
            value = header.get("value")
            return value if isinstance(value, str) else None
    return None


def _mime(entry: dict[str, Any]) -> str:
    content = entry["response"].get("content")
    mime = content.get("mimeType") if isinstance(content, dict) else None
    return mime.lower() if isinstance(mime, str) else ""


def _response(entry: dict[str, Any]) -> Response | None:
    """The answer, if the log holds its body; browsers write text decoded, so it is UTF-8 whatever the page was."""
    url, content = normalise_url(entry["request"]["url"]), entry["response"].get("content")
    text = content.get("text") if isinstance(content, dict) else None
    if url is None or not isinstance(text, str) or not text or len(text) > MOST_BODY:
        return None
    if entry["response"].get("status") != 200 or not _mime(entry).startswith(HTML):
        return None
    mime = _mime(entry).partition(";")[0].strip()
    if content.get("encoding") == "base64":
        body = _decoded(text)
        return (
            None
            if body is None
            else Response(url, 200, _content_type(_header(entry["response"], "content-type") or mime), body)
        )
    return Response(url, 200, _content_type(f"{mime}; charset=utf-8"), text.encode("utf-8", "replace"))


def _content_type(value: str) -> tuple[tuple[str, str], ...]:
    return (("Content-Type", value.replace("\r", " ").replace("\n", " ")),)


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
