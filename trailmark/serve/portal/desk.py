"""The desk of the portal: who wants a page gets it from what is kept ready, or waits for its turn while it is made, or is told to come back.

Pages are made in a few threads, each with a connection of its own. So many requests may wait; one more is answered with 503 at once, and so is one that has waited too long: under ten
times the load that the machine carries, a part of the readers gets their pages as fast as ever. Two that ask for the same page at once wait for the same work.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path

from trailmark.errors import WorkspaceBusy
from trailmark.serve.portal.kept_pages import KeptPages, Made
from trailmark.settings import Settings
from trailmark.store.library import Library
from trailmark.store.organised import FILE
from trailmark.verbs.portal_catalogue import Catalogue, read_catalogue

EVERY = 1.0
"""Seconds between two looks whether something was organised anew."""
logger = logging.getLogger(__name__)


class TooBusy(Exception):
    """More is asked for than can be done; the reader is to come back in some seconds."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a page is made from: all of one moment."""

    folder: Path
    settings: Settings
    library: Library
    catalogue: Catalogue


Work = Callable[[Reading], Made]


class Desk:
    """Of one workspace."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder, self.settings = folder, settings
        self.room = settings.portal.threads + settings.portal.waiting
        self._threads = ThreadPoolExecutor(settings.portal.threads, thread_name_prefix="portal")
        self._own = threading.local()
        self._kept = self._none_kept()
        self._under_way: dict[Hashable, asyncio.Future[Made]] = {}
        self._waiting = 0
        self._generation, self._file = 0, self._identity()
        self._watcher: Library | None = None
        self._seen = 0
        self._stamp = self._stamp_now()
        self.catalogue: Catalogue = self._first()

    # --- what was organised --------------------------------------------------------------------------------------

    def _first(self) -> Catalogue:
        with Library.of(self.folder) as library, library.reading(600.0):
            self.changed = self._changed_at()
            return read_catalogue(library, self.folder, self.settings)

    def refresh(self) -> bool:
        """Look whether something was organised since, and read it; to be called by one thread alone."""
        if self._watcher is not None and self._identity() != self._file and self._identity() is not None:
            self._watcher.close()
            self._watcher = None
        if self._watcher is None:
            self._watcher = Library.open(self.folder)
            if self._watcher is None:
                return False
            known = self._file == self._identity() and self._stamp == self._stamp_now()
            self._file, self._generation = self._identity(), self._generation + (0 if known else 1)
            self._seen = self._watcher.version() if known else -1
        version = self._watcher.version()
        if version == self._seen:
            return False
        with self._watcher.reading(600.0):
            catalogue = read_catalogue(self._watcher, self.folder, self.settings)
        self._seen, self.catalogue, self.changed = version, catalogue, self._changed_at()
        self._kept = self._none_kept()
        return True

    def watch(self, ended: threading.Event) -> None:
        """Refresh every second until the event is set."""
        while not ended.wait(EVERY):
            try:
                self.refresh()
            except Exception as error:  # noqa: BLE001 - a file that is being made anew: what is shown stays as it was
                logger.warning("what was organised can't be read now: %s", error)

    def _identity(self) -> tuple[int, int] | None:
        try:
            status = (self.folder / FILE).stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def _stamp_now(self) -> tuple[int, ...]:
        """Times and sizes of the file and of what is not yet in it: the same while nothing is written."""
        files = (self.folder / FILE, self.folder / f"{FILE}-wal")
        known = [file.stat() for file in files if file.exists()]
        return tuple(number for status in known for number in (status.st_mtime_ns, status.st_size))

    def _changed_at(self) -> str:
        """When what is shown changed last, as HTTP says it: no earlier than this process, whose pages may look otherwise."""
        return format_datetime(datetime.now(UTC).replace(microsecond=0), usegmt=True)

    # --- pages ---------------------------------------------------------------------------------------------------

    async def page(self, name: Hashable, work: Work) -> Made:
        """What a page is called, and how it is made -> the page; raises TooBusy."""
        kept = self._kept.get(name)
        if kept is not None:
            return kept
        under_way = self._under_way.get(name)
        if under_way is not None:
            return await asyncio.shield(under_way)
        if self._waiting >= self.room:
            raise TooBusy
        loop = asyncio.get_running_loop()
        self._waiting += 1
        catalogue = self.catalogue
        future = loop.run_in_executor(self._threads, self._make, work, catalogue, time.monotonic())
        self._under_way[name] = future
        future.add_done_callback(lambda done: self._end(name, catalogue, done))
        return await asyncio.shield(future)

    def _end(self, name: Hashable, catalogue: Catalogue, done: asyncio.Future[Made]) -> None:
        """In the event loop, whether or not anybody still waits for the page."""
        self._waiting -= 1
        self._under_way.pop(name, None)
        if not done.cancelled() and done.exception() is None and catalogue is self.catalogue:
            self._kept.put(name, done.result())

    def _none_kept(self) -> KeptPages:
        return KeptPages(self.settings.portal.cache * 1_000_000)

    def _make(self, work: Work, catalogue: Catalogue, asked: float) -> Made:
        timeout = self.settings.portal.timeout
        if time.monotonic() - asked > timeout:
            raise TooBusy
        library = self._library()
        try:
            with library.reading(timeout):
                return work(Reading(self.folder, self.settings, library, catalogue)).tagged()
        except WorkspaceBusy as error:
            raise TooBusy from error

    def _library(self) -> Library:
        """The connection of this thread, opened anew where the file is another one."""
        if getattr(self._own, "generation", None) != self._generation:
            if (old := getattr(self._own, "library", None)) is not None:
                old.close()
            self._own.library, self._own.generation = Library.of(self.folder), self._generation
        library: Library = self._own.library
        return library

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
