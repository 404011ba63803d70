"""Why: the parts add up to the log-odds, terms add up to the score, and phrases say what was seen."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learn.learn_small_web import SITES, link_to, navigator, web
from trailmark.datatypes import Heading, Link, Page, Step
from trailmark.learn.bag import LINK_GROUPS, PAGE_GROUPS
from trailmark.learn.explanation import Approach, Explanation, explain_link, explain_page, follow, walk_path
from trailmark.learn.label_space import GOAL
from trailmark.learn.phrase import feature_phrase, shape_phrase, state_phrase
from trailmark.learn.recipe import Scheme

SCHEMES: tuple[Scheme, ...] = ("page-and-link", "page", "distance")
SITE = SITES[1]


def path_to(*paths: str) -> tuple[list[Page], list[Link]]:
    pages = [web()[SITE + path] for path in paths]
    links = [link_to(page, Step(after.url)) for page, after in pairwise(pages)]
    return pages, [link for link in links if link is not None]


def whole(explanation: Explanation) -> float:
    return math.fsum(part.value for part in explanation.parts)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("paths", [("",), ("", "people/"), ("", "people/", "~cyd/"), ("", "news/", "news/2.html")])
def test_the_parts_of_a_page_add_up_to_its_log_odds(scheme: Scheme, paths: tuple[str, ...]) -> None:
    guide = navigator(scheme)
    pages, links = path_to(*paths)
    verdict, approach = walk_path(guide, pages, links, site=SITE)
    for number, label in enumerate(guide.labels):
        why = explain_page(guide, pages[-1], site=SITE, approach=approach, label=label)
        chance = float(verdict.chances[number])
        assert why.chance == pytest.approx(chance, abs=1e-9)
        if 0 < chance < 1:
            assert whole(why) == pytest.approx(why.log_odds, abs=1e-8)
            assert why.log_odds == pytest.approx(math.log(chance / (1 - chance)), abs=1e-6)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_terms_and_parts_of_every_link(scheme: Scheme) -> None:
    guide = navigator(scheme)
    for paths in (("",), ("", "people/"), ("", "people/", "~ada/")):
        pages, links = path_to(*paths)
        verdict, _ = walk_path(guide, pages, links, site=SITE)
        scores, memories = guide.score(verdict, guide.link_bags(pages[-1], site=SITE))
        for link, score, memory in zip(pages[-1].links, scores, memories, strict=True):
            approach = Approach(pages[-1], verdict, link)
            why = explain_link(guide, approach, site=SITE)
            assert why.score == pytest.approx(score, abs=1e-9)
            assert math.fsum(term.value for term in why.terms) == pytest.approx(score, abs=1e-9)
            assert whole(why.why) == pytest.approx(why.why.log_odds, abs=1e-8)
            np.testing.assert_allclose(follow(guide, approach, site=SITE), memory, atol=1e-9)


WORDS = st.lists(
    st.sampled_from(["faculty", "people", "news", "home", "party", "professor", "of", "unseen"]), max_size=6
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(title=WORDS, body=WORDS, anchor=WORDS, heading=WORDS, scheme=st.sampled_from(SCHEMES))
def test_whatever_a_page_says_its_parts_add_up(
    title: list[str], body: list[str], anchor: list[str], heading: list[str], scheme: Scheme
) -> None:
    guide = navigator(scheme)
    root = web()[SITE]
    page = Page(SITE + "x/", " ".join(title), tuple(title), tuple(body), headings=(Heading(" ".join(heading), 2),))
    link = Link(page.url, " ".join(anchor), heading=" ".join(heading))
    verdict, approach = walk_path(guide, [root, page], [link], site=SITE)
    why = explain_page(guide, page, site=SITE, approach=approach)
    assert why.chance == pytest.approx(float(verdict.chances.max()), abs=1e-9)
    assert whole(why) == pytest.approx(why.log_odds, abs=1e-8)
    sizes = [abs(part.value) for part in why.parts]
    assert sizes == sorted(sizes, reverse=True)
    assert all(part.value > 0 for part in why.raised())
    assert all(part.value < 0 for part in why.lowered())


def test_it_says_what_a_person_would_say() -> None:
    guide = navigator()
    pages, links = path_to("", "people/", "~cyd/")
    _, approach = walk_path(guide, pages, links, site=SITE)
    why = explain_page(guide, pages[-1], site=SITE, approach=approach)
    assert why.label == "faculty"
    phrases = [part.phrase for part in why.raised(30)]
    assert "the title says 'home'" in phrases
    assert "it comes from a page that looks like a faculty-list" in phrases
    verdict, _ = walk_path(guide, pages[:1], [], site=SITE)
    to_people = explain_link(guide, Approach(pages[0], verdict, links[0]), site=SITE)
    assert to_people.why.label == "faculty-list"
    assert "the anchor says 'faculty'" in [part.phrase for part in to_people.why.raised()]
    to_news = explain_link(guide, Approach(pages[0], verdict, pages[0].links[1]), site=SITE, label="faculty-list")
    assert "the anchor says 'news'" in [part.phrase for part in to_news.why.lowered()]
    assert to_people.score > to_news.score


@pytest.mark.parametrize("group", [*PAGE_GROUPS, *LINK_GROUPS, "unheard of"])
@pytest.mark.parametrize("word", ["faculty", "Aa 9 a", "page", "pdf", "links 50", "repeated links 20", "below", ""])
def test_every_feature_has_a_phrase(group: str, word: str) -> None:
    phrase = feature_phrase(group, word)
    assert phrase.strip()
    assert "{}" not in phrase


def test_phrases_of_shapes_counts_and_states() -> None:
    assert shape_phrase("a9") == "letters-digits"
    assert shape_phrase("Aa Aa 9 a") == "Capital Capital digits letters"
    assert feature_phrase("form", "repeated links 20") == "about 20 of its links stand in repeated blocks"
    assert feature_phrase("form", "links 20") == "it has about 20 links"
    assert feature_phrase("above", "people") == "it stands under the heading 'people'"
    assert state_phrase("before fail") == "seems to lead off the way"
    assert state_phrase("before course") == "seems to lie on the way to course"
    assert state_phrase("1 away") == "seems to be 1 click from the goal"
    assert state_phrase(GOAL, "course") == "looks like a goal (course)"
    assert state_phrase("advisor") == "looks like an advisor"
