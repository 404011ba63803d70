"""The journal: whatever acts did, undoing them from the last to the first leaves every row as it was; an act and its lines are one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as tries
from hypothesis import strategies as st

from trailmark.datatypes import Annotation, Fetch, Step, Trail
from trailmark.errors import InputError
from trailmark.store.act_table import RUNS, TAUGHT, ActTable
from trailmark.store.database import Database
from trailmark.store.run_table import RunTable

TABLES = ("trails", "steps", "annotations", "answers", "runs", "sites", "fetches", "links")


def trail(number: int, outcome: str = "goal") -> Trail:
    return Trail("http://a.test/", outcome, (Step("http://a.test/"), Step(f"http://a.test/{number}", "course")))  # type: ignore[arg-type]


def rows(database: Database, tables: tuple[str, ...] = TABLES) -> dict[str, list[Any]]:
    return {name: database.connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in tables}


def do(database: Database, what: str, number: int) -> None:
    """One of the things that people do; each in an act of its own."""
    acts, runs = ActTable(database), RunTable(database)
    with acts.act(what, what, TAUGHT if what != "forget run" else RUNS).part() as connection:
        if what == "teach":
            database.add_trails([trail(number), trail(number + 1, "fail")], "a.jsonl")
        elif what == "forget trail":
            connection.execute("DELETE FROM trails WHERE id = ?", (number,))
        elif what == "say again":
            database.add_trails([trail(number)], "a.jsonl", told_again=True)
        elif what == "mark":
            database.add_annotations([Annotation("http://a.test/", "name", str(number))], "marks")
        elif what == "answer":
            runs.add_answer(1, f"http://a.test/{number}", answer=number % 2 == 0, asked_by="check")
        elif what == "change":
            runs.add_answer(1, f"http://a.test/{number}", answer=number % 2 == 1, asked_by="check")
        else:
            connection.execute("DELETE FROM runs WHERE id = ?", (2,))


@pytest.fixture
def database(tmp_path: Path) -> Any:
    with Database.open(tmp_path / "t.db") as opened:
        begin(opened)
        yield opened


def begin(database: Database) -> None:
    for _ in range(2):
        run = RunTable(database).begin({"seeds": []}, [("http://a.test/", "host")])
        for n in (1, 2):
            fetch = Fetch(
                n,
                f"http://a.test/{n}",
                200,
                0.1 + 0.2,
                "x",
                None,
                1 / 3,
                None,
                1,
                "http://a.test/",
                f"http://a.test/{n}",
            )
            RunTable(database).add_fetch(run.id, fetch, 0)
        database.connection.execute(
            "INSERT INTO links (run_id, key, state, site, memory) VALUES (?, 1, 0, 0, ?)", (run.id, b"\x00\xff")
        )
        database.commit()


WHAT = ("teach", "forget trail", "say again", "mark", "answer", "change", "forget run")


@given(st.lists(st.tuples(st.sampled_from(WHAT), st.integers(1, 4)), max_size=8))
@tries(max_examples=60)
def test_undoing_everything_backwards_leaves_every_row_as_it_was(
    tmp_path_factory: Any, acts: list[tuple[str, int]]
) -> None:
    with Database.open(tmp_path_factory.mktemp("acts") / "t.db") as database:
        begin(database)
        before = rows(database)
        for what, number in acts:
            do(database, what, number)
        after = rows(database)
        table = ActTable(database)
        done = table.acts()
        for act in done:
            assert table.in_the_way(act.id) is None, "nothing that stands came later"
            table.undo(act, "back")
        assert rows(database) == before
        for undone in table.acts()[: len(done)]:  # and to undo the undoing is to do it again
            table.undo(undone, "and again")
        assert rows(database) == after


def test_what_came_later_is_in_the_way(database: Database) -> None:
    do(database, "answer", 2)
    do(database, "change", 2)
    table = ActTable(database)
    later, first = table.acts()
    assert table.in_the_way(first.id) == later
    table.undo(later, "back")
    assert table.in_the_way(first.id) is None


def test_an_act_that_changes_nothing_leaves_no_line(database: Database) -> None:
    do(database, "teach", 1)
    do(database, "teach", 1)
    assert [act.verb for act in ActTable(database).acts()] == ["teach"]


def test_numbers_are_not_given_twice(database: Database) -> None:
    do(database, "teach", 1)
    do(database, "forget trail", 2)
    do(database, "teach", 7)
    table = ActTable(database)
    forgot = table.acts()[1]
    table.undo(forgot, "back")
    assert [kept.id for kept in database.kept_trails()] == [1, 2, 3, 4]


def test_what_stands_there_again_is_not_doubled(database: Database) -> None:
    do(database, "teach", 1)
    do(database, "forget trail", 1)
    do(database, "teach", 1)
    table = ActTable(database)
    before = rows(database)
    with pytest.raises(InputError, match="Nothing was changed"):
        table.undo(table.acts()[1], "back")
    assert rows(database) == before
    assert table.acts()[1].undone_by is None


def test_what_failed_is_not_in_the_journal(database: Database) -> None:
    before = rows(database)
    with pytest.raises(AttributeError), ActTable(database).act("teach", "x").part():
        database.add_trails([trail(1), None], "a.jsonl")  # type: ignore[list-item]
    assert (rows(database), ActTable(database).acts()) == (before, [])
    do(database, "teach", 1)
    database.add_annotations([Annotation("http://a.test/", "name", "x")], "marks")
    assert [act.rows for act in ActTable(database).acts()] == [6], "what is done outside of an act is not noted"


def test_an_act_of_several_parts_is_one_line(database: Database) -> None:
    act = ActTable(database).act("teach", "taught")
    for number in (1, 3, 5):
        with act.part():
            database.add_trails([trail(number)], "a.jsonl")
    (line,) = ActTable(database).acts()
    ActTable(database).undo(line, "back")
    assert list(database.trails()) == []


_WRITER = textwrap.dedent(
    """
    import sys
    from tests.store.test_act_table import trail
    from trailmark.store.act_table import ActTable
    from trailmark.store.database import Database
    with Database.open(sys.argv[1]) as database:
        print("ready", flush=True)
        for number in range(int(sys.argv[2]), 10**9, 1000):
            with ActTable(database).act("teach", f"taught {number}").part():
                database.add_trails([trail(number)], "a.jsonl")
    """
)


def test_two_writers_that_are_killed_leave_a_whole_journal(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    Database.open(path).close()
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(path), str(n)], stdout=subprocess.PIPE, env=environment)
        for n in (1, 2)
    ]
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.readline()
    with Database.open(path) as database:
        while len(ActTable(database).acts()) < 20:
            pass
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            writer.wait()
        table = ActTable(database)
        acts = table.acts(10_000)
        kept = database.kept_trails()
        assert len(acts) == len(kept) >= 20
        assert len({act.id for act in acts}) == len(acts)
        assert all(act.rows == 3 for act in acts), "a trail and its two steps"
        for act in acts:
            table.undo(act, "back")
        assert database.kept_trails() == []


def test_ctrl_c_while_sqlite_asks_for_a_row_is_ctrl_c(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite says only that a function raised something: what was pressed must not become a fault of ours."""
    before = rows(database)

    def pressed(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("trailmark.store.row_images.image", pressed)
    with pytest.raises(KeyboardInterrupt):
        do(database, "mark", 1)
    monkeypatch.undo()
    assert rows(database) == before
    do(database, "mark", 1)
    assert rows(database) != before
