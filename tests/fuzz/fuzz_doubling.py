"""Whether work doubles when its input does: CPU time at n, 2n and 4n, the best of several."""

from __future__ import annotations

import gc
import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

SLOPE = 1.5
"""Steepest line through (log size, log time) that still counts as linear: 1 is linear, 2 is quadratic."""
FLOOR = 0.01
"""Seconds below which nothing is measured: there, what is not proportional to the input weighs more than what is."""
TICK = 1e-6
"""What a clock that stood still is taken for."""
PATIENCE = 20.0
"""CPU seconds after which work is stopped: what takes so long at these sizes is not linear."""


class TooLongError(Exception):
    """Work was stopped."""


@dataclass(frozen=True)
class Growth:
    """How the time grew: sizes and seconds, and the slope between the first and the last."""

    sizes: tuple[int, ...]
    seconds: tuple[float, ...]

    @property
    def steep(self) -> bool:
        """Too steep, over times that are long enough to be told from chance."""
        return self.slope >= SLOPE and self.seconds[-1] >= 8 * FLOOR

    @property
    def slope(self) -> float:
        return math.log(self.seconds[-1] / self.seconds[0]) / math.log(self.sizes[-1] / self.sizes[0])

    def __str__(self) -> str:
        took = ", ".join(f"{n}: {t * 1000:.0f} ms" for n, t in zip(self.sizes, self.seconds, strict=True))
        return f"slope {self.slope:.2f} ({took})"


def seconds_of(work: Callable[[Any], object], given: Any, *, times: int = 1) -> float:
    """CPU seconds of the quickest of `times` calls, without those of the garbage collector."""
    best = math.inf
    for _ in range(times):
        gc.collect(0)
        gc.disable()
        start = time.process_time()
        try:
            work(given)
        finally:
            took = time.process_time() - start
            gc.enable()
        best = min(best, max(took, TICK))
    return best


@contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    """What is done within is stopped after so many CPU seconds; regular expressions listen to signals too."""

    def stop(*_: object) -> None:
        raise TooLongError

    former = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)


def growth(work: Callable[[Any], object], make: Callable[[int], Any], *, first: int, last: int) -> Growth | None:
    """How the time of `work(make(n))` grows where it is longest; None where even `last` takes next to no time.

    Sizes double from `first` on until the work takes `FLOOR` or `last` is reached. What looks too steep is measured again,
    with more calls and larger: a step where memory grows is passed, a curve goes on.
    """
    size = first
    while seconds_of(work, make(size)) < FLOOR:
        if size >= last:
            return None
        size *= 2
    for times, larger in ((1, 1), (3, 1), (2, 2), (2, 4)):
        sizes = (size * larger, size * larger * 2, size * larger * 4)
        found = Growth(sizes, tuple(seconds_of(work, make(n), times=times) for n in sizes))
        if not found.steep:
            break
    return found


def too_steep(
    work: Callable[[Any], object], make: Callable[[int], Any], name: str, *, first: int, last: int
) -> str | None:
    """None where the time at most doubles with the input, else a line that says how it grew."""
    try:
        with stopped_after(PATIENCE):
            found = growth(work, make, first=first, last=last)
    except TooLongError:
        return f"{name}: stopped after {PATIENCE:.0f} s"
    return f"{name}: {found}" if found is not None and found.steep else None
