"""Where the labels of a navigator stand in its picture, and which steps between them are worth a line.

Columns from left to right lead to the goal: a label stands as many columns before it as the likeliest way has steps. Fail stands below
all, because it lies off the way. A prefix state is a small box under the label it leads to.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trailmark.learn.label_space import FAIL, GOAL, PREFIX
from trailmark.learn.navigator import Navigator
from trailmark.sequence import probabilities

Floats = npt.NDArray[np.float64]

WIDTH, HEIGHT, SMALL = 172.0, 48.0, 22.0
ACROSS, DOWN, MARGIN, TOP = 112.0, 34.0, 48.0, 96.0
TALLEST = 6
"""Boxes in one column; more are spread over several, those nearer to the goal on the right."""
STEPS_SHOWN, LEAST_SHARE = 3, 0.06


@dataclass(frozen=True, slots=True)
class Box:
    """A label on the sheet; x and y are its top left corner."""

    label: str
    x: float
    y: float
    width: float
    height: float

    @property
    def small(self) -> bool:
        return self.height == SMALL


@dataclass(frozen=True, slots=True)
class Line:
    """A line from one label to another, with its share of all steps from there."""

    source: str
    target: str
    share: float


@dataclass(frozen=True, slots=True)
class Layout:
    """The sheet: boxes by label, lines, size."""

    boxes: Mapping[str, Box]
    steps: tuple[Line, ...]
    width: float
    height: float


def step_shares(navigator: Navigator) -> Floats:
    """Label x next label: the share of each step before anything is read of the link, rows summing to 1.

    As they were learnt: the part of them that walking does not trust is given back.
    """
    steps = navigator.walking.steps / (navigator.recipe.edge_trust or 1.0)
    return probabilities(steps)


def picture_layout(navigator: Navigator) -> Layout:
    """Boxes and lines of a navigator's picture."""
    shares = step_shares(navigator)
    labels = navigator.labels
    own = [label for label in labels if label != FAIL and _owner(label, labels) is None]
    columns = _columns(own, _steps_to_goal(labels, shares), dict(zip(labels, navigator.rewards, strict=True)))
    boxes = _placed(columns, labels)
    right = max(box.x + box.width for box in boxes.values()) + MARGIN
    bottom = max(box.y + box.height for box in boxes.values()) + MARGIN
    return Layout(boxes, tuple(_shown(labels, shares)), max(right, 560.0), bottom + 58.0)


def _owner(label: str, labels: Sequence[str]) -> str | None:
    """The label under which a prefix state is drawn."""
    following = label.removeprefix(PREFIX)
    return following if label.startswith(PREFIX) and following in labels else None


def _steps_to_goal(labels: Sequence[str], shares: Floats) -> dict[str, int]:
    """Steps of the most usual way from each label to the goal: Dijkstra on -log of the shares, each against the label's largest,
    so that a way over two usual steps is shorter than one unusual leap."""
    goal = labels.index(GOAL)
    cost = np.full(len(labels), np.inf)
    count = np.full(len(labels), len(labels), dtype=np.int64)
    cost[goal], count[goal] = 0.0, 0
    queue = [(0.0, goal)]
    with np.errstate(divide="ignore"):
        lengths = -np.log(shares / shares.max(axis=1, keepdims=True))
    while queue:
        so_far, here = heapq.heappop(queue)
        for before in range(len(labels)):
            further = so_far + lengths[before, here]
            if labels[before] != FAIL and further < cost[before] - 1e-12:
                cost[before], count[before] = further, count[here] + 1
                heapq.heappush(queue, (float(further), before))
    return {label: int(number) for label, number in zip(labels, count, strict=True)}


def _columns(own: list[str], away: Mapping[str, int], rewards: Mapping[str, float]) -> list[list[str]]:
    """Columns from left to right; in each, the labels with the largest rewards stand in the middle."""
    columns: list[list[str]] = []
    for distance in sorted({away[label] for label in own}, reverse=True):
        here = sorted((label for label in own if away[label] == distance), key=lambda label: (rewards[label], label))
        parts = -(-len(here) // TALLEST)
        columns += [list(part) for part in np.array_split(np.array(here, dtype=object), parts)]
    return [_middle_out(column) for column in columns]


def _middle_out(rising: list[str]) -> list[str]:
    return [*rising[::2], *rising[1::2][::-1]]


def _placed(columns: list[list[str]], labels: Sequence[str]) -> dict[str, Box]:
    pitch = HEIGHT + SMALL + DOWN
    tallest = max(map(len, columns))
    boxes: dict[str, Box] = {}
    for number, column in enumerate(columns):
        first = TOP + (tallest - len(column)) * pitch / 2
        for row, label in enumerate(column):
            boxes[label] = Box(label, MARGIN + number * (WIDTH + ACROSS), first + row * pitch, WIDTH, HEIGHT)
    middle = MARGIN + (len(columns) - 1) * (WIDTH + ACROSS) / 2
    boxes[FAIL] = Box(FAIL, middle, TOP + tallest * pitch + 12.0, WIDTH, HEIGHT)
    for label in labels:
        owner = _owner(label, labels)
        if owner is not None:
            over = boxes[owner]
            boxes[label] = Box(label, over.x + 14.0, over.y + HEIGHT + 5.0, WIDTH - 28.0, SMALL)
    return boxes


def _shown(labels: Sequence[str], shares: Floats) -> list[Line]:
    """The likeliest steps from each label; what follows a goal or a failure was not taught, so it is not drawn."""
    least = max(LEAST_SHARE, 1.2 / len(labels))
    lines = []
    for row, source in enumerate(labels):
        if source in (GOAL, FAIL):
            continue
        obvious = (source, _owner(source, labels))
        best = [int(n) for n in np.argsort(-shares[row], kind="stable") if labels[n] not in obvious]
        targets = [n for n in best[:STEPS_SHOWN] if shares[row, n] >= least]
        targets = targets or ([] if _owner(source, labels) else best[:1])
        lines += [Line(source, labels[n], float(shares[row, n])) for n in targets]
    return sorted(lines, key=lambda step: step.share)
