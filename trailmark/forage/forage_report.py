"""What came of a run: the sites with why each ended, the goals with the trail that led to each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from trailmark.datatypes import Fetch, SiteState
from trailmark.forage.seeds import BadSeed
from trailmark.report import Json, Report


@dataclass(frozen=True)
class SiteReport(Report):
    """A site of a run and why it ended."""

    site: str
    scope: str
    pages: int
    goals: int
    unsure: int
    """Pages that may be goals or not; they are not among the goals."""
    harvest_rate: float
    ended: str
    same_as: str
    """Root of the site that this one turned out to be."""
    why: str
    """What became of its root, where no page came of it."""


@dataclass(frozen=True)
class GoalReport(Report):
    """A goal page with the trail from the root of its site."""

    url: str
    site: str
    label: str
    goal_probability: float
    trail: tuple[str, ...]
    goal_name: str = ""
    """Which goal, where the walk looked for several."""

    def to_json(self) -> dict[str, Json]:
        """Without the name of the goal where there is one only."""
        return {name: value for name, value in super().to_json().items() if name != "goal_name" or value}


@dataclass(frozen=True)
class KeywordPageReport(Report):
    """A page that keywords found, and which."""

    url: str
    title: str
    keywords: tuple[str, ...]
    goal_probability: float


@dataclass(frozen=True)
class ForageReport(Report):
    """What `trailmark forage` prints, and prints as JSON."""

    run: int
    strategy: str
    already_done: bool
    """Whether the same was run to its end before, so that nothing was fetched."""
    resumed: bool
    pages: int
    goals_found: int
    unsure: int
    """Pages that may be goals or not; they are not among the goals, and questions are about them."""
    harvest_rate: float
    """Goals a page fetched."""
    seconds: float
    pages_per_second: float
    sites: tuple[SiteReport, ...]
    goals: tuple[GoalReport, ...]
    soft_404s: int
    """Pages that answered with 200 and said that they do not exist."""
    skipped: Mapping[str, int]
    """Links left alone, by reason."""
    problems: tuple[str, ...]
    """Pages that could not be judged."""
    bad_seeds: tuple[BadSeed, ...] = ()
    """Lines of seeds files that could not be used."""
    goals_by_name: Mapping[str, int] = field(default_factory=dict)
    """Pages found of each goal, where the walk looked for several."""
    keyword_pages: tuple[KeywordPageReport, ...] = ()
    """Pages that the keywords speak for, where the walk looked for some, the likeliest first."""
    pages_by_keyword: Mapping[str, int] = field(default_factory=dict)
    """On how many of these pages each keyword stands, the most frequent first."""

    def to_json(self) -> dict[str, Json]:
        """Without the goals by name where there is one only, and without keywords where none were looked for."""
        own = ("goals_by_name", "keyword_pages", "pages_by_keyword")
        return {name: value for name, value in super().to_json().items() if name not in own or value}


def site_report(site: SiteState) -> SiteReport:
    """How far a site has come -> the site as it is reported."""
    return SiteReport(
        site=site.root,
        scope=site.scope,
        pages=site.pages,
        goals=site.goals,
        unsure=site.unsure,
        harvest_rate=site.goals / site.pages if site.pages else 0.0,
        ended=site.ended,
        same_as=site.same_as,
        why=site.why if site.ended in ("same", "unreachable") else "",
    )


def keyword_page_reports(fetches: Iterable[Fetch]) -> tuple[KeywordPageReport, ...]:
    """Fetches -> the pages among them with keywords that were not turned down, the likeliest first."""
    found = [fetch for fetch in fetches if fetch.keywords and fetch.content_hash and fetch.goal is not False]
    ranked = sorted(found, key=lambda fetch: (-fetch.goal_probability, fetch.n))
    return tuple(
        KeywordPageReport(each.final_url or each.url, each.title, each.keywords, each.goal_probability)
        for each in ranked
    )


def pages_by_keyword(pages: Iterable[KeywordPageReport]) -> dict[str, int]:
    """Pages that keywords found -> on how many each keyword stands."""
    return dict(Counter(keyword for page in pages for keyword in page.keywords).most_common())


def goal_report(fetch: Fetch, trail: list[str]) -> GoalReport:
    """A fetch of a goal page and the trail to it -> the goal as it is reported."""
    url = fetch.final_url or fetch.url
    return GoalReport(url, fetch.site, fetch.label, fetch.goal_probability, tuple(trail), fetch.goal_name)
