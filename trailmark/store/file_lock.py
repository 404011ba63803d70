"""A lock on an open file or folder, for one process alone; it goes with the descriptor, however the process ends."""

from __future__ import annotations

import fcntl

from trailmark.errors import WorkspaceBusy


def lock_alone(descriptor: int, sentence: str) -> None:
    """Lock it, or raise WorkspaceBusy with the sentence at once where another holds it; who opened the descriptor closes it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise WorkspaceBusy(sentence) from error
