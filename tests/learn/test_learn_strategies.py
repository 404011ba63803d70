"""The taught strategies on a tiny site: who follows what, and the laws of their parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Link, Page, Step, Trail
from trailmark.forage.learning_walk import LearningWalk
from trailmark.learn.bag import host_words, link_bag
from trailmark.learn.clicks import fit_clicks
from trailmark.learn.context import make_context
from trailmark.learn.example import Example, make_examples
from trailmark.learn.focused import make_focused
from trailmark.learn.future import binned, make_future, roll_out
from trailmark.learn.learner import make_navigator
from trailmark.learn.navigator import Navigator
from trailmark.learn.nesting import part_log_odds
from trailmark.learn.path import PathGuide
from trailmark.learn.recipe import Recipe
from trailmark.learn.taught_graph import TaughtGraph, taught_graph
from trailmark.strategy import FollowedLink, Strategy

NAMES = ("ada", "bob", "cleo", "dan")


def site(root: str) -> dict[str, Page]:
    """A department: people -> persons (goals), and news -> stories."""
    people, news = f"{root}people/", f"{root}news/"
    pages = {
        root: Page(
            root, "Department", links=(Link(people, "our people"), Link(news, "latest news"), Link(f"{root}x", "map"))
        ),
        people: Page(
            people,
            "People",
            links=tuple(Link(f"{people}{name}", f"professor {name}", block=0) for name in (*NAMES, "eve", "fay")),
        ),
        news: Page(news, "News", links=tuple(Link(f"{news}{n}", f"story {n}", block=0) for n in range(4))),
    }
    pages |= {
        f"{people}{name}": Page(f"{people}{name}", f"Professor {name}", body_tokens=("office", "research"))
        for name in NAMES
    }
    pages |= {f"{news}{n}": Page(f"{news}{n}", "Story", body_tokens=("today", "prize")) for n in range(4)}
    return pages


def trails(root: str) -> list[Trail]:
    first, people, news = Step(root, "department"), Step(f"{root}people/", "people"), Step(f"{root}news/")
    good = [Trail(root, "goal", (first, people, Step(f"{root}people/{name}", "person"))) for name in NAMES[:3]]
    return good + [Trail(root, "fail", (first, news, Step(f"{root}news/{n}"))) for n in range(3)]


TAUGHT, NEW = "http://one.test/", "http://two.test/"
PAGES = site(TAUGHT)
TRAILS = trails(TAUGHT)


def find_link(page: Page, step: Step) -> Link | None:
    return next((link for link in page.links if link.url == step.url), None)


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    return make_examples(TRAILS, PAGES.__getitem__, find_link)


@pytest.fixture(scope="module")
def navigator(examples: list[Example]) -> Navigator:
    return make_navigator(examples, Recipe(), goal="person")


@pytest.fixture(scope="module")
def graph() -> TaughtGraph:
    return taught_graph(TRAILS, PAGES.__getitem__)


FIRST = FollowedLink(NEW, NEW, 0)
"""What led to a page of the new site: nothing is known of the path."""


def scores(strategy: Strategy, url: str) -> list[float]:
    page = site(NEW)[url]
    visit = strategy.visit(page, FIRST)
    assert visit.scores.shape == (len(page.links),)
    assert np.all(np.isfinite(visit.scores))
    assert np.all(visit.scores >= 0)
    assert visit.memories is None or len(visit.memories) == len(page.links)
    return list(visit.scores)


def test_the_graph_is_what_trails_show(graph: TaughtGraph) -> None:
    near = graph.distances()
    assert near[TAUGHT] == 2
    assert near[f"{TAUGHT}people/"] == 1
    assert near[f"{TAUGHT}people/ada"] == 0
    assert f"{TAUGHT}news/" not in near
    assert graph.targets[f"{TAUGHT}people/"][3:] == (None, None, None)


def test_every_strategy_prefers_the_way(examples: list[Example], navigator: Navigator, graph: TaughtGraph) -> None:
    people, news, elsewhere = scores(PathGuide(navigator, fit_clicks(TRAILS, PAGES.__getitem__)), NEW)
    assert people > news
    assert people > elsewhere
    assert scores(make_future(graph, navigator), NEW)[0] > scores(make_future(graph, navigator), NEW)[1]
    focused = make_focused(examples, goal="person")
    assert min(scores(focused, f"{NEW}people/")) > max(scores(focused, f"{NEW}news/"))
    context = make_context(graph, navigator)
    assert scores(context, f"{NEW}people/")[0] > scores(context, f"{NEW}news/")[0]


def test_the_guide_tells_goals_from_ways(navigator: Navigator) -> None:
    guide, page = PathGuide(navigator), site(NEW)[NEW]
    outlook = guide.outlook(page, FIRST)
    assert outlook.onward[0] > outlook.onward[1]
    assert outlook.memories is not None
    assert 0 < guide.expected(outlook.memories[0]) < 1


def test_the_words_of_links_are_taken_once_a_page(navigator: Navigator, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counted(link: Link, **more: object) -> object:
        asked.append(link.url)
        return link_bag(link, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("trailmark.learn.navigator.link_bag", counted)
    page = site(NEW)[NEW]
    LearningWalk(PathGuide(navigator)).visit(page, FIRST)
    assert asked == [link.url for link in page.links]


def test_a_kind_of_file_never_taught_is_an_unlikely_goal(navigator: Navigator) -> None:
    guide = PathGuide(navigator)
    page = Page(
        f"{NEW}people/", links=(Link(f"{NEW}people/ada", "professor ada"), Link(f"{NEW}people/ada.ps", "professor ada"))
    )
    outlook = guide.outlook(page, FIRST)
    assert outlook.goal[1] < outlook.goal[0]
    text, file = (guide.visit(Page(f"{NEW}people/{name}", "Professor"), FIRST) for name in ("ada", "ada.ps"))
    assert file.judgement.goal_probability < text.judgement.goal_probability


def test_links_beside_a_click_are_no_negatives() -> None:
    clicks = fit_clicks(TRAILS, PAGES.__getitem__)
    bags = [{"anchor": ["professor"]}, {"anchor": ["story"]}, {"anchor": ["map"]}]
    goal, way = clicks.log_odds(bags)
    assert goal[0] > max(goal[1], goal[2])
    assert way[2] < clicks.log_odds([{"anchor": ["our", "people"]}])[1][0]


def test_clicks_say_nothing_where_no_goal_was_shown() -> None:
    clicks = fit_clicks(TRAILS[3:], PAGES.__getitem__)
    goal, way = clicks.log_odds([{"anchor": ["professor"]}, {}])
    assert np.allclose(goal, 0)
    assert np.allclose(way, 0)


def test_rolling_out_sums_discounted_goals(graph: TaughtGraph) -> None:
    # people first (nothing), then the three goals that were shown: 0 + 1/2 + 1/4 + 1/8
    assert roll_out(graph, TAUGHT, f"{TAUGHT}people/", 0.5) == pytest.approx(0.875)
    assert roll_out(graph, f"{TAUGHT}people/", f"{TAUGHT}people/ada", 0.5) == 1.0
    assert roll_out(graph, TAUGHT, f"{TAUGHT}news/", 0.5) == 0.0 == roll_out(graph, TAUGHT, None, 0.5)


@pytest.mark.slow
@given(st.lists(st.floats(0, 2), min_size=1, max_size=60), st.integers(3, 5))
def test_bins_keep_the_order_of_values(values: list[float], bins: int) -> None:
    used, numbers = binned(np.array(values), bins)
    assert set(numbers) == set(range(used))
    assert used <= bins + 1
    order = np.argsort(values, kind="stable")
    assert np.all(np.diff(numbers[order]) >= 0)


@pytest.mark.parametrize("count", [1, 3])
def test_very_few_trails_are_enough_to_walk(count: int) -> None:
    few = TRAILS[:count]
    guide = PathGuide(
        make_navigator(make_examples(few, PAGES.__getitem__, find_link), Recipe()), fit_clicks(few, PAGES.__getitem__)
    )
    people, news, elsewhere = scores(guide, NEW)
    assert people > max(news, elsewhere)


# --- goals below goals ---------------------------------------------------------------------------------------------


def _course(number: int, parts: int) -> tuple[str, Page]:
    url = f"{TAUGHT}courses/{number}/index.html"
    links = tuple(Link(f"{TAUGHT}courses/{number}/part{part}.html", "") for part in range(parts))
    return url, Page(url, links=(*links, Link(f"{TAUGHT}courses/{number}/notes.ps", ""), Link(TAUGHT, "home")))


def _to(url: str) -> Trail:
    return Trail(TAUGHT, "goal", (Step(TAUGHT), Step(url)))


def test_parts_that_were_never_goals_speak_against_pages_below_a_goal() -> None:
    pages = dict(_course(number, 5) for number in range(4))
    assert part_log_odds(map(_to, pages), pages.__getitem__) == pytest.approx(np.log(21))


def test_goals_below_goals_speak_for_them() -> None:
    pages = dict(_course(number, 2) for number in range(3))
    nested = [f"{TAUGHT}courses/{number}/part{part}.html" for number in range(3) for part in range(2)]
    below = {url.replace("part", "sub/part"): Page(url) for url in nested}
    plain = part_log_odds(map(_to, pages), pages.__getitem__)
    shown = part_log_odds([_to(url) for url in (*pages, *below)], (pages | below).__getitem__)
    assert plain is not None
    assert shown is not None
    assert shown < plain


def test_without_pages_below_goals_nothing_is_said() -> None:
    assert part_log_odds(TRAILS, PAGES.__getitem__) is None
    assert part_log_odds([], PAGES.__getitem__) is None


def test_a_link_called_like_the_page_where_trails_begin_is_a_way() -> None:
    clicks = fit_clicks(TRAILS, PAGES.__getitem__)
    own = host_words(NEW)
    bags = [link_bag(Link(f"{NEW}{n}", text), source=NEW, own=own) for n, text in enumerate(("Department", "Museum"))]
    goal, way = clicks.log_odds(bags)
    assert way[0] > way[1]
    assert goal[0] <= goal[1]
