"""Routes for programs that read what libraries and sites offer: feeds, OAI-PMH, sitemaps, robots.txt, OpenSearch, tables."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.serve.portal import atom_feed, oai_answers, sitemap
from trailmark.serve.portal.answering import answer, chosen, frame_of, missing, query, state_of
from trailmark.serve.portal.desk import Reading
from trailmark.serve.portal.item_files import results_file
from trailmark.serve.portal.kept_pages import Made
from trailmark.serve.portal.page_html import Frame
from trailmark.verbs.portal_lists import results_view

router = APIRouter(include_in_schema=False)
LONGEST_BODY = 8_192
MOST_ARGUMENTS = 20


@router.get("/feed/newest")
async def newest_feed(request: Request) -> Response:
    def build(reading: Reading, frame: Frame) -> Made:
        return Made(atom_feed.newest_feed(frame, reading.catalogue, reading.library), atom_feed.KIND)

    return await answer(request, ("newest feed",), build)


@router.get("/feed/topic/{topic:path}")
async def topic_feed(request: Request, topic: str) -> Response:
    def build(reading: Reading, frame: Frame) -> Made:
        node = reading.catalogue.topics.by_id.get(topic)
        if node is None:
            return missing(frame, "There is no such topic.")
        return Made(atom_feed.topic_feed(frame, reading.catalogue, reading.library, node), atom_feed.KIND)

    return await answer(request, ("topic feed", topic), build)


@router.get("/feed/search")
async def search_feed(request: Request) -> Response:
    text, picked = query(request), chosen(request)

    def build(reading: Reading, frame: Frame) -> Made:
        view = results_view(reading.catalogue, reading.library, text, chosen=picked, size=2 * atom_feed.IN_FEED)
        entries = sorted((result.entry for result in view.results), key=lambda entry: entry.date, reverse=True)
        ways = frame.ways
        said = {str(name): value for name, value in picked.items()}
        own, page = ways.search_feed(text, said), ways.search(text, said)
        return Made(
            atom_feed.atom_feed(frame, f"{frame.name}: {text or 'search'}", own, page, entries[: atom_feed.IN_FEED]),
            atom_feed.KIND,
        )

    return await answer(request, ("search feed", text, tuple(picked.items())), build)


@router.get("/search.csv")
async def results_table(request: Request) -> Response:
    text, picked = query(request), chosen(request)

    def build(reading: Reading, frame: Frame) -> Made:
        view = results_view(reading.catalogue, reading.library, text, chosen=picked, size=200)
        return results_file(view, frame.ways)

    return await answer(request, ("results table", text, tuple(picked.items())), build)


@router.get("/oai")
async def oai(request: Request) -> Response:
    return await _oai(request, request.query_params.multi_items())


@router.post("/oai")
async def posted_oai(request: Request) -> Response:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_BODY:
            return Response("That is too much.\n", 413, media_type="text/plain")
    try:
        pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=MOST_ARGUMENTS)
    except ValueError:
        pairs = []
    return await _oai(request, pairs)


async def _oai(request: Request, pairs: Sequence[tuple[str, str]]) -> Response:
    """The moment of the answer is filled in when it leaves: all else may be kept."""
    state, frame = state_of(request), frame_of(request)
    asked = tuple((name[:100], value[:2000]) for name, value in pairs[:MOST_ARGUMENTS])

    def build(reading: Reading) -> Made:
        return Made(oai_answers.oai_answer(reading, frame, state.contact, asked).encode(), oai_answers.KIND)

    made = await state.desk.page((frame.ways, "oai", asked), build)
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    body = made.body.replace(oai_answers.NOW.encode(), now, 1)
    return Response(body, headers={"content-type": made.kind, "cache-control": "no-cache"})


@router.get("/sitemap.xml")
async def whole_sitemap(request: Request) -> Response:
    return await _sitemap(request, None)


@router.get("/sitemap-{part}.xml")
async def part_of_sitemap(request: Request, part: str) -> Response:
    return await _sitemap(request, int(part) if part.isascii() and part.isdigit() and len(part) < 5 else 0)


async def _sitemap(request: Request, part: int | None) -> Response:
    def build(reading: Reading, frame: Frame) -> Made:
        text = sitemap.sitemap(reading.catalogue, frame.ways, part)
        return missing(frame) if text is None else Made(text.encode(), sitemap.KIND)

    return await answer(request, ("sitemap", part), build)


@router.get("/robots.txt")
async def robots(request: Request) -> Response:
    return await answer(
        request, ("robots",), lambda _, frame: Made(sitemap.robots(frame.ways).encode(), "text/plain; charset=utf-8")
    )


@router.get("/opensearch.xml")
async def open_search(request: Request) -> Response:
    kind = "application/opensearchdescription+xml; charset=utf-8"
    return await answer(request, ("open search",), lambda _, frame: Made(sitemap.open_search(frame).encode(), kind))
