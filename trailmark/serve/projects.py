"""Several workspaces under one app: those that lie side by side in the folder that it was started on.

Who may come in is asked once, for the folder: its keys are in `serve/` of the folder itself, and each opens all of its projects. An app that is
started on one workspace alone knows nothing of its neighbours. Which project a page is about is said by its address or by a cookie, and
forms are signed for their project, so that none is ever sent into another one.
"""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from pathlib import Path

from trailmark.errors import InputError, NotAWorkspace
from trailmark.serve.jobs import Jobs
from trailmark.serve.key_ring import KeyRing
from trailmark.serve.keys import Keys, private_folder
from trailmark.serve.options import Options
from trailmark.serve.state import AppState, Streams
from trailmark.serve.view_crew import ViewCrew
from trailmark.verbs.browse import PageSource
from trailmark.verbs.demonstrate import Demonstrations
from trailmark.workspace import DATABASE_FILE, SETTINGS_FILE, Workspace

MOST_PROJECTS = 200
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")


@dataclass(frozen=True, slots=True)
class WorkspaceFolders:
    """A folder that is a workspace, or holds some."""

    folder: Path
    names: tuple[str, ...]
    """The workspaces in it; none where it is one itself."""


def is_workspace(folder: Path) -> bool:
    """Whether a folder is a workspace."""
    return (folder / SETTINGS_FILE).is_file() and (folder / DATABASE_FILE).is_file()


def workspaces_in(folder: Path) -> WorkspaceFolders:
    """A folder -> the workspaces that it holds; raises NotAWorkspace where it is none and holds none."""
    if is_workspace(folder):
        return WorkspaceFolders(folder, ())
    inside = sorted(path.name for path in folder.iterdir() if is_workspace(path)) if folder.is_dir() else []
    if not inside:
        raise NotAWorkspace(
            f"{folder} is not a Trailmark workspace and holds none; name one with -w DIR, or make one with: trailmark init DIR"
        )
    return WorkspaceFolders(folder, tuple(inside[:MOST_PROJECTS]))


class Projects:
    """The workspaces of an app, each opened when it is first asked for."""

    def __init__(self, folder: Path, options: Options, keys: Keys, ring: KeyRing) -> None:
        self.folder, self._options, self._keys, self._ring = folder, options, keys, ring
        self.alone = is_workspace(folder)
        self._streams, self._crew = Streams(), ViewCrew()
        self._states: dict[str, AppState] = {}
        self._lock = threading.Lock()

    def names(self) -> tuple[str, ...]:
        """The projects that are there now; none where the app has one workspace only."""
        return () if self.alone else workspaces_in(self.folder).names

    def choose(self, *wishes: str) -> str:
        """The first of the names that is one of ours, or else the first project; empty where there is one workspace only."""
        if self.alone:
            return ""
        names = self.names()
        return next((wish for wish in wishes if wish in names), names[0])

    def knows(self, name: str) -> bool:
        """Whether a name can be that of a project here; where there is one workspace only, no name is asked about."""
        return self.alone or name in self.names()

    def state(self, name: str) -> AppState:
        """All that pages have at hand of a project."""
        name = self.choose(name)
        with self._lock:
            if name not in self._states:
                self._states[name] = self._made(name)
            return self._states[name]

    def make(self, name: str) -> str:
        """A new project with that name; raises InputError for what can't be one."""
        if self.alone:
            raise InputError("The app was started on one workspace: start it on the folder above to have several.")
        if not _NAME.fullmatch(name):
            raise InputError(
                "A project's name is up to 60 letters, digits, dots and dashes, and begins with a letter or a digit."
            )
        if len(self.names()) >= MOST_PROJECTS:
            raise InputError(f"There are {MOST_PROJECTS} projects already; make a folder for more.")
        Workspace.create(self.folder / name).close()
        return name

    def _made(self, name: str) -> AppState:
        folder, archives = self.folder / name, self._options.archives
        Workspace.open(folder).close()
        private_folder(folder)
        pages = PageSource(folder, archives)
        made = (pages, Jobs(folder, archives), Demonstrations(folder, pages), name, self._streams, self._crew)
        return AppState(folder, self._options, self._keys, self._ring, *made)
