"""What a site teaches while it is walked: for each link, the taught model's opinion plus what this site has shown so far.

Two questions about every link: is the page behind it a goal, and does it lead on to goals? Each answer is a logistic
regression whose starting point is the taught model's own log-odds for that link, so that with no evidence nothing moves:

    log-odds(link) = log-odds the model gave it + sum of the site's weights of its marks

Marks are what links share: the page they stand on, the repeated block, the tag path, the heading above, folder and shape of
the URL, the words. A weight is normal around 0 with the spread of its group; a fetched page moves the weights of the link that led to it by
one step of an extended Kalman filter with a diagonal covariance (a Bayesian update with a Gaussian in the posterior's place):
many links of one block that end in goals raise the rest at once, one surprise moves little, and weights grow stiffer
with evidence. Pure: no clock, no network, no randomness.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Marks = Mapping[str, Sequence[Hashable]]
"""Group -> marks of one link."""

SPREADS: Mapping[str, float] = {
    "page": 0.5, "block": 0.75, "place": 0.5, "heading": 0.5, "tags": 0.35, "folder": 0.5, "shape": 0.5, "depth": 0.25,
    "anchor": 0.35, "around": 0.25, "above": 0.35, "to": 0.35, "look": 0.25, "to ending": 0.35, "way": 0.15,
}  # fmt: skip
"""Standard deviation of a site's weights, by group: how far a site may differ from what was taught, in log-odds."""

ONWARD = 0.8
"""Worth of a page that surely leads on to goals, where a goal itself is worth 1."""

_LEAST = 1e-6


class SiteModel:
    """The weights of one site, and the links that were found on it."""

    def __init__(self, spreads: Mapping[str, float] = SPREADS, *, onward: float = ONWARD) -> None:
        self._precisions = {group: spread**-2 for group, spread in spreads.items() if spread > 0}
        self._onward = onward
        self._columns: dict[tuple[str, Hashable], int] = {}
        self._weights = np.zeros((2, 0))
        self._stiffness = np.zeros((2, 0))
        self._marks = _Rows()
        self._priors = _Grown((2, 0), axis=1)

    def __len__(self) -> int:
        """Number of links."""
        return self._priors.size

    def add(self, marks: Sequence[Marks], goal: Floats, onward: Floats) -> range:
        """Links of one page with the taught model's probabilities for them; the rows by which they are known from now on."""
        first = len(self)
        fresh: list[float] = []
        for each in marks:
            self._marks.append(*self._encoded(each, fresh))
        if fresh:
            self._weights = np.hstack([self._weights, np.zeros((2, len(fresh)))])
            self._stiffness = np.hstack([self._stiffness, np.array([fresh, fresh])])
        self._priors.extend(np.stack([log_odds(goal), log_odds(onward)]))
        return range(first, len(self))

    def learn(self, rows: Sequence[int], goal: float, onward: float) -> None:
        """A page was fetched: how surely it is a goal, and how good the ways out of it are, both 0 to 1.

        `rows` are the links that led to it; together they count as one observation.
        """
        for row in rows:
            for head, target in enumerate((goal, onward)):
                self._step(head, row, target, 1.0 / len(rows))

    def goal_log_odds(self, rows: Sequence[int]) -> Floats:
        """What the links are now thought to be."""
        return self._log_odds(0, np.asarray(rows, dtype=np.int64))

    def scores(self, rows: Sequence[int] | Ints | None = None) -> Floats:
        """The worth of links, 0 to 1: the chance of a goal, or else of a way to one. All links where no rows are given."""
        goal, onward = (chance_of(self._log_odds(head, rows)) for head in (0, 1))
        worth: Floats = goal + (1.0 - goal) * self._onward * onward
        return worth

    # --- inside ------------------------------------------------------------------------------------------------

    def _encoded(self, marks: Marks, fresh: list[float]) -> tuple[list[int], list[float]]:
        """Columns and values of one link; each group has length 1. Precisions of columns never seen go into `fresh`."""
        columns: list[int] = []
        values: list[float] = []
        for group, words in marks.items():
            precision = self._precisions.get(group)
            if precision is None or not words:
                continue
            for word in words:
                column = self._columns.get((group, word))
                if column is None:
                    column = self._columns[group, word] = len(self._columns)
                    fresh.append(precision)
                columns.append(column)
            values += [len(words) ** -0.5] * len(words)
        return columns, values

    def _log_odds(self, head: int, rows: Sequence[int] | Ints | None) -> Floats:
        site = self._marks.dot(self._weights[head], rows)
        prior = self._priors.view()[head]
        total: Floats = (prior if rows is None else prior[np.asarray(rows, dtype=np.int64)]) + site
        return total

    def _step(self, head: int, row: int, target: float, share: float) -> None:
        columns, values = self._marks.row(row)
        if not columns.size:
            return
        weights, stiffness = self._weights[head], self._stiffness[head]
        chance = float(chance_of(self._priors.view()[head, row] + values @ weights[columns]))
        curvature = chance * (1.0 - chance) * share
        reach = values / stiffness[columns]
        gain = (target - chance) * share / (1.0 + curvature * float(values @ reach))
        np.add.at(weights, columns, reach * gain)
        np.add.at(stiffness, columns, values * values * curvature)


