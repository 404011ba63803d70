"""Which sites are worth another walk: what earlier walks found new -> the chance that another one would.

New or changed goal pages of a site come as a Poisson process whose rate is not known: a Gamma distribution, begun for every site from what all
sites together have shown, and moved by the site's own repeated walks. Where n pieces of news came in w days of watching all sites, one takes
t = (s + w) / (1 + n) days, s being the days that a person allows for one; the chance that nothing is new on a site after d days is
(b / (b + d)) ** a, with a = 1 + its news and b = t + days that it was watched. For a site walked once, among sites walked once, that is one half
after s days. While the sites together were watched for less than s days nothing is known, and age alone decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum


@dataclass(frozen=True, slots=True)
class PastWalk:
    """One walk of a site, some days after the beginning of time."""

    day: float
    pages: int
    news: int
    """Goal pages that no walk before had found, or had found otherwise."""


@dataclass(frozen=True, slots=True)
class DueSite:
    """A site with what is expected of walking it again."""

    root: str
    days: float
    """Since its last walk."""
    chance: float | None
    """That something is new there; None where too little was watched to know."""
    news: float | None
    """New or changed goals that are expected."""
    pages: int
    """That its last walk took."""


def due_sites(
    walks: Mapping[str, Sequence[PastWalk]], now: float, *, least_chance: float, after_days: float
) -> list[DueSite]:
    """Walks of each site, the oldest first, and the day it is -> the sites that are due, the most news a page first.

    A site is due where the chance of news is at least `least_chance`; while nothing is known of it, `after_days` after its last walk.
    """
    one_takes = days_for_one(walks.values(), after_days)
    sites = [_site(root, past, now, one_takes) for root, past in walks.items() if past]
    due = [site for site in sites if (site.days >= after_days if site.chance is None else site.chance >= least_chance)]
    return sorted(due, key=lambda site: (-_gain(site), -site.days, site.root))


def days_for_one(every: Iterable[Sequence[PastWalk]], allowed: float) -> float | None:
    """Walks of all sites, and the days that are allowed for a piece of news -> days that one takes; None where less than that was watched."""
    known = list(every)
    days = fsum(map(_watched, known))
    return (allowed + days) / (1 + sum(map(_later_news, known))) if days > 0 and days >= allowed else None


def _site(root: str, past: Sequence[PastWalk], now: float, one_takes: float | None) -> DueSite:
    days, pages = max(now - past[-1].day, 0.0), past[-1].pages
    if one_takes is None:
        return DueSite(root, days, None, None, pages)
    shape, scale = 1.0 + _later_news(past), one_takes + _watched(past)
    return DueSite(root, days, 1.0 - (scale / (scale + days)) ** shape, shape * days / scale, pages)


def _gain(site: DueSite) -> float:
    return site.days if site.news is None else site.news / max(site.pages, 1)


def _watched(past: Sequence[PastWalk]) -> float:
    return max(past[-1].day - past[0].day, 0.0) if past else 0.0


def _later_news(past: Sequence[PastWalk]) -> int:
    return sum(walk.news for walk in past[1:])
