"""The sample that precision is measured on is spread over all chances, and its interval covers the truth as often as it says."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.forage.precision import STRATA, draw, estimate, strata_sizes

REPEATS = 1500


def urls(count: int) -> list[tuple[str, float]]:
    return [(f"http://h.test/{number}", 0.5 + number / (2 * count)) for number in range(count)]


def test_the_same_pages_have_the_same_order_whatever_the_order_they_come_in() -> None:
    pages = urls(40)
    shuffled = pages.copy()
    Random(7).shuffle(shuffled)
    assert draw(pages) == draw(shuffled)
    assert draw(pages) != draw(urls(41))[:40]


@given(st.integers(0, 60))
def test_every_page_is_drawn_once_and_every_turn_takes_from_each_stratum(count: int) -> None:
    order = draw(urls(count))
    assert sorted(each.url for each in order) == sorted(url for url, _ in urls(count))
    assert sum(strata_sizes(count)) == count if count else order == []
    for turn in range(count // STRATA):
        assert {each.stratum for each in order[turn * STRATA : (turn + 1) * STRATA]} == set(range(STRATA))


def test_a_stratum_holds_pages_of_like_chance() -> None:
    pages = dict(urls(50))
    means = [
        np.mean([pages[each.url] for each in draw(urls(50)) if each.stratum == number]) for number in range(STRATA)
    ]
    assert means == sorted(means)


def test_few_answers_tell_nothing_and_all_answers_tell_all() -> None:
    assert estimate(100, [(0, True)] * 4) is None
    assert estimate(0, []) is None
    whole = estimate(3, [(0, True), (1, False), (2, True)])
    assert whole is not None
    assert (whole.share, whole.low, whole.high) == pytest.approx((2 / 3, 2 / 3, 2 / 3))


def test_the_figures_of_an_example() -> None:
    answers = [(number % STRATA, number >= 5) for number in range(20)]
    told = estimate(10_000, answers)
    assert told is not None
    assert told.share == pytest.approx(0.75)
    assert (told.low, told.high) == pytest.approx((0.509, 0.913), abs=0.005)  # Clopper and Pearson for 15 of 20
    fewer = estimate(30, answers)
    assert fewer is not None
    assert told.low < fewer.low < 0.75 < fewer.high < told.high, "of 30 pages, 20 answers leave little open"


@given(st.integers(1, 80), st.data())
def test_the_interval_holds_the_estimate_and_lies_between_none_and_all(count: int, data: st.DataObject) -> None:
    order = draw(urls(count))
    answered = data.draw(st.integers(0, count))
    kept = [each for each in order[:answered] if data.draw(st.booleans())]
    told = estimate(count, [(each.stratum, data.draw(st.booleans())) for each in kept])
    if told is not None:
        assert -1e-9 <= told.low <= told.share + 1e-9
        assert told.share - 1e-9 <= told.high <= 1 + 1e-9


def coverage(pages: int, answers: int, chance_right: str, seed: int, *, skipped: float = 0.0) -> float:
    """How often the interval holds the share of right pages, over many webs and draws."""
    rng, covered = np.random.default_rng(seed), 0
    order = draw(urls(pages))
    strata = np.array([each.stratum for each in order])
    for _ in range(REPEATS):
        ranks = np.empty(pages)
        for number, size in enumerate(strata_sizes(pages)):  # another shuffle within each stratum
            start = sum(strata_sizes(pages)[:number])
            ranks[strata == number] = rng.permutation(size) + start
        truth = rng.random(pages) < _chance(chance_right, ranks / pages)
        asked = np.flatnonzero(rng.random(pages) >= skipped)[:answers]
        told = estimate(pages, [(int(strata[at]), bool(truth[at])) for at in asked])
        assert told is not None
        covered += told.low - 1e-12 <= truth.mean() <= told.high + 1e-12
    return covered / REPEATS


def _chance(kind: str, place: np.ndarray) -> np.ndarray:
    """How likely the page at this place, in the order of chances, is right."""
    return {
        "half": np.full(place.size, 0.5),
        "most": np.full(place.size, 0.95),
        "nearly all": np.full(place.size, 0.985),
        "few": np.full(place.size, 0.1),
        "rising": 0.1 + 0.85 * place,
        "steep": (place > 0.6).astype(float),
        "upside down": 0.95 - 0.8 * place,
    }[kind]


KINDS = ("half", "most", "nearly all", "few", "rising", "steep", "upside down")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("pages", "answers"), [(12, 7), (30, 5), (30, 20), (143, 10), (143, 20), (143, 23), (2000, 30)]
)
def test_intervals_of_95_per_cent_cover_the_truth(pages: int, answers: int, kind: str) -> None:
    assert coverage(pages, answers, kind, seed=pages + answers) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_they_cover_it_with_pages_that_were_skipped(kind: str) -> None:
    assert coverage(143, 20, kind, seed=3, skipped=0.3) >= 0.93


def test_the_estimate_is_right_on_the_mean() -> None:
    """Equation 1 over many draws: strata of different size and precision, answers that stop in the middle of a turn."""
    pages, rng, estimates = 48, np.random.default_rng(5), []
    sizes = strata_sizes(pages)
    truth = [np.arange(size) < size * (number + 1) / 6 for number, size in enumerate(sizes)]
    for _ in range(2000):
        turn = [*rng.permutation(STRATA), *rng.permutation(STRATA), *rng.permutation(STRATA)][:13]
        mixed = [rng.permutation(stratum) for stratum in truth]
        used = [0] * STRATA
        answers = []
        for number in turn:
            answers.append((int(number), bool(mixed[number][used[number]])))
            used[number] += 1
        told = estimate(pages, answers)
        assert told is not None
        estimates.append(told.share)
    assert np.mean(estimates) == pytest.approx(np.concatenate(truth).mean(), abs=0.01)
