"""Browsing: pages and their pictures for a person, from archives, from the workspace or from the network.

The network is asked through `forage` alone, so that its address rule, its limits and its manners hold here too. Its engine
runs in one thread; pages that are asked for meanwhile wait and go out together. Pictures have processes of their own (`picture_pool`).
"""

from __future__ import annotations

import queue
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path

from trailmark.datatypes import Response
from trailmark.errors import FetchError, InputError
from trailmark.forage.picture_pool import PicturePool
from trailmark.forage.robots_rules import RulesMemory
from trailmark.read import normalise_url
from trailmark.settings import ForageSettings, Settings
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.replay import NOT_ARCHIVED, Replay
from trailmark.verbs.archive_sites import ArchivedSite, sites_of
from trailmark.workspace import replay_in, settings_in

DEMO_ARCHIVE = Path("demo/web/demo.warc.gz")
"""Where the app puts the generated web of a first visit, in the workspace."""
KEPT_BYTES = 64_000_000
LEAST_BYTES = 2000
"""What an answer without a body counts as, where answers are kept."""
AT_ONCE = 40
"""Pages that go out together."""


@dataclass(frozen=True, slots=True)
class _WantedPage:
    url: str
    answer: Future[Response] = field(default_factory=Future)


class LiveFetcher:
    """Single URLs from the network, for any number of threads."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self._settings = settings
        self._waiting: queue.SimpleQueue[_WantedPage] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._rules = RulesMemory(outlives=True)  # read by that thread alone

    def fetch(self, url: str) -> Response:
        """A URL -> its answer; FetchError says why there is none."""
        return self.ask(url).result()

    def ask(self, url: str) -> Future[Response]:
        """A URL -> its answer to come."""
        wanted = _WantedPage(url)
        with self._lock:
            self._waiting.put(wanted)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="browsing", daemon=True)
                self._thread.start()
        return wanted.answer

    def _work(self) -> None:
        while True:
            batch = [self._waiting.get()]
            while len(batch) < AT_ONCE and not self._waiting.empty():
                batch.append(self._waiting.get())
            try:
                self._fetch(batch)
            except BaseException as error:  # noqa: BLE001 - each of those who wait is told
                for wanted in batch:
                    if not wanted.answer.done():
                        wanted.answer.set_exception(error)

    def _fetch(self, batch: list[_WantedPage]) -> None:
        from trailmark.forage import fetch_pages

        by_url: dict[str, list[_WantedPage]] = {}
        for wanted in batch:
            by_url.setdefault(wanted.url, []).append(wanted)

        def got(url: str, response: Response) -> None:
            for wanted in by_url[url]:
                wanted.answer.set_result(response)

        def failed(url: str, error: FetchError) -> None:
            for wanted in by_url[url]:
                wanted.answer.set_exception(error)

        manners = _manners(self._settings(), asset=False)
        fetch_pages(list(by_url), manners, on_response=got, on_failure=failed, rules=self._rules)


def _manners(settings: Settings, *, asset: bool) -> ForageSettings:
    """The workspace's settings -> how a page or an asset is fetched: as by the forager, at the pace of a person who waits."""
    serve, forage = settings.serve, settings.forage
    largest = min(forage.max_bytes, serve.max_asset_bytes) if asset else forage.max_bytes
    return replace(forage, delay=serve.delay, timeout=serve.timeout, retries=0, max_bytes=largest)


def _weight(response: Response) -> int:
    return LEAST_BYTES + len(response.body) + sum(len(name) + len(value) for name, value in response.headers)


