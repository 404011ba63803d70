"""What `--on` says -> who does the work there. Nothing of Ray is loaded for work on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from trailmark.extract.crew import Crew
from trailmark.scale.cluster import LOCAL, check_place, cluster
from trailmark.verbs.hands import Hands
from trailmark.verbs.page_run import CrewMaker


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
def hands_on(place: str) -> Iterator[Hands | None]:
    """Who walks the parts of a run; None where it is not dealt, but walked here as a whole."""
    if check_place(place) == LOCAL:
        yield None
        return
    from trailmark.scale.ray_hands import RayHands

    with cluster(place):
        yield RayHands()
