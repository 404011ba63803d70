"""Laws of learning on the way: nothing moves without evidence, evidence moves towards itself, and less the more there was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Link, Page
from trailmark.forage.adaptation import SiteModel
from trailmark.forage.learning_walk import LearningWalk, link_mark
from trailmark.forage.queued_link import QueuedLink
from trailmark.sequence import chance_of, log_odds
from trailmark.strategy import FollowedLink, Judgement, Outlook, Visit
from trailmark.url_key import link_key

CHANCES = st.floats(0.02, 0.98)
MARKS = [{"block": (1,), "anchor": ("a",)}, {"block": (1,), "anchor": ("b",)}, {"block": (2,), "anchor": ("c",)}]


def made(goal: float = 0.3, onward: float = 0.2) -> SiteModel:
    model = SiteModel()
    model.add(MARKS, np.full(3, goal), np.full(3, onward))
    return model


@given(CHANCES, CHANCES)
def test_no_evidence_leaves_the_guide_alone(goal: float, onward: float) -> None:
    model = made(goal, onward)
    assert np.allclose(model.scores(), goal + (1 - goal) * 0.8 * onward)
    assert np.allclose(chance_of(log_odds(np.array([goal]))), goal)


@pytest.mark.slow
@given(CHANCES, st.lists(st.booleans(), min_size=1, max_size=30))
def test_chances_stay_chances(goal: float, outcomes: list[bool]) -> None:
    model = made(goal)
    for outcome in outcomes:
        model.learn([0], float(outcome), 0.5)
    scores = model.scores()
    assert np.all((scores >= 0) & (scores <= 1))
    assert np.all(np.isfinite(scores))


@pytest.mark.slow
@given(CHANCES, st.integers(1, 20))
def test_goals_raise_the_rest_of_their_block_and_fails_lower_it(goal: float, times: int) -> None:
    up, down = made(goal), made(goal)
    for _ in range(times):
        up.learn([0], 1.0, 0.2)
        down.learn([0], 0.0, 0.2)
    before = made(goal).goal_log_odds([0, 1, 2])
    raised, sunk = up.goal_log_odds([0, 1, 2]), down.goal_log_odds([0, 1, 2])
    assert raised[0] > raised[1] > before[1] > sunk[1] > sunk[0]
    assert raised[2] == before[2] == sunk[2]


@pytest.mark.slow
@given(CHANCES)
def test_more_evidence_of_one_kind_never_turns_back_and_counts_less_and_less(goal: float) -> None:
    model = made(goal)
    steps = [float(model.goal_log_odds([1])[0])]
    for _ in range(12):
        model.learn([0], 1.0, 0.2)
        steps.append(float(model.goal_log_odds([1])[0]))
    moves = np.diff(steps)
    assert np.all(moves > 0)
    assert np.all(np.diff(moves[2:]) <= 1e-9)


@given(CHANCES)
def test_what_was_expected_teaches_nothing(goal: float) -> None:
    model = made(goal, 0.2)
    model.learn([0], goal, 0.2)
    assert np.allclose(model.scores(), made(goal, 0.2).scores(), atol=1e-9)


def test_links_found_later_share_what_was_learnt() -> None:
    model = made(0.3)
    for _ in range(5):
        model.learn([0], 1.0, 0.2)
    rows = model.add([{"block": (1,)}, {"block": (9,)}], np.full(2, 0.3), np.full(2, 0.2))
    assert list(rows) == [3, 4]
    assert len(model) == 5
    seen, unseen = model.goal_log_odds(rows)
    assert seen > unseen == log_odds(np.array([0.3]))[0]


def test_many_rows_and_few_are_scored_alike() -> None:
    model = SiteModel()
    model.add([{"anchor": (n % 7, n % 3), "page": (n % 5,)} for n in range(100)], np.full(100, 0.4), np.full(100, 0.1))
    for row in range(0, 60, 3):
        model.learn([row], float(row % 2), 0.3)
    whole = model.scores()
    assert np.allclose(whole, [float(model.scores([row])[0]) for row in range(100)])
    assert np.allclose(whole[:50], model.scores(range(50)))


@given(CHANCES, st.floats(0.01, 3.0))
def test_waiting_lowers_the_score_of_a_link_and_not_what_it_is_taken_for(goal: float, wait: float) -> None:
    model = SiteModel()
    model.add(MARKS[:1], np.full(1, goal), np.full(1, 0.2))
    model.add(MARKS[:1], np.full(1, goal), np.full(1, 0.2), wait=wait)
    now, later = model.scores()
    assert later < now
    assert len(set(model.goal_log_odds([0, 1]))) == 1
    model.keep(np.array([1]))
    assert model.scores()[0] == later


# --- the walk -----------------------------------------------------------------------------------------------------

ROOT = "http://a.test/"


class Guide:
    """Knows nothing of links; a page is a goal where its title says so."""

    name = "path"
    goal_name = "person"

    def outlook(self, page: Page, link: FollowedLink, /) -> Outlook:
        del link
        goal, count = page.title == "goal", len(page.links)
        judgement = Judgement("", goal, 0.95 if goal else 0.05)
        return Outlook(judgement, np.full(count, 0.3), np.full(count, 0.1), np.zeros((count, 1)), [{}] * count)

    def expected(self, memory: object, /) -> float:
        del memory
        return 0.3


def queued(url: str, parent: str = ROOT, depth: int = 1) -> QueuedLink:
    memory = np.zeros(1).tobytes() if depth else None
    return QueuedLink(link_key(url), 0, url, depth, 0, 1, parent, 0, "", 0, 0.1, 0.1, 0.1, memory)


def seen(walk: LearningWalk, page: Page, *, site: str = ROOT) -> Visit:
    """What is made of a page that its link on the root led to; the root of `site` has none."""
    return walk.visit(page, queued(page.url if page.url != ROOT else site, depth=page.url != ROOT).followed(site))


def start() -> tuple[LearningWalk, Visit]:
    walk = LearningWalk(Guide())
    good = [Link(f"{ROOT}good/{n}/", "", block=0, tag_path="html/body/ul/li/a") for n in range(6)]
    bad = [Link(f"{ROOT}bad/{n}/", "", block=1, tag_path="html/body/p/a") for n in range(6)]
    return walk, seen(walk, Page(ROOT, links=(*good, *bad)))


def test_a_block_that_ends_in_goals_rises_and_one_that_does_not_sinks() -> None:
    walk, first = start()
    before = float(first.scores[5])
    rescore = None
    for kind, title in (("good", "goal"), ("bad", "other")) * 3:
        for number in range(2):
            rescore = seen(walk, Page(f"{ROOT}{kind}/{number}/", title=title)).rescore
    assert rescore is not None
    assert rescore(queued(f"{ROOT}good/5/")) > before > rescore(queued(f"{ROOT}bad/5/"))
    assert rescore(queued("http://a.test/never-found")) == 0.1


def test_what_the_site_showed_decides_whether_a_page_is_a_goal() -> None:
    unsure = Page(f"{ROOT}good/5/", title="goal")
    before = seen(start()[0], unsure).judgement
    walk, _ = start()
    for number in range(4):
        seen(walk, Page(f"{ROOT}good/{number}/", title="goal"))
    after = seen(walk, unsure).judgement
    assert after.goal_probability > before.goal_probability
    assert after.goal
    assert after.label == "person"


def test_until_a_goal_is_found_a_link_is_worth_the_sum_of_its_promises_and_then_no_more_than_its_best() -> None:
    walk, first = start()
    link = queued(f"{ROOT}good/5/")
    link.base = 1.7
    missed = seen(walk, Page(f"{ROOT}bad/0/"))
    met = seen(walk, Page(f"{ROOT}good/0/", title="goal"))
    assert first.rescore is not None
    assert missed.rescore is not None
    assert met.rescore is not None
    assert missed.rescore(link) < 1.0, "all of them look at the site as it is now"
    walk, first = start()
    missed = seen(walk, Page(f"{ROOT}bad/0/"))
    assert first.rescore is not None
    assert missed.rescore is not None
    assert first.rescore(link) == missed.rescore(link) == 1.7


def test_sites_do_not_teach_each_other() -> None:
    walk, _ = start()
    seen(walk, Page(f"{ROOT}good/0/", title="goal"))
    links = tuple(Link(f"{ROOT}{kind}/{n}/", "") for kind in ("good", "bad") for n in range(6))
    scores = seen(walk, Page(ROOT, links=links), site="http://b.test/").scores
    assert np.allclose(scores, scores[0])


def test_pages_below_a_goal_are_taken_for_parts_of_it() -> None:
    walk, _ = start()
    url = f"{ROOT}good/0/"
    goal = Page(url, title="goal", links=(Link(f"{url}part.html", ""), Link(f"{ROOT}good/9/", "")))
    part, other = seen(walk, goal).scores
    assert part < other / 2


def test_what_a_link_remembers_is_the_guide_s_own() -> None:
    """The site finds its links by their keys: nothing of its own travels with them."""
    _, first = start()
    assert first.memories is not None
    assert first.memories.shape == (12, 1)


def test_marks_tell_where_a_link_stands_and_leads() -> None:
    page = Page(
        ROOT, links=(Link(f"{ROOT}x/~ada/cv.html", "CV", heading="People", block=2, tag_path="html/body/ul/li/a"),)
    )
    marks = link_mark(page, 0, {"anchor": ["cv"]})
    assert marks["block"] == ((ROOT, 2),)
    assert marks["anchor"] == ["cv"]
    assert marks["folder"] == ["a.test", "a.test/x", "a.test/x/~ada"]
    assert marks["heading"] == ((ROOT, "People"),)