class PageSource:
    """Where the app takes pages from."""

    def __init__(self, folder: Path, archives: Sequence[Path] = ()) -> None:
        self.folder, self._given = folder, tuple(archives)
        self._live = LiveFetcher(lambda: settings_in(folder))
        self._pictures = PicturePool(lambda: _manners(settings_in(folder), asset=True))
        self._lock = threading.Lock()
        self._assets: OrderedDict[str, Response] = OrderedDict()
        self._asset_bytes = 0

    @property
    def archives(self) -> list[Path]:
        """Archives that were named, and the generated web where the workspace has it."""
        demo = self.folder / DEMO_ARCHIVE
        return [*self._given, *([demo] if demo.exists() else [])]

    @property
    def seen(self) -> Path:
        """Pages that a person looked at for their own sake, not on a trail."""
        return self.folder / "serve" / "seen.warc.gz"

    @property
    def archives_and_seen(self) -> list[Path]:
        """Everything that can be read again without asking anybody."""
        return [*self.archives, *([self.seen] if self.seen.exists() else [])]

    def archived(self, url: str) -> bool:
        """A URL -> whether the archives have its page: the site is browsed in them then, and nothing leaves the machine."""
        archives = self.archives
        if not archives:
            return False
        with self._replay(archives) as replay:
            return url in replay

    def at_hand(self, urls: Sequence[str], *, seen: Path | None = None) -> set[str]:
        """URLs -> those of them that can be shown without asking anybody."""
        found: set[str] = set()
        if seen is not None and seen.exists():
            with Replay([seen], index=seen.with_suffix(".db")) as replay:
                found = {url for url in urls if url in replay}
        with self._replay(self.archives) as replay:
            return found | {url for url in urls if url not in found and url in replay}

    def sites(self) -> list[ArchivedSite]:
        """The sites that the named archives and the workspace hold, the largest first."""
        with self._replay(self.archives) as replay:
            return sites_of(replay.index.urls())

    def may_go_live(self, url: str) -> bool:
        """The first page of a site -> whether the site is browsed on the network."""
        return not self._given and not self.archived(url)

    def page(self, url: str, *, live: bool, seen: Path | None = None) -> Response:
        """A URL -> its page as it was seen before (in the archive `seen`), as it is archived, or from the network."""
        wanted = normalise_url(url)
        if wanted is None:
            raise InputError(f"{url[:200]!r} is not the address of a web page: it begins with http:// or https://.")
        known = self._known(wanted, seen)
        if known is not None:
            return known
        if not live:
            raise FetchError(f"{wanted} is not in the archive.")
        response = self._live.fetch(wanted)
        if seen is not None:
            self._keep(seen, [response])
        return response

    def pages(self, urls: Sequence[str], *, live: bool, seen: Path) -> dict[str, str]:
        """URLs -> those whose pages can't be had, with the reason; the others are at hand afterwards."""
        missing = [url for url in dict.fromkeys(urls) if self._known(url, seen) is None]
        if not live:
            return {url: f"{url} is not in the archive" for url in missing}
        wrong: dict[str, str] = {}
        got: list[Response] = []
        for url, answer in [(url, self._live.ask(url)) for url in missing]:
            try:
                got.append(answer.result())
            except FetchError as error:
                wrong[url] = str(error)
        self._keep(seen, got)
        return wrong

    def asset(self, url: str, *, live: bool) -> Response:
        """A URL -> its picture, style sheet or font; kept in memory for a while."""
        with self._lock:
            if url in self._assets:
                self._assets.move_to_end(url)
                return self._assets[url]
        response = self._known(url, None)
        if response is None and not live:
            raise FetchError(f"{url} is not in the archive.")
        response = response or self._pictures.fetch(url)
        with self._lock:
            if url not in self._assets:
                self._assets[url] = response
                self._asset_bytes += _weight(response)
            while self._asset_bytes > KEPT_BYTES:
                self._asset_bytes -= _weight(self._assets.popitem(last=False)[1])
        return response

    def _known(self, url: str, seen: Path | None) -> Response | None:
        if seen is not None and seen.exists():
            with Replay([seen], index=seen.with_suffix(".db")) as replay:
                response = replay.fetch(url)
            if response.status != NOT_ARCHIVED:
                return response
        with self._replay(self.archives) as replay:
            response = replay.fetch(url)
        return response if response.status == 200 else None

    def _replay(self, archives: Sequence[Path]) -> Replay:
        return replay_in(self.folder, settings_in(self.folder), archives)

    def _keep(self, seen: Path, responses: Sequence[Response]) -> None:
        if not responses:
            return
        with self._lock:
            writer = ArchiveWriter(seen)
            try:
                for response in responses:
                    writer.write(response)
            finally:
                writer.close()
