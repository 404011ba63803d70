"""The wiring of `trailmark show`: a page from archives, from the workspace or from the network, as Trailmark sees it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from trailmark.datatypes import Page, Response
from trailmark.errors import FetchError, InputError
from trailmark.progress import Progress, silent
from trailmark.read import normalise_url, read_page, url_words
from trailmark.settings import Settings
from trailmark.store.archive import archives_in, read_archive
from trailmark.store.replay import Replay
from trailmark.workspace import Workspace, settings_in


def see_page(folder: Path, url: str, archives: Sequence[Path] = ()) -> tuple[Page, int]:
    """A page and its status: from the archives given, else from the workspace, else from the network."""
    wanted = normalise_url(url)
    if wanted is None:
        raise InputError(f"{url!r} is not an absolute http or https URL.")
    settings = settings_in(folder)
    if archives:
        with Replay(archives, max_redirects=settings.forage.max_redirects, settings=settings.store) as replay:
            response = replay.fetch(wanted)
    else:
        with Workspace.open(folder) as workspace, workspace.replay() as replay:
            response = replay.fetch(wanted)
        if response.status == 404:
            response = _fetch_one(wanted, settings)
    if response.status == 404 and archives:
        raise InputError(f"{wanted} is not in {', '.join(map(str, archives))}.")
    return read_page(response, settings.read), response.status


def see_all_pages(folder: Path, archives: Sequence[Path], *, progress: Progress = silent) -> dict[str, Any]:
    """Read every page of the archives: how many, how long the slowest took, what was cut."""
    if not archives:
        with Workspace.open(folder) as workspace:
            archives = archives_in(workspace.archive_folder)
    settings = settings_in(folder)
    pages, slowest, slowest_url, cuts = 0, 0.0, "", Counter[str]()
    for archive in archives:
        for response in progress(read_archive(archive, settings=settings.store), archive.name):
            start = time.perf_counter()
            page = read_page(response, settings.read)
            seconds = time.perf_counter() - start
            pages += 1
            cuts.update(page.cuts)
            if seconds > slowest:
                slowest, slowest_url = seconds, response.url
    summary = f"Read {pages} pages; the slowest took {slowest * 1000:.0f} ms: {slowest_url}" if pages else "No pages."
    return {
        "pages": pages,
        "slowest_seconds": slowest,
        "slowest_url": slowest_url,
        "cuts": dict(cuts),
        "summary": summary,
    }


def page_report(page: Page, status: int) -> dict[str, Any]:
    """A page as JSON: its fields, and the words of its URL and of its links' URLs."""
    report = asdict(page)
    report["status"] = status
    report["url_words"] = url_words(page.url)
    for link in report["links"]:
        link["url_words"] = url_words(link["url"])
    return report


def _fetch_one(url: str, settings: Settings) -> Response:
    from trailmark.forage import fetch_pages

    got: list[Response] = []
    failed: list[FetchError] = []
    fetch_pages(
        [url],
        settings.forage,
        on_response=lambda _, response: got.append(response),
        on_failure=lambda _, error: failed.append(error),
    )
    if failed:
        raise failed[0]
    return got[0]
