"""Slows down whoever shows wrong keys, and nobody else: a right key is never made to wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

SHORTEST, LONGEST = 0.25, 4.0
"""Seconds that a wrong key waits for its answer: the first, and after many."""
FORGIVEN_AFTER = 60.0
MOST_WAITING = 16
"""Wrong keys that wait at once; a further one is answered without waiting, and its connection is closed."""


class Brake:
    """How many wrong keys were shown lately, as two numbers: it can't be filled."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong, self._last = 0, clock()
        self._waiting = 0

    @property
    def pause(self) -> float:
        """Seconds that the next wrong key waits."""
        since = self._clock() - self._last
        wrong = 0 if since > FORGIVEN_AFTER else self._wrong
        return float(min(SHORTEST * 2.0 ** min(wrong, 10), LONGEST))

    async def wrong_key(self) -> bool:
        """Wait as a wrong key has to; False where too many wait already."""
        pause = self.pause
        self._wrong = 1 if self._clock() - self._last > FORGIVEN_AFTER else self._wrong + 1
        self._last = self._clock()
        if self._waiting >= MOST_WAITING:
            return False
        self._waiting += 1
        try:
            await asyncio.sleep(pause)
        finally:
            self._waiting -= 1
        return True
