"""How a run tells that it goes on: hosts, tries, waits, and an end that is only told where it was measured."""

from __future__ import annotations

import pytest

from trailmark.forage.pulse import LEAST_PAGES, MOST_EVENTS, MOST_SHOWN, HostWait, Pulse
from trailmark.forage.site_queue import SiteQueue
from trailmark.settings import ForageSettings


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def site(queued: int, taken: int = 0) -> SiteQueue:
    return SiteQueue(0, "http://a.example/", tail=queued, taken=taken)


def test_a_page_that_is_tried_again_is_told_before_it_is_a_fetch(clock: Clock) -> None:
    pulse = Pulse(clock)
    pulse.retry("a.example", "http://a.example/", "the server refused the connection", seconds=2.0)
    state = pulse.state([site(1)], ForageSettings(), under_way=1, taken=0)
    assert (state.retries, state.under_way, state.last_at) == (1, 1, 1000.0)
    (wait,) = state.waiting
    assert wait.until == 1002.0
    assert "refused the connection" in wait.why
    (event,) = pulse.take_events()
    assert (event.kind, event.host) == ("retry", "a.example")
    assert pulse.take_events() == []
    pulse.settled("a.example", "http://a.example/", status=0)
    state = pulse.state([site(0)], ForageSettings(), under_way=0, taken=1)
    assert state.waiting == ()
    assert (state.hosts[0].failures, state.hosts[0].retries, state.hosts[0].status) == (1, 1, 0)


def test_nothing_is_said_of_the_end_before_it_is_measured(clock: Clock) -> None:
    pulse, limits = Pulse(clock), ForageSettings(budget=100)
    assert pulse.state([site(50)], limits, under_way=0, taken=0).ends_in is None
    clock.now += 2
    assert pulse.state([site(50)], limits, under_way=0, taken=30).ends_in is None, "two seconds are no measure"
    clock.now += 18
    state = pulse.state([site(500)], limits, under_way=0, taken=60)
    assert state.pages_per_second == pytest.approx(3.0)
    assert state.ends_in == pytest.approx(40 / 3)
    assert state.ends_by == "budget"


def test_few_pages_are_no_measure_either(clock: Clock) -> None:
    pulse = Pulse(clock)
    pulse.state([site(9)], ForageSettings(budget=100), under_way=0, taken=0)
    clock.now += 50
    assert pulse.state([site(5)], ForageSettings(budget=100), under_way=0, taken=LEAST_PAGES - 1).ends_in is None


def test_without_a_budget_a_queue_that_grows_tells_no_end(clock: Clock) -> None:
    pulse, limits = Pulse(clock), ForageSettings(budget=0)
    pulse.state([site(100)], limits, under_way=0, taken=0)
    clock.now += 20
    assert pulse.state([site(140)], limits, under_way=0, taken=40).ends_in is None
    clock.now += 30
    state = pulse.state([site(50)], limits, under_way=0, taken=80)
    assert state.ends_in == pytest.approx(50.0)
    assert state.ends_by == "queue"


def test_sites_budgets_count_only_where_sites_go_on(clock: Clock) -> None:
    pulse, limits = Pulse(clock), ForageSettings(budget=1000, site_budget=30)
    ended = site(9, taken=5)
    ended.ended = "dry"
    pulse.state([site(9, taken=0), ended], limits, under_way=0, taken=0)
    clock.now += 20
    state = pulse.state([site(9, taken=10), ended], limits, under_way=0, taken=20)
    assert state.ends_in == pytest.approx(20.0), "20 pages are left at one a second"


def test_hosts_that_are_left_alone_say_why(clock: Clock) -> None:
    pulse = Pulse(clock)
    pulse.settled("a.example", "http://a.example/", status=200)
    pulse.pace_of = lambda _host: HostWait(delay=5.0, wait=3.0)
    (wait,) = pulse.state([site(1)], ForageSettings(), under_way=0, taken=1).waiting
    assert (wait.host, wait.why, wait.until) == ("a.example", "asked once in 5 s", 1003.0)


def test_a_hostile_web_does_not_fill_the_log(clock: Clock) -> None:
    pulse = Pulse(clock)
    for number in range(MOST_EVENTS + 50):
        pulse.retry(f"h{number}.example", f"http://h{number}.example/", "status 503", seconds=1.0)
    state = pulse.state([], ForageSettings(), under_way=0, taken=0)
    assert len(pulse.take_events()) == MOST_EVENTS
    assert len(state.hosts) == MOST_SHOWN
    assert len(state.waiting) == MOST_SHOWN
    assert state.retries == MOST_EVENTS + 50
