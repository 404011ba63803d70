"""The wiring of `trailmark teach`: where the pages that trails name come from, and what is said about the lines of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from trailmark.datatypes import Page, Response, Trail
from trailmark.errors import FetchError
from trailmark.read import read_page
from trailmark.settings import Settings
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.database import Database
from trailmark.store.replay import Replay
from trailmark.teach import Problem

PAGES_AT_HAND = 500
"""Trails share their first pages; so many are kept read while trails are checked."""

Progress = Callable[[Iterable[Any], str], Iterator[Any]]


class PageKeeper(Protocol):
    """What is asked of a workspace."""

    settings: Settings
    database: Database

    @property
    def archive_folder(self) -> Path: ...
    def replay(self, archives: Sequence[Path] = ()) -> Replay: ...
    def keep_page(self, url: str, response: Response, writer: ArchiveWriter) -> None: ...


class TaughtPages:
    """The pages that trails name: from archives or, without any, from the network; what is used is kept in the workspace."""

    def __init__(
        self, workspace: PageKeeper, archives: Sequence[Path], trails: list[Trail], progress: Progress
    ) -> None:
        self.workspace, self.archives, self.trails, self.progress = workspace, archives, trails, progress
        self.failures: dict[str, str] = {}
        self.page = lru_cache(maxsize=PAGES_AT_HAND)(self._read)

    def __enter__(self) -> Self:
        self.writer = ArchiveWriter(self.workspace.archive_folder)
        try:
            if not self.archives:
                self._fetch_missing()
            self.replay = self.workspace.replay(self.archives)
        except BaseException:
            self.writer.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.replay.close()
        self.writer.close()

    def _fetch_missing(self) -> None:
        wanted = dict.fromkeys(step.url for trail in self.trails for step in trail.steps)
        missing = [url for url in wanted if not self._is_kept(url)]
        if missing:
            from trailmark.forage import fetch_pages

            watched = self.progress(missing, "fetching pages")

            def got(url: str, response: Response) -> None:
                self._store(url, response)
                next(watched, None)

            def failed(url: str, error: FetchError) -> None:
                self.failures[url] = str(error)
                next(watched, None)

            next(watched, None)
            fetch_pages(missing, self.workspace.settings.forage, on_response=got, on_failure=failed)

    def _is_kept(self, url: str) -> bool:
        """Whether the workspace has the page itself; an error that was kept is asked for again."""
        kept = self.workspace.database.page(url)
        return kept is not None and kept.status == 200

    def _store(self, url: str, response: Response) -> None:
        self.workspace.keep_page(url, response, self.writer)

    def response(self, url: str) -> Response:
        if url in self.failures:
            raise FetchError(self.failures[url])
        response = self.replay.fetch(url)
        if response.status != 200:
            raise FetchError(f"the page {url} can't be had (it answers {response.status})")
        return response

    def _read(self, url: str) -> Page:
        return read_page(self.response(url), self.workspace.settings.read)

    def final_url(self, url: str) -> str:
        return self.replay.fetch(url).url

    def keep(self, trail: Trail) -> None:
        """Copy the pages of a good trail into the workspace, unless they are there."""
        for step in trail.steps:
            if not self._is_kept(step.url):
                self._store(step.url, self.response(step.url))


def nothing_in(file: Path, good: Sequence[object]) -> list[Problem]:
    """A file without a single line is more likely a slip than a wish."""
    return [] if good else [Problem(str(file), 1, "the file is empty")]


def teach_report(what: str, new: int, known: int, problems: list[Problem], **more: Any) -> dict[str, Any]:
    left_out = f" {len(problems)} left out." if problems else ""
    again = f" {known} known already." if known else ""
    return {
        what: new,
        "known_already": known,
        "good": new + known,
        "problems": [{"file": p.source, "line": p.line, "reason": p.reason} for p in problems],
        "summary": f"Imported {new} {what}.{again}{left_out}",
        **more,
    }
