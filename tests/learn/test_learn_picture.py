"""The picture: well-formed, whole, nothing overlaps, whatever the labels say."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learn.learn_small_web import navigator
from trailmark.learn.label_space import FAIL, GOAL, LabelSpace
from trailmark.learn.navigator import Navigator
from trailmark.learn.picture import navigator_svg
from trailmark.learn.picture_layout import Box, picture_layout, step_shares
from trailmark.learn.recipe import Scheme
from trailmark.sequence import CRF

SVG = "{http://www.w3.org/2000/svg}"


def made_up(labels: list[str], seed: int = 0, goal: str = "course") -> Navigator:
    """A navigator with random steps and rewards; it has seen no words."""
    rng = np.random.default_rng(seed)
    real = navigator()
    space = LabelSpace((*labels, GOAL, FAIL))
    size = space.size
    arrays = {
        "state": np.zeros((real.encoding.vocabulary.size, 2 * size)),
        "edge": rng.normal(size=(2 * size, 2 * size)) * 2,
        "start": np.zeros(2 * size),
        "conditioned": np.zeros((0, 2 * size, 2 * size)),
        "sharing": np.zeros(0),
        "forbidden": np.zeros(0),
    }
    model = CRF.from_arrays(arrays)
    return Navigator(real.recipe, replace(real.encoding, space=space), model, rng.random(size), goal)


def apart(one: Box, other: Box) -> bool:
    return (
        one.x + one.width <= other.x
        or other.x + other.width <= one.x
        or one.y + one.height <= other.y
        or other.y + other.height <= one.y
    )


def texts(svg: str) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(svg).iter(SVG + "text")]


@pytest.mark.parametrize("scheme", ["page-and-link", "page", "distance"])
def test_a_learnt_navigator(scheme: Scheme) -> None:
    guide = navigator(scheme)
    svg = navigator_svg(guide)
    root = ElementTree.fromstring(svg)
    assert root.find(SVG + "title") is not None
    assert root.find(SVG + "desc") is not None
    assert "\N{BLACK STAR} faculty" in texts(svg)
    assert "\N{MULTIPLICATION X} fail" in texts(svg)
    for label, reward in zip(guide.labels, guide.rewards, strict=True):
        assert f"<title>{label}: reward {reward:.3f}</title>" in svg
    assert navigator_svg(guide) == svg


def test_the_way_leads_to_the_right() -> None:
    boxes = picture_layout(navigator()).boxes
    assert boxes["department"].x < boxes["faculty-list"].x < boxes[GOAL].x
    assert boxes[FAIL].y > max(box.y for label, box in boxes.items() if "fail" not in label)


def test_shares_are_those_of_the_steps() -> None:
    guide = navigator()
    shares = step_shares(guide)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    for step in picture_layout(guide).steps:
        row, column = guide.labels.index(step.source), guide.labels.index(step.target)
        assert step.share == pytest.approx(shares[row, column])


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(count=st.integers(0, 25), prefixes=st.integers(0, 12), seed=st.integers(0, 1000))
def test_nothing_overlaps_and_all_is_on_the_sheet(count: int, prefixes: int, seed: int) -> None:
    names = [f"milestone {n}" for n in range(count)]
    before = [f"before {name}" for name in [*names, GOAL, FAIL][:prefixes]]
    guide = made_up(names + before, seed)
    layout = picture_layout(guide)
    assert set(layout.boxes) == set(guide.labels)
    for one, other in combinations(layout.boxes.values(), 2):
        assert apart(one, other), f"{one} lies on {other}"
    for box in layout.boxes.values():
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= layout.width
        assert box.y + box.height <= layout.height
    ElementTree.fromstring(navigator_svg(guide))


@pytest.mark.slow
@given(st.lists(st.text(min_size=1, max_size=60).filter(lambda t: t not in (GOAL, FAIL)), max_size=5, unique=True))
@settings(max_examples=40, deadline=None)
def test_any_words_are_escaped(labels: list[str]) -> None:
    words = [*labels, "<script>alert('x')</script>", 'R&D "list"', "\x00\x1b\ufffe\ud800"]
    svg = navigator_svg(made_up(list(dict.fromkeys(words)), goal="<&>\x07"))
    root = ElementTree.fromstring(svg.encode("utf-8"))
    assert not list(root.iter(SVG + "script"))
    assert 'R&D "list"' in texts(svg)
    assert all(len(text) < 130 for text in texts(svg))


def test_it_can_be_looked_at_in_the_dark() -> None:
    svg = navigator_svg(navigator())
    assert "prefers-color-scheme:dark" in svg
    tree = ElementTree.fromstring(svg)
    ground = next(tree.iter(f"{SVG}rect"))
    assert ground.get("class") == "ground"
    outside = tree.findall(f"{SVG}text")
    assert outside
    assert all(each.get("class") in ("out", "halo") for each in outside), "what stands on the ground is light then"
