"""What people taught, marked and answered, and what was lifted, as rows with their numbers: to be listed, changed and taken back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from trailmark.datatypes import Annotation, Outcome, Record
from trailmark.store.database import Database
from trailmark.store.forgotten_table import forget_records
from trailmark.store.record_table import read_numbered_records
from trailmark.store.shaping_table import lifted_record
from trailmark.store.trail_table import trail_digest


class KeptView:
    """Rows with their numbers; what changes them is part of the act that is under way."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def marks(self) -> Iterator[tuple[int, Annotation, str, str]]:
        """(number, mark, source, when) in the order of marking."""
        for number, url, field, value, xpath, source, at in self._rows(
            "SELECT id, url, field, value, xpath, source, added_at FROM annotations ORDER BY id"
        ):
            yield number, Annotation(url, field, value, xpath), source, at

    def answers(self) -> Iterator[tuple[int, int, str, bool, str, str]]:
        """(run, number of the page's first fetch in it, page, answer, asked by, when), by run and in the order of fetching."""
        for run, n, url, answer, asked_by, at in self._rows(
            "SELECT run_id, coalesce((SELECT MIN(n) FROM fetches WHERE fetches.run_id = answers.run_id "
            "AND answers.url IN (fetches.final_url, fetches.url)), 0) AS n, url, answer, asked_by, asked_at FROM answers ORDER BY run_id, n, url"
        ):
            yield run, n, url, bool(answer), asked_by, at

    def answers_about(self) -> list[tuple[str, str, str, bool, str, str]]:
        """(goal, page, number as `RUN/N`, answer, asked by, when): what was said of pages of runs, and of which goal; '' where none is named."""
        about = "SELECT goal_name FROM fetches WHERE fetches.run_id = ? AND fetches.n = ? UNION ALL SELECT goal_name FROM runs WHERE id = ?"
        rows = []
        for run, n, url, answer, asked_by, at in self.answers():
            goals = [str(name) for (name,) in self._rows(about, run, n, run) if name]
            rows.append((goals[0] if goals else "", url, f"{run}/{n}", answer, asked_by, at))
        return rows

    def records(self) -> Iterator[tuple[int, Record, str]]:
        """(number, record, when) in the order of lifting."""
        with self._database.plain_errors():
            yield from read_numbered_records(self._database.connection)

    def forget(self, table: str, numbers: Sequence[int]) -> None:
        """Remove trails, annotations or runs by their numbers, with all that is theirs."""
        assert table in ("trails", "annotations", "runs")
        with self._database.transaction() as connection:
            connection.executemany(f"DELETE FROM {table} WHERE id = ?", [(number,) for number in numbers])  # noqa: S608

    def forget_answers(self, answers: Sequence[tuple[int, str]]) -> None:
        """Remove what was said of pages of runs: (run, page)."""
        with self._database.transaction() as connection:
            connection.executemany("DELETE FROM answers WHERE run_id = ? AND url = ?", answers)

    def forget_records(self, numbers: Sequence[int]) -> None:
        """Remove records, which stay away as long as they would say the same."""
        with self._database.transaction() as connection:
            lifted = [lifted_record(connection, number) for number in numbers]
            forget_records(connection, numbers, [record for record in lifted if record is not None])

    def change_trail(self, number: int, *, outcome: Outcome, label: str | None, about: str) -> None:
        """Another word on the last page of a trail; `about` is a JSON list of the goals that a failed one is about."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE steps SET label = ?2 WHERE trail_id = ?1 AND position = (SELECT MAX(position) FROM steps WHERE trail_id = ?1)",
                (number, label),
            )
            connection.execute(
                "UPDATE trails SET outcome = ?2, last_label = ?3, about = ?4, content_hash = ?5, "
                "told = (SELECT max(coalesce(max(told), 0), coalesce(max(id), 0)) + 1 FROM trails) WHERE id = ?1",
                (number, outcome, label, about, trail_digest(connection, number, outcome)),
            )

    def change_mark(self, number: int, mark: Annotation, digest: str) -> None:
        """Another field or value in place of a mark."""
        with self._database.transaction() as connection:
            connection.execute(
                "UPDATE annotations SET field = ?, value = ?, xpath = ?, content_hash = ? WHERE id = ?",
                (mark.field, mark.value, mark.xpath, digest, number),
            )

    def _rows(self, query: str, *values: Any) -> list[Any]:
        with self._database.plain_errors():
            return self._database.connection.execute(query, values).fetchall()
