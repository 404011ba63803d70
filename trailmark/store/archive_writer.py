"""`Response`s -> `.warc.gz`, one gzip member a record, so that any record can be read without those before it.

Each record goes to the system in one unbuffered write: `kill -9` loses at most the record being written, and the next
open cuts it off. Against loss of power the file is also synced every hundred records and when it is closed.
One writer at a time: the folder (or the file, where one was named) is locked, and no lock file is left behind.
"""

from __future__ import annotations

import gzip
import os
import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from trailmark.datatypes import Response
from trailmark.errors import ArchiveError, WorkspaceBusy, WorkspaceError
from trailmark.settings import StoreSettings
from trailmark.store.archive import ArchiveWarning
from trailmark.store.archive_tail import cut_torn_tail
from trailmark.store.file_lock import lock_alone
from trailmark.store.live_files import refuse_database
from trailmark.store.warc_record import response_record, warcinfo_record

SUFFIX = ".warc.gz"
_SYNC_EVERY = 100
_LEVEL = 6
_SOFTWARE = "Trailmark"


class ArchiveWriter:
    """Appends to `pages-00001.warc.gz`, `pages-00002.warc.gz`, ... in a folder, or to one file that is named.

    A file named is never closed for its size. With `date` (as `2000-01-01T00:00:00Z`) every record bears that date and
    the same responses give the same bytes.
    """

    def __init__(self, target: Path | str, *, settings: StoreSettings | None = None, date: str | None = None) -> None:
        self._target = Path(target)
        self._limit = (settings or StoreSettings()).archive_bytes
        self._date = date
        self._single = self._target.name.endswith(SUFFIX)
        self._unsynced = 0
        self._lock = -1
        self._file: BinaryIO | None = None
        self._size = 0
        self.path = self._target
        try:
            self._lock = self._locked()
            self._open(self._target if self._single else _last_file(self._target))
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise WorkspaceError(
                    f"{self._target} can't be written ({error.strerror}): check the folder and its permissions."
                ) from error
            raise

    def write(self, response: Response) -> tuple[Path, int]:
        """Append a response, whatever its status; returns the file and the offset of its record.

        For each URL in `response.redirects` a 302 record is written before it, so that replay finds the same way.
        """
        for hop in _hops(response):
            self._append(response_record(hop, date=self._date))
        return self._append(response_record(replace(response, redirects=()), date=self._date))

    def close(self) -> None:
        """Sync and close the file and release the lock; may be called twice."""
        if self._file is not None:
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _locked(self) -> int:
        """A descriptor that holds the lock: of the folder, or of the file where one was named."""
        if self._single:
            refuse_database(self._target)
            self._target.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._target, os.O_RDWR | os.O_CREAT, 0o666)
        else:
            self._target.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(self._target, os.O_RDONLY)
        try:
            lock_alone(
                descriptor, f"{self._target} is being written by another process: wait until it is done, or stop it."
            )
        except WorkspaceBusy:
            os.close(descriptor)
            raise
        return descriptor

    def _open(self, path: Path) -> None:
        """Go on with a file after its last whole record, or begin it; one that is damaged is left as it is."""
        self.path = path
        self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
        try:
            self._size = cut_torn_tail(path, self._file)
        except ArchiveError as error:
            self._file.close()
            self._file = None
            if self._single:
                raise
            warnings.warn(str(error), ArchiveWarning, stacklevel=4)
            self._open(_next_file(path))
            return
        if self._size == 0:
            self._write_member(warcinfo_record(path.name, software=_SOFTWARE, date=self._date))

    def _append(self, record: bytes) -> tuple[Path, int]:
        if self._file is None:
            raise WorkspaceError(f"{self.path} was closed: open a new ArchiveWriter to write more.")
        if not self._single and self._size >= self._limit:
            os.fsync(self._file.fileno())
            self._file.close()
            self._open(_next_file(self.path))
        return self.path, self._write_member(record)

    def _write_member(self, record: bytes) -> int:
        """Offset of the member that was written."""
        assert self._file is not None
        member = gzip.compress(record, _LEVEL, mtime=0)
        offset = self._size
        self._file.seek(offset)
        try:
            written = 0
            while written < len(member):
                written += self._file.write(member[written:])
        except OSError as error:
            self._file.truncate(offset)
            raise WorkspaceError(f"{self.path} can't grow ({error.strerror}): make room on the disk.") from error
        self._size += len(member)
        self._sync_now_and_then()
        return offset

    def _sync_now_and_then(self) -> None:
        self._unsynced += 1
        if self._file is not None and self._unsynced >= _SYNC_EVERY:
            os.fsync(self._file.fileno())
            self._unsynced = 0


def _hops(response: Response) -> Iterator[Response]:
    """A redirect for each URL that was asked before the one that answered."""
    places = (*response.redirects, response.url)
    for here, there in pairwise(places):
        if here != there:
            yield Response(url=here, status=302, headers=(("Location", there),))


def _last_file(folder: Path) -> Path:
    numbered = [path for path in folder.glob(f"pages-*{SUFFIX}") if re.fullmatch(r"pages-\d{5,}\.warc\.gz", path.name)]
    return max(numbered, key=_number, default=folder / f"pages-00001{SUFFIX}")


def _next_file(path: Path) -> Path:
    return path.with_name(f"pages-{_number(path) + 1:05d}{SUFFIX}")


def _number(path: Path) -> int:
    return int(path.name.removeprefix("pages-").removesuffix(SUFFIX))
