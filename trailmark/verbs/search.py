"""`search`: what a reader types -> the items that were organised and have it, the best first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from trailmark.datatypes import Query
from trailmark.errors import InputError
from trailmark.organise.query import query_text, read_query
from trailmark.report import Report
from trailmark.store.search_file import SearchIndex, open_to_search
from trailmark.store.search_results import Facet, Found, Hit, Ranking, Sort
from trailmark.workspace import Workspace

MOST = 1000
"""Items of one page of results."""
TOPICS_NAMED = 5


@dataclass(frozen=True)
class SearchReport(Report):
    """What a query found, one page of it."""

    query: str
    understood: str
    """The query as it was read, written in its own language."""
    remarks: tuple[str, ...]
    """What is to be said of how it was read."""
    total: int
    some_words: bool
    """Whether no item has all the words, so that those with some of them were taken."""
    did_you_mean: str | None
    """A query with the nearest words that would find something, where this one has words that no item has."""
    sort: Sort
    hits: tuple[Hit, ...]
    facets: Mapping[Facet, Mapping[str, int]] | None = None
    """Topic, year, site and kind of all that was found, where they were asked for."""


def search(
    workspace: Workspace,
    query: str,
    *,
    topic: str | None = None,
    sort: Sort = "rank",
    limit: int = 10,
    skip: int = 0,
    ranking: Ranking = "bm25",
    facets: bool = False,
) -> SearchReport:
    """A query -> a page of items; raises InputError where nothing was organised yet, or there is no such topic."""
    if not 0 <= limit <= MOST or skip < 0:
        raise InputError(f"A page of results has 0 to {MOST} items, and begins at 0 or behind.")
    read = read_query(query)
    with _index(workspace) as index:
        plan = index.plan(read.query, topic)
        if plan is None:
            raise InputError(f"No item is in a topic '{topic}'; {_topics(index)}.")
        found = index.find(plan, sort=sort, limit=limit, skip=skip, ranking=ranking, facets=facets)
        meant = _meant(index, read.query, topic, found)
    return SearchReport(
        query, query_text(read.query), (*read.remarks, *plan.remarks), found.total, found.some_words, meant, sort, found.hits, found.facets
    )  # fmt: skip


def complete(workspace: Workspace, start: str, most: int = 10) -> list[str]:
    """The beginning of a word -> the most frequent words of the items that begin so."""
    with _index(workspace) as index:
        return index.complete(start, most)


@contextmanager
def _index(workspace: Workspace) -> Iterator[SearchIndex]:
    with open_to_search(workspace.folder, timeout=workspace.settings.store.busy_timeout) as index:
        if index is None:
            raise InputError(
                f"Nothing was organised yet in {workspace.folder}; organise its records first: trailmark organise"
            )
        yield index


def _topics(index: SearchIndex) -> str:
    """A few topics to choose from."""
    names = [f"'{name}'" for name in index.topics(TOPICS_NAMED)]
    return (
        f"the largest are {', '.join(names)}"
        if names
        else "none has a topic yet: trailmark organise --topics TOPICS.json"
    )


def _meant(index: SearchIndex, query: Query, topic: str | None, found: Found) -> str | None:
    """Only where the query found nothing as it stands, and the other would."""
    if found.total and not found.some_words:
        return None
    meant = index.meant(query)
    plan = index.plan(meant, topic) if meant is not None else None
    return query_text(meant) if meant is not None and plan is not None and index.count(plan) else None
