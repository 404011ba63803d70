"""Which goals were taught, and which trails teach each: those that lead to it are its own, those to other goals are contrast.

A goal is called as the last page of its trails is labelled; pages without a label are the goal `goal`. A trail that failed belongs to the
goals that it says it is about, or else to the one that was being taught: that of the goal trail before it, or, before the first, of the
one after it. It says of them alone that they are not reached there: a list of people fails as a way to courses and is the way to
students. Taught with all failed trails of a workspace, recall of the verdicts on one web of a university fell from .91 to .09 for
one goal and from 1.0 to .12 for another, and the walk was no better.

What trails to other goals do say is what their last pages are, and so, unless a page is taught as both, that these are not this goal:
contrast for whatever looks at pages alone. In the chain, pages named so cost more than they brought.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from trailmark.datatypes import Trail
from trailmark.learn.label_space import FAIL, GOAL, names_a_page


@dataclass(frozen=True, slots=True)
class TaughtFor:
    """All that was taught, as one goal sees it."""

    goal: str
    trails: tuple[Trail, ...]
    """Those that lead to the goal, and those that failed to, in the order of teaching."""
    contrast: tuple[Trail, ...]
    """Those that lead to other goals, but for those whose last page is taught as this goal too."""


def goal_of(trail: Trail) -> str | None:
    """A trail -> the goal that it leads to; None where it failed."""
    return (trail.steps[-1].label or GOAL) if trail.outcome == GOAL else None


def taught_goals(trails: Iterable[Trail]) -> list[str]:
    """The goals of trails, in the order in which they were first taught."""
    return list(dict.fromkeys(goal for trail in trails if (goal := goal_of(trail)) is not None))


def about_goals(lesson: Iterable[Trail]) -> list[Trail]:
    """Trails that were taught together -> the same, the failed ones with the goal that each is about, where one can be told."""
    return [
        replace(trail, about=(goal,)) if trail.outcome == FAIL and not trail.about and goal is not None else trail
        for trail, goal in _being_taught(list(lesson))
    ]


def taught_for(trails: Sequence[Trail], goal: str) -> TaughtFor:
    """All trails in the order of teaching -> those of a goal, and those that are contrast to it.

    A page that was named when another goal was asked about is a goal where its name is this one's.
    """
    own: list[Trail] = []
    for trail, latest in _being_taught(trails):
        if names_a_page(trail) and trail.steps[0].label == goal:
            own.append(replace(trail, outcome="goal", about=()))
        elif goal in (trail.about or (latest,)):
            own.append(trail)
    wanted = {trail.steps[-1].url for trail in own if trail.outcome == GOAL}
    contrast = (trail for trail in trails if goal_of(trail) not in (None, goal))
    return TaughtFor(goal, tuple(own), tuple(trail for trail in contrast if trail.steps[-1].url not in wanted))


def told_of(trails: Sequence[Trail]) -> dict[tuple[str, str], list[int]]:
    """All trails in the order of teaching -> for each goal and page, the places of the trails that lead there or failed to."""
    ends: dict[tuple[str, str], list[int]] = {}
    for at, (trail, latest) in enumerate(_being_taught(trails)):
        for goal in [goal_of(trail)] if trail.outcome == GOAL else trail.about or (latest,):
            if goal is not None:
                ends.setdefault((goal, trail.steps[-1].url), []).append(at)
    return ends


def told_apart(trails: Sequence[Trail]) -> list[tuple[tuple[str, str], list[int]]]:
    """All trails in the order of teaching -> ((goal, page), places of the trails that end there) where some lead to it and some failed to."""
    return [
        (what, places) for what, places in told_of(trails).items() if len({trails[at].outcome for at in places}) > 1
    ]


def _being_taught(trails: Sequence[Trail]) -> Iterator[tuple[Trail, str | None]]:
    """Each trail with the goal that was being taught; None where there is no goal at all."""
    latest = next((goal for trail in trails if (goal := goal_of(trail)) is not None), None)
    for trail in trails:
        latest = goal_of(trail) or latest
        yield trail, latest
