"""The books of a run as the store keeps them: rows in the database, pages in the archive and the journal, links in a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from trailmark.datatypes import RunState
from trailmark.settings import Settings
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.database import Database
from trailmark.store.frontier_table import FrontierTable
from trailmark.store.replay import Replay
from trailmark.store.run_ledger import RunLedger
from trailmark.store.run_table import RunTable


class StoredBooks:
    """`RunBooks` of `trailmark.forage.run_books` over a workspace's folder and database."""

    def __init__(self, folder: Path, database: Database, settings: Settings, archives: Sequence[Path] = ()) -> None:
        self.rows = RunTable(database)
        self._folder, self._database, self._settings, self._archives = folder, database, settings, archives

    @contextmanager
    def held(self) -> Iterator[None]:
        """The archive is locked and open for writing; what was not committed is rolled back when it is closed."""
        with closing(ArchiveWriter(self._folder / "archive", settings=self._settings.store)) as self._writer:
            try:
                yield
            finally:
                self._database.roll_back()

    @contextmanager
    def ledger(self, run: RunState) -> Iterator[RunLedger]:
        """The ledger of a run, from where its last commit was."""
        journal = self._folder / "logs" / f"forage-{run.id}.journal"
        with closing(RunLedger(self._database, self._writer, journal, start=run.journal)) as ledger:
            yield ledger

    def spill(self, run: RunState) -> FrontierTable:
        """The table of the links of a run."""
        return FrontierTable(self._database, run.id)

    def pages(self) -> Replay:
        """Answers from the archives that were asked for."""
        return Replay(
            self._archives,
            index=self._folder / "archive" / "index.db",
            max_redirects=self._settings.forage.max_redirects,
            settings=self._settings.store,
        )

    def begin(self) -> None:
        """Open a transaction, where none is."""
        self._database.begin()

    def commit(self) -> None:
        """All that was written counts from now on."""
        self._database.commit()

    @property
    def uncommitted(self) -> bool:
        """Whether a transaction is open."""
        return self._database.connection.in_transaction