class _Grown:
    """An array that grows at its last axis without being copied each time."""

    def __init__(self, shape: tuple[int, ...], *, axis: int = 0, kind: type = np.float64) -> None:
        self._array: NDArray[Any] = np.zeros((*shape[:axis], 64), dtype=kind)
        self.size = 0

    def extend(self, values: NDArray[np.generic]) -> None:
        more = values.shape[-1]
        if self.size + more > self._array.shape[-1]:
            room = np.zeros((*self._array.shape[:-1], 2 * (self.size + more)), dtype=self._array.dtype)
            room[..., : self.size] = self._array[..., : self.size]
            self._array = room
        self._array[..., self.size : self.size + more] = values
        self.size += more

    def view(self) -> NDArray[Any]:
        return self._array[..., : self.size]


class _Rows:
    """Sparse rows, one a link."""

    def __init__(self) -> None:
        self._columns, self._values, self._starts = (
            _Grown((0,), kind=np.int64),
            _Grown((0,)),
            _Grown((0,), kind=np.int64),
        )
        self._starts.extend(np.zeros(1, dtype=np.int64))

    def append(self, columns: Iterable[int], values: Iterable[float]) -> None:
        made = np.array(list(columns), dtype=np.int64)
        self._columns.extend(made)
        self._values.extend(np.array(list(values), dtype=np.float64))
        self._starts.extend(np.array([self._columns.size], dtype=np.int64))

    def row(self, number: int) -> tuple[Ints, Floats]:
        starts = self._starts.view()
        part = slice(int(starts[number]), int(starts[number + 1]))
        return self._columns.view()[part].astype(np.int64), self._values.view()[part]

    def dot(self, weights: Floats, rows: Sequence[int] | Ints | None) -> Floats:
        if rows is not None and len(rows) < 32:
            parts = [self.row(int(row)) for row in rows]
            return np.array([values @ weights[columns] for columns, values in parts], dtype=np.float64)
        starts = self._starts.view().astype(np.int64)
        products = np.concatenate(
            [[0.0], np.cumsum(self._values.view() * weights[self._columns.view().astype(np.int64)])]
        )
        sums: Floats = products[starts[1:]] - products[starts[:-1]]
        return sums if rows is None else sums[np.asarray(rows, dtype=np.int64)]


def log_odds(chance: Floats) -> Floats:
    """Kept away from certainty."""
    kept = np.clip(chance, _LEAST, 1.0 - _LEAST)
    odds: Floats = np.log(kept / (1.0 - kept))
    return odds


def chance_of(odds: Floats) -> Floats:
    """The probability of log-odds."""
    chance: Floats = 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))
    return chance
