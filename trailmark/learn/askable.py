"""Which pages are worth a question by their kind: a person looks at pages, and at files only where the goals are files."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from trailmark.datatypes import Page, Trail
from trailmark.learn.bag import url_ending

PAGE = "page"
"""What `url_ending` calls all that is a page by its address."""


def wanted_endings(trails: Iterable[Trail]) -> frozenset[str]:
    """Taught trails -> kinds of files that may be asked about: pages, and what the taught goals are."""
    return frozenset({PAGE, *(url_ending(trail.steps[-1].url) for trail in trails if trail.outcome == "goal")})


def is_askable(page: Page, endings: Collection[str]) -> bool:
    """Whether a page is of a kind that may be asked about, by its address and by what its server calls it."""
    ending = url_ending(page.url)
    if ending != PAGE:
        return ending in endings
    is_text = not page.content_type or page.content_type.startswith(("text/", "application/xhtml"))
    return is_text or len(endings) > 1
