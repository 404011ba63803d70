"""Routes of the portal's pages: each says what its page is called, which view it shows and which builder makes it."""

from __future__ import annotations

import re

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from trailmark.serve.portal import page_html
from trailmark.serve.portal.answering import (  # fmt: skip
    answer,
    chosen,
    frame_of,
    html,
    missing,
    number,
    query,
    response,
    state_of,
    word,
)
from trailmark.serve.portal.desk import Reading
from trailmark.serve.portal.item_files import item_file
from trailmark.serve.portal.kept_pages import Made
from trailmark.serve.portal.page_html import Frame
from trailmark.serve.portal.ways import FORMS
from trailmark.store.search_results import Sort
from trailmark.verbs.portal_catalogue import SORTS, TopicSort
from trailmark.verbs.portal_item import item_view
from trailmark.verbs.portal_lists import SEARCH_SORTS, home_view, results_view, topic_page_view

router = APIRouter(include_in_schema=False)
_ADDRESS = re.compile(r"([0-9a-f]{12}(?:-[0-9a-f]{6})?)(?:\.([a-z.]{2,8}))?")
_HIDDEN = "This item was taken away by those who keep this site."
_NO_ITEM = "There is no such item here: it may have been taken away, or its address mistyped."


@router.get("/")
async def home(request: Request) -> Response:
    def build(reading: Reading, frame: Frame) -> Made:
        return html(page_html.home_page(frame, home_view(reading.catalogue, reading.library)))

    return await answer(request, ("home",), build)


@router.get("/topic/{topic:path}")
async def topic(request: Request, topic: str) -> Response:
    asked = word(request, "sort")
    sort: TopicSort = next((each for each in SORTS if each == asked), "rank")
    page = number(request)

    def build(reading: Reading, frame: Frame) -> Made:
        size = reading.settings.portal.page_size
        view = topic_page_view(reading.catalogue, reading.library, topic, sort=sort, page=page, size=size)
        return html(page_html.topic_page(frame, view)) if view else missing(frame, "There is no such topic.")

    return await answer(request, ("topic", topic, sort, page), build)


@router.get("/search")
async def search(request: Request) -> Response:
    text, picked, page, asked = query(request), chosen(request), number(request), word(request, "sort")
    sort: Sort = next((each for each in SEARCH_SORTS if each == asked), "rank")

    def build(reading: Reading, frame: Frame) -> Made:
        size = reading.settings.portal.page_size
        view = results_view(reading.catalogue, reading.library, text, chosen=picked, sort=sort, page=page, size=size)
        return html(page_html.results_page(frame, view))

    return await answer(request, ("search", text, tuple(picked.items()), sort, page), build)


@router.get("/item/{name}")
async def item(request: Request, name: str) -> Response:
    """An item, or one of its files; an address that it had before leads on to the one that it has."""
    found = _ADDRESS.fullmatch(name)
    if found is None or (found[2] and found[2] not in FORMS):
        return response(request, missing(frame_of(request), _NO_ITEM))
    address, form = found[1], found[2] or ""
    places = state_of(request).desk.catalogue.shelf.find(address)
    if len(places) == 1 and (now := state_of(request).desk.catalogue.shelf.addresses[places[0]]) != address:
        ways = frame_of(request).ways
        return RedirectResponse(ways.download(now, form) if form else ways.item(now), status_code=301)

    def build(reading: Reading, frame: Frame) -> Made:
        shelf = reading.catalogue.shelf
        places = shelf.find(address)
        if len(places) > 1:
            return html(page_html.choice_page(frame, reading.catalogue.entries(reading.library, places[:50])), 300)
        if not places and address in shelf.hidden:
            return html(page_html.error_page(frame, 410, _HIDDEN), 410)
        view = item_view(reading.catalogue, reading.library, reading.folder, places[0]) if places else None
        if view is None:
            return missing(frame, _NO_ITEM)
        return item_file(view, form, frame.ways) if form else html(page_html.item_page(frame, view))

    return await answer(request, ("item", address, form), build)


@router.get("/about")
async def about(request: Request) -> Response:
    return await answer(request, ("about",), lambda _, frame: html(page_html.about_page(frame)))


@router.get("/help")
async def tips(request: Request) -> Response:
    return await answer(
        request, ("help",), lambda reading, frame: html(page_html.help_page(frame, reading.catalogue.fields.facets))
    )


@router.get("/theme.css")
async def theme(request: Request) -> Response:
    return response(request, Made(state_of(request).theme.encode(), "text/css; charset=utf-8").tagged())


@router.get("/logo")
async def logo(request: Request) -> Response:
    state = state_of(request)
    if state.logo is None:
        return response(request, missing(frame_of(request)))
    body, kind = state.logo
    return response(request, Made(body, kind, headers=(("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),)).tagged())  # fmt: skip
