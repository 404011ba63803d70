"""Random access by URL over many archives.

URL -> (archive, offset) is kept in a SQLite file that the caller names, never beside the archives. An archive that was
indexed with the same size and time of change is not read again. One that only grew, as our own do, is read from its last
known record on. A damaged index is thrown away and made anew (`index_file`).

An archive without random access (`.xz`, a `.zst` with a dictionary, a `.gz` or `.zst` compressed as a whole) is unpacked
once per process into an unnamed temporary file, on disk so that memory stays flat, gone when the process ends.
"""

from __future__ import annotations

import hashlib
import sqlite3
import tempfile
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from trailmark.datatypes import Response
from trailmark.errors import ArchiveError, WorkspaceBusy, WorkspaceError
from trailmark.settings import StoreSettings
from trailmark.store.archive import ArchiveWarning, addresses_of, archive_state, entries_of
from trailmark.store.archive_listing import listed_addresses
from trailmark.store.archive_names import archives_named, path_named
from trailmark.store.archive_unpacking import has_random_access, starts_record, unpack
from trailmark.store.index_file import IndexFile
from trailmark.store.live_files import note_database, refuse_database
from trailmark.store.remote_path import RemotePath
from trailmark.store.write_ahead import is_busy
from trailmark.url_key import url_key

_MOST_OPEN = 32
_PRINT = 4096


@dataclass(frozen=True, slots=True)
class ArchivePlace:
    """Where the record of a URL stands."""

    url: str
    archive: Path
    offset: int
    unpacked: bool
    """Whether the offset counts in the unpacked archive."""


