"""`show`: a URL -> the page as Trailmark sees it, from archives, from the workspace or from the network."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.datatypes import Page, Response
from trailmark.errors import FetchError, InputError
from trailmark.progress import Progress, silent
from trailmark.quoting import count_of
from trailmark.read import normalise_url, read_page, url_words
from trailmark.report import Json, Report, as_json
from trailmark.settings import Settings
from trailmark.store.archive import read_archive
from trailmark.store.archive_names import archives_named, path_named
from trailmark.store.replay import Replay
from trailmark.workspace import Workspace


@dataclass(frozen=True)
class ShowReport(Report):
    """A page as it was read, with the status that came with it."""

    page: Page
    status: int

    def __repr__(self) -> str:
        page = self.page
        return f"ShowReport({page.url!r}, status={self.status}, title={page.title[:60]!r}, links: {len(page.links)})"

    def to_json(self) -> dict[str, Json]:
        """The fields of the page, its status, and the words of its URL and of its links' URLs."""
        links: list[Json] = [{**_fields(link), "url_words": as_json(url_words(link.url))} for link in self.page.links]
        words = as_json(url_words(self.page.url))
        return {**_fields(self.page), "links": links, "status": self.status, "url_words": words}


@dataclass(frozen=True)
class ShowAllReport(Report):
    """How reading every page of some archives went."""

    pages: int
    slowest_seconds: float
    slowest_url: str
    cuts: Mapping[str, int]
    """What was cut off pages that were too large, and how often."""
    summary: str


def show(workspace: Workspace, url: str, archives: Sequence[str | Path] = ()) -> ShowReport:
    """A URL -> the page: from the archives given, else from the workspace, else from the network."""
    if archives:
        return show_archived(url, archives, workspace.settings)
    wanted = _normal(url)
    with workspace.replay() as replay:
        response = replay.fetch(wanted)
    if response.status == 404:
        response = _fetch_one(wanted, workspace.settings)
    return ShowReport(read_page(response, workspace.settings.read), response.status)


def show_archived(url: str, archives: Sequence[str | Path], settings: Settings) -> ShowReport:
    """A URL -> the page as archives have it; no workspace is needed."""
    wanted = _normal(url)
    paths = [path_named(archive) for archive in archives]
    with Replay(paths, max_redirects=settings.forage.max_redirects, settings=settings.store) as replay:
        response = replay.fetch(wanted)
    if response.status == 404:
        raise InputError(f"{wanted} is not in {', '.join(map(str, paths))}.")
    return ShowReport(read_page(response, settings.read), response.status)


def show_all(archives: Sequence[str | Path], settings: Settings, *, progress: Progress = silent) -> ShowAllReport:
    """Archives -> how many pages they hold, how long the slowest took to read, what was cut."""
    pages, slowest, slowest_url, cuts = 0, 0.0, "", Counter[str]()
    for archive in archives_named(archives):
        for response in progress(read_archive(archive, settings=settings.store), archive.name):
            start = time.perf_counter()
            page = read_page(response, settings.read)
            seconds = time.perf_counter() - start
            pages += 1
            cuts.update(page.cuts)
            if seconds > slowest:
                slowest, slowest_url = seconds, response.url
    summary = (
        f"Read {count_of(pages, 'page')}; the slowest took {slowest * 1000:.0f} ms: {slowest_url}"
        if pages
        else "No pages."
    )
    return ShowAllReport(pages, slowest, slowest_url, dict(cuts), summary)


def _normal(url: str) -> str:
    wanted = normalise_url(url)
    if wanted is None:
        raise InputError(f"{url!r} is not an absolute http or https URL.")
    return wanted


def _fields(value: object) -> dict[str, Json]:
    values = as_json(value)
    assert isinstance(values, dict)
    return values


def _fetch_one(url: str, settings: Settings) -> Response:
    from trailmark.forage import fetch_pages

    responses: list[Response] = []
    failures: list[FetchError] = []
    fetch_pages(
        [url],
        settings.forage,
        on_response=lambda _, response: responses.append(response),
        on_failure=lambda _, error: failures.append(error),
    )
    if failures:
        raise failures[0]
    return responses[0]
