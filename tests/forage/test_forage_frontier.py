"""The frontier against a model that looks at everything each time: order, sums, fairness, budgets, and the tail on disk."""

from __future__ import annotations

import gc
import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

import trailmark.forage.link_pool as pool_module
from trailmark.forage.frontier import Frontier, Ticket
from trailmark.forage.queued_link import QueuedLink
from trailmark.forage.site_queue import SiteQueue
from trailmark.store import Database
from trailmark.store.frontier_table import FrontierTable
from trailmark.store.run_table import RunTable

SITES = 3
PAGES = 12


def link(site: int, page: int, score: float, *, depth: int = 1) -> QueuedLink:
    key = site * 1000 + page
    return QueuedLink(
        key=key, site=site, url=f"http://s{site}.test/{page}", depth=depth, order=0, parent_n=0, parent="", block=-1,
        tag_path="", chain=0, base=score, best=score, score=score, memory=str(score).encode(),
    )  # fmt: skip


def new_spill() -> FrontierTable:
    database = Database.open(Path(":memory:"))
    run = RunTable(database).begin({}, [(f"http://s{site}.test/", "host") for site in range(SITES)])
    return FrontierTable(database, run.id)


def new_frontier(spill: bool, **options: object) -> Frontier:
    made = Frontier(spill=new_spill() if spill else None, links_in_memory=1, host_requests=0, **options)  # type: ignore[arg-type]
    for site in range(SITES):
        made.add_site(f"http://s{site}.test/")
    return made


@dataclass
class Waiting:
    order: int
    score: float
    best: float
    memory: bytes


@dataclass
class Model:
    """What the frontier should be, written to be obviously right."""

    requests: int
    budget: int
    queues: list[dict[int, Waiting]] = field(default_factory=lambda: [{} for _ in range(SITES)])
    taken: Counter[int] = field(default_factory=Counter)
    in_flight: Counter[int] = field(default_factory=Counter)
    gone: set[int] = field(default_factory=set)
    ended: set[int] = field(default_factory=set)
    order: int = 0

    def push(self, site: int, found: dict[int, float]) -> None:
        for page, score in found.items():
            key = site * 1000 + page
            if key in self.gone or site in self.ended:
                continue
            known = self.queues[site].get(page)
            if known is None:
                self.order += 1
                self.queues[site][page] = Waiting(self.order, score, score, str(score).encode())
            else:
                known.score += score
                if score > known.best:
                    known.best, known.memory = score, str(score).encode()

    def pop(self) -> tuple[int, Waiting] | None:
        if self.budget and sum(self.taken.values()) >= self.budget:
            return None
        for site in sorted(range(SITES), key=lambda number: (self.taken[number], number)):
            if site in self.ended or self.in_flight[site] >= self.requests:
                continue
            queue = self.queues[site]
            if not queue:
                if not self.in_flight[site]:
                    self.ended.add(site)
                continue
            page = min(queue, key=lambda each: (-queue[each].score, queue[each].order))
            waiting = queue.pop(page)
            self.taken[site] += 1
            self.in_flight[site] += 1
            self.gone.add(site * 1000 + page)
            return site * 1000 + page, waiting
        return None


pushes = st.tuples(
    st.just("push"),
    st.integers(0, SITES - 1),
    st.dictionaries(st.integers(0, PAGES), st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, 7.0]), max_size=6),
)
steps = st.lists(
    st.one_of(pushes, pushes, st.just(("pop",)), st.just(("pop",)), st.just(("release",)), st.just(("flush",))),
    max_size=60,
)


