"""What every page of the app has at hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import Request

from trailmark.serve.jobs import Jobs
from trailmark.serve.key_ring import KeyRing
from trailmark.serve.keys import Keys
from trailmark.serve.options import Options
from trailmark.serve.view_crew import ViewCrew
from trailmark.settings import Settings
from trailmark.verbs.browse import PageSource
from trailmark.verbs.correct_document import OpenDocument
from trailmark.verbs.demonstrate import Demonstrations
from trailmark.workspace import Workspace, settings_in


@dataclass(slots=True)
class Streams:
    """How many pages are being kept up to date now; counted in the event loop alone."""

    count: int = 0


@dataclass(frozen=True, slots=True)
class AppState:
    """The workspace's folder, and what was made for it once when the app was started."""

    folder: Path
    options: Options
    keys: Keys
    ring: KeyRing
    pages: PageSource
    jobs: Jobs
    demonstrations: Demonstrations
    project: str = ""
    """Its name among several workspaces; empty where it is the only one."""
    streams: Streams = field(default_factory=Streams)
    crew: ViewCrew = field(default_factory=ViewCrew)
    titles: dict[str, str] = field(default_factory=dict)
    """Titles of pages that name groups of pages, once read."""

    documents: dict[str, OpenDocument] = field(default_factory=dict)
    """The documents that were looked at last, read."""

    @contextmanager
    def workspace(self) -> Iterator[Workspace]:
        """The workspace, opened for one request: SQLite's connections belong to one thread."""
        with Workspace.open(self.folder, who="app") as workspace:
            yield workspace

    def archive_words(self, option: str) -> list[str]:
        """The archives that pages are taken from, as words for a job."""
        return [word for path in self.pages.archives for word in (option, str(path.resolve()))]

    @property
    def settings(self) -> Settings:
        """As they stand in the file now: a person may edit it while the app runs."""
        return settings_in(self.folder)


def state_of(request: Request) -> AppState:
    """The app's state for the workspace that a request is about; pages ask for it with `state: State`."""
    state: AppState = request.app.state.projects.state(getattr(request.state, "project", ""))
    return state
