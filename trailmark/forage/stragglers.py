"""Sites, or parts of a run, that take much longer than the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

FEWEST = 3
"""So many must be done before it can be said how long one takes."""
TIMES, LEAST_SECONDS = 3.0, 30.0
"""What takes so many times as long as half of the others, and at least so long, lags behind."""


@dataclass(frozen=True, slots=True)
class Straggler:
    """What lags behind."""

    name: str
    seconds: float
    usual_seconds: float


def usual_time(done: Sequence[float]) -> float | None:
    """Seconds that each took that is done -> what is usual; None where too few are."""
    return median(done) if len(done) >= FEWEST else None


def stragglers(under_way: Mapping[str, float], usual: float | None) -> tuple[Straggler, ...]:
    """Seconds that each took so far that is not done -> those that lag behind, the latest first."""
    if usual is None:
        return ()
    late = [(seconds, name) for name, seconds in under_way.items() if seconds > max(TIMES * usual, LEAST_SECONDS)]
    return tuple(
        Straggler(name, seconds, usual) for seconds, name in sorted(late, key=lambda each: (-each[0], each[1]))
    )
