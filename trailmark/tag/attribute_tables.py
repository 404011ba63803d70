"""`Table`: distinct things of one kind with their attributes in numbers, and which of them stands at each word.

Attributes are texts where they are made and numbers from then on: a text is looked up once however many things have it, and everything that
is counted or sought in a vocabulary afterwards is done on arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse as sp

from trailmark.sequence.sequences import Ints


@dataclass(frozen=True, slots=True)
class Table:
    """Thing number n has the attributes `names[i]` for the i in `flat[starts[n]:starts[n + 1]]`."""

    names: tuple[str, ...]
    """Distinct attributes, in the order in which they were met."""
    flat: Ints
    starts: Ints
    rows: Ints
    """The number of the thing at each word."""

    def counts(self) -> list[int]:
        """At how many words each attribute stands."""
        times = np.bincount(self.rows, minlength=len(self.starts) - 1)
        weights = np.repeat(times, np.diff(self.starts))
        found = np.bincount(self.flat, weights=weights, minlength=len(self.names))
        return [int(count) for count in found]

    def matrix(self, columns: Mapping[str, int]) -> sp.csr_array:
        """Things x the attributes that have a column; 1 where a thing has one."""
        get = columns.get
        column = np.array([get(name, -1) for name in self.names], dtype=np.int64)
        found = column[self.flat]
        known = found >= 0
        ends = np.concatenate([[0], np.cumsum(known)])[self.starts]
        indices = found[known]
        return sp.csr_array((np.ones(len(indices)), indices, ends), shape=(len(self.starts) - 1, len(columns)))


@dataclass(slots=True)
class TableMaker:
    """Gives every distinct thing a number in the order they are met, and describes it once."""

    describe: Callable[[Any], Iterable[str]] = iter
    numbers: dict[Any, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    flat: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=lambda: [0])
    rows: list[int] = field(default_factory=list)

    def number(self, thing: Any) -> int:
        """The number of a thing that `describe` takes."""
        known = self.numbers.get(thing)
        if known is not None:
            return known
        names = self.names
        return self._new(thing, [names.setdefault(name, len(names)) for name in self.describe(thing)])

    def number_of_names(self, thing: tuple[int, ...]) -> int:
        """The same of a thing that is itself the numbers of its attributes, one of them perhaps several times."""
        known = self.numbers.get(thing)
        return self._new(thing, thing) if known is None else known

    def name(self, attribute: str) -> int:
        """The number of an attribute."""
        return self.names.setdefault(attribute, len(self.names))

    def _new(self, thing: Any, attributes: Iterable[int]) -> int:
        number = self.numbers[thing] = len(self.starts) - 1
        self.flat.extend(dict.fromkeys(attributes))
        self.starts.append(len(self.flat))
        return number

    def add(self, things: Sequence[Any]) -> None:
        """Things that stand at the words that come next."""
        known, number = self.numbers.get, self.number
        self.rows += [number(thing) if (at := known(thing)) is None else at for thing in things]

    def table(self, rows: Sequence[int] | None = None) -> Table:
        """What was met so far, at words or at the rows that are given."""
        chosen = self.rows if rows is None else rows
        arrays = (np.asarray(each, dtype=np.int64) for each in (self.flat, self.starts, chosen))
        return Table(tuple(self.names), *arrays)
