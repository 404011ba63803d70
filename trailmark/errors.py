"""Every error that Trailmark raises on purpose, in one tree.

    TrailmarkError
    ├── InputError            a file or an argument that a person can mend            exit code 2
    │   ├── SettingsError     trailmark.toml has an unknown key or a value out of range
    │   ├── ArchiveError      a file that is not, or is no longer, a web archive
    │   └── DocumentError     a file that can't be read as a document: broken, locked, scanned, too large
    ├── WorkspaceError        a folder that can't be used as a workspace              exit code 2
    │   ├── NotAWorkspace     no trailmark.toml and trailmark.db in it
    │   ├── NewerWorkspace    made by a newer Trailmark; nothing was touched
    │   └── WorkspaceBusy     another process holds the lock for too long
    ├── FetchError            a page that can't be had; a run goes on without it
    └── FloorMissed           it ran, and a quality floor was not held                exit code 1

A message is one sentence that names the file, the line where there is one, and what to do next.
"""

from __future__ import annotations


class TrailmarkError(Exception):
    """Root of the tree; `exit_code` is what the command line ends with."""

    exit_code = 2


class InputError(TrailmarkError):
    """A file or an argument that a person can mend."""


class SettingsError(InputError):
    """trailmark.toml has an unknown key or a value out of range."""


class ArchiveError(InputError):
    """A file that is not, or is no longer, a web archive."""


class DocumentError(InputError):
    """A file that can't be read as a document: broken, locked, scanned, too large."""


class WorkspaceError(TrailmarkError):
    """A folder that can't be used as a workspace."""


class NotAWorkspace(WorkspaceError):
    """No trailmark.toml and trailmark.db in the folder."""


class NewerWorkspace(WorkspaceError):
    """Made by a newer Trailmark; nothing was touched."""


class WorkspaceBusy(WorkspaceError):
    """Another process holds the lock for too long."""


class FetchError(TrailmarkError):
    """A page that can't be had; a run goes on without it."""


class FloorMissed(TrailmarkError):
    """It ran, and a quality floor was not held."""

    exit_code = 1
