"""Ctrl-C while pages are fetched and read: heard at once, and answered within a second.

The first Ctrl-C lets the step that is under way end. Where it does not within a moment (a page that takes long to read, a
server that drips), it is broken off by KeyboardInterrupt; so does a second Ctrl-C at once. Nothing is lost by that: a page is kept before anything
is made of it, so that a run is taken up as it is after a crash.
"""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

GRACE_SECONDS = 0.7
"""How long a step may go on after Ctrl-C."""


@contextmanager
def interruptible(
    stop: Callable[[], None] = lambda: None, break_off: Callable[[], None] = lambda: None
) -> Iterator[list[int]]:
    """Ctrl-C fills the list and calls `stop`; KeyboardInterrupt is raised only after the grace. Main thread only.

    `break_off` is called before it is raised: for code that would swallow it.
    """
    signals: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield signals
        return
    timer = threading.Timer(GRACE_SECONDS, _thread.interrupt_main)
    timer.daemon = True

    def handle(number: int, frame: FrameType | None) -> None:
        del frame
        if signals:
            break_off()
            raise KeyboardInterrupt
        signals.append(number)
        timer.start()
        stop()

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield signals
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
