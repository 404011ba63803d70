"""Trailmark: shown the way once, finds the rest.

The flow in a few lines:

    from pathlib import Path
    from trailmark import Workspace

    with Workspace.create(Path("my-project")) as workspace:
        workspace.teach([Path("trails.jsonl")], [Path("site.warc.gz")])
        report = workspace.learn()
        navigator = workspace.navigator()

Names are loaded when they are first used, so that `trailmark --help` does not wait for the numerics.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trailmark.datatypes import (
        Annotation,
        Block,
        Cluster,
        Document,
        Heading,
        Link,
        Page,
        Record,
        Repetition,
        Response,
        Step,
        Topic,
        Trail,
    )
    from trailmark.errors import TrailmarkError
    from trailmark.learn.navigator import Navigator
    from trailmark.read import normalise_url, read_page, url_words
    from trailmark.settings import Settings, parse_settings
    from trailmark.store.archive import read_archive
    from trailmark.store.replay import Replay
    from trailmark.strategy import UNJUDGED, FollowedLink, Judgement, Strategy, Visit
    from trailmark.workspace import Workspace

__version__ = "0.1.0"

__all__ = [
    "UNJUDGED",
    "Annotation",
    "Block",
    "Cluster",
    "Document",
    "FollowedLink",
    "Heading",
    "Judgement",
    "Link",
    "Navigator",
    "Page",
    "Record",
    "Repetition",
    "Replay",
    "Response",
    "Settings",
    "Step",
    "Strategy",
    "Topic",
    "Trail",
    "TrailmarkError",
    "Visit",
    "Workspace",
    "normalise_url",
    "parse_settings",
    "read_archive",
    "read_page",
    "url_words",
]

_ROOMS = {
    "Navigator": "learn.navigator",
    "Replay": "store.replay",
    "Settings": "settings",
    "TrailmarkError": "errors",
    "Workspace": "workspace",
    **dict.fromkeys(("FollowedLink", "Judgement", "Strategy", "UNJUDGED", "Visit"), "strategy"),
    "normalise_url": "read",
    "parse_settings": "settings",
    "read_archive": "store.archive",
    "read_page": "read",
    "url_words": "read",
}
"""Where a public name lives; the others are datatypes."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'trailmark' has no attribute {name!r}")
    return getattr(importlib.import_module(f"trailmark.{_ROOMS.get(name, 'datatypes')}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
