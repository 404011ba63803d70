"""The present moment, as every table keeps it."""

from __future__ import annotations

from datetime import UTC, datetime


def present() -> str:
    """Now: ISO 8601, UTC, to the second, so that moments in order of text are in order of time."""
    return datetime.now(UTC).isoformat(timespec="seconds")
