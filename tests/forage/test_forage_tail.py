"""The tail on disk while a strategy changes its mind: what has become good rises, and memory stays flat."""

from __future__ import annotations

import math
from collections.abc import Callable

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import trailmark.forage.link_pool as pool_module
from tests.forage.test_forage_frontier import drained, link, new_frontier, new_spill
from trailmark.forage.frontier import Frontier
from trailmark.forage.queued_link import QueuedLink

HELD = 50


def filled(pages: int, links: int) -> Frontier:
    """One site with links of many pages, the earlier the better; nearly all of them in the tail."""
    made = Frontier(spill=new_spill(), links_in_memory=HELD, host_requests=0)
    site = made.add_site("http://s0.test/")
    for page in range(pages):
        found = [link(0, page * links + number, 1.0 - page / pages) for number in range(links)]
        for each in found:
            each.parent_n = page + 1
        made.push(site, found)
        made.flush()
    assert site.held <= 2 * HELD
    assert site.queued == pages * links
    return made


def walked(made: Frontier, function: Callable[[QueuedLink], float], wanted: int, most: int) -> int:
    """Fetches until a link of a page is had, with a new ordering after each; memory is looked at on the way."""
    for count in range(1, most + 1):
        ticket = made.pop()
        assert ticket is not None
        made.done(made.sites[0], [(ticket.link.key, ticket.link.url)])
        if ticket.link.parent_n == wanted:
            return count
        made.rescore(made.sites[0], function, near=ticket.link.parent_n)
        made.release(ticket)
        assert made.held <= 3 * HELD
    return most + 1


@pytest.mark.slow
@pytest.mark.parametrize(("shift", "later"), [(0.1, 2), (0.0, 22)])
def test_a_good_block_rises_out_of_the_tail(shift: float, later: int) -> None:
    """4,000 links wait, those of one page in the middle turn out to be the best: they come within 4,000 / SWEPT fetches.

    Where nothing in memory shows that scores have moved it takes a little longer.
    """
    made = filled(pages=200, links=20)
    fetches = walked(made, lambda each: 5.0 if each.parent_n == 120 else each.base + shift, 120, 100)
    assert fetches <= 4000 / pool_module.SWEPT + later


def test_the_neighbours_of_a_link_that_taught_something_rise_at_once() -> None:
    made = filled(pages=200, links=20)
    site = made.sites[0]
    made.rescore(site, lambda each: 5.0 if each.parent_n == 150 else each.base, near=150)
    best = [made.pop(), made.pop()]
    assert [ticket and ticket.link.parent_n for ticket in best] == [150, None]  # one at a time
    assert made.held <= 3 * HELD


def test_nothing_is_gone_through_while_scores_stand_still() -> None:
    made = filled(pages=100, links=20)
    site = made.sites[0]
    made.rescore(site, lambda each: each.base)
    assert site.sweep is None
    made.rescore(site, lambda each: each.base + 0.02)
    assert site.sweep is None
    made.rescore(site, lambda each: each.base + 0.06)
    assert site.sweep is not None


def test_memory_stays_flat_when_all_has_sunk() -> None:
    """Every score in the tail is too high: all of it must be looked at to know the best, and none of it stays."""
    made = filled(pages=100, links=20)
    made.sites[0].rescore = lambda each: each.base - 10.0
    ticket = made.pop()
    assert ticket is not None
    assert made.held <= 3 * HELD
    made.done(made.sites[0], [(ticket.link.key, ticket.link.url)])
    made.release(ticket)
    assert len(drained(made)) == 1999


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_all_that_rests_is_scored_when_a_run_is_taken_up(sign: float) -> None:
    made = filled(pages=50, links=10)
    site = made.sites[0]
    made.end(site, "")  # all of it to rest
    made.settle(site, lambda each: sign * each.key)
    made._list(site)
    keys = [ticket.link.key for ticket in drained(made)]
    assert keys == sorted(range(500), reverse=sign > 0)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    scores=st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, math.nan]), min_size=1, max_size=60),
    orders=st.lists(st.tuples(st.sampled_from([-1.0, 0.5, 2.0]), st.integers(0, 5)), max_size=4),
)
def test_nothing_is_lost_or_given_twice_however_often_it_is_ordered(
    scores: list[float], orders: list[tuple[float, int]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool_module, "LEAST_HELD", 2)
        patch.setattr(pool_module, "SWEPT", 3)
        made = new_frontier(True)
        site, seen = made.sites[0], []
        for number, score in enumerate(scores):
            each = link(0, number, score)
            each.parent_n = number % 5
            made.push(site, [each])
        for factor, near in orders:
            made.rescore(site, lambda each, f=factor: f * each.base, near=near)  # type: ignore[misc]
            if (ticket := made.pop()) is not None:
                seen.append(ticket.link.key)
                made.done(site, [(ticket.link.key, ticket.link.url)])
                made.release(ticket)
            made.flush()
        seen += [ticket.link.key for ticket in drained(made)]
        assert sorted(seen) == list(range(len(scores)))
