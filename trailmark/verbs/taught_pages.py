"""The pages that trails name: where they come from, and that they are kept."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Self

from trailmark.datatypes import Page, Response, Trail
from trailmark.errors import FetchError, WorkspaceBusy
from trailmark.progress import Progress
from trailmark.read import read_page
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.workspace import Workspace

TAUGHT_MEANWHILE = "taught.warc.gz"
PAGES_AT_HAND = 500
"""Trails share their first pages; so many are kept read while trails are checked."""


class TaughtPages:
    """The pages that trails name: from archives or, without any, from the network; what is used is kept in the workspace.

    `supplied` are pages that came with the trails, as in a browser's network log; they are taken before anything is fetched.
    """

    def __init__(
        self,
        workspace: Workspace,
        archives: Sequence[Path],
        trails: list[Trail],
        progress: Progress,
        supplied: Sequence[Response] = (),
    ) -> None:
        self.workspace, self.archives, self.trails, self.progress = workspace, archives, trails, progress
        self.supplied = supplied
        self.failures: dict[str, str] = {}
        self.page = lru_cache(maxsize=PAGES_AT_HAND)(self._read)
        self._writer: ArchiveWriter | None = None

    def __enter__(self) -> Self:
        try:
            for response in self.supplied:
                if not self._is_kept(response.url):
                    self._store(response.url, response)
            if not self.archives:
                self._fetch_missing()
            self.replay = self.workspace.replay(self.archives)
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.replay.close()
        self._close()

    def _close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None

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
        """A URL -> whether the workspace has the page itself; an error that was stored is asked for again."""
        stored = self.workspace.database.page(url)
        return stored is not None and stored.status == 200

    def _store(self, url: str, response: Response) -> None:
        if self._writer is None:
            self._writer = writer_beside_walks(
                self.workspace.archive_folder, self.workspace.settings.store.busy_timeout
            )
        self.workspace.keep_page(url, response, self._writer)

    def response(self, url: str) -> Response:
        """A URL -> its answer; FetchError where it can't be had."""
        if url in self.failures:
            raise FetchError(self.failures[url])
        response = self.replay.fetch(url)
        if response.status != 200:
            raise FetchError(f"the page {url} can't be had (it answers {response.status})")
        return response

    def _read(self, url: str) -> Page:
        return read_page(self.response(url), self.workspace.settings.read)

    def final_url(self, url: str) -> str:
        """A URL -> where it answered, after redirects."""
        return self.replay.fetch(url).url

    def keep(self, trail: Trail) -> None:
        """Copy the pages of a good trail into the workspace, unless they are there."""
        for step in trail.steps:
            if not self._is_kept(step.url):
                self._store(step.url, self.response(step.url))


def writer_beside_walks(folder: Path, seconds: float) -> ArchiveWriter:
    """The workspace's archive; while a walk writes there, which may be for hours, a file of its own for what is taught meanwhile."""
    with suppress(WorkspaceBusy):
        return ArchiveWriter(folder)
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        with suppress(WorkspaceBusy):
            return ArchiveWriter(folder / TAUGHT_MEANWHILE)
        time.sleep(0.05)
    return ArchiveWriter(folder / TAUGHT_MEANWHILE)
