"""The JSON API of the portal, version 1: the same search, items, topics and citations as its pages. /api/v1/openapi.json documents it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel
from starlette.responses import Response

from trailmark.serve.portal import page_html
from trailmark.serve.portal.answering import answer, chosen, html
from trailmark.serve.portal.desk import Reading
from trailmark.serve.portal.kept_pages import Made
from trailmark.serve.portal.page_html import Frame
from trailmark.serve.portal.shown_text import clean
from trailmark.serve.portal.ways import Ways
from trailmark.verbs.portal_catalogue import Entry, Mention
from trailmark.verbs.portal_item import CitationView, ItemView, item_view
from trailmark.verbs.portal_lists import DEEPEST, results_view
from trailmark.verbs.portal_topics import TopicNode

router = APIRouter(prefix="/api/v1", tags=["portal"])
pages = APIRouter(include_in_schema=False)
KIND = "application/json; charset=utf-8"
Word = Annotated[str, Query(max_length=400)]


class ItemBrief(BaseModel):
    """An item as lists have it."""

    address: str
    """The permanent one, of this site."""
    link: str
    title: str
    subtitle: str
    year: int | None
    kind: str
    site: str
    url: str
    topic: str | None
    cited: int
    summary: str
    found: str


class MentionedItem(BaseModel):
    """An item as others mention it."""

    address: str
    link: str
    title: str
    year: int | None
    cited: int


class FacetValue(BaseModel):
    """A value by which results can be narrowed."""

    value: str
    items: int


class SearchAnswer(BaseModel):
    """A page of what was found."""

    query: str
    understood: str
    remarks: list[str]
    did_you_mean: str | None
    some_words: bool
    total: int
    page: int
    pages: int
    items: list[ItemBrief]
    facets: dict[str, list[FacetValue]]


class Value(BaseModel):
    """A value, and where it was found."""

    value: str
    place: str
    source: int


class Source(BaseModel):
    """A page or document in which an item was found."""

    url: str
    found: str
    copied: str


class Related(BaseModel):
    """A related item, and why it is."""

    item: MentionedItem
    reason: str


class ItemAnswer(ItemBrief):
    """All that is known of an item."""

    authors: list[str]
    fields: dict[str, list[Value]]
    sources: list[Source]
    related: list[Related]


class Citation(BaseModel):
    """A citation, seen from one side."""

    item: MentionedItem | None
    reference: str
    sentences: list[str]


class CitationsAnswer(BaseModel):
    """What an item cites, and who cites it."""

    cites: list[Citation]
    cited_by: list[Citation]


class Topic(BaseModel):
    """A topic with those below it."""

    id: str
    name: str
    items: int
    link: str
    children: list[Topic]


class Trouble(BaseModel):
    """Why something could not be done."""

    error: str


_NONE: dict[int | str, dict[str, Any]] = {404: {"model": Trouble}}


@router.get("/search", response_model=SearchAnswer)
async def search(
    request: Request,
    q: Annotated[str, Query(max_length=1000, description="What is looked for, in the language of the search box")] = "",
    topic: Word = "",
    year: Word = "",
    site: Word = "",
    kind: Word = "",
    sort: Literal["rank", "cited", "year"] = "rank",
    page: Annotated[int, Query(ge=1, le=DEEPEST)] = 1,
    size: Annotated[int, Query(ge=1, le=100)] = 20,
) -> Response:
    """A page of what a query finds, with how the results fall by topic, year, site, kind, and the fields of this collection's own: those are named `f.FIELD` among the facets, and narrow by `f.FIELD=VALUE`."""
    picked = {"topic": topic, "year": year, "site": site, "kind": kind, **chosen(request)}

    def build(reading: Reading, frame: Frame) -> Made:
        view = results_view(
            reading.catalogue, reading.library, q, chosen=picked, sort=sort, page=page, size=size
        )  # fmt: skip
        return _json(
            SearchAnswer(
                query=clean(view.query),
                understood=clean(view.understood),
                remarks=[clean(remark) for remark in view.remarks],
                did_you_mean=view.did_you_mean,
                some_words=view.some_words,
                total=view.total,
                page=view.page,
                pages=view.pages,
                items=[_brief(result.entry, frame.ways) for result in view.results],
                facets={
                    clean(name): [FacetValue(value=clean(each.value), items=each.items) for each in values]
                    for name, values in view.facets.items()
                },
            )
        )

    return await answer(request, ("api search", q, tuple(picked.items()), sort, page, size), build)


