"""The contract of every strategy that a person can name, taught on two generated sites and walked on others."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from trailmark.datatypes import Fetch, Page, Response
from trailmark.demo import DemoWeb
from trailmark.forage.run import Forager
from trailmark.forage.scope import Seed
from trailmark.forage.strategy import Strategy
from trailmark.forage.walk import walk
from trailmark.settings import ForageSettings
from trailmark.store import ArchiveWriter
from trailmark.wiring.foraging import STRATEGIES
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
        workspace.teach([folder / "trails.jsonl"], [folder / "web.warc.gz"])
        workspace.learn(choose_recipe=False)
    return folder / "w"


def strategy_of(folder: Path, name: str) -> Strategy:
    with Workspace.open(folder) as workspace:
        return workspace.strategy(name)[0]


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


@pytest.mark.slow
@pytest.mark.parametrize("name", STRATEGIES)
def test_contract(taught: Path, name: str) -> None:
    """As many scores as links, none negative, no page too odd; the same walk again gives the same fetches."""
    strategy = strategy_of(taught, name)
    assert strategy.name == name
    for page in (Page("http://h.test/"), Page("http://h.test/x", content_type="image/png")):
        judged = strategy.judge(page, site="http://h.test/", memory=None)
        assert 0.0 <= judged.goal_probability <= 1.0
        scores, memories = strategy.score(page, judged, site="http://h.test/")
        assert len(scores) == 0
        assert memories is None or len(memories) == 0
    fetches, forager = walked(strategy, 2)
    assert not forager.totals.problems
    assert len(fetches) == BUDGET
    assert all(np.isfinite(fetch.score) and fetch.score >= 0.0 for fetch in fetches)
    assert all(0.0 <= fetch.goal_probability <= 1.0 for fetch in fetches)
    again, _ = walked(strategy_of(taught, name), 2)
    assert again == fetches


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
