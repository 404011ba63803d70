"""`forage --log FILE`: one JSON object a line, one line a fetch, in the order of fetching."""

from __future__ import annotations

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
    } | ({"goal_name": fetch.goal_name} if fetch.goal_name else {})


def log_line(fetch: Fetch) -> str:
    return json_text(log_entry(fetch)) + "\n"
