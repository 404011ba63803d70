"""A benchmark web with its pages read, as examples to learn from: what tasks about trails and foraging start with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from trailmark.datatypes import Page, Trail
from trailmark.errors import InputError
from trailmark.learn.example import Example, make_examples
from trailmark.read import read_page
from trailmark.settings import ReadSettings
from trailmark.store.benchmark_web import BenchmarkWeb, read_webs
from trailmark.store.replay import Replay
from trailmark.teach import find_link

ALL_TOKENS = ReadSettings(page_tokens=-1)


@dataclass
class TaughtWeb:
    """Opens the archive and reads each page once, when they are first needed."""

    web: BenchmarkWeb
    pages: dict[str, Page] = field(default_factory=dict)
    answers: dict[str, tuple[str, int]] = field(default_factory=dict)

    @classmethod
    def open(cls, web: BenchmarkWeb) -> TaughtWeb:
        return cls(web)

    @cached_property
    def replay(self) -> Replay:
        return Replay([self.web.archive])

    @cached_property
    def labels(self) -> dict[str, str]:
        """Label of each labelled page, by URL."""
        return self.web.labels()

    def answer(self, url: str) -> tuple[str, int]:
        """Where a URL leads to in the end, and the status there; looked up once."""
        if url not in self.answers:
            response = self.replay.fetch(url)
            self.answers[url] = (response.url, response.status)
        return self.answers[url]

    def page(self, url: str) -> Page:
        if url not in self.pages:
            self.pages[url] = read_page(self.replay.fetch(url), ALL_TOKENS)
        return self.pages[url]

    def examples(self, goal: str, *, page_tokens: int = 100, window: int = 10) -> list[Example]:
        """The web's trails to a goal."""
        return self.examples_of(self.web.trails(goal), page_tokens=page_tokens, window=window)

    def examples_of(self, trails: Sequence[Trail], *, page_tokens: int = 100, window: int = 10) -> list[Example]:
        return make_examples(
            trails,
            self.page,
            lambda page, step: find_link(page, step, final_url=lambda url: self.answer(url)[0]),
            page_tokens=page_tokens,
            window=window,
        )


@dataclass(frozen=True, eq=False)
class Split:
    """What is taught and what is tested: webs apart, or sites of one web apart."""

    name: str
    goal: str
    train: Callable[[int, int], list[Example]]
    test: Callable[[int, int], list[Example]]


def make_splits(
    folder: Path, *, train: Sequence[str] = (), test: Sequence[str] = (), goals: Sequence[str] = (), folds: int = 5
) -> list[Split]:
    """All splits of a folder of webs. Webs of one site each are taught and tested across each other, goal by goal;
    a web of several sites by leaving sites out, fold by fold. `train` and `test` name webs, where given."""
    webs = {web.name: TaughtWeb.open(web) for web in read_webs(folder) if web.goals}
    for name in (*train, *test):
        if name not in webs:
            raise InputError(f"There is no web '{name}' with trails in {folder}; choose from {', '.join(webs)}.")
    if train or test:
        return _named_splits(webs, train or tuple(webs), test or tuple(webs), goals)
    single = {name: web for name, web in webs.items() if len(web.web.roots) == 1}
    across = _named_splits(single, tuple(single), tuple(single), goals)
    left_out = [
        split
        for name, web in webs.items()
        if name not in single
        for goal in web.web.goals
        if not goals or goal in goals
        for split in _site_splits(web, goal, folds)
    ]
    return across + left_out


def _named_splits(
    webs: dict[str, TaughtWeb], train: Sequence[str], test: Sequence[str], goals: Sequence[str]
) -> list[Split]:
    """For every tested web and goal: taught on all the other webs named that have the goal."""
    splits = []
    for tested in test:
        for goal in webs[tested].web.goals:
            taught = [webs[name] for name in train if name != tested and goal in webs[name].web.goals]
            if taught and (not goals or goal in goals):
                name = f"{'+'.join(web.web.name for web in taught)} -> {tested}"
                splits.append(_split(name, goal, taught, webs[tested]))
    return splits


def _split(name: str, goal: str, taught: Sequence[TaughtWeb], tested: TaughtWeb) -> Split:
    def train(page_tokens: int, window: int) -> list[Example]:
        return [e for web in taught for e in web.examples(goal, page_tokens=page_tokens, window=window)]

    def test(page_tokens: int, window: int) -> list[Example]:
        return tested.examples(goal, page_tokens=page_tokens, window=window)

    return Split(name, goal, train, test)


def _site_splits(web: TaughtWeb, goal: str, folds: int) -> list[Split]:
    sites = list(dict.fromkeys(trail.site for trail in web.web.trails(goal)))
    count = min(folds, len(sites))

    def part(held: frozenset[str], *, kept: bool) -> Callable[[int, int], list[Example]]:
        trails = [trail for trail in web.web.trails(goal) if (trail.site in held) == kept]
        return lambda page_tokens, window: web.examples_of(trails, page_tokens=page_tokens, window=window)

    return [
        Split(f"{web.web.name}, fold {fold + 1} of {count}", goal, part(held, kept=False), part(held, kept=True))
        for fold in range(count)
        for held in [frozenset(sites[fold::count])]
    ]
