"""Rules that compete: a value marked on one page stands at several places of it, and which is meant can't be known.

Each place gives rules of its own. Those of the place that promises most find the values; where rules of another place say something else on
pages that nobody annotated, and promise nearly as much, they are kept as rivals. A value that a rival contests is unsure, and a person is asked
to mark a page on which the two differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from trailmark.wrap.page.node_layer import layer_of
from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.rule import FieldRules

PROMISING = 0.25
"""What a rival's rules must promise, beside those of the best place."""
RULES = 6
"""Of a rival: they need not be right on odd pages, only tell that there is another candidate."""
MOST = 2
FEWEST = 5
SELDOM = 0.5
"""Share of the pages on which rules must find something, or the field is asked about."""


def usual_vote(rules: FieldRules, pages: Sequence[NodeTable]) -> float:
    """The share of all rules that is for the chosen text on three pages of four; 0 where it can't be told."""
    tables = [layer_of(page, rules.layer) for page in pages]
    votes = [float(np.max(rules.shares(table)[0])) for table in tables if len(table)]
    spoken = [vote for vote in votes if vote >= rules.least_speaking]
    return round(float(np.quantile(spoken, 0.25)), 4) if len(spoken) >= FEWEST else 0.0


def is_seldom(rules: FieldRules, pages: Sequence[NodeTable]) -> bool:
    """Whether the rules find something on few of the pages."""
    return len(pages) >= FEWEST and sum(bool(rules.values(page)) for page in pages) < SELDOM * len(pages)


def rivals_of(
    rules: FieldRules, others: Sequence[tuple[float, FieldRules]], pages: Sequence[NodeTable]
) -> tuple[FieldRules, ...]:
    """Of the rules of other places, with what they promise, those that contest a value on a page that nobody annotated."""
    promising = sorted((pair for pair in others if pair[0] >= PROMISING), key=lambda pair: -pair[0])
    short = [replace(other, rules=other.rules[:RULES]) for _, other in promising]
    said = [rules.values(page) for page in pages]
    return tuple(
        rival
        for rival in short
        if any(
            values and (other := rival.values(page)) and other[0] not in values
            for page, values in zip(pages, said, strict=True)
        )
    )[:MOST]
