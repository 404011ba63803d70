"""Whether goals lie below goals, as the teaching shows it.

The exercises of a course are no courses; a list of papers may well have another below it. A goal that is alone in its folder owns the folder.
Of the pages that it links to in there, some were taught as goals of their own and most were not: their share, with one
observation of each kind added so that little teaching claims little, is the chance that a page below a goal is a goal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

import numpy as np

from trailmark.datatypes import Page, Trail
from trailmark.learn.bag import url_ending
from trailmark.learn.label_space import GOAL


def part_log_odds(trails: Iterable[Trail], page_at: Callable[[str], Page]) -> float | None:
    """Log-odds against a page below a goal being another goal; None where no taught goal has pages below it."""
    goals: dict[str, set[str]] = defaultdict(set)
    for trail in trails:
        if trail.outcome == GOAL:
            goals[trail.site].add(trail.steps[-1].url)
    endings = {url_ending(url) for urls in goals.values() for url in urls}
    nested = below = 0
    for site, urls in goals.items():
        for folder, owner in _owned(site, urls).items():
            linked = {
                link.url
                for link in page_at(owner).links
                if link.url.startswith(folder) and url_ending(link.url) in endings
            }
            others = {url for url in urls if url.startswith(folder)}
            nested += len(others - {owner})
            below += len((linked | others) - {owner})
    return float(np.log((below - nested + 1) / (nested + 1))) if below else None


def folder_of(url: str) -> str:
    """The folder that a page lies in, with its slash."""
    return url.partition("?")[0].rpartition("/")[0] + "/"


def _owned(site: str, urls: Iterable[str]) -> dict[str, str]:
    """Folder -> the one goal in it; neither the folder of the site's root nor a whole host is owned."""
    urls = sorted(urls)
    counts = Counter(map(folder_of, urls))
    return {
        folder: url
        for url in urls
        if counts[folder := folder_of(url)] == 1 and not site.startswith(folder) and folder.count("/") > 3
    }
