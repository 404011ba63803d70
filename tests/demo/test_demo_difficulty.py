"""How hard the web is: breadth-first does badly, so does a keyword, and a crude learner shows that there is a way.

The area is the mean share of goals found over the first 4 x (oracle's length) fetches, relative to the oracle's own.
"""

from __future__ import annotations

import re
from zlib import crc32

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.linalg import lsqr

from tests.demo.demo_walkers import KEYWORDS, LinkWorth, area, best_first, breadth_first, keyword_first, oracle
from trailmark.demo import GOALS, DemoSite, DemoWeb
from trailmark.demo.plan import Anchor
from trailmark.demo.trails import shortest_ways

SITES = [*DemoWeb(seed=1), *DemoWeb(seed=2)]


def mean_areas(goal: str) -> dict[str, float]:
    totals = {"breadth-first": 0.0, "keyword": 0.0}
    for site in SITES:
        goals = site.goals(goal)
        best = oracle(site, goals)
        budget = 4 * len(best)
        totals["breadth-first"] += area(breadth_first(site, budget=budget), goals, best)
        totals["keyword"] += area(keyword_first(site, KEYWORDS[goal], budget=budget), goals, best)
    return {name: total / len(SITES) for name, total in totals.items()}


@pytest.mark.slow
@pytest.mark.parametrize("goal", GOALS)
def test_breadth_first_and_keywords_do_badly(goal: str, capsys: pytest.CaptureFixture[str]) -> None:
    figures = mean_areas(goal)
    with capsys.disabled():
        print(f"\n  {goal:12} " + "  ".join(f"{name} {figure:.2f}" for name, figure in figures.items()), end="")
    assert figures["breadth-first"] <= 0.45
    assert figures["keyword"] <= 0.60


@pytest.mark.slow
@pytest.mark.parametrize("goal", GOALS)
def test_the_oracle_finds_every_goal_by_clicking(goal: str) -> None:
    for site in SITES:
        goals = site.goals(goal)
        order = oracle(site, goals)
        assert goals <= set(order)
        assert len(order) == len(set(order))
        seen = {order[0]}
        for url in order[1:]:
            assert any(url in site.links[before] for before in seen)
            seen.add(url)
        assert area(order, goals, order) == pytest.approx(1.0)


def test_walkers_visit_everything_in_the_end_and_nothing_twice() -> None:
    site = SITES[0]
    order = breadth_first(site, budget=2000)
    assert len(order) == 2000, "the calendar has no end"
    assert len(order) == len(set(order))
    assert site.links.keys() <= set(order)


FEATURES = 1 << 16


def features(site: DemoSite, url: str, anchor: Anchor, via: str) -> list[int]:
    """Words of the link, its address, what follows it, the page's title, and the link that led to the page."""
    page = site.page(url)
    assert page is not None
    heading = next((section.heading for section in page.sections if anchor in section.anchors), "menu")
    own = [f"a {word}" for word in words(anchor.text)] + [f"u {word}" for word in words(anchor.path)]
    own += [f"b {word}" for word in words(anchor.after)] + [f"h {word}" for word in words(heading)]
    where = [f"t {word}" for word in words(page.title)] + [f"v {word}" for word in words(via)]
    place = "in menu" if heading == "menu" else "in text"
    pairs = [f"{one} {other}" for one in (*own, place) for other in where]
    return sorted({crc32(each.encode()) % FEATURES for each in (*own, *where, *pairs, place)})


def words(text: str) -> list[str]:
    return re.findall(r"[a-z~]+", text.lower())


def train(sites: list[DemoSite], goal: str) -> np.ndarray:
    """Ridge regression of the discounted distance from a link to the next goal down the shortest ways."""
    rows: list[list[int]] = []
    worth: list[float] = []
    for site in sites:
        parents, depths = shortest_ways(site.root, site.links)
        below = dict.fromkeys(sorted(site.goals(goal)), 0)
        for url in (queue := list(below)):
            for parent in parents[url]:
                if parent not in below:
                    below[parent] = below[url] + 1
                    queue.append(parent)
        via = {site.root: ""}
        for url in sorted(depths, key=depths.__getitem__):
            page = site.page(url)
            assert page is not None
            for anchor in page.anchors():
                target = site.url(anchor.path)
                if target in depths and (anchor.text != "Home"):
                    via.setdefault(target, anchor.text)
                    rows.append(features(site, url, anchor, via[url]))
                    worth.append(0.7 ** below[target] if target in below else 0.0)
    columns = np.concatenate(rows)
    counts = np.array([len(row) for row in rows])
    matrix = csr_matrix((np.repeat(counts**-0.5, counts), columns, np.cumsum([0, *counts])), (len(rows), FEATURES))
    return lsqr(matrix, np.array(worth), damp=0.7, iter_lim=40)[0]


def learnt_score(site: DemoSite, weights: np.ndarray) -> LinkWorth:
    via = {site.root: ""}

    def score(url: str, anchor: Anchor) -> float:
        via.setdefault(site.url(anchor.path), anchor.text)
        row = features(site, url, anchor, via.get(url, ""))
        return float(weights[row].sum() / len(row) ** 0.5)

    return score


@pytest.mark.slow
@pytest.mark.parametrize("goal", ["publications", "contact"])
def test_what_was_learnt_on_other_sites_finds_the_way(goal: str, capsys: pytest.CaptureFixture[str]) -> None:
    weights = train(list(DemoWeb(seed=3))[:4], goal)
    areas = []
    for site in SITES[:8]:
        goals = site.goals(goal)
        best = oracle(site, goals)
        order = best_first(site, learnt_score(site, weights), budget=4 * len(best))
        areas.append(area(order, goals, best))
    with capsys.disabled():
        print(f"\n  {goal:12} learnt on four other sites {np.mean(areas):.2f}", end="")
    assert np.mean(areas) >= 0.75
