"""`contributions`: which features raised or lowered the score of a state at a position."""

from __future__ import annotations

from trailmark.sequence.inference import Chain
from trailmark.sequence.sequences import Sparse


def contributions(model: Chain, X: Sparse, position: int, state: int) -> list[tuple[int, float]]:
    """(feature, value * weight), the strongest first; their sum is the state's score W . f there."""
    row = X[[position]].tocoo()
    columns = row.coords[1]
    parts = row.data * model.state_weights_[columns, state]
    return sorted(zip(columns.tolist(), parts.tolist(), strict=True), key=lambda pair: (-abs(pair[1]), pair[0]))
