"""What is remembered of sites is bounded, and what is kept of a model scores as before."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.forage import learning_walk
from trailmark.forage.adaptation import SiteModel
from trailmark.forage.learning_walk import _forget_half, _SiteMemory

MARKS = st.dictionaries(
    st.sampled_from(["page", "block", "tags", "anchor", "folder"]),
    st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True),
    max_size=4,
)


@pytest.mark.slow
@given(
    st.lists(MARKS, min_size=1, max_size=25),
    st.lists(st.tuples(st.integers(0, 24), st.floats(0, 1), st.floats(0, 1)), max_size=10),
    st.data(),
)
def test_links_that_are_kept_score_as_before(
    marks: list[dict[str, list[int]]], seen: list[tuple[int, float, float]], data: st.DataObject
) -> None:
    model = SiteModel()
    count = len(marks)
    model.add(marks, np.linspace(0.1, 0.9, count), np.linspace(0.9, 0.1, count))
    for row, goal, onward in seen:
        model.learn([row % count], goal, onward)
    rows = np.array(sorted(data.draw(st.sets(st.integers(0, count - 1)))), dtype=np.int64)
    scores, novelty, taught = model.scores()[rows], model.novelty()[rows], model.taught_log_odds(list(rows))
    model.keep(rows)
    assert len(model) == rows.size
    assert model.scores() == pytest.approx(scores)
    assert model.novelty() == pytest.approx(novelty)
    assert model.taught_log_odds(range(len(model))) == pytest.approx(taught)
    # What was learnt of marks holds for links that come later.
    later = model.add([marks[0]], np.array([0.5]), np.array([0.5]))
    other = SiteModel()
    other.add(marks, np.linspace(0.1, 0.9, count), np.linspace(0.9, 0.1, count))
    for row, goal, onward in seen:
        other.learn([row % count], goal, onward)
    again = other.add([marks[0]], np.array([0.5]), np.array([0.5]))
    assert model.scores(list(later)) == pytest.approx(other.scores(list(again)))


def a_site(links: int) -> _SiteMemory:
    state = _SiteMemory(SiteModel(), {})
    rows = state.model.add([{"anchor": [n]} for n in range(links)], np.linspace(0.01, 0.99, links), np.zeros(links))
    state.rows = {n: [row] for n, row in enumerate(rows)}
    state.owners = dict.fromkeys(range(links), "http://a/")
    return state


def test_the_better_half_of_what_waits_is_kept() -> None:
    state = a_site(100)
    state.done = {99, 98}
    assert _forget_half(state) == -50
    assert sorted(state.rows) == list(range(48, 98))
    assert state.owners.keys() == state.rows.keys()
    assert state.model.scores([state.rows[97][0]]) > state.model.scores([state.rows[48][0]])


def test_all_sites_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learning_walk, "ALL_LINKS", 250)
    monkeypatch.setattr(learning_walk, "FEW_LINKS", 60)
    walk = learning_walk.LearningWalk(SimpleNamespace(name="path"))
    for name, links in (("a", 40), ("b", 200), ("c", 50), ("d", 55)):
        walk._sites[name] = a_site(links)
        walk._links += links
        walk._make_room(walk._sites[name])
        assert walk._links == sum(len(site.model) for site in walk._sites.values()) <= 250
    assert list(walk._sites) == ["a", "b", "c", "d"]
    assert len(walk._sites["b"].model) == 100
    walk._sites["b"].model.keep(np.arange(60))
    walk._links -= 40
    walk._sites["e"] = a_site(60)
    walk._links += 60
    walk._make_room(walk._sites["e"])
    assert list(walk._sites) == ["b", "c", "d", "e"]  # all are small: the one walked longest ago goes
