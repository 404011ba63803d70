"""Several processes on one workspace, with kills among them: the database stays whole and keeps what it acknowledged."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.crowd import Crowd, Kept, small_web, watched
from trailmark.store.database import Database
from trailmark.workspace import Workspace

pytestmark = pytest.mark.slow


def check(folder: Path, kept: Kept) -> None:
    assert kept.wrong == []
    with closing(sqlite3.connect(folder / "trailmark.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with closing(sqlite3.connect(folder / "archive" / "index.db")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    with Database.open(folder / "trailmark.db") as database:
        trails = {trail.steps[-1].label for trail in database.trails()}
        marks = {mark.value for mark in database.annotations()}
    assert kept.trails - trails == set()
    assert kept.marks - marks == set()


@pytest.mark.parametrize(
    ("lives", "trails", "seconds"),
    [(2, 15, 0.0), pytest.param(3, 60, 60.0, marks=pytest.mark.fuzz)],
    ids=["small", "a minute"],
)
def test_a_crowd_loses_nothing(tmp_path: Path, lives: int, trails: int, seconds: float) -> None:
    folder = tmp_path / "w"
    Workspace.create(folder).close()
    archive = small_web(tmp_path / "web.warc.gz")
    kept = Crowd(folder, archive, tmp_path, lives=lives, trails=trails, seconds=seconds).run()
    print(
        f"{len(kept.trails)} trails, {len(kept.marks)} marks, {kept.walks} walks, {kept.kills} kills, {kept.refused} refused"
    )
    check(folder, kept)
    assert not (tmp_path / "opened.txt").exists(), "nobody but SQLite may open a database"
    assert len(kept.trails) >= 2 * lives * (trails - 1), "there was something to lose"
    assert kept.kills >= 2 * lives
    assert kept.marks
    assert kept.walks


def test_the_watch_sees_who_opens_a_database(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"")
    program = "import sqlite3; sqlite3.connect('y.db').execute('CREATE TABLE t (x)'); open('x.db').close()"
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=watched(tmp_path), check=True)
    assert (tmp_path / "opened.txt").read_text() == "x.db\n"
