"""`show --sites`: which sites archives hold, with a page of each to begin at, so that nobody has to guess what can be taught or walked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.cluster import site_of
from trailmark.report import Report
from trailmark.settings import Settings
from trailmark.store.replay import Replay


@dataclass(frozen=True, slots=True)
class ArchivedSite:
    """A site of an archive."""

    site: str
    pages: int
    """Addresses of it that the archives have."""
    first: str
    """Where to begin: its root, where that is archived, else its shortest address."""


@dataclass(frozen=True, slots=True)
class SitesReport(Report):
    """The sites of some archives, the largest first."""

    sites: tuple[ArchivedSite, ...]


def archive_sites(archives: Sequence[Path], settings: Settings, *, index: Path | None = None) -> SitesReport:
    """Archives -> their sites, the largest first. `index` is a file that keeps the addresses for the next time."""
    with Replay(archives, index=index, settings=settings.store) as replay:
        return SitesReport(tuple(sites_of(replay.index.urls())))


def sites_of(urls: Iterable[str]) -> list[ArchivedSite]:
    """Addresses -> their sites, the largest first; pages alone count, by their scheme."""
    addresses: dict[str, list[str]] = {}
    for url in urls:
        if url.startswith(("http://", "https://")) and not url.endswith("/robots.txt"):
            addresses.setdefault(site_of(url), []).append(url)
    sites = [ArchivedSite(site, len(found), _first(site, found)) for site, found in addresses.items()]
    return sorted(sites, key=lambda each: (-each.pages, each.site))


def _first(site: str, urls: Sequence[str]) -> str:
    return min(urls, key=lambda url: (url != f"{site}/", len(url), url))
