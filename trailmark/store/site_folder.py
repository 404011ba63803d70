"""A folder of files that a program makes anew each time: what is the same is not written, what is no longer made is taken away.

A folder that holds anything else is never touched: it must be new or empty, or carry the mark of an earlier time.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from pathlib import Path

from trailmark.errors import InputError

MARK = ".trailmark-site"
_MARKED = b"This folder is written by `trailmark publish`: what is put here by hand is taken away.\n"


class SiteFolder:
    """The folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def claim(self) -> None:
        """Make it ours; InputError where it belongs to something else."""
        mark = self.folder / MARK
        try:
            if self.folder.is_dir() and any(self.folder.iterdir()) and not mark.is_file():
                raise InputError(
                    f"{self.folder} holds files that were not published by Trailmark: name a new or empty folder."
                )
            self.folder.mkdir(parents=True, exist_ok=True)
            mark.write_bytes(_MARKED)
        except OSError as error:
            raise InputError(f"{self.folder} can't be written ({error.strerror}): name another folder.") from error

    def write(self, name: str, content: bytes) -> bool:
        """A file below the folder; False where it was there, byte for byte."""
        path = self.folder / name
        try:
            if path.stat().st_size == len(content) and path.read_bytes() == content:
                return False
        except OSError:
            pass
        path.parent.mkdir(parents=True, exist_ok=True)
        # The name is told apart from that of any other writer; a reader never sees half a file.
        fresh = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
        fresh.write_bytes(content)
        fresh.replace(path)
        return True

    def sweep(self, made: Iterable[str]) -> int:
        """Take away what is not among the files that were made, and folders that are empty then -> how many files went."""
        known = {MARK, *made}
        gone = 0
        for parent, _, names in os.walk(self.folder, topdown=False):
            here = Path(parent)
            for name in names:
                if (here / name).relative_to(self.folder).as_posix() not in known:
                    (here / name).unlink()
                    gone += 1
            if here != self.folder and not any(here.iterdir()):
                here.rmdir()
        return gone
