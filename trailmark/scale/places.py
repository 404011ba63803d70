"""What `--on` says -> who does the work there. Nothing of Ray is loaded for work on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from trailmark.cluster import EachPage
from trailmark.extract.crew import Crew
from trailmark.scale.cluster import LOCAL, check_place, cluster
from trailmark.tag.timed_crew import TimedCrew
from trailmark.verbs.hands import Hands
from trailmark.verbs.page_crew import each_page
from trailmark.verbs.page_run import CrewMaker
from trailmark.verbs.tag import Taggers


@contextmanager
def crew_on(place: str) -> Iterator[CrewMaker]:
    """Who lifts pages."""
    if check_place(place) == LOCAL:
        yield Crew
        return
    from trailmark.scale.ray_crew import RayCrew

    with cluster(place):
        yield RayCrew


@contextmanager
def pages_on(place: str) -> Iterator[EachPage]:
    """Who reads pages; `map` where this process does."""
    if check_place(place) == LOCAL:
        yield map
        return
    from trailmark.scale.ray_crew import RayCrew

    with cluster(place):
        yield each_page(RayCrew)


@contextmanager
def taggers_on(place: str) -> Iterator[Callable[..., Taggers]]:
    """Who tags documents."""
    if check_place(place) == LOCAL:
        yield TimedCrew
        return
    from trailmark.scale.ray_timed_crew import RayTimedCrew

    with cluster(place):
        yield RayTimedCrew


@contextmanager
def hands_on(place: str) -> Iterator[Hands | None]:
    """Who does tasks, such as the parts of a run; None where nothing is dealt, but done here as a whole."""
    if check_place(place) == LOCAL:
        yield None
        return
    from trailmark.scale.ray_hands import RayHands

    with cluster(place):
        hands = RayHands()
        try:
            yield hands
        finally:
            hands.leave()
