"""Questions: which pages can be asked about, what is believed of them, which are chosen, and what answers teach."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learn.learn_small_web import NAMES, SITES, examples, link_to, navigator, taught, trail, web
from trailmark.datatypes import Link, Page, Step, Trail
from trailmark.learn.explanation import walk_path
from trailmark.learn.label_space import FAIL, GOAL, names_a_page, trail_labels
from trailmark.learn.learner import HEAVIEST, fit, make_navigator, outcome_weights
from trailmark.learn.questions import answer_trail, choose_questions, family, path_chances, paths_to_ask
from trailmark.learn.recipe import Recipe, Scheme

SITE = SITES[1]


def paths() -> list[Trail]:
    return paths_to_ask([SITE], web().get)


def test_every_fetched_page_is_found_once_by_its_shortest_path() -> None:
    found = paths()
    ends = [path.steps[-1].url for path in found]
    assert sorted(ends) == sorted(url for url in web() if url.startswith(SITE) and url != SITE)
    for path in found:
        pages = [web()[step.url] for step in path.steps]
        assert pages[0].url == SITE
        for page, step in zip(pages, path.steps[1:], strict=False):
            assert link_to(page, step) is not None
    depth = {path.steps[-1].url: len(path.steps) for path in found}
    assert depth[SITE + "people/"] == 2
    assert depth[SITE + "~ada/"] == 3


def test_what_was_taught_is_not_asked_and_what_is_known_is_named() -> None:
    known = {SITE: "department", SITE + "people/": "faculty-list"}
    found = paths_to_ask([SITE], web().get, taught={SITE + "~ada/", SITE + "people/"}, labels=known)
    ends = {path.steps[-1].url for path in found}
    assert SITE + "~ada/" not in ends
    assert SITE + "people/" not in ends
    bob = next(path for path in found if path.steps[-1].url == SITE + "~bob/")
    assert [step.label for step in bob.steps] == ["department", "faculty-list", None]


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=30), st.integers(1, 12), st.integers(1, 6))
@settings(max_examples=60, deadline=None)
def test_any_graph_is_walked_breadth_first(edges: list[tuple[int, int]], most: int, deepest: int) -> None:
    names = [f"http://g.example/{n}" for n in range(9)]
    graph = {
        name: Page(name, links=tuple(Link(names[b], str(b)) for a, b in edges if a == n))
        for n, name in enumerate(names)
    }
    del graph[names[8]]  # a page that was not fetched
    found = paths_to_ask([names[0]], graph.get, most=most, deepest=deepest)
    depth, layer = {0: 1}, [0]
    while layer:
        layer = list(dict.fromkeys(b for n in layer for a, b in edges if a == n and b not in depth and b != 8))
        depth |= {b: depth[0] + max(depth.values()) for b in layer}
    reachable = [n for n, d in depth.items() if 1 < d <= deepest]
    assert len(found) == min(most, len(reachable))
    lengths = [len(path.steps) for path in found]
    assert lengths == sorted(lengths)
    for path in found:
        assert len(path.steps) == depth[int(path.steps[-1].url[-1])]


@pytest.mark.parametrize("scheme", ["page-and-link", "page", "distance"])
def test_chances_are_those_of_walking_the_path(scheme: Scheme) -> None:
    guide = navigator(scheme)
    made = examples(paths())
    chances = path_chances(guide, made)
    np.testing.assert_allclose(chances.sum(axis=1), 1.0)
    for row, example in zip(chances, made, strict=True):
        pages = [web()[step.url] for step in example.trail.steps]
        links = [link_to(page, step) for page, step in zip(pages, example.trail.steps[1:], strict=False)]
        verdict, _ = walk_path(guide, pages, [link for link in links if link], site=SITE)
        np.testing.assert_allclose(row, verdict.chances, atol=1e-9)


def test_questions_are_few_different_and_spread_over_families() -> None:
    made = examples(paths())
    chosen = choose_questions(navigator(), made, 4)
    assert len({question.url for question in chosen}) == 4
    assert len({family(question.example) for question in chosen[:3]}) >= 2
    assert [q.url for q in choose_questions(navigator(), made, 4)] == [q.url for q in chosen]
    assert len(choose_questions(navigator(), made, 100)) == len(made)
    assert choose_questions(navigator(), [], 3) == []
    for question in chosen:
        assert 0 <= question.goal_probability <= question.chance <= 1
        assert question.label == "faculty" or question.label in navigator().labels


def test_a_family_that_was_asked_steps_back() -> None:
    made = examples(paths())
    first = choose_questions(navigator(), made, 1)[0]
    again = choose_questions(navigator(), made, 1, asked=[family(first.example)] * 20)[0]
    assert family(again.example) != family(first.example)


def test_members_of_a_list_are_a_family() -> None:
    made = {example.trail.steps[-1].url: family(example) for example in examples(paths())}
    assert len({made[f"{SITE}~{name}/"] for name in NAMES}) == 1
    assert made[SITE + "~ada/"] != made[SITE + "news/1.html"]


def test_answers_as_trails() -> None:
    path = trail(SITE, "", "people/", "~cyd/", labels=("department",))
    yes = answer_trail(path, GOAL, goal="faculty")
    assert yes == answer_trail(path, "faculty", goal="faculty")
    assert yes == Trail(SITE, "goal", (Step(SITE + "~cyd/", "faculty"),))
    assert answer_trail(path, GOAL).steps[-1].label is None
    no = answer_trail(path, FAIL, goal="faculty")
    assert no == Trail(SITE, "fail", (Step(SITE + "~cyd/"),))
    assert trail_labels(no) == [FAIL]
    named = answer_trail(path, "student", goal="faculty")
    assert named.outcome == "fail"
    assert names_a_page(named)
    assert trail_labels(named) == ["student"]
    # A way that failed stays one, whatever its last page is called.
    assert trail_labels(trail(SITE, "", "news/", outcome="fail", labels=("department", "news")))[-1] == FAIL


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["page-and-link", "page", "distance"])
def test_answers_teach(scheme: Scheme) -> None:
    recipe = Recipe(scheme=scheme, max_iterations=60)
    asked = [path for path in paths() if path.steps[-1].url.endswith(("~ada/", "2.html"))]
    before = path_chances(make_navigator(examples(taught()), recipe), examples(asked))
    answers = [answer_trail(path, GOAL if "~" in path.steps[-1].url else FAIL) for path in asked]
    after = path_chances(make_navigator(examples(taught() + answers), recipe), examples(asked))
    for path, earlier, later in zip(asked, before, after, strict=True):
        if "~" in path.steps[-1].url:
            assert later[-2] > earlier[-2]
        else:
            assert later[-2] < earlier[-2]


def test_many_failures_do_not_make_goals_vanish() -> None:
    fails = [answer_trail(path, FAIL) for path in paths() if "~" not in path.steps[-1].url]
    trails = [*taught()[:2], *fails]
    weights = outcome_weights(examples(trails))
    assert weights[:2].sum() == pytest.approx(len(fails))
    assert set(weights[2:]) == {1.0}
    assert Counter(outcome_weights(examples(taught()))) == {1.0: 4}
    assert outcome_weights(examples([taught()[0], *fails * 10])).max() == HEAVIEST
    labels = fit(examples(trails), Recipe(max_iterations=60)).decode(examples([trail(SITE, "", "people/", "~dan/")]))
    assert labels[0][-1] == GOAL
