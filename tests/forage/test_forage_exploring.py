"""A site that contradicts what was taught: what was promised is not there, and the goals are where nothing was promised."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Page, Response
from trailmark.forage.adaptation import SiteModel
from trailmark.forage.learning_walk import LearningWalk
from trailmark.forage.run import Forager
from trailmark.forage.scope import Seed
from trailmark.forage.walk import walk
from trailmark.settings import ForageSettings
from trailmark.strategy import Floats, FollowedLink, Judgement, Outlook

ROOT = "http://odd.test/"
LISTS, PERSONS, GOALS = 20, 15, 12
PROMISED, ELSEWHERE = 0.4, 0.01


class Mistaken:
    """A guide taught elsewhere: persons are goals there, and here they are nothing; pages it knows when it sees them."""

    name, goal_name = "mistaken", "goal"

    def outlook(self, page: Page, link: FollowedLink, /) -> Outlook:
        del link
        goal = "/attic/" in page.url and page.url != f"{ROOT}attic/"
        promised = np.array([PROMISED if "/person" in each.url else ELSEWHERE for each in page.links])
        onward = np.array([PROMISED if "/list" in each.url else ELSEWHERE for each in page.links])
        bags = [{"anchor": each.anchor.lower().split()} for each in page.links]
        judgement = Judgement("", goal, 0.97 if goal else 0.03)
        return Outlook(judgement, promised, onward, promised.reshape(-1, 1), bags)

    def expected(self, memory: Floats, /) -> float:
        return float(memory[0])


def odd_site() -> dict[str, str]:
    """Lists of persons without end in sight, and an attic with all goals behind one poor link."""
    lists = [f"{ROOT}list{number}/" for number in range(LISTS)]
    pages = {url: _listed(f"{url}person{n}/" for n in range(PERSONS)) for url in lists}
    pages |= {f"{url}person{n}/": "<p>A person, number {n} of {url}.</p>" for url in lists for n in range(PERSONS)}
    goals = [f"{ROOT}attic/{number}/" for number in range(GOALS)]
    attic = _listed(goals)
    return pages | {
        ROOT: f"{_listed(lists)}<p>See also the <a href='{ROOT}attic/'>attic</a>.</p>",
        f"{ROOT}attic/": attic,
        **{url: f"<h1>Treasure {number}</h1>" for number, url in enumerate(goals)},
    }


def _listed(urls: Any) -> str:
    return "<ul>" + "".join(f"<li><a href='{url}'>{url[16:]}</a></li>" for url in urls) + "</ul>"


def walked(strategy: LearningWalk, budget: int) -> list[str]:
    pages, fetched = odd_site(), []
    forager = Forager(strategy, ForageSettings(budget=budget))
    forager.add_site(Seed(ROOT, "host"))

    def fetch(url: str) -> Response:
        fetched.append(url)
        body = f"<html><title>{url}</title>{pages.get(url, '')}</html>".encode()
        return Response(url, 200 if url in pages else 404, (("content-type", "text/html"),), body)

    walk(forager, fetch)
    return fetched


def goals_in(fetched: list[str]) -> int:
    return sum("/attic/" in url and url != f"{ROOT}attic/" for url in fetched)


@pytest.mark.slow
def test_goals_are_found_where_nothing_was_promised() -> None:
    budget = (LISTS * (PERSONS + 1)) // 2
    assert goals_in(walked(LearningWalk(Mistaken()), budget)) == GOALS
    assert goals_in(walked(LearningWalk(Mistaken(), explore=0), budget)) == 0


@pytest.mark.slow
def test_exploring_is_the_same_each_time() -> None:
    assert walked(LearningWalk(Mistaken()), 150) == walked(LearningWalk(Mistaken()), 150)


@given(st.integers(0, 12))
def test_what_was_never_tried_is_newest_and_each_try_makes_its_like_older(times: int) -> None:
    model = SiteModel()
    places: list[dict[str, tuple[str, ...]]] = [
        {"block": (name,), "tags": (name,), "folder": (name,), "shape": (name,)} for name in ("a", "b")
    ]
    model.add(places, np.full(2, 0.2), np.full(2, 0.1))
    for _ in range(times):
        model.learn([0], 0.2, 0.1)  # as expected: nothing but the count changes
    tried, fresh = model.novelty()
    assert fresh == 1.0
    assert np.isclose(tried, 1.0 / (1 + times))
