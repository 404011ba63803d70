"""How many of the records that rules lift off some pages have each field: measured, where the support of a rule only says that it finds something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trailmark.datatypes import Record


@dataclass(frozen=True, slots=True)
class SampleFill:
    """A field on the pages that were looked at."""

    filled: int
    records: int
    """Records that were lifted off them; a page that gave none counts as one."""


def sample_fill(pages: Iterable[Iterable[Record]], names: Iterable[str]) -> Mapping[str, SampleFill]:
    """The records of each page -> for each field how many have it."""
    counts: Counter[str] = Counter()
    records = 0
    for page in pages:
        lifted = list(page)
        records += max(len(lifted), 1)
        counts.update(name for record in lifted for name in record.fields)
    return {name: SampleFill(counts[name], records) for name in dict.fromkeys(names)}
