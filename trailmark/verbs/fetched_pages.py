"""Addresses -> their pages, fetched by the forager's rules (robots.txt, pace, private addresses) and kept in the workspace's archive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trailmark.datatypes import Response
from trailmark.errors import FetchError
from trailmark.progress import Progress, silent
from trailmark.verbs.taught_pages import writer_beside_walks
from trailmark.workspace import Workspace

if TYPE_CHECKING:
    from trailmark.forage.robots_rules import RulesMemory


def fetch_and_keep(
    workspace: Workspace, urls: Sequence[str], progress: Progress = silent, *, rules: RulesMemory | None = None
) -> tuple[int, dict[str, str]]:
    """Addresses -> how many were fetched, and of the others why not; `rules` remembers robots.txt from one call to the next."""
    from trailmark.forage import fetch_pages

    failures: dict[str, str] = {}
    fetched = 0
    watched = progress(list(urls), "fetching pages")
    writer = writer_beside_walks(workspace.archive_folder, workspace.settings.store.busy_timeout)

    def got(url: str, response: Response) -> None:
        nonlocal fetched
        workspace.keep_page(url, response, writer)
        fetched += response.status == 200
        if response.status != 200:
            failures[url] = f"it answers {response.status}"
        next(watched, None)

    def failed(url: str, error: FetchError) -> None:
        failures[url] = str(error)
        next(watched, None)

    next(watched, None)
    with writer:
        fetch_pages(urls, workspace.settings.forage, on_response=got, on_failure=failed, rules=rules)
    return fetched, failures
