"""Archives in the network's place: URL in, response out, nothing leaves the machine.

What is not archived answers 404. Redirects are followed as a fetcher would; a chain that comes back to itself or is
longer than `forage.max_redirects` answers 508, with the header `X-Trailmark-Replay` saying why.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urldefrag, urljoin

from trailmark.datatypes import Response
from trailmark.settings import ForageSettings, StoreSettings
from trailmark.store.archive_index import ArchiveIndex

REASON_HEADER = "X-Trailmark-Replay"
NOT_ARCHIVED = 404
TOO_MANY_REDIRECTS = 508
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


class Replay:
    """Answers from archives; `index` names a file that keeps the addresses for the next time."""

    def __init__(
        self,
        archives: Iterable[Path | str],
        index: Path | str | None = None,
        *,
        max_redirects: int = ForageSettings().max_redirects,
        settings: StoreSettings | None = None,
    ) -> None:
        self._max_redirects = max_redirects
        self.index = ArchiveIndex(archives, ":memory:" if index is None else index, settings=settings)

    def fetch(self, url: str) -> Response:
        """The response to a URL, redirects followed. Its `url` is spelt as in the archive."""
        asked: list[str] = []
        while True:
            response = self.fetch_once(url)
            # The record's own URL is compared: a redirect may lead from one spelling of a URL to another.
            if response.url in asked:
                return _failing(response.url, TOO_MANY_REDIRECTS, "the redirects go in a circle", asked)
            target = _redirect_target(response)
            if target is None:
                return replace(response, redirects=tuple(asked))
            asked.append(response.url)
            if len(asked) > self._max_redirects:
                return _failing(target, TOO_MANY_REDIRECTS, f"more than {self._max_redirects} redirects", asked)
            url = target

    def fetch_once(self, url: str) -> Response:
        """The response to a URL as it is archived, a redirect included."""
        place = self.index.find(url)
        if place is None:
            return _failing(urldefrag(url)[0], NOT_ARCHIVED, "not in the archives", ())
        return self.index.read(place)

    def __contains__(self, url: str) -> bool:
        return self.index.find(url) is not None

    def close(self) -> None:
        """Close the archives; may be called twice."""
        self.index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _redirect_target(response: Response) -> str | None:
    """Where a redirect leads; None where the response is none, or says nowhere to go over HTTP."""
    location = response.header("Location")
    if response.status not in _REDIRECTS or not location:
        return None
    try:
        target = urldefrag(urljoin(response.url, location))[0]
    except ValueError:
        return None
    return target if target.lower().startswith(("http://", "https://")) else None


def _failing(url: str, status: int, reason: str, asked: Iterable[str]) -> Response:
    return Response(url=url, status=status, headers=((REASON_HEADER, reason),), redirects=tuple(asked))
