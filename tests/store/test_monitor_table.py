"""Bellwethers, visits and versions as rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from trailmark.store import monitor_table as table
from trailmark.store.database import Database


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database.open(tmp_path / "trailmark.db") as opened:
        yield opened


def test_bellwethers_take_the_place_of_the_old(database: Database) -> None:
    with database.transaction() as connection:
        assert table.read_bellwethers(connection, "a") == ("", [])
        for digest, urls in (("one", "xyz"), ("two", "zw")):
            goldens = [{"url": url, "records": []} for url in urls]
            table.write_bellwethers(connection, "a", rules=digest, at="now", goldens=goldens)
        digest, kept = table.read_bellwethers(connection, "a")
        assert (digest, [each["url"] for each in kept]) == ("two", ["w", "z"])
        assert table.read_bellwethers(connection, "b") == ("", [])


def test_visits_come_back_in_order(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MOST_VISITS", 3)
    with database.transaction() as connection:
        for _ in range(5):
            run = table.next_run(connection)
            for name in ("b", "a"):
                table.add_visit(connection, table.KeptVisit(run, f"day {run}", name, "ok", {"fields": [], "n": run}))
        assert [(each.run, each.report["n"]) for each in table.read_visits(connection, "a")] == [(3, 3), (4, 4), (5, 5)]
        assert [each.cluster for each in table.read_visits(connection)][:2] == ["a", "b"]


def test_versions_are_taken_last_first(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "MOST_VERSIONS", 2)
    with database.transaction() as connection:
        for number in range(4):
            table.add_version(connection, "a", at="now", version={"n": number})
        table.add_version(connection, "b", at="now", version={"n": 9})
        taken = [table.take_version(connection, "a") for _ in range(3)]
        assert taken == [{"n": 3}, {"n": 2}, None]
        assert table.take_version(connection, "b") == {"n": 9}
