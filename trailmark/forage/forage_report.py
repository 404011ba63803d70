"""What came of a run, as one JSON-like report: the sites with why each ended, the goals with the trail that led to each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from trailmark.datatypes import Fetch
from trailmark.forage.site_queue import SiteQueue
from trailmark.forage.totals import Totals


def forage_report(
    sites: Sequence[Mapping[str, Any]], goals: Iterable[tuple[Fetch, list[str]]], totals: Totals, *, seconds: float
) -> dict[str, Any]:
    """`sites` are rows as `site_row` makes them, with root and scope; `goals` are goal pages with their trails."""
    pages, found = sum(site["pages"] for site in sites), sum(site["goals"] for site in sites)
    return {
        "pages": pages,
        "goals_found": found,
        "harvest_rate": found / pages if pages else 0.0,
        "seconds": seconds,
        "pages_per_second": pages / seconds if seconds else 0.0,
        "sites": [_site_report(site) for site in sites],
        "goals": [_goal_report(fetch, trail) for fetch, trail in goals],
        "soft_404s": totals.missing,
        "skipped": dict(totals.skipped.most_common()),
        "problems": list(totals.problems),
    }


def site_row(site: SiteQueue) -> dict[str, Any]:
    """How far a site has come, as it is kept."""
    return {
        "number": site.number,
        "pages": site.pages,
        "goals": site.goals,
        "readable": site.readable,
        "since_goal": site.since_goal,
        "goal_probability": site.goal_probability,
        "ended": site.ended,
        "same_as": site.same_as,
        "why": site.why,
    }


def _site_report(site: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "site": site["root"],
        "scope": site["scope"],
        "pages": site["pages"],
        "goals": site["goals"],
        "harvest_rate": site["goals"] / site["pages"] if site["pages"] else 0.0,
        "ended": site["ended"],
        "same_as": site["same_as"],
        "why": site["why"] if site["ended"] in ("same", "unreachable") else "",
    }


def _goal_report(fetch: Fetch, trail: list[str]) -> dict[str, Any]:
    return {
        "url": fetch.final_url or fetch.url,
        "site": fetch.site,
        "label": fetch.label,
        "goal_probability": fetch.goal_probability,
        "trail": trail,
    }
