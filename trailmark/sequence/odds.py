"""Probabilities as log-odds, in which evidence adds up, and back."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_LEAST = 1e-6


def log_odds(chance: Floats) -> Floats:
    """Probabilities -> log-odds, kept away from certainty."""
    kept = np.clip(chance, _LEAST, 1.0 - _LEAST)
    odds: Floats = np.log(kept / (1.0 - kept))
    return odds


def chance_of(odds: Floats) -> Floats:
    """Log-odds -> probabilities."""
    chance: Floats = 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))
    return chance
