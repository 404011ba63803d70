"""The lists of the portal: its first page, a topic, what a search found. Each is a view: all that its page shows, and nothing of how."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from trailmark.datatypes import Query
from trailmark.organise.query import query_text, read_query
from trailmark.store.library import Library
from trailmark.store.search_results import Found, Sort
from trailmark.store.snippets import Snippet
from trailmark.verbs.portal_catalogue import Catalogue, Entry, TopicSort, telling_words
from trailmark.verbs.portal_facets import Chosen, FacetCount, facet_counts, picked, plan_within
from trailmark.verbs.portal_topics import TopicNode

NEWEST = 6
DEEPEST = 200
"""Pages of results that can be leafed through: behind them, a narrower query finds more."""
TELLING = 12
TITLES_READ = 400
"""Titles of a topic by which its words are told."""
SEARCH_SORTS: tuple[Sort, ...] = ("rank", "cited", "year")


@dataclass(frozen=True, slots=True)
class HomeView:
    """The first page."""

    items: int
    sites: int
    topics: tuple[TopicNode, ...]
    newest: tuple[Entry, ...]
    cited: tuple[Entry, ...]
    """The most cited; none where nothing cites anything."""
    nowhere: int
    """Items without a topic."""


@dataclass(frozen=True, slots=True)
class TopicView:
    """One page of a topic."""

    topic: TopicNode
    trail: tuple[TopicNode, ...]
    words: tuple[str, ...]
    """Those that stand in its titles more than elsewhere, keywords aside."""
    sort: TopicSort
    page: int
    pages: int
    entries: tuple[Entry, ...]
    undated: int
    ranked: bool
    """Whether citations tell its items apart."""


@dataclass(frozen=True, slots=True)
class Result:
    """An item that was found."""

    entry: Entry
    title: Snippet
    """With the words marked; empty where a field of the owner's choice is the title."""
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class ResultsView:
    """One page of what a search found."""

    query: str
    understood: str
    remarks: tuple[str, ...]
    total: int
    some_words: bool
    did_you_mean: str | None
    sort: Sort
    page: int
    pages: int
    deeper: bool
    """Whether there are more than can be leafed through."""
    results: tuple[Result, ...]
    facets: Mapping[str, tuple[FacetCount, ...]]
    chosen: Chosen = field(default_factory=dict)


def home_view(catalogue: Catalogue, library: Library) -> HomeView:
    """All items -> the first page."""
    shelf = catalogue.shelf
    cited = [int(place) for place in catalogue.order("", "cited")[:NEWEST] if shelf.cited[place]]
    return HomeView(
        items=len(shelf),
        sites=len({site for site in shelf.sites if site}),
        topics=catalogue.topics.top,
        newest=catalogue.entries(library, catalogue.order("", "newest")[:NEWEST]),
        cited=catalogue.entries(library, cited),
        nowhere=sum(topic is None for topic in shelf.topics),
    )


def topic_page_view(
    catalogue: Catalogue, library: Library, topic: str, *, sort: TopicSort = "rank", page: int = 1, size: int = 20
) -> TopicView | None:
    """A topic -> a page of it; None where no item is in it."""
    node = catalogue.topics.by_id.get(topic)
    if node is None:
        return None
    places = catalogue.order(topic, sort)
    pages = max(1, -(-len(places) // size))
    page = min(max(page, 1), pages)
    return TopicView(
        topic=node,
        trail=catalogue.topics.trail(topic),
        words=topic_words(catalogue, topic),
        sort=sort,
        page=page,
        pages=pages,
        entries=catalogue.entries(library, places[(page - 1) * size : page * size]),
        undated=int((catalogue.shelf.years[places] < 0).sum()),
        ranked=bool(catalogue.shelf.cited[places].any()),
    )


def topic_words(catalogue: Catalogue, topic: str) -> tuple[str, ...]:
    """The words that stand in more of the titles of a topic than of the titles of all items."""
    own, shelf = set(catalogue.topics.by_id[topic].keywords), catalogue.shelf
    places = catalogue.order(topic, "rank")[:TITLES_READ]
    here = Counter(word for place in places for word in telling_words(shelf.titles[place]))
    everywhere = catalogue.title_words()

    def gain(word: str) -> float:
        return here[word] / len(places) - everywhere[word] / len(shelf)

    likely = [word for word, count in here.items() if count > 1 and word not in own and gain(word) > 0]
    return tuple(sorted(likely, key=lambda word: (-gain(word), word))[:TELLING])


def results_view(
    catalogue: Catalogue,
    library: Library,
    query: str,
    *,
    chosen: Chosen | None = None,
    sort: Sort = "rank",
    page: int = 1,
    size: int = 20,
) -> ResultsView:
    """What a reader typed and chose -> a page of what was found. Nothing that can be typed is an error."""
    read = read_query(query)
    wanted = picked(catalogue, chosen)
    plan = plan_within(catalogue, library, read.query, wanted)
    page = min(max(page, 1), DEEPEST)
    found = library.index.find(plan, sort=sort, limit=size, skip=(page - 1) * size, facets=True)
    pages = max(1, -(-found.total // size))
    entries = {hit.key: entry for hit in found.hits if (entry := catalogue.entry_of(hit)) is not None}
    entries |= catalogue.by_key(library, [hit.key for hit in found.hits if hit.key not in entries])
    return ResultsView(
        query=query,
        understood=query_text(read.query),
        remarks=(*read.remarks, *plan.remarks),
        total=found.total,
        some_words=found.some_words,
        did_you_mean=_meant(catalogue, library, read.query, wanted, found),
        sort=sort,
        page=page,
        pages=min(pages, DEEPEST),
        deeper=pages > DEEPEST,
        results=tuple(
            Result(entries[hit.key], () if catalogue.fields.title else hit.title_parts, hit.snippet)
            for hit in found.hits
            if hit.key in entries
        ),
        facets=facet_counts(catalogue, library, plan, found, wanted),
        chosen=wanted,
    )


def _meant(catalogue: Catalogue, library: Library, query: Query, chosen: Chosen, found: Found) -> str | None:
    if found.total and not found.some_words:
        return None
    meant = library.index.meant(query)
    if meant is None or not library.index.count(plan_within(catalogue, library, meant, chosen)):
        return None
    return query_text(meant)
