"""The labels of a navigator, from those a teacher used (PathLearner 1.2, 2.4; Sarawagi & Vydiswaran 3.1.2).

A label is a milestone name, `goal` or `fail`. An unlabelled page before a labelled one is in that label's prefix state.
With outcomes only, labels are distances to the goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from trailmark.datatypes import Trail

GOAL, FAIL, PREFIX, AWAY = "goal", "fail", "before ", " away"
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class LabelSpace:
    """Labels in a fixed order; `goal` and `fail` are always the last two."""

    labels: tuple[str, ...]
    by_distance: bool = False
    """Whether labels are distances to the goal, so that only distance i+1 leads to i."""

    @cached_property
    def index(self) -> dict[str, int]:
        return {label: number for number, label in enumerate(self.labels)}

    @property
    def size(self) -> int:
        return len(self.labels)

    def forbidden(self) -> Bools:
        """Label x next label: True where a path can't go so. Only distances forbid anything."""
        banned = np.zeros((self.size, self.size), dtype=bool)
        if self.by_distance:
            for row, label in enumerate(self.labels):
                for column, following in enumerate(self.labels):
                    banned[row, column] = not _distance_allows(label, following, longest=self.size - 2)
        return banned


def trail_labels(trail: Trail) -> list[str]:
    """One label a step: the teacher's, prefix states for unlabelled steps, `goal` or `fail` at the end.

    A trail of one page that was not wanted but named says what that page is, no more: a milestone, not a dead end.
    """
    following: str = trail.steps[0].label or FAIL if names_a_page(trail) else trail.outcome
    labels: list[str] = [following]
    for step in reversed(trail.steps[:-1]):
        if step.label:
            following = step.label
            labels.append(step.label)
        else:
            labels.append(PREFIX + following)
    return labels[::-1]


def names_a_page(trail: Trail) -> bool:
    """Whether a trail is one page with its name, as an answer to a question is, and not a way that failed."""
    return trail.outcome == FAIL and len(trail.steps) == 1 and trail.steps[0].label is not None


def label_space(trails: Iterable[Trail]) -> LabelSpace:
    """Milestones in order of first use, then goal and fail."""
    seen = dict.fromkeys(label for trail in trails for label in trail_labels(trail))
    return LabelSpace((*(label for label in seen if label not in (GOAL, FAIL)), GOAL, FAIL))


def distance_space(trails: Sequence[Trail], *, cover: float = 0.9) -> LabelSpace:
    """Distances N ... 1, goal, fail. N covers most goal trails; outliers are left out (section 3.1.2)."""
    lengths = sorted(len(trail.steps) - 1 for trail in trails if trail.outcome == GOAL)
    longest = max(1, lengths[min(len(lengths) - 1, int(cover * len(lengths)))]) if lengths else 1
    return LabelSpace((*(f"{n}{AWAY}" for n in range(longest, 0, -1)), GOAL, FAIL), by_distance=True)


def distance_label(distance: int, space: LabelSpace) -> str:
    """`goal` at 0; distances beyond the longest share its label."""
    return GOAL if distance == 0 else f"{min(distance, space.size - 2)}{AWAY}"


def _distance_allows(label: str, following: str, *, longest: int) -> bool:
    """i+1 leads to i; the longest may repeat, as longer paths share it.

    Departure: a page may be off the way (`fail`) and the path still come back to it. Sites differ in what lies between
    the pages that matter; with the paper's strict chain one strange page in the middle made the goal behind it fail.
    """
    if FAIL in (label, following):
        return True
    here, there = _distance(label), _distance(following)
    return there == here - 1 or here == there == longest or here == 0


def _distance(label: str) -> int:
    return 0 if label == GOAL else int(label.removesuffix(AWAY))


def common_goal(trails: Iterable[Trail]) -> str:
    """The name that all goal pages share, or `goal`."""
    names = {trail.steps[-1].label for trail in trails if trail.outcome == GOAL}
    only = names.pop() if len(names) == 1 else None
    return only or GOAL
