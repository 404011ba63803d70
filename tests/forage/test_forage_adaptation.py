"""Laws of learning on the way: nothing moves without evidence, evidence moves towards itself, and less the more there was."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Link, Page
from trailmark.forage.adaptation import SiteModel, chance_of, log_odds
from trailmark.forage.learning_walk import LearningWalk, link_mark
from trailmark.forage.queued_link import QueuedLink
from trailmark.forage.strategy import Judgement
from trailmark.forage.url_shape import url_key

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


@given(CHANCES, st.lists(st.booleans(), min_size=1, max_size=30))
def test_chances_stay_chances(goal: float, outcomes: list[bool]) -> None:
    model = made(goal)
    for outcome in outcomes:
        model.learn([0], float(outcome), 0.5)
    scores = model.scores()
    assert np.all((scores >= 0) & (scores <= 1))
    assert np.all(np.isfinite(scores))


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


# --- the walk -----------------------------------------------------------------------------------------------------

ROOT = "http://a.test/"


class Guide:
    """Knows nothing of links; a page is a goal where its title says so."""

    name = "path"
    goal_name = "person"

    def judge(self, page: Page, /, *, site: str, memory: object = None) -> Judgement:
        del site, memory
        goal = page.title == "goal"
        return Judgement("", goal, 0.95 if goal else 0.05)

    def outlook(self, page: Page, judgement: Judgement, /, *, site: str) -> Guide.Outlook:
        del judgement, site
        return Guide.Outlook(len(page.links))

    def expected(self, memory: object, /) -> float:
        del memory
        return 0.3

    class Outlook:
        def __init__(self, count: int) -> None:
            self.goal, self.onward = np.full(count, 0.3), np.full(count, 0.1)
            self.memories = np.zeros((count, 1))
            self.bags: list[dict[str, list[str]]] = [{} for _ in range(count)]


def queued(url: str, parent: str = ROOT, depth: int = 1) -> QueuedLink:
    memory = np.array([0.0, float(url_key(url) & (2**52 - 1))]).tobytes() if depth else None
    return QueuedLink(url_key(url), 0, url, depth, 0, 1, parent, 0, "", 0, 0.1, 0.1, 0.1, memory)


def start() -> tuple[LearningWalk, Page]:
    walk = LearningWalk(Guide())
    good = [Link(f"{ROOT}good/{n}/", "", block=0, tag_path="html/body/ul/li/a") for n in range(6)]
    bad = [Link(f"{ROOT}bad/{n}/", "", block=1, tag_path="html/body/p/a") for n in range(6)]
    page = Page(ROOT, links=(*good, *bad))
    walk.adapt(page, walk.judge(page, site=ROOT, memory=None), site=ROOT, via=queued(ROOT, "", 0))
    return walk, page


def test_a_block_that_ends_in_goals_rises_and_one_that_does_not_sinks() -> None:
    walk, page = start()
    before = float(walk.score(page, None, site=ROOT)[0][5])
    rescore = None
    for kind, title in (("good", "goal"), ("bad", "other")) * 3:
        for number in range(2):
            url = f"{ROOT}{kind}/{number}/"
            seen = Page(url, title=title)
            rescore = walk.adapt(
                seen, walk.judge(seen, site=ROOT, memory=queued(url).remembered()), site=ROOT, via=queued(url)
            )
    assert rescore is not None
    assert rescore(queued(f"{ROOT}good/5/")) > before > rescore(queued(f"{ROOT}bad/5/"))
    assert rescore(queued("http://a.test/never-found")) == 0.1


def test_what_the_site_showed_decides_whether_a_page_is_a_goal() -> None:
    walk, _ = start()
    unsure = Page(f"{ROOT}good/5/", title="goal")
    memory = queued(unsure.url).remembered()
    before = walk.judge(unsure, site=ROOT, memory=memory)
    for number in range(4):
        url = f"{ROOT}good/{number}/"
        seen = Page(url, title="goal")
        walk.adapt(seen, walk.judge(seen, site=ROOT, memory=queued(url).remembered()), site=ROOT, via=queued(url))
    after = walk.judge(unsure, site=ROOT, memory=memory)
    assert after.goal_probability > before.goal_probability
    assert after.goal
    assert after.label == "person"


def test_sites_do_not_teach_each_other() -> None:
    walk, page = start()
    url = f"{ROOT}good/0/"
    seen = Page(url, title="goal")
    walk.adapt(seen, walk.judge(seen, site=ROOT, memory=queued(url).remembered()), site=ROOT, via=queued(url))
    other = "http://b.test/"
    walk.adapt(page, walk.judge(page, site=other, memory=None), site=other, via=queued(other, "", 0))
    scores = walk.score(page, None, site=other)[0]
    assert np.allclose(scores, scores[0])


def test_pages_below_a_goal_are_taken_for_parts_of_it() -> None:
    walk, _ = start()
    url = f"{ROOT}good/0/"
    goal = Page(url, title="goal", links=(Link(f"{url}part.html", ""), Link(f"{ROOT}good/9/", "")))
    walk.adapt(goal, walk.judge(goal, site=ROOT, memory=queued(url).remembered()), site=ROOT, via=queued(url))
    part, other = walk.score(goal, None, site=ROOT)[0]
    assert part < other / 2


def test_marks_tell_where_a_link_stands_and_leads() -> None:
    page = Page(
        ROOT, links=(Link(f"{ROOT}x/~ada/cv.html", "CV", heading="People", block=2, tag_path="html/body/ul/li/a"),)
    )
    marks = link_mark(page, 0, {"anchor": ["cv"]})
    assert marks["block"] == ((ROOT, 2),)
    assert marks["anchor"] == ["cv"]
    assert marks["folder"] == ["a.test", "a.test/x", "a.test/x/~ada"]
    assert marks["heading"] == ((ROOT, "People"),)
