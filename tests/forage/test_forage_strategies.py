"""The contract of every strategy: those that a person can name, taught on two generated sites, and those of one's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.forage.forage_strategies import Hashed, HashedGuide, KeywordsFirst, UrlGoals
from trailmark.datatypes import Fetch, Link, Page, Response
from trailmark.demo import DemoWeb
from trailmark.forage.breadth import Breadth
from trailmark.forage.learning_walk import LearningWalk
from trailmark.forage.own_strategy import problem_of
from trailmark.forage.run import Forager
from trailmark.forage.scope import Seed
from trailmark.forage.walk import walk
from trailmark.read import read_page
from trailmark.settings import ForageSettings
from trailmark.store import ArchiveWriter
from trailmark.strategy import FollowedLink, Strategy
from trailmark.url_key import link_key
from trailmark.verbs.learn import learn
from trailmark.verbs.strategies import STRATEGIES as TAUGHT_STRATEGIES
from trailmark.verbs.strategies import workspace_strategy
from trailmark.verbs.teach import teach
from trailmark.workspace import Workspace

WEB = DemoWeb(sites=4, pages=100)
GOAL = "publications"
BUDGET = 60


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace that was shown the way to publications on two sites."""
    folder = tmp_path_factory.mktemp("taught")
    sites = [WEB.site(number) for number in (0, 1)]
    with ArchiveWriter(folder / "web.warc.gz") as writer:
        for site in sites:
            for response in site.responses():
                writer.write(response)
    lines = [
        {
            "site": trail.site,
            "outcome": trail.outcome,
            "steps": [{"url": step.url, "label": step.label} for step in trail.steps],
        }
        for site in sites
        for trail in site.trails(GOAL, 12)
    ]
    (folder / "trails.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with Workspace.create(folder / "w") as workspace:
        teach(workspace, [folder / "trails.jsonl"], [folder / "web.warc.gz"])
        learn(workspace, choose_recipe=False)
    return folder / "w"


def strategy_of(folder: Path, name: str) -> Strategy:
    with Workspace.open(folder) as workspace:
        return workspace_strategy(workspace, name)[0]


def walked(strategy: Strategy, number: int) -> tuple[list[Fetch], Forager]:
    site = WEB.site(number)
    fetches: list[Fetch] = []

    def answer(url: str) -> Response:
        final = site.follow(url)
        return replace(site.respond(final), redirects=(url,) if final != url else ())

    forager = Forager(strategy, ForageSettings(budget=BUDGET), on_fetch=lambda fetch, _: fetches.append(fetch))
    forager.add_site(Seed(site.root, "host"))
    walk(forager, answer)
    return fetches, forager


MADE: dict[str, Callable[[], Strategy]] = {
    "breadth alone": Breadth,
    "breadth with a judge": lambda: Breadth(Hashed()),
    "breadth with a judge that learns": lambda: Breadth(LearningWalk(HashedGuide())),
    "hashed": Hashed,
    "url goals": lambda: UrlGoals("publication"),
    "learning on the way": lambda: LearningWalk(HashedGuide()),
    "keywords": KeywordsFirst,
}
"""Strategies that need no teaching, by what they show."""


@pytest.mark.slow
def test_a_strategy_bears_the_name_it_goes_by(taught: Path) -> None:
    """A run is taken up by the name of its strategy: under one name, one would take up the other's runs."""
    assert [strategy_of(taught, name).name for name in TAUGHT_STRATEGIES] == list(TAUGHT_STRATEGIES)


@pytest.fixture(params=[*TAUGHT_STRATEGIES, *MADE])
def fresh(request: pytest.FixtureRequest, taught: Path) -> Callable[[], Strategy]:
    """A strategy as it is before it has seen a page; made as often as it is called."""
    name = request.param
    return MADE.get(name) or (lambda: strategy_of(taught, name))


ODD_PAGES = (
    Page("http://h.test/"),
    Page("http://h.test/x", content_type="image/png"),
    Page("http://h.test/a", links=(Link("http://h.test/a", ""), Link("http://h.test/a", ""), Link("http://[", "x"))),
)


@pytest.mark.slow
def test_what_a_strategy_says_of_itself(fresh: Callable[[], Strategy]) -> None:
    strategy = fresh()
    assert problem_of(strategy) == ""
    assert fresh().name == strategy.name


@pytest.mark.slow
def test_a_visit_has_a_score_for_each_link(fresh: Callable[[], Strategy]) -> None:
    """Finite and not negative, whatever the page; as many rows of memory, or none."""
    strategy = fresh()
    for page in ODD_PAGES:
        visit = strategy.visit(page, FollowedLink("http://h.test/", page.url, link_key(page.url)))
        assert 0.0 <= visit.judgement.goal_probability <= 1.0
        assert isinstance(visit.judgement.goal, bool)
        assert visit.scores.shape == (len(page.links),)
        assert np.all(np.isfinite(visit.scores) & (visit.scores >= 0.0))
        assert visit.memories is None or len(visit.memories) == len(page.links)


@pytest.mark.slow
def test_the_same_walk_again_gives_the_same_fetches(fresh: Callable[[], Strategy]) -> None:
    fetches, forager = walked(fresh(), 2)
    assert not forager.totals.problems
    assert len(fetches) == BUDGET
    assert all(np.isfinite(fetch.score) and fetch.score >= 0.0 for fetch in fetches)
    assert all(0.0 <= fetch.goal_probability <= 1.0 for fetch in fetches)
    assert walked(fresh(), 2)[0] == fetches


@pytest.mark.slow
def test_only_a_strategy_that_learns_changes_its_mind(fresh: Callable[[], Strategy]) -> None:
    """What it says of a page after a walk is what it said before, unless it says that it learns."""
    strategy = fresh()
    site = WEB.site(3)
    page = read_page(site.respond(site.root))
    link = FollowedLink(site.root, site.root, link_key(site.root))
    before = strategy.visit(page, link)
    walked(strategy, 3)
    after = strategy.visit(page, link)
    if not strategy.learns:
        assert before.rescore is None
        assert after.judgement == before.judgement
        assert np.array_equal(after.scores, before.scores)


@pytest.mark.slow
def test_only_a_strategy_that_judges_finds_goals(fresh: Callable[[], Strategy]) -> None:
    strategy = fresh()
    fetches, _ = walked(strategy, 2)
    if not strategy.judges:
        assert not any(fetch.goal or fetch.goal_probability for fetch in fetches)


@pytest.mark.slow
def test_a_site_is_walked_alike_whatever_was_walked_before(fresh: Callable[[], Strategy]) -> None:
    """Sites do not teach each other."""
    alone, _ = walked(fresh(), 2)
    strategy = fresh()
    walked(strategy, 3)
    assert walked(strategy, 2)[0] == alone


@pytest.mark.slow
def test_the_learnt_way_finds_more_than_breadth_first(taught: Path) -> None:
    """On the two sites that were not shown."""
    found = {"path": 0, "breadth": 0}
    for number in (2, 3):
        goals = WEB.site(number).goals(GOAL)
        for name in found:
            fetches, _ = walked(strategy_of(taught, name), number)
            found[name] += sum(fetch.final_url in goals for fetch in fetches)
    assert found["path"] > found["breadth"], found