@router.get("/items/{address}", response_model=ItemAnswer, responses=_NONE)
async def item(request: Request, address: str) -> Response:
    """An item with all its values, where each was found, its sources, and what is related."""

    def build(reading: Reading, frame: Frame) -> Made:
        view = _view(reading, address)
        if view is None:
            return _none()
        return _json(
            ItemAnswer(
                **_brief(view.entry, frame.ways).model_dump(),
                authors=[clean(name) for name in view.authors],
                fields={
                    clean(field.name): [
                        Value(value=clean(v.text), place=clean(v.place), source=v.source) for v in field.values
                    ]
                    for field in view.fields
                },
                sources=[Source(url=clean(s.url), found=s.found, copied=s.fetched) for s in view.sources],
                related=[Related(item=_mentioned(r.entry, frame.ways), reason=clean(r.reason)) for r in view.related],
            )
        )

    return await answer(request, ("api item", address), build)


@router.get("/items/{address}/citations", response_model=CitationsAnswer, responses=_NONE)
async def citations(request: Request, address: str) -> Response:
    """What an item cites and who cites it, each with the sentences in which it is cited."""

    def build(reading: Reading, frame: Frame) -> Made:
        view = _view(reading, address)
        if view is None:
            return _none()
        return _json(
            CitationsAnswer(
                cites=[_citation(each, frame.ways) for each in view.cites],
                cited_by=[_citation(each, frame.ways) for each in view.cited_by],
            )
        )

    return await answer(request, ("api citations", address), build)


@router.get("/topics", response_model=list[Topic])
async def topics(request: Request) -> Response:
    """The tree of topics with how many items are in each and below."""

    def build(reading: Reading, frame: Frame) -> Made:
        listed = [_topic(node, frame.ways).model_dump_json() for node in reading.catalogue.topics.top]
        return Made(f"[{','.join(listed)}]".encode(), KIND)

    return await answer(request, ("api topics",), build)


@pages.get("/api")
async def api_page(request: Request) -> Response:
    paths = request.app.openapi()["paths"]
    calls = [(path, call["get"].get("summary", ""), call["get"].get("description", "")) for path, call in paths.items()]
    return await answer(request, ("api",), lambda _, frame: html(page_html.api_page(frame, calls)))


def _view(reading: Reading, address: str) -> ItemView | None:
    places = reading.catalogue.shelf.find(address)
    return item_view(reading.catalogue, reading.library, reading.folder, places[0]) if len(places) == 1 else None


def _brief(entry: Entry, ways: Ways) -> ItemBrief:
    return ItemBrief(
        address=entry.address,
        link=ways.whole(ways.item(entry.address)),
        title=clean(entry.title),
        subtitle=clean(entry.subtitle),
        year=entry.year,
        kind=clean(entry.kind),
        site=clean(entry.site),
        url=clean(entry.url),
        topic=clean(entry.topic) if entry.topic else None,
        cited=entry.cited,
        summary=clean(entry.summary),
        found=entry.date,
    )


def _mentioned(entry: Mention, ways: Ways) -> MentionedItem:
    link = ways.whole(ways.item(entry.address))
    return MentionedItem(address=entry.address, link=link, title=clean(entry.title), year=entry.year, cited=entry.cited)


def _citation(view: CitationView, ways: Ways) -> Citation:
    item = _mentioned(view.entry, ways) if view.entry is not None else None
    return Citation(item=item, reference=clean(view.reference), sentences=[clean(each) for each in view.sentences])


def _topic(node: TopicNode, ways: Ways) -> Topic:
    return Topic(
        id=clean(node.id),
        name=clean(node.name),
        items=node.items,
        link=ways.whole(ways.topic(node.id)),
        children=[_topic(child, ways) for child in node.children],
    )


def _json(model: BaseModel) -> Made:
    return Made(model.model_dump_json().encode(), KIND, headers=(("access-control-allow-origin", "*"), ("cross-origin-resource-policy", "cross-origin")))  # fmt: skip


def _none() -> Made:
    return Made(Trouble(error="There is no such item.").model_dump_json().encode(), KIND, 404)