@pytest.mark.slow
@pytest.mark.parametrize("spill", [False, True])
@settings(max_examples=80, deadline=None)
@given(script=steps, requests=st.integers(1, 3), budget=st.sampled_from([0, 0, 7]))
def test_it_does_what_the_model_does(script: list[tuple], requests: int, budget: int, spill: bool) -> None:  # type: ignore[type-arg]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool_module, "LEAST_HELD", 2)
        real, model = new_frontier(spill, site_requests=requests, budget=budget), Model(requests, budget)
        out: list[Ticket] = []
        for step in script:
            if step[0] == "push":
                _, number, found = step
                if number in model.ended:
                    continue
                real.push(real.sites[number], [link(number, page, score) for page, score in found.items()])
                model.push(number, found)
            elif step[0] == "pop":
                ticket, expected = real.pop(), model.pop()
                assert (ticket is None) == (expected is None)
                if ticket is not None and expected is not None:
                    assert ticket.link.key == expected[0]
                    assert ticket.link.score == pytest.approx(expected[1].score)
                    assert (ticket.link.best, ticket.link.memory) == (expected[1].best, expected[1].memory)
                    out.append(ticket)
            elif step[0] == "release" and out:
                ticket = out.pop(0)
                real.done(real.sites[ticket.link.site], [(ticket.link.key, ticket.link.url)])
                real.release(ticket)
                model.in_flight[ticket.link.site] -= 1
            elif step[0] == "flush":
                real.flush()
        waiting = {page + 1000 * site for site in range(SITES) for page in model.queues[site]}
        open_sites = [site for site in real.sites if not site.ended]
        assert sum(site.queued for site in open_sites) == len(
            [key for key in waiting if not real.sites[key // 1000].ended]
        )


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(found=st.lists(st.dictionaries(st.integers(0, 40), st.floats(0, 5), max_size=25), max_size=6))
def test_the_tail_on_disk_changes_nothing(found: list[dict[int, float]]) -> None:
    """With hardly anything in memory, links come out in the same order as with everything in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool_module, "LEAST_HELD", 2)
        orders = []
        for spill in (False, True):
            made = new_frontier(spill)
            for each in found:
                made.push(made.sites[0], [link(0, page, score) for page, score in each.items()])
                made.flush()
            orders.append([ticket.link.key for ticket in drained(made)])
        assert orders[0] == orders[1]


def drained(made: Frontier) -> list[Ticket]:
    tickets = []
    while (ticket := made.pop()) is not None:
        made.done(made.sites[ticket.link.site], [(ticket.link.key, ticket.link.url)])
        made.release(ticket)
        tickets.append(ticket)
    return tickets


@pytest.mark.parametrize("spill", [False, True])
def test_rescoring_orders_what_waits_and_what_comes(spill: bool) -> None:
    made = new_frontier(spill)
    site = made.sites[0]
    made.push(site, [link(0, page, float(page)) for page in range(5)])
    made.rescore(site, lambda each: -each.base)
    made.push(site, [link(0, 9, 2.5)])
    assert [ticket.link.key for ticket in drained(made)] == [0, 1, 2, 9, 3, 4]


def test_rescoring_sees_where_a_link_was_found() -> None:
    made = new_frontier(False)
    seen: list[tuple[str, int, str, str, float]] = []
    found = link(0, 7, 0.5)
    found.parent, found.block, found.tag_path = "http://s0.test/hub", 3, "html/body/a"
    made.push(made.sites[0], [found])

    def look(each: QueuedLink) -> float:
        seen.append((each.parent, each.block, each.tag_path, each.pattern, each.base))
        return 1.0

    made.rescore(made.sites[0], look)
    assert seen == [("http://s0.test/hub", 3, "html/body/a", "s0.test/*", 0.5)]


def test_not_a_number_goes_last_and_harms_nobody() -> None:
    made = new_frontier(False)
    made.push(made.sites[0], [link(0, 1, math.nan), link(0, 2, 0.0), link(0, 3, math.inf)])
    assert [ticket.link.key for ticket in drained(made)] == [3, 2, 1]


@pytest.mark.slow
def test_thousands_of_sites_progress_together() -> None:
    made = Frontier(host_requests=1)
    for number in range(3000):
        site = made.add_site(f"http://s{number}.test/")
        made.push(site, [link(number, page, float(number)) for page in range(3)])
    for round_number in (1, 2, 3):
        for _ in range(3000):
            ticket = made.pop()
            assert ticket is not None
            made.done(made.sites[ticket.link.site], [(ticket.link.key, ticket.link.url)])
            made.release(ticket)
        assert {site.taken for site in made.sites} == {round_number}
    assert made.pop() is None
    assert {site.ended for site in made.sites} == {"empty"}


def test_a_host_sees_one_request_at_a_time_whoever_asks() -> None:
    made = Frontier(site_requests=4)
    for number in range(2):
        site = made.add_site(f"http://shared.test/{number}/")
        links = [link(number, page, 1.0) for page in range(3)]
        for each in links:
            each.url = f"http://shared.test/{number}/{each.key}"
        made.push(site, links)
    first = made.pop()
    assert first is not None
    assert made.pop() is None
    assert made.pending
    made.release(first)
    second = made.pop()
    assert second is not None
    assert second.link.site != first.link.site


def test_a_paused_host_leaves_its_turn_to_others() -> None:
    made = Frontier()
    for number in range(2):
        made.push(made.add_site(f"http://s{number}.test/"), [link(number, 1, 1.0)])
    made.pause = lambda host: 5.0 if host == "s0.test" else 0.0
    ticket = made.pop(now=100.0)
    assert ticket is not None
    assert ticket.link.site == 1
    assert made.pop(now=101.0) is None
    assert made.wake_at == 105.0
    made.pause = None
    assert made.pop(now=104.9) is None
    assert made.pop(now=105.0) is not None


def test_what_a_redirect_reached_is_not_fetched_again() -> None:
    for spill in (False, True):
        made = new_frontier(spill)
        made.push(made.sites[0], [link(0, page, 1.0) for page in range(9)])
        made.flush()
        made.done(made.sites[0], [(4, "http://s0.test/4")])
        made.flush()
        assert made.is_done(4)
        assert not made.is_done(5)
        made.push(made.sites[0], [link(0, 4, 9.0)])
        assert [ticket.link.key for ticket in drained(made)] == [0, 1, 2, 3, 5, 6, 7, 8]


def test_links_of_an_ended_site_go_to_whoever_finds_them_next() -> None:
    made = new_frontier(True, stop_rule=lambda site, best: "budget" if site.number == 0 else ("" if best else "empty"))
    made.push(made.sites[0], [link(0, 1, 1.0), link(0, 2, 1.0)])
    assert made.pop() is None
    assert made.sites[0].ended == "budget"
    made.sites[1].ended = ""
    made._pool.open_sites += 1
    found = link(0, 2, 1.0)
    found.site = 1
    made.push(made.sites[1], [found])
    assert [(ticket.link.key, ticket.link.site, ticket.link.base) for ticket in drained(made)] == [(2, 1, 2.0)]


@pytest.mark.slow
def test_memory_stays_flat_while_the_queue_grows() -> None:
    """Objects are counted, not bytes: with a tail on disk, a hundred thousand links leave no trace in memory."""
    spill = new_spill()
    made = Frontier(spill=spill, links_in_memory=200)
    site: SiteQueue = made.add_site("http://s0.test/")
    counts = []
    for number in range(300):
        made.push(site, [link(0, number * 300 + page, float((page * 7919 + number) % 1000)) for page in range(300)])
        made.flush()
        if number in (20, 299):
            gc.collect()
            counts.append((made.held, len(site.heap), sum(isinstance(each, QueuedLink) for each in gc.get_objects())))
    assert site.queued == 90_000
    assert counts[1][0] <= 1000
    assert counts[1][1] <= 2000
    assert counts[1][2] <= counts[0][2] + 1000
