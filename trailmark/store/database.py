"""trailmark.db: one SQLite file in write-ahead mode, for several processes at once.

Readers never wait. Writers wait for each other, up to `store.busy_timeout`, and then say so. What was committed survives
`kill -9`. A file made by a newer Trailmark is refused untouched.

The file is never opened but by SQLite (`store/first_look`, `store/live_files`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from trailmark.datatypes import Annotation, Record, Trail
from trailmark.errors import WorkspaceBusy, WorkspaceError
from trailmark.store import cluster_table, page_table, record_table, trail_table
from trailmark.store.body_table import keep_bodies
from trailmark.store.first_look import look_first, refuse_newer
from trailmark.store.forgotten_table import wanted_records
from trailmark.store.live_files import note_database
from trailmark.store.moment import present
from trailmark.store.page_table import StoredPage
from trailmark.store.record_table import Extraction, ShownColumns
from trailmark.store.row_images import Watch
from trailmark.store.schema import migrate, version_of
from trailmark.store.trail_table import KeptTrail
from trailmark.store.write_ahead import is_busy, set_write_ahead

_REMEDIES: Mapping[int, str] = {
    sqlite3.SQLITE_NOTADB: "is not a database: restore it from a copy, or begin a new workspace",
    sqlite3.SQLITE_CORRUPT: "is damaged: restore it from a copy, or begin a new workspace",
    sqlite3.SQLITE_READONLY: "can't be written: check the permissions of the file and its folder",
    sqlite3.SQLITE_CANTOPEN: "can't be opened: check that the folder exists and may be written",
    sqlite3.SQLITE_FULL: "can't grow: the disk is full",
    sqlite3.SQLITE_IOERR: "can't be read or written: check the disk",
}
Row = TypeVar("Row")
_TABLES = ("pages", "trails", "steps", "annotations", "clusters", "records")


class Database:
    """The workspace's database. Use `Database.open`, and `with` to have it closed."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self.connection = connection
        self.path = path
        self._only_reading = False
        self.who = "a program"
        """Who acts, as the journal calls them."""
        self.watch: Watch | None = None
        """What notes the changes of the act that is under way (`store/act_table`)."""

    @classmethod
    def open(cls, path: Path | str, *, timeout: float = 30.0) -> Self:
        """Open the file, or make it, and bring its tables up to date.

        Raises NewerWorkspace for a file of a newer version, WorkspaceBusy where another process writes for longer than
        `timeout` seconds, WorkspaceError for a file that is damaged or is something else.
        """
        path = Path(path)
        note_database(path)
        with _plain_errors(path):
            look_first(path, timeout=timeout)
            connection = sqlite3.connect(path, timeout=timeout, isolation_level=None)
            try:
                refuse_newer(path, version_of(connection))
                connection.execute("PRAGMA foreign_keys = ON")
                set_write_ahead(connection, timeout)
                migrate(connection)
            except BaseException:
                connection.close()
                raise
        return cls(connection, path)

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing; inside another transaction it is part of that one."""
        with _plain_errors(self.path):
            assert not self._only_reading, "a snapshot is for reading: it can't be written from"
            if self.connection.in_transaction:
                yield self.connection
                return
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """A connection for reading only: all that is read within the block is of one moment, however much others write meanwhile.

        It takes no lock that a writer needs and waits for none; inside a transaction it is part of that one.
        """
        with _plain_errors(self.path):
            if self.connection.in_transaction:
                yield self.connection
                return
            self.connection.execute("BEGIN DEFERRED")
            self._only_reading = True
            try:
                yield self.connection
            finally:
                self._only_reading = False
                self.connection.execute("ROLLBACK")  # nothing was written

    def begin(self) -> None:
        """Begin a transaction that goes on until `commit`, unless one is open: for many small writes over some time."""
        if not self.connection.in_transaction:
            with _plain_errors(self.path):
                self.connection.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """What was written since `begin` is there for good."""
        if self.connection.in_transaction:
            with _plain_errors(self.path):
                self.connection.execute("COMMIT")

    def roll_back(self) -> None:
        """Forget what was written since `begin`."""
        if self.connection.in_transaction:
            self.connection.execute("ROLLBACK")

    def plain_errors(self) -> AbstractContextManager[None]:
        """SQLite's errors within the block as ours."""
        return _plain_errors(self.path)

    def add_trails(
        self, trails: Iterable[Trail], source: str, *, lines: Sequence[int] | None = None, told_again: bool = False
    ) -> int:
        """How many trails were new; one that is there already is left as it is, but that it was said last where it is `told_again`.

        `lines` are their places in the source.
        """
        at = present()
        with self.transaction() as connection:
            return sum(
                trail_table.add_trail(
                    connection, trail, source=source, line=lines[n] if lines else None, at=at, told_again=told_again
                )
                for n, trail in enumerate(trails)
            )

    def trails(self) -> Iterator[Trail]:
        """Trails in the order they were added."""
        return self._reading(trail_table.read_trails(self.connection))

    def kept_trails(self) -> list[KeptTrail]:
        """Trails with their numbers and where they came from, in the order they were added."""
        return list(self._reading(trail_table.read_kept_trails(self.connection)))

    def add_annotations(self, annotations: Iterable[Annotation], source: str) -> int:
        """How many annotations were new."""
        with self.transaction() as connection:
            return trail_table.add_annotations(connection, annotations, source=source, at=present())

    def annotations(self, url: str | None = None) -> Iterator[Annotation]:
        """Annotations in the order they were added, of one page or of all."""
        return self._reading(trail_table.read_annotations(self.connection, url))

    def forget_annotations(self, annotations: Iterable[Annotation]) -> int:
        """How many of these were there and are no longer."""
        with self.transaction() as connection:
            return trail_table.forget_annotations(connection, annotations)

    def add_page(self, page: StoredPage) -> None:
        """A page fetched again takes the place of its earlier row."""
        self.add_pages((page,))

    def add_pages(self, pages: Iterable[StoredPage]) -> None:
        """Several pages in one transaction."""
        with self.transaction() as connection:
            page_table.add_pages(connection, pages)

    def page(self, url: str) -> StoredPage | None:
        """Where the page with that URL rests, if it was fetched."""
        return next(self._reading(page_table.read_pages(self.connection, url)), None)

    def records(self, kind: str | None = None, *, url: str | None = None, maker: str = "") -> Iterator[Record]:
        """Records in the order they were added: of one kind, of one page, of makers whose name begins so, or all."""
        return self._reading(record_table.read_records(self.connection, kind, url=url, maker=maker))

    def extraction(self, url: str) -> tuple[Extraction | None, str | None]:
        """What became of a page when it was last extracted, and the cluster that it was put in."""
        with self.snapshot() as connection:
            done = record_table.read_extraction(connection, url)
            return done, cluster_table.cluster_of_page(connection, url)

    def keep_extracted(
        self,
        done: Sequence[tuple[Extraction, Sequence[Record]]],
        *,
        maker: str,
        shown: Callable[[Sequence[Record]], Sequence[ShownColumns]] | None = None,
    ) -> None:
        """Pages that were extracted, in order, with their records in place of those that such makers made of them before.

        `shown` says what is shown of the records of a page, where that is not what was lifted.
        """
        at = present()
        with self.transaction() as connection:
            for extraction, records in done:
                record_table.remove_records(connection, [extraction.url], maker=maker)
                record_table.add_records(connection, wanted_records(connection, records), at=at, shown=shown)
            record_table.keep_extractions(connection, [extraction for extraction, _ in done])

    def add_lifted(
        self,
        records: Sequence[Record],
        *,
        shown: Callable[[Sequence[Record]], Sequence[ShownColumns]] | None = None,
    ) -> int:
        """Records of one page that were lifted elsewhere -> how many were new: neither here already, nor taken back by a person."""
        with self.transaction() as connection:
            return record_table.add_records(connection, wanted_records(connection, records), at=present(), shown=shown)

    def pages_with_records(self, *, maker: str) -> dict[str, int]:
        """Page -> how many records makers whose name begins so made of it."""
        with self.snapshot() as connection:
            return record_table.pages_with_records(connection, maker=maker)

    def wanted_records(self, records: Sequence[Record]) -> list[Record]:
        """Records -> those that nobody took back."""
        with self.snapshot() as connection:
            return wanted_records(connection, records)

    def tagging(self, url: str) -> Extraction | None:
        """What became of a document when it was last tagged."""
        with self.snapshot() as connection:
            return record_table.read_tagging(connection, url)

    def keep_tagged(
        self,
        done: Sequence[tuple[Extraction, Sequence[Record]]],
        *,
        maker: str,
        bodies: Mapping[str, str],
        shown: Callable[[Sequence[Record]], Sequence[ShownColumns]] | None = None,
    ) -> None:
        """Documents that were tagged, in order, with their records in place of those that such makers made of them before; `bodies` by address."""
        at = present()
        with self.transaction() as connection:
            for tagging, records in done:
                record_table.remove_records(connection, [tagging.url], maker=maker)
                record_table.add_records(connection, wanted_records(connection, records), at=at, shown=shown)
            record_table.keep_taggings(connection, [tagging for tagging, _ in done])
            keep_bodies(connection, bodies.items())

    def set_meta(self, key: str, value: str) -> None:
        """Remember a word about the workspace."""
        with self.transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))

    def meta(self, key: str) -> str | None:
        """What was remembered under that key."""
        with _plain_errors(self.path):
            row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def counts(self) -> dict[str, int]:
        """Rows of each table."""
        with self.snapshot() as connection:
            return {table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in _TABLES}  # noqa: S608

    def _reading(self, rows: Iterator[Row]) -> Iterator[Row]:
        with _plain_errors(self.path):
            yield from rows


@contextmanager
def _plain_errors(path: Path) -> Iterator[None]:
    """SQLite's errors as ours, where a person can do something about them."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if is_busy(error):
            raise WorkspaceBusy(f"{path} is being written by another process: wait until it is done.") from error
        if code in _REMEDIES:
            raise WorkspaceError(f"{path} {_REMEDIES[code]}.") from error
        raise
