"""Walking sites: politely, safely, and in the order that a strategy wishes. The only room that reaches out.

Three parts: what is fetched next (the frontier, traps, when a site ends), a run over many sites, and the fetching itself, which alone
knows Scrapy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trailmark.forage.fetch import fetch_pages

__all__ = ["fetch_pages"]


def __getattr__(name: str) -> Any:
    """Scrapy takes half a second to load, so it is loaded where something is fetched and not before."""
    if name != "fetch_pages":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from trailmark.forage.fetch import fetch_pages

    return fetch_pages