class ArchiveIndex:
    """`find` a URL, `read` its response. Later archives in the list win over earlier ones, later records too."""

    def __init__(
        self, archives: Iterable[Path | str], path: Path | str = ":memory:", *, settings: StoreSettings | None = None
    ) -> None:
        self._settings = settings or StoreSettings()
        self._archives = [archive.absolute() for archive in archives_named(archives)]
        self._files: OrderedDict[Path, IO[bytes]] = OrderedDict()
        self._unpacked: dict[Path, IO[bytes]] = {}
        self._ranks: dict[int, int] = {}
        if str(path) != ":memory:":
            note_database(path)
        for archive in self._archives:
            refuse_database(archive)
            if archive_state(archive)[0] == 0:
                warnings.warn(f"{archive} is empty: it was left out.", ArchiveWarning, stacklevel=2)
        self._index_file = IndexFile(str(path), self._settings.busy_timeout)
        self._connection = self._index_file.connection
        try:
            self.refresh()
        except BaseException:
            self.close()
            raise

    def refresh(self) -> int:
        """Look at every archive again; returns how many had to be read, in whole or in part."""
        read = 0
        if any(self._changed(archive) for archive in self._archives):
            with self._writing():
                # Asked again: another process may have indexed them while this one waited.
                for archive in filter(self._changed, self._archives):
                    self._bring_up_to_date(archive)
                    read += 1
        ids = dict(self._connection.execute("SELECT path, id FROM archives"))
        self._ranks = {ids[str(path)]: rank for rank, path in enumerate(self._archives) if str(path) in ids}
        return read

    def find(self, url: str) -> ArchivePlace | None:
        """The latest record with exactly this URL, else the latest with another spelling of it."""
        rows = self._connection.execute(
            "SELECT entries.url, archive, path, offset, unpacked FROM entries JOIN archives ON archives.id = archive "
            "WHERE key = ?",
            (url_key(url),),
        )
        known = [row for row in rows if row[1] in self._ranks]
        if not known:
            return None
        best = max(known, key=lambda row: (row[0] == url, self._ranks[row[1]], row[3]))
        return ArchivePlace(best[0], path_named(best[2]), best[3], bool(best[4]))

    def read(self, place: ArchivePlace) -> Response:
        """The response at a place; ArchiveError where the archive has changed since it was indexed."""
        file = self._opened(place)
        file.seek(place.offset)
        with suppress(ArchiveError, OSError):
            for entry in entries_of(file, place.archive, settings=self._settings):
                if entry.response.url == place.url:
                    return entry.response
                break
        raise ArchiveError(f"{place.archive} changed while it was in use: start again to have it indexed anew.")

    def urls(self) -> Iterator[str]:
        """Every URL, once, in the order of its spelling."""
        rows = self._connection.execute("SELECT DISTINCT url, archive FROM entries ORDER BY url")
        last = None
        for url, archive in rows:
            if archive in self._ranks and url != last:
                last = url
                yield url

    def latest(self, wanted: Callable[[str], bool]) -> Iterator[ArchivePlace]:
        """The latest record of every wanted URL, each URL once, in the order of the archives."""
        rows = self._connection.execute("SELECT url, archive, offset FROM entries ORDER BY url")
        known = (
            (url, self._ranks[archive], archive, offset) for url, archive, offset in rows if archive in self._ranks
        )
        groups = groupby(known, key=itemgetter(0))
        places = sorted((*max(row[1:] for row in group), url) for url, group in groups if wanted(url))
        files = {number: (path_named(path), bool(unpacked)) for number, path, unpacked in self._files_known()}
        for _, archive, offset, url in places:
            path, unpacked = files[archive]
            yield ArchivePlace(url, path, offset, unpacked)

    def repeated(self) -> Iterator[list[ArchivePlace]]:
        """The records of every URL that has several, the latest first."""
        rows = self._connection.execute("SELECT url, archive, offset FROM entries ORDER BY url")
        known = (row for row in rows if row[1] in self._ranks)
        files = {number: (path_named(path), bool(unpacked)) for number, path, unpacked in self._files_known()}
        for url, group in groupby(known, key=itemgetter(0)):
            places = sorted(((self._ranks[archive], offset, archive) for _, archive, offset in group), reverse=True)
            if len(places) > 1:
                yield [ArchivePlace(url, files[at][0], offset, files[at][1]) for _, offset, at in places]

    def _files_known(self) -> list[tuple[int, str, int]]:
        return self._connection.execute("SELECT id, path, unpacked FROM archives").fetchall()

    def close(self) -> None:
        """Close every file; may be called twice."""
        for file in (*self._files.values(), *self._unpacked.values()):
            file.close()
        self._files.clear()
        self._unpacked.clear()
        self._index_file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            yield
            self._connection.execute("COMMIT")
        except BaseException as error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                kind = WorkspaceBusy if is_busy(error) else WorkspaceError
                raise kind(f"The archive index can't be written ({error}): try again, or remove it.") from error
            raise

    def _changed(self, archive: Path) -> bool:
        """Whether the archive is not in the index as it is now; an empty one never is."""
        size, changed = archive_state(archive)
        known = self._connection.execute(
            "SELECT size, changed FROM archives WHERE path = ?", (str(archive),)
        ).fetchone()
        return size > 0 and known != (size, changed)

    def _bring_up_to_date(self, archive: Path) -> None:
        """Index an archive that changed: from its last known record on where it only grew, else from the start."""
        self._forget_files(archive)
        row = self._connection.execute(
            "SELECT id, size, unpacked, last, print FROM archives WHERE path = ?", (str(archive),)
        ).fetchone()
        if row is None:
            insert = "INSERT INTO archives (path, size, changed, unpacked, last, print) VALUES (?, 0, 0, 0, 0, '')"
            self._index(archive, number=self._connection.execute(insert, (str(archive),)).lastrowid or 0, start=0)
            return
        number, size, unpacked, last, fingerprint = row
        grew = not unpacked and size < archive_state(archive)[0] and fingerprint == _fingerprint(archive, last)
        self._index(archive, number=number, start=last if grew else 0)

    def _index(self, archive: Path, *, number: int, start: int) -> None:
        """Read the archive's addresses from `start` on into the tables."""
        size, changed = archive_state(archive)  # before reading: what is appended meanwhile is found the next time
        unpacked = not has_random_access(archive)
        addresses = self._addresses(archive, start, unpacked=unpacked)
        if addresses is None:
            start, unpacked, addresses = 0, True, self._addresses(archive, 0, unpacked=True) or []
        if start == 0:
            self._connection.execute("DELETE FROM entries WHERE archive = ?", (number,))
        self._connection.executemany(
            "INSERT OR REPLACE INTO entries (key, archive, offset, url) VALUES (?, ?, ?, ?)",
            ((url_key(url), number, offset, url) for url, offset in addresses),
        )
        last = max((offset for _, offset in addresses), default=start)
        self._connection.execute(
            "UPDATE archives SET size = ?, changed = ?, unpacked = ?, last = ?, print = ? WHERE id = ?",
            (size, changed, unpacked, last, _fingerprint(archive, last), number),
        )

    def _addresses(self, archive: Path, start: int, *, unpacked: bool) -> list[tuple[str, int]] | None:
        """URLs and offsets; None where an offset turns out not to be the start of a record."""
        if isinstance(archive, RemotePath) and not unpacked and not start:
            listed = listed_addresses(archive, archive_state(archive)[0])
            if (
                listed is not None
            ):  # so that an archive elsewhere need not be read through; what it says of a page is checked when that is read
                return listed
        if unpacked:
            file = self._unpacked_file(archive)
            file.seek(0)
            return list(addresses_of(file, archive))
        with archive.open("rb") as file, archive.open("rb") as probe:
            file.seek(start)
            addresses = list(addresses_of(file, archive))
            return addresses if all(starts_record(probe, offset) for _, offset in addresses) else None

    def _opened(self, place: ArchivePlace) -> IO[bytes]:
        """The archive's file; the files used last are kept open."""
        if place.unpacked:
            return self._unpacked_file(place.archive)
        if place.archive not in self._files:
            try:
                self._files[place.archive] = place.archive.open("rb", buffering=0)
            except OSError as error:
                raise ArchiveError(f"{place.archive} can't be read any more ({error.strerror}).") from error
            if len(self._files) > _MOST_OPEN:
                self._files.popitem(last=False)[1].close()
        self._files.move_to_end(place.archive)
        return self._files[place.archive]

    def _unpacked_file(self, archive: Path) -> IO[bytes]:
        if archive not in self._unpacked:
            file = tempfile.TemporaryFile()  # noqa: SIM115 - kept until close
            try:
                unpack(archive, file, ratio=self._settings.unpacked_ratio)
            except BaseException:
                with suppress(OSError):  # what was not written yet
                    file.close()
                raise
            self._unpacked[archive] = file
        return self._unpacked[archive]

    def _forget_files(self, archive: Path) -> None:
        for files in (self._files, self._unpacked):
            if archive in files:
                files.pop(archive).close()


def _fingerprint(archive: Path, last: int) -> str:
    """Tells whether the part up to the last known record is still the same, without reading all of it."""
    with archive.open("rb") as file:
        digest = hashlib.sha256(file.read(min(_PRINT, last)))
        file.seek(max(0, last - _PRINT))
        digest.update(file.read(min(_PRINT, last)))
    return digest.hexdigest()
