"""Values of some fields of all items, in memory: how the items that a search found fall by them is counted without reading one."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Whole = npt.NDArray[np.int64]
LONGEST_VALUE = 200
"""Letters of a value by which items can be narrowed."""
MOST_VALUES = 5_000
"""Different values of a field that are counted, the most frequent ones."""


@dataclass(frozen=True, slots=True)
class FacetValues:
    """One field: each time that an item has a value."""

    values: tuple[str, ...]
    """The most frequent first."""
    items: Whole
    """Rows of items."""
    places: Whole
    """Which value each has: its place in `values`."""

    def count(self, items: Whole, most: int) -> list[tuple[str, int]]:
        """Rows of items, each once -> how many of them have each value, the most frequent first."""
        if not len(self.values):
            return []
        inside = np.zeros(int(max(self.items.max(initial=0), items.max(initial=0))) + 1, dtype=np.bool_)
        inside[items] = True
        counts = np.bincount(self.places[inside[self.items]], minlength=len(self.values))
        best = np.argsort(-counts, kind="stable")[:most]
        return [(self.values[place], int(counts[place])) for place in best if counts[place]]

    def having(self, value: str) -> list[int]:
        """Rows of the items that have a value."""
        if value not in self.values:
            return []
        return [int(row) for row in self.items[self.places == self.values.index(value)]]


def read_facet_values(connection: sqlite3.Connection, fields: Sequence[str]) -> dict[str, FacetValues]:
    """Fields -> the values that items have there."""
    if not fields:
        return {}
    marks = ", ".join("?" * len(fields))
    rows = connection.execute(
        f"SELECT items.id, json_each.key, json_each.value FROM items, json_each(items.fields) WHERE json_each.key IN ({marks}) ORDER BY items.id",  # noqa: S608
        tuple(fields),
    )
    held: dict[str, list[tuple[int, str]]] = {field: [] for field in fields}
    for item, field, values in rows:
        for value in dict.fromkeys(" ".join(str(each).split()) for each in json.loads(values)):
            if 0 < len(value) <= LONGEST_VALUE:
                held[field].append((item, value))
    return {field: _facet_values(pairs) for field, pairs in held.items()}


def _facet_values(pairs: Sequence[tuple[int, str]]) -> FacetValues:
    counts = Counter(value for _, value in pairs)
    values = sorted(counts, key=lambda value: (-counts[value], value))[:MOST_VALUES]
    place: Mapping[str, int] = {value: number for number, value in enumerate(values)}
    kept = [(item, place[value]) for item, value in pairs if value in place]
    items, places = (np.array(column, dtype=np.int64) for column in zip(*kept, strict=True)) if kept else (_NONE, _NONE)
    return FacetValues(tuple(values), items, places)


_NONE = np.zeros(0, dtype=np.int64)
