"""`forage --log FILE`: one JSON object a line, one line a fetch, in the order of fetching.

Lines are written as the walk goes, with what it thought of each page then. When the run ends the file is written anew, whole and in one
moment, with the settled verdicts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from trailmark.datatypes import Fetch
from trailmark.quoting import json_text


def log_entry(fetch: Fetch) -> dict[str, Any]:
    """The fields of a line, in their order."""
    return {
        "n": fetch.n,
        "url": fetch.url,
        "status": fetch.status,
        "score": fetch.score,
        "label": fetch.label,
        "goal": fetch.goal,
        "goal_probability": fetch.goal_probability,
        "parent": fetch.parent,
        "depth": fetch.depth,
        "site": fetch.site,
        **({"goal_name": fetch.goal_name} if fetch.goal_name else {}),
        **({"keywords": list(fetch.keywords)} if fetch.keywords else {}),
    }


def log_line(fetch: Fetch) -> str:
    """A fetch -> its line."""
    return json_text(log_entry(fetch)) + "\n"


def write_log(file: Path, fetches: Iterable[Fetch]) -> None:
    """The fetches of a run in place of what the file held: a reader sees the old file or the new one, never half of one.

    A pipe, and a file beside which no other may be made, are written in place.
    """
    target = file.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        log = (target if _is_stream(target) else beside).open("w", encoding="utf-8")
    except OSError:
        log = target.open("w", encoding="utf-8")
    try:
        with log:
            log.writelines(map(log_line, fetches))
            if log.name == str(beside):
                log.flush()
                os.fsync(log.fileno())
        if log.name == str(beside):
            if target.exists():
                beside.chmod(target.stat().st_mode & 0o777)
            beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def rewrite_log(file: Path, fetches: Iterable[Fetch]) -> None:
    """The same for a file that has its lines already; a pipe or a terminal keeps those that it got."""
    if not _is_stream(file):
        write_log(file, fetches)


def _is_stream(file: Path) -> bool:
    return file.exists() and not file.is_file()
