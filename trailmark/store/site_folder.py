"""A folder of files that a program makes anew each time: what is the same is not written, what is no longer made is taken away.

A folder that holds anything else is never touched: it must be new or empty, or carry the mark of an earlier time.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from trailmark.errors import InputError
from trailmark.store.file_lock import lock_alone

MARK = ".trailmark-site"
VERSIONS = ".git"
"""May be there before anything was published: a folder whose versions are kept."""
_MARKED = b"This folder is written by `trailmark publish`: what is put here by hand is taken away, but for names at its top that begin with a dot.\n"


class SiteFolder:
    """The folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def claimed(self) -> Iterator[None]:
        """Make it ours, alone until the block ends; InputError where it belongs to something else, WorkspaceBusy where another writes it."""
        try:
            descriptor = self._mark()
        except OSError as error:
            raise InputError(f"{self.folder} can't be written ({error.strerror}): name another folder.") from error
        try:
            lock_alone(
                descriptor,
                f"{self.folder} is being published by another process: nothing was done; try again when it has ended.",
            )
            self._cut_links()
            yield
        finally:
            os.close(descriptor)

    def _mark(self) -> int:
        """The open mark of the folder, which is looked at and made where it is not there."""
        mark = self.folder / MARK
        if self.folder.is_dir():
            names = {path.name for path in self.folder.iterdir()} - {VERSIONS}
            if names and (mark.is_symlink() or not mark.is_file()):
                raise InputError(
                    f"{self.folder} holds files that were not published by Trailmark: name a new or empty folder."
                )
        self.folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(mark, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        if os.pread(descriptor, len(_MARKED) + 1, 0) != _MARKED:
            os.truncate(descriptor, 0)
            os.pwrite(descriptor, _MARKED, 0)
        return descriptor

    def _cut_links(self) -> None:
        """Take away links that lead elsewhere: what is written here stays here."""
        for parent, folders, names in os.walk(self.folder):
            folders[:] = [name for name in folders if not self._is_theirs(Path(parent, name))]
            for path in (Path(parent, name) for name in (*folders, *names)):
                if path.is_symlink() and not self._is_theirs(path):
                    path.unlink()

    def _is_theirs(self, path: Path) -> bool:
        """Whether something at the top is the owner's, such as `.git`."""
        return path.parent == self.folder and path.name.startswith(".") and not path.name.startswith(MARK)

    def write(self, name: str, content: bytes) -> bool:
        """A file below the folder; False where it was there, byte for byte."""
        path = self.folder / name
        try:
            if path.stat().st_size == len(content) and path.read_bytes() == content:
                return False
        except OSError:
            pass
        # The name is told apart from that of any other writer; a reader never sees half a file.
        fresh = path.with_name(f"{MARK}-{os.getpid()}-{threading.get_ident()}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.write_bytes(content)
            fresh.replace(path)
        except OSError as error:
            raise InputError(f"{path} can't be written ({error.strerror}).") from error
        return True

    def sweep(self, made: Iterable[str]) -> int:
        """Take away what is not among the files that were made, and folders that are empty then -> how many files went."""
        known = {self.folder / name for name in (MARK, *made)}
        return sum(self._swept(path, known) for path in sorted(self.folder.iterdir()) if not self._is_theirs(path))

    def _swept(self, top: Path, known: set[Path]) -> int:
        if top.is_symlink() or not top.is_dir():
            return self._taken(top, known)
        gone = 0
        for parent, _, names in os.walk(top, topdown=False):
            gone += sum(self._taken(Path(parent, name), known) for name in names)
            if not any(Path(parent).iterdir()):
                Path(parent).rmdir()
        return gone

    def _taken(self, path: Path, known: set[Path]) -> bool:
        if path in known:
            return False
        path.unlink()
        return True
