"""`status`: what the workspace holds, and what to do next."""

from __future__ import annotations

from collections import Counter
from typing import Any

from trailmark.store.schema import MIGRATIONS
from trailmark.workspace import Workspace


def status(workspace: Workspace) -> dict[str, Any]:
    """Counts of what the workspace holds, the labels that were taught, and the next step."""
    counts = workspace.database.counts()
    labels = Counter(step.label for trail in workspace.database.trails() for step in trail.steps if step.label)
    return {
        "workspace": str(workspace.folder),
        "schema": len(MIGRATIONS),
        "counts": counts,
        "labels": dict(labels.most_common()),
        "next": _next_step(counts),
    }


def _next_step(counts: dict[str, int]) -> str:
    if not counts.get("trails"):
        return "Next: show it the way with trailmark teach TRAILS.jsonl (the format is in docs/reference/formats.md)."
    return f"It knows {counts['trails']} trails. Next: trailmark learn."
