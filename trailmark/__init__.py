"""Trailmark: shown the way once, finds the rest.

The flow in a few lines:

    from pathlib import Path
    from trailmark import Workspace

    with Workspace.create(Path("my-project")) as workspace:
        workspace.teach([Path("trails.jsonl")], [Path("site.warc.gz")])
        print(workspace.status())
"""

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
from trailmark.read import normalise_url, read_page, url_words
from trailmark.settings import Settings, parse_settings
from trailmark.store.archive import read_archive
from trailmark.store.replay import Replay
from trailmark.workspace import Workspace

__version__ = "0.1.0"

__all__ = [
    "Annotation",
    "Block",
    "Cluster",
    "Document",
    "Heading",
    "Link",
    "Page",
    "Record",
    "Repetition",
    "Replay",
    "Response",
    "Settings",
    "Step",
    "Topic",
    "Trail",
    "TrailmarkError",
    "Workspace",
    "normalise_url",
    "parse_settings",
    "read_archive",
    "read_page",
    "url_words",
]
