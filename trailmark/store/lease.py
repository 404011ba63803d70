"""Leases: names that one process at a time may use, among all that share a folder.

A lease is a lock on a small file. It goes with the process, however that ends, so nothing has to be cleaned up after a node that died.
Locks of a network file system count between machines too (NFS from version 4 on).
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

from trailmark.errors import WorkspaceBusy
from trailmark.store.file_lock import lock_alone


class Leases:
    """What this process has leased in a folder; all of it is given back at the end."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._held: dict[str, int] = {}

    def take(self, name: str) -> bool:
        """Whether a name is ours from now on: it was already, or nobody else has it."""
        if name in self._held:
            return True
        # A name may be longer than a file's, and may be written in any letters.
        file = self._folder / f"{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}.lease"
        descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            lock_alone(descriptor, name)
        except WorkspaceBusy:
            os.close(descriptor)
            return False
        self._held[name] = descriptor
        return True

    def close(self) -> None:
        """Give all back; may be called twice."""
        for descriptor in self._held.values():
            os.close(descriptor)
        self._held.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
