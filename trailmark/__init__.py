"""Trailmark: shown the way once, finds the rest.

The flow in a few lines:

    import trailmark

    with trailmark.create("my-project") as workspace:
        trailmark.teach(workspace, ["trails.jsonl"], ["site.warc.gz"])
        trailmark.learn(workspace, goal="course")
        run = trailmark.forage(workspace, "http://www.example.edu/")
        print(run, [goal.url for goal in run.goals])

Names are loaded when they are first used, so that `trailmark --help` does not wait for the numerics.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trailmark.datatypes import (
        Annotation,
        Block,
        Cluster,
        Course,
        CourseItem,
        Heading,
        Link,
        Page,
        Record,
        Repetition,
        Response,
        Step,
        Trail,
    )
    from trailmark.errors import TrailmarkError
    from trailmark.learn.navigator import Navigator
    from trailmark.read import normalise_url, read_page, url_words
    from trailmark.settings import Settings, parse_settings
    from trailmark.store.archive import read_archive
    from trailmark.store.replay import Replay
    from trailmark.strategy import UNJUDGED, FollowedLink, Judgement, Strategy, Visit
    from trailmark.verbs.answer import answer
    from trailmark.verbs.ask import ask
    from trailmark.verbs.check import check
    from trailmark.verbs.cluster import cluster
    from trailmark.verbs.course import course
    from trailmark.verbs.draft import draft
    from trailmark.verbs.explain import explain
    from trailmark.verbs.export import export
    from trailmark.verbs.extract import extract
    from trailmark.verbs.forage import forage
    from trailmark.verbs.forget import forget
    from trailmark.verbs.learn import learn
    from trailmark.verbs.monitor import monitor
    from trailmark.verbs.organise import organise
    from trailmark.verbs.package import package
    from trailmark.verbs.propose import propose
    from trailmark.verbs.recommend import recommend
    from trailmark.verbs.search import search
    from trailmark.verbs.shape import shape
    from trailmark.verbs.show import show
    from trailmark.verbs.status import status
    from trailmark.verbs.suggest import suggest
    from trailmark.verbs.tag import tag
    from trailmark.verbs.teach import teach
    from trailmark.verbs.undo import undo
    from trailmark.verbs.wrap import wrap
    from trailmark.workspace import Workspace, create, open  # noqa: A004 - trailmark.open("my-project") says it best

__version__ = "0.1.0"

__all__ = [
    "UNJUDGED",
    "Annotation",
    "Block",
    "Cluster",
    "Course",
    "CourseItem",
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
    "Trail",
    "TrailmarkError",
    "Visit",
    "Workspace",
    "answer",
    "ask",
    "check",
    "cluster",
    "course",
    "create",
    "draft",
    "explain",
    "export",
    "extract",
    "forage",
    "forget",
    "learn",
    "monitor",
    "normalise_url",
    "open",
    "organise",
    "package",
    "parse_settings",
    "propose",
    "read_archive",
    "read_page",
    "recommend",
    "search",
    "shape",
    "show",
    "status",
    "suggest",
    "tag",
    "teach",
    "undo",
    "url_words",
    "wrap",
]

_ROOMS = {
    "Navigator": "learn.navigator",
    "Replay": "store.replay",
    "Settings": "settings",
    "TrailmarkError": "errors",
    "Workspace": "workspace",
    **dict.fromkeys(("FollowedLink", "Judgement", "Strategy", "UNJUDGED", "Visit"), "strategy"),
    "create": "workspace",
    "open": "workspace",
    "normalise_url": "read",
    "parse_settings": "settings",
    "read_archive": "store.archive",
    "read_page": "read",
    "url_words": "read",
}
"""Where a public name lives; the others are datatypes."""


_VERBS = frozenset(
    [
        "teach",
        "ask",
        "suggest",
        "answer",
        "learn",
        "forage",
        "check",
        "cluster",
        "wrap",
        "extract",
        "shape",
        "export",
        "propose",
        "monitor",
        "tag",
        "course",
        "package",
        "recommend",
        "draft",
        "organise",
        "search",
        "show",
        "explain",
        "status",
        "forget",
        "undo",
    ]
)
"""Public verbs: each is the function of that name in the module of that name in `verbs`."""


def _verb(name: str) -> Any:
    return getattr(importlib.import_module(f"trailmark.verbs.{name}"), name)


class _Room(ModuleType):
    """A room that can be called as the verb of its name: `trailmark.teach` is a package, and `trailmark.teach(workspace)` teaches."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return _verb(self.__name__.rpartition(".")[2])(*arguments, **options)


class _House(ModuleType):
    """The package; rooms that have a verb of their name become callable when Python puts them in their place here."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _VERBS and isinstance(value, ModuleType):
            value.__class__ = _Room
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _House


def __getattr__(name: str) -> Any:
    if name in _VERBS:
        try:
            return importlib.import_module(f"trailmark.{name}")
        except ModuleNotFoundError:  # a verb without a room
            return _verb(name)
    if name not in __all__:
        raise AttributeError(f"module 'trailmark' has no attribute {name!r}")
    return getattr(importlib.import_module(f"trailmark.{_ROOMS.get(name, 'datatypes')}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
