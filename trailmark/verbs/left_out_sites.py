"""Trails on several sites -> what may be promised of the next one: each taught site left out in turn, walked, its pages counted.

1. Roots on one host are one site, unless a site is what lies under its root (`scope`): two of them are no proof that the way carries over.
2. Of the sites with pages that were shown as wanted, at most `MOST_SITES` are left out, drawn evenly over the order of teaching.
3. `path` is taught with the trails of all others, and walks the site over the pages at hand: those of trails and of runs, and the archives that
   were named in teaching. A link that leads to none of them costs nothing. The queue is in memory and nothing is kept.
4. The verdicts are settled as those of any run, and held against what a person said of the pages.

The recipe was chosen with all sites in sight; that is one choice of a few, and the only thing that a site left out had a say in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from trailmark.datatypes import Fetch, Page, Trail
from trailmark.forage.run import Forager
from trailmark.forage.scope import Seed, domain_of, folder_of, host_of
from trailmark.forage.seeds import make_seed
from trailmark.forage.settled_run import judged_page, page_url
from trailmark.forage.settling import settle
from trailmark.learn.example import Example
from trailmark.learn.label_space import GOAL
from trailmark.learn.promise import LeftOutSite, Promise
from trailmark.learn.recipe import Recipe
from trailmark.learn.taught_goals import TaughtFor
from trailmark.progress import Progress, silent
from trailmark.settings import Settings
from trailmark.store.replay import Replay
from trailmark.strategy import Strategy
from trailmark.url_key import url_key
from trailmark.verbs.strategies import make_strategy
from trailmark.verbs.taught_examples import example_source

MOST_SITES = 5
MOST_PAGES, MOST_IN_ALL = 150, 450
"""Pages that are fetched from one site, and from all of them: with three sites of the generated web, `learn` takes 0.43 times as long again."""
MOST_LINKS = 5000
"""Links of one site that are looked for among the pages at hand."""


@dataclass(frozen=True, slots=True)
class ShownPages:
    """Pages by their keys, as a person showed them."""

    wanted: frozenset[str]
    others: frozenset[str]
    """Ends of trails that failed or lead to other goals, and pages on the way with a name of their own; none that is wanted too."""


def promise_of(
    taught: TaughtFor,
    examples: Sequence[Example],
    page_at: Callable[[str], Page],
    at_hand: Replay,
    settings: Settings,
    recipe: Recipe,
    *,
    progress: Progress = silent,
    elsewhere: Callable[[Sequence[str]], Iterable[LeftOutSite]] | None = None,
) -> Promise:
    """What was taught of a goal, its trails as examples, their pages, and all pages at hand -> what was counted on sites left out.

    Where nothing could be counted, the promise says why. `elsewhere` walks the sites, by their names, where this process does not.
    """
    sites = sites_of(taught.trails, settings.forage.scope)
    goals = [name for name, trails in sites.items() if any(trail.outcome == GOAL for trail in trails)]
    if len(goals) < 2:
        several = len({trail.site for trail in taught.trails if trail.outcome == GOAL}) > 1
        return Promise(obstacle="one host" if several else "one site")
    drawn = spread(goals, MOST_SITES)
    lesson = lesson_of(taught, examples, page_at, at_hand, settings, recipe, len(drawn))
    walked = (lesson.leave_out(sites[name]) for name in drawn) if elsewhere is None else elsewhere(drawn)
    rows = [row for _, row in zip(progress(drawn, "walking sites left out"), walked, strict=True)]
    domains = {domain_of(host_of(trail.site)) for trail in taught.trails}
    return Promise(tuple(rows), "" if any(row.pages for row in rows) else "no pages", len(domains) == 1)


def lesson_of(
    taught: TaughtFor,
    examples: Sequence[Example],
    page_at: Callable[[str], Page],
    at_hand: Replay,
    settings: Settings,
    recipe: Recipe,
    sites: int,
) -> Lesson:
    """What was taught of a goal, and the pages to try it on, where so many sites are left out in turn."""
    contrast = example_source(page_at, taught.contrast)(recipe.page_tokens, recipe.window)
    final_url = cache(lambda url: at_hand.fetch(url).url if url in at_hand else url)
    budget = min(MOST_PAGES, MOST_IN_ALL // sites)
    return Lesson(taught, examples, contrast, page_at, final_url, at_hand, settings, recipe, budget)


def sites_of(trails: Iterable[Trail], scope: str) -> Mapping[str, list[Trail]]:
    """Trails -> those of each site, in the order of teaching: of each host, or of each root where the scope is `prefix`."""
    sites: dict[str, list[Trail]] = defaultdict(list)
    for trail in trails:
        host = host_of(trail.site).removeprefix("www.")
        sites[folder_of(trail.site) if scope == "prefix" else host].append(trail)
    return sites


def spread(names: Sequence[str], most: int) -> list[str]:
    """At most so many of the names, evenly over their order, the first always among them."""
    count = min(most, len(names))
    return [names[place * len(names) // count] for place in range(count)]


def shown_pages(trails: Iterable[Trail], contrast: Iterable[Trail], goal: str) -> ShownPages:
    """Trails of a goal and those to other goals -> the pages that they say are this goal, and those that are not."""
    wanted, others = set[str](), set[str]()
    for trail in trails:
        *way, last = trail.steps
        (wanted if trail.outcome == GOAL else others).add(url_key(last.url))
        others.update(url_key(step.url) for step in way if step.label not in (None, goal))
    others.update(url_key(trail.steps[-1].url) for trail in contrast)
    return ShownPages(frozenset(wanted), frozenset(others - wanted))


@dataclass(frozen=True, slots=True)
class Lesson:
    """All that was taught of a goal, and the pages to try it on."""

    taught: TaughtFor
    examples: Sequence[Example]
    contrast: Sequence[Example]
    page_at: Callable[[str], Page]
    final_url: Callable[[str], str]
    at_hand: Replay
    settings: Settings
    recipe: Recipe
    budget: int
    """Pages that are fetched from a site."""

    def leave_out(self, trails: Sequence[Trail]) -> LeftOutSite:
        """The trails of a site -> what a walk over it makes of its pages, taught with the trails of all others."""
        own = {trail.site for trail in trails}
        contrast = [trail for trail in self.taught.contrast if trail.site in own]
        shown = shown_pages(trails, contrast, self.taught.goal)
        seeds = [seed for site in dict.fromkeys(trail.site for trail in trails) if (seed := self._seed(site, trails))]
        fetches = self._walk(self._strategy(own, shown.wanted), seeds, own)
        return counted(trails[0].site, shown, [fetch for fetch in fetches if fetch.content_hash])

    def _seed(self, site: str, trails: Iterable[Trail]) -> Seed | None:
        """The root of a site or, where it is not at hand, the first page of a trail there that is; None where no page is."""
        starts = (trail.steps[0].url for trail in trails if trail.site == site and len(trail.steps) > 1)
        root = next((url for url in (site, *starts) if url in self.at_hand), None)
        return None if root is None else make_seed(root, self.settings.forage.scope)

    def _strategy(self, left_out: Collection[str], wanted: Collection[str]) -> Strategy:
        """`path`, taught with the trails of other sites that end at no page that was shown on these."""
        rest = [
            example
            for example in self.examples
            if example.site not in left_out and url_key(example.trail.steps[-1].url) not in wanted
        ]
        return make_strategy(
            "path",
            [example.trail for example in rest],
            self.page_at,
            lambda: rest,
            final_url=self.final_url,
            goal=self.taught.goal,
            recipe=self.recipe,
            contrast=lambda: [example for example in self.contrast if example.site not in left_out],
        )

    def _walk(self, strategy: Strategy, seeds: Sequence[Seed], own: Collection[str]) -> list[Fetch]:
        """Best first over the pages at hand, as a run would with these settings; the sites of other trails are left alone."""
        fetches: list[Fetch] = []
        forage = replace(self.settings.forage, budget=self.budget, site_budget=0)
        read = self.settings.read
        forager = Forager(strategy, forage, read=read, on_fetch=lambda fetch, _: fetches.append(fetch))
        for seed in seeds:
            forager.add_site(seed)
        for site in dict.fromkeys(trail.site for trail in self.taught.trails if trail.site not in own):
            forager.territory.add(Seed(site))
        for _ in range(MOST_LINKS):
            ticket = forager.next()
            if ticket is None:
                break
            if ticket.link.url in self.at_hand:
                forager.arrived(ticket, self.at_hand.fetch(ticket.link.url))
            else:
                forager.refused(ticket, "not at hand")
        return fetches


def counted(site: str, shown: ShownPages, fetches: Sequence[Fetch]) -> LeftOutSite:
    """The pages that a walk read, in order, and what a person showed -> how many of each kind it met, and what it called them."""
    judged = [(fetch, page) for fetch in fetches if (page := judged_page(fetch)) is not None]
    verdicts = settle([page for _, page in judged])
    goal = {fetch.n: verdict.goal for (fetch, _), verdict in zip(judged, verdicts, strict=True)}
    kinds: dict[str, list[bool | None]] = {"wanted": [], "others": [], "unnamed": []}
    for fetch in fetches:
        names = {url_key(fetch.url), url_key(page_url(fetch))}
        kind = "wanted" if names & shown.wanted else "others" if names & shown.others else "unnamed"
        kinds[kind].append(goal.get(fetch.n, False))
    called = {kind: sum(verdict is True for verdict in found) for kind, found in kinds.items()}
    return LeftOutSite(
        site=site,
        pages=len(fetches),
        wanted=len(shown.wanted),
        met=len(kinds["wanted"]),
        called=called["wanted"],
        unsure=sum(verdict is None for verdict in kinds["wanted"]),
        others=len(kinds["others"]),
        others_called=called["others"],
        unnamed=len(kinds["unnamed"]),
        unnamed_called=called["unnamed"],
    )
