"""Which sites are worth another walk."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.forage.revisits import DueSite, PastWalk, days_for_one, due_sites

WALKS = st.lists(st.tuples(st.floats(0, 400), st.integers(1, 500), st.integers(0, 9)), min_size=1, max_size=5).map(
    lambda walks: [PastWalk(*walk) for walk in sorted(walks)]
)
SITES = st.dictionaries(st.sampled_from("abcdefgh"), WALKS, max_size=6)


def every(sites: dict[str, list[PastWalk]], now: float, days: float = 7.0) -> dict[str, DueSite]:
    found = due_sites(sites, now, least_chance=0.0, after_days=days)
    return {site.root: site for site in found}


def test_age_decides_while_nothing_was_watched() -> None:
    sites = {"old": [PastWalk(0, 10, 5)], "young": [PastWalk(6, 10, 5)]}
    (due,) = due_sites(sites, 8, least_chance=0.5, after_days=7)
    assert (due.root, due.days, due.chance, due.news) == ("old", 8, None, None)


def test_a_site_that_was_walked_twice_within_minutes_tells_nothing() -> None:
    sites = {"a": [PastWalk(0, 10, 5), PastWalk(0.001, 10, 0)]}
    assert days_for_one(sites.values(), 7) is None
    assert due_sites(sites, 0.01, least_chance=0.5, after_days=7) == []


def test_what_changes_is_walked_before_what_never_does() -> None:
    sites = {
        "still": [PastWalk(day, 100, 0) for day in (0, 10, 20, 30)],
        "busy": [PastWalk(day, 100, 4) for day in (0, 10, 20, 30)],
    }
    (due,) = due_sites(sites, 33, least_chance=0.5, after_days=7)
    assert due.root == "busy"
    assert due.chance is not None
    assert due.chance > 0.5
    long_after = due_sites(sites, 100, least_chance=0.5, after_days=7)
    assert [site.root for site in long_after] == ["busy", "still"]


@given(SITES, st.floats(0, 500), st.floats(0, 100))
def test_chances_grow_with_the_days_and_stay_chances(sites: dict[str, list[PastWalk]], gap: float, more: float) -> None:
    last = max((walk.day for past in sites.values() for walk in past), default=0.0)
    before, after = every(sites, last + gap), every(sites, last + gap + more)
    assert {root for root, site in before.items() if site.chance is not None} <= set(after)
    for root, site in before.items():
        if site.chance is not None:
            assert 0 <= site.chance <= (after[root].chance or 0) + 1e-12 <= 1 + 1e-9


@given(SITES, st.floats(0, 500))
def test_the_order_of_sites_does_not_matter(sites: dict[str, list[PastWalk]], gap: float) -> None:
    turned = dict(reversed(list(sites.items())))
    assert due_sites(sites, 400 + gap, least_chance=0.3, after_days=7) == due_sites(
        turned, 400 + gap, least_chance=0.3, after_days=7
    )


def test_the_chance_holds_on_sites_that_change_as_it_supposes() -> None:
    """Rates drawn from the prior, walks every 10 days: of the sites with a chance of about p, about p have news the next day."""
    dice = random.Random(1)
    sites: dict[str, list[PastWalk]] = {}
    rates = {}
    for number in range(3000):
        rate = rates[str(number)] = dice.expovariate(1.0) / 20
        counts = [_poisson(dice, 10 * rate) for _ in range(4)]
        sites[str(number)] = [PastWalk(0, 10, 9), *(PastWalk(10.0 * (at + 1), 10, n) for at, n in enumerate(counts))]
    told = every(sites, 50)
    for low in (0.2, 0.4, 0.6):
        among = [site for site in told.values() if site.chance is not None and low <= site.chance < low + 0.2]
        share = sum(_poisson(dice, 10 * rates[site.root]) > 0 for site in among) / len(among)
        mean = sum(site.chance or 0 for site in among) / len(among)
        assert len(among) > 100
        assert share == pytest.approx(mean, abs=0.06)


def _poisson(dice: random.Random, mean: float) -> int:
    time, count = dice.expovariate(1.0), 0
    while time < mean:
        time, count = time + dice.expovariate(1.0), count + 1
    return count
