"""What is taught and what is walked: the cases of `evaluate forage`.

Webs with one root are taught and tested across each other, goal by goal; of a web with several roots, sites are left out fold by fold.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeVar

import numpy as np

from evals.forage_walk import WalkedSite, walked_site
from evals.taught_web import TaughtWeb
from evals.web_kinds import kind_of
from trailmark.datatypes import Trail
from trailmark.errors import InputError
from trailmark.store.benchmark_web import read_webs

Item = TypeVar("Item")
FOLDS = 5
Taught = Literal["goal", "all"]
"""Which trails of the taught webs are in the workspace: those of the goal, or all."""
WebTrails = tuple[TaughtWeb, tuple[Trail, ...]]


@dataclass(frozen=True)
class Case:
    """What is taught, and the sites that are then walked."""

    name: str
    group: str
    goal: str
    taught: tuple[WebTrails, ...]
    """Trails to the goal, and those that failed to get there."""
    sites: tuple[WalkedSite, ...]
    contrast: tuple[WebTrails, ...] = ()
    """Trails that lead to other goals on the same sites, where the workspace has them."""

    @property
    def title(self) -> str:
        return f"{self.name}: {self.goal}"

    @property
    def web(self) -> str:
        """Name of the web that is walked."""
        return self.sites[0].web.web.name

    @property
    def kind(self) -> str:
        return kind_of(self.sites[0].web.web)

    def goal_pages(self) -> frozenset[str]:
        """All pages of the walked web with the goal's label."""
        return frozenset(url for url, label in self.sites[0].web.labels.items() if label == self.goal)


@dataclass(frozen=True)
class Selection:
    """Which cases of a folder: all, where nothing is named; the webs in `train` teach for those in `test`."""

    goals: tuple[str, ...] = ()
    train: tuple[str, ...] = ()
    test: tuple[str, ...] = ()
    taught: Taught = "goal"


def make_cases(folder: Path, selection: Selection = Selection()) -> Iterator[Case]:  # noqa: B008 - frozen
    """All cases of a folder that were asked for."""
    webs = {web.name: TaughtWeb.open(web) for web in read_webs(folder) if web.goals}
    for name in (*selection.train, *selection.test):
        if name not in webs:
            raise InputError(f"There is no web '{name}' with trails in {folder}; choose from {', '.join(webs)}.")
    for name, web in webs.items():
        if selection.test and name not in selection.test:
            continue
        sites = tuple(walked_site(web, root) for root in web.web.roots)
        for goal in web.web.goals:
            if not selection.goals or goal in selection.goals:
                yield from _cases_of(webs, web, goal, sites, selection)


@lru_cache(maxsize=2)
def cases_at_hand(folder: Path, selection: Selection) -> tuple[Case, ...]:
    """The same cases once in a process; they share their webs, so that each page is read once."""
    return tuple(make_cases(folder, selection))


def sampled_cases(cases: Sequence[Case], folds: int) -> list[int]:
    """Numbers of some of the cases: of each web and goal so many folds, drawn by their names."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, case in enumerate(cases):
        found[case.web, case.goal].append(number)
    return sorted(number for unit, every in found.items() for number in drawn(every, " ".join(unit))[:folds])


def drawn(items: Sequence[Item], name: str) -> list[Item]:
    """Items in an order that is random and always the same for a name."""
    order = np.random.default_rng(zlib.crc32(name.encode())).permutation(len(items))
    return [items[place] for place in order]


def _cases_of(
    webs: dict[str, TaughtWeb], web: TaughtWeb, goal: str, sites: tuple[WalkedSite, ...], selection: Selection
) -> Iterator[Case]:
    name, alone, train = web.web.name, len(web.web.roots) == 1, selection.train
    others = [
        other
        for other in webs.values()
        if other is not web
        and goal in other.web.goals
        and (other.web.name in train if train else alone and len(other.web.roots) == 1)
    ]
    if others:
        taught = tuple((other, other.web.trails(goal)) for other in others)
        contrast = tuple((other, _contrast(other, goal)) for other in others) if selection.taught == "all" else ()
        group = "webs of one site" if alone else name
        title = f"{'+'.join(other.web.name for other in others)} -> {name}"
        yield Case(title, group, goal, taught, sites, contrast)
    elif not alone and not train:
        yield from _folds(web, goal, sites, selection.taught)


def _folds(web: TaughtWeb, goal: str, sites: tuple[WalkedSite, ...], taught: Taught) -> Iterator[Case]:
    count = min(FOLDS, len(sites))
    own = web.web.trails(goal)
    for fold in range(count):
        held = frozenset(site.root for site in sites[fold::count])
        shown = tuple(trail for trail in own if trail.site not in held)
        if any(trail.outcome == "goal" for trail in shown):
            contrast = ((web, _contrast(web, goal, held)),) if taught == "all" else ()
            name = f"{web.web.name}, fold {fold + 1} of {count}"
            yield Case(name, web.web.name, goal, ((web, shown),), sites[fold::count], contrast)


def _contrast(web: TaughtWeb, goal: str, held: Collection[str] = ()) -> tuple[Trail, ...]:
    """The web's trails that lead to other goals, on sites that are not held back; but for those to a page that is taught as this goal, too.

    Failed trails say of their own goal alone that it is not reached there.
    """
    wanted = {trail.steps[-1].url for trail in web.web.trails(goal) if trail.outcome == "goal"}
    others = (trail for other in web.web.goals if other != goal for trail in web.web.trails(other))
    return tuple(
        trail
        for trail in others
        if trail.outcome == "goal" and trail.site not in held and trail.steps[-1].url not in wanted
    )
