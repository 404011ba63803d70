"""What a site teaches while it is walked: for each link, the taught model's opinion plus what this site has shown so far.

Two questions about every link: is the page behind it a goal, and does it lead on to goals? Each answer is a logistic
regression whose starting point is the taught model's own log-odds for that link, so that with no evidence nothing moves:

    log-odds(link) = log-odds the model gave it + sum of the site's weights of its marks

Marks are what links share: the page they stand on, the repeated block, the tag path, the heading above, folder and shape of
the URL, the words. A weight is normal around 0 with the spread of its group; a fetched page moves the weights of the link that led to it by
one step of an extended Kalman filter with a diagonal covariance (a Bayesian update with a Gaussian in the posterior's place):
many links of one block that end in goals raise the rest at once, one surprise moves little, and weights grow stiffer
with evidence.

How new a link is counts apart: the fewer links with its marks were tried, the newer. The posterior's own spread can't say
it, since pages that were unlikely to be goals, and were none, leave it as it was. Pure: no clock, no network, no randomness.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from trailmark.sequence import chance_of, log_odds

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

NEW = frozenset(("block", "tags", "folder", "shape"))
"""Groups whose marks say how new a link is: where it stands and where it leads, not its words."""

_FEW = 32


class SiteModel:
    """The weights of one site, and the links that were found on it."""

    def __init__(self, spreads: Mapping[str, float] = SPREADS, *, onward: float = ONWARD) -> None:
        self._precisions = {group: spread**-2 for group, spread in spreads.items() if spread > 0}
        self._onward = onward
        self._numbers: dict[tuple[str, Hashable], int] = {}
        self._weights = _Grown((2,))
        self._stiffness = _Grown((2,))
        self._untried = _Grown(())
        """1 / (1 + links tried) of each mark of the groups in `NEW`; 0 of the others."""
        self._columns, self._values, self._starts = _Grown((), kind=np.int32), _Grown(()), _Grown((), kind=np.int32)
        self._starts.extend(np.zeros(1))
        self._priors = _Grown((2,))
        self._waits = _Grown(())

    def __len__(self) -> int:
        """Number of links."""
        return self._priors.size

    def add(self, marks: Sequence[Marks], goal: Floats, onward: Floats, *, wait: float = 0.0) -> range:
        """Links of one page with the taught model's probabilities for them; the rows by which they are known from now on.

        `wait` are log-odds by which their scores stay behind what they are taken for.
        """
        first = len(self)
        columns: list[int] = []
        values: list[float] = []
        fresh: list[tuple[float, float]] = []
        ends = [self._columns.size + self._encode(mark, columns, values, fresh) for mark in marks]
        if fresh:
            precisions, untried = np.array(fresh).T
            self._weights.extend(np.zeros((2, len(fresh))))
            self._stiffness.extend(np.stack([precisions, precisions]))
            self._untried.extend(untried)
        self._columns.extend(np.array(columns))
        self._values.extend(np.array(values))
        self._starts.extend(np.array(ends))
        self._priors.extend(np.stack([log_odds(goal), log_odds(onward)]))
        self._waits.extend(np.full(len(marks), wait))
        return range(first, len(self))

    def learn(self, rows: Sequence[int], goal: float, onward: float) -> None:
        """A page was fetched: how surely it is a goal, and how good the ways out of it are, both 0 to 1.

        `rows` are the links that led to it; together they count as one observation.
        """
        for row in rows:
            for head, target in enumerate((goal, onward)):
                self._step(head, row, target, 1.0 / len(rows))
        for column in {int(column) for row in rows for column in self._row(row)[0]}:
            share = self._untried.view()[column]
            self._untried.view()[column] = share / (1.0 + share)  # 1, 1/2, 1/3 ... and 0 stays 0

    def taught_log_odds(self, rows: Sequence[int]) -> Floats:
        """What the links were thought to be before the site showed anything."""
        known: Floats = self._priors.view()[0, np.asarray(rows, dtype=np.int64)]
        return known

    def goal_log_odds(self, rows: Sequence[int]) -> Floats:
        """What the links are now thought to be."""
        odds: Floats = self._log_odds(rows)[0]
        return odds

    def scores(self, rows: Sequence[int] | None = None) -> Floats:
        """The worth of links, 0 to 1: the chance of a goal, or else of a way to one. All links where no rows are given."""
        waits = self._waits.view() if rows is None else self._waits.view()[np.asarray(rows, dtype=np.int64)]
        goal, onward = chance_of(self._log_odds(rows) - waits)
        worth: Floats = goal + (1.0 - goal) * self._onward * onward
        return worth

    def novelty(self, rows: Sequence[int] | None = None) -> Floats:
        """How new links are, 0 to 1: 1 where no link with one of its marks was tried."""
        squared = self._matrix(squared=True)
        values: Floats = (squared @ self._untried.view()) / len(NEW)
        return values if rows is None else values[np.asarray(rows, dtype=np.int64)]

    def keep(self, rows: Ints) -> None:
        """Forget all links but these, which are numbered anew in this order, and the marks that nothing was learnt of."""
        matrix = self._matrix()[rows]
        learnt = np.abs(self._weights.view()).max(axis=0, initial=0.0) > 0
        learnt |= (self._untried.view() > 0) & (self._untried.view() < 1)
        used = np.zeros(self._weights.size, dtype=bool)
        used[matrix.indices] = True
        columns = np.flatnonzero(used | learnt)
        renumbered = np.full(self._weights.size, -1, dtype=np.int32)
        renumbered[columns] = np.arange(columns.size, dtype=np.int32)
        priors = self._priors.view()[:, rows]
        self._numbers = {mark: int(new) for mark, old in self._numbers.items() if (new := renumbered[old]) >= 0}
        for name in ("_weights", "_stiffness", "_untried"):
            setattr(self, name, getattr(self, name).only(columns))
        self._columns = self._columns.filled(renumbered[matrix.indices])
        self._values = self._values.filled(matrix.data)
        self._starts = self._starts.filled(matrix.indptr)
        self._priors = self._priors.filled(priors)
        self._waits = self._waits.only(rows)

    # --- inside ------------------------------------------------------------------------------------------------

    def _encode(self, marks: Marks, columns: list[int], values: list[float], fresh: list[tuple[float, float]]) -> int:
        """Columns and values of one link are added to the lists; each group has length 1. Returns their new length.

        Of columns never seen, precision and novelty go into `fresh`.
        """
        numbers = self._numbers
        for group, words in marks.items():
            precision = self._precisions.get(group)
            if precision is None or not words:
                continue
            for word in words:
                column = numbers.get((group, word))
                if column is None:
                    column = numbers[group, word] = len(numbers)
                    fresh.append((precision, float(group in NEW)))
                columns.append(column)
            values += [len(words) ** -0.5] * len(words)
        return len(columns)

    def _row(self, number: int) -> tuple[Ints, Floats]:
        starts = self._starts.view()
        part = slice(int(starts[number]), int(starts[number + 1]))
        return self._columns.view()[part], self._values.view()[part]

    def _matrix(self, *, squared: bool = False) -> Any:
        values = self._values.view()
        parts = (values * values if squared else values, self._columns.view(), self._starts.view())
        return sp.csr_array(parts, shape=(len(self), self._weights.size), copy=False)

    def _log_odds(self, rows: Sequence[int] | None) -> Floats:
        """Goal and onward x links."""
        weights, priors = self._weights.view(), self._priors.view()
        if rows is None:
            total: Floats = priors + (self._matrix() @ np.ascontiguousarray(weights.T)).T
            return total
        some = np.asarray(rows, dtype=np.int64)
        if some.size < _FEW:
            sums = [weights[:, columns] @ values for columns, values in map(self._row, some)]
            site = np.array(sums).reshape(-1, 2).T
        else:
            site = (self._matrix()[some] @ np.ascontiguousarray(weights.T)).T
        part: Floats = priors[:, some] + site
        return part

    def _step(self, head: int, row: int, target: float, share: float) -> None:
        columns, values = self._row(row)
        if not columns.size:
            return
        weights, stiffness = self._weights.view()[head], self._stiffness.view()[head]
        chance = float(chance_of(self._priors.view()[head, row] + values @ weights[columns]))
        curvature = chance * (1.0 - chance) * share
        reach = values / stiffness[columns]
        gain = (target - chance) * share / (1.0 + curvature * float(values @ reach))
        np.add.at(weights, columns, reach * gain)
        np.add.at(stiffness, columns, values * values * curvature)


class _Grown:
    """An array that grows at its last axis without being copied each time."""

    def __init__(self, shape: tuple[int, ...], *, kind: type = np.float64) -> None:
        self._array: NDArray[Any] = np.zeros((*shape, 64), dtype=kind)
        self.size = 0

    def extend(self, values: NDArray[Any]) -> None:
        more = values.shape[-1]
        if self.size + more > self._array.shape[-1]:
            room = np.zeros((*self._array.shape[:-1], 2 * (self.size + more)), dtype=self._array.dtype)
            room[..., : self.size] = self._array[..., : self.size]
            self._array = room
        self._array[..., self.size : self.size + more] = values
        self.size += more

    def view(self) -> NDArray[Any]:
        return self._array[..., : self.size]

    def only(self, places: Ints) -> _Grown:
        """Another with these places alone."""
        return self.filled(self.view()[..., places])

    def filled(self, values: NDArray[Any]) -> _Grown:
        """Another of this kind with other values."""
        other = _Grown(self._array.shape[:-1], kind=self._array.dtype.type)
        other.extend(values)
        return other
