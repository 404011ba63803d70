from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trailmark.datatypes import Annotation, Record, SiteState, Step, Trail
from trailmark.errors import NewerWorkspace, WorkspaceBusy, WorkspaceError
from trailmark.forage.settled_run import settle_run
from trailmark.store.database import Database
from trailmark.store.page_table import StoredPage
from trailmark.store.record_table import Extraction
from trailmark.store.run_table import RunTable
from trailmark.store.schema import APPLICATION_ID, MIGRATIONS, migrate, version_of

TRAIL = Trail(
    site="http://a.example/",
    outcome="goal",
    steps=(Step("http://a.example/", "department"), Step("http://a.example/~ada/", "faculty", "Ada")),
)
FAIL = Trail(site="http://a.example/", outcome="fail", steps=(Step("http://a.example/"), Step("http://a.example/x")))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "trailmark.db"


def test_trails_come_back_as_they_were(path: Path) -> None:
    with Database.open(path) as database:
        assert database.add_trails([TRAIL, FAIL], "a.jsonl", lines=[1, 3]) == 2
    with Database.open(path) as database:
        assert list(database.trails()) == [TRAIL, FAIL]
        assert database.connection.execute("SELECT line FROM trails ORDER BY id").fetchall() == [(1,), (3,)]


def test_the_same_trail_twice_is_stored_once(path: Path) -> None:
    with Database.open(path) as database:
        assert database.add_trails([TRAIL, FAIL, TRAIL], "a.jsonl") == 2
        assert database.add_trails([TRAIL], "b.jsonl") == 0
        assert database.counts() == {"pages": 0, "trails": 2, "steps": 4, "annotations": 0, "clusters": 0, "records": 0}


def test_a_failed_trail_that_is_taught_again_is_about_both_goals(path: Path) -> None:
    with Database.open(path) as database:
        assert database.add_trails([replace(FAIL, about=("course",))], "course.jsonl") == 1
        assert database.add_trails([replace(FAIL, about=("faculty",)), FAIL], "faculty.jsonl") == 0
        assert list(database.trails()) == [replace(FAIL, about=("course", "faculty"))]


def test_annotations_records_pages_and_meta_come_back(path: Path) -> None:
    marked = [Annotation("http://a.example/7", "price", "$25.99", "/html/body/b[1]"), Annotation("u", "isbn", None)]
    record = Record(url="http://a.example/7", kind="item", fields={"price": ("$25.99", "£9")}, made_by="rule:a/3")
    page = StoredPage(
        "http://a.example/7", "http://a.example/7/", 200, "text/html", "ff", "x.warc.gz", 17, "2026-01-01"
    )
    with Database.open(path) as database:
        assert database.add_annotations(marked, "a.jsonl") == 2
        assert database.add_annotations(marked, "a.jsonl") == 0
        assert list(database.annotations()) == marked
        assert list(database.annotations("u")) == marked[1:]
        done = Extraction(record.url, "ff", "1", "records")
        database.keep_extracted([(done, [record, record])], maker="rule:")
        assert list(database.records()) == list(database.records("item")) == [record]
        assert list(database.records("other")) == []
        database.add_page(page)
        assert database.page(page.url) == page
        assert database.page("http://a.example/8") is None
        later = StoredPage(page.url, page.url, 404)
        database.add_page(later)
        assert database.page(page.url) == later
        assert database.counts()["pages"] == 1
        database.set_meta("made", "today")
        assert (database.meta("made"), database.meta("unmade")) == ("today", None)
        assert database.forget_annotations(marked) == 2


def test_a_transaction_is_all_or_nothing(path: Path) -> None:
    def fails() -> None:
        with database.transaction():
            database.add_trails([TRAIL], "a.jsonl")
            assert database.counts()["trails"] == 1
            raise KeyError

    with Database.open(path) as database:
        with pytest.raises(KeyError):
            fails()
        assert database.counts()["trails"] == 0
        with database.transaction():
            database.add_trails([TRAIL], "a.jsonl")
        assert database.counts()["trails"] == 1


_text = st.text(st.characters(codec="utf-8"), max_size=20)
_steps = st.lists(st.builds(Step, _text, st.none() | _text, st.none() | _text), min_size=1, max_size=4).map(tuple)
_trails = st.lists(st.builds(Trail, _text, st.sampled_from(["goal", "fail"]), _steps), max_size=6)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(_trails)
def test_any_trails_come_back_once_each_in_order(trails: list[Trail]) -> None:
    with Database.open(":memory:") as database:
        assert database.add_trails(trails, "a.jsonl") == len(set(trails))
        assert list(database.trails()) == list(dict.fromkeys(trails))


def test_a_file_of_version_1_is_brought_up_to_date_by_steps(path: Path) -> None:
    old = sqlite3.connect(path, isolation_level=None)
    assert migrate(old, MIGRATIONS[:1]) == 1
    old.execute("INSERT INTO meta VALUES ('kept', 'yes')")
    assert not old.execute("SELECT 1 FROM sqlite_master WHERE name = 'records'").fetchone()
    old.close()
    with Database.open(path) as database:
        assert version_of(database.connection) == len(MIGRATIONS)
        assert database.meta("kept") == "yes"
        assert database.counts()["records"] == 0
        assert migrate(database.connection) == 0


def test_runs_of_a_file_of_version_9_keep_their_verdicts_and_may_be_unsure_from_now_on(path: Path) -> None:
    old = sqlite3.connect(path, isolation_level=None)
    migrate(old, MIGRATIONS[:9])
    old.execute("INSERT INTO runs (id, digest, said, started_at) VALUES (1, '', '{\"strategy\": \"path\"}', '')")
    old.execute(
        "INSERT INTO sites (run_id, number, root, scope, pages, goals) VALUES (1, 0, 'http://a/', 'host', 3, 1)"
    )
    for n, goal, chance in ((1, 0, 0.2), (2, 1, 0.9), (3, 0, 0.4)):
        old.execute(
            "INSERT INTO fetches (run_id, n, site, url, status, score, label, goal, goal_probability, parent_n, depth, final_url, "
            "content_hash, gist, failure, sketch) VALUES (1, ?, 0, ?, 200, 0.5, 'x', ?, ?, 0, 1, ?, 'ff', 7, '', x'aa')",
            (n, f"http://a/{n}", goal, chance, f"http://a/{n}/"),
        )
    old.close()
    with Database.open(path) as database:
        table = RunTable(database)
        before = [fetch for _, fetch in table.fetches(1)]
        assert [(fetch.goal, fetch.goal_probability) for fetch in before] == [(False, 0.2), (True, 0.9), (False, 0.4)]
        assert all((each.sketch, each.gist, each.evidence, each.family) == (b"\xaa", 7, 0.0, "") for each in before)
        assert table.sites(1) == [SiteState(0, "http://a/", "host", pages=3, goals=1)]
        settle_run(table, 1)
        assert [fetch.goal for _, fetch in table.fetches(1)] == [False, True, None]
        assert [fetch.n for _, fetch in table.fetches(1, goals_only=True)] == [2]
        assert table.sites(1) == [SiteState(0, "http://a/", "host", pages=3, goals=1, unsure=1)]
        table.unsettle(1)
        assert [fetch for _, fetch in table.fetches(1)] == before
        names = {name for (name,) in database.connection.execute("SELECT name FROM sqlite_master")}
        assert {"goals_of_runs", "unsure_of_runs", "answers"} <= names
        assert "fetches_before" not in names


def test_what_an_older_walk_remembered_of_links_can_be_read_by_a_newer(path: Path) -> None:
    old = sqlite3.connect(path, isolation_level=None)
    migrate(old, MIGRATIONS[:8])
    for run, strategy in enumerate(("path", "other"), start=1):
        said = json.dumps({"strategy": strategy})
        old.execute("INSERT INTO runs (id, digest, said, started_at) VALUES (?, '', ?, '')", (run, said))
        for key, numbers in enumerate((3, 2)):
            memory = bytes(range(8 * numbers))
            old.execute(
                "INSERT INTO links (run_id, key, state, site, memory) VALUES (?, ?, 0, 0, ?)", (run, key, memory)
            )
    old.close()
    with Database.open(path) as database:
        rows = database.connection.execute("SELECT run_id, key, length(memory) FROM links ORDER BY 1, 2").fetchall()
    assert rows == [(1, 0, 16), (1, 1, 16), (2, 0, 24), (2, 1, 16)]


def test_a_step_that_fails_leaves_the_version_before_it(path: Path) -> None:
    connection = sqlite3.connect(path, isolation_level=None)
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, (*MIGRATIONS, ("CREATE TABLE half (x)", "this is no SQL")))
    assert version_of(connection) == len(MIGRATIONS)
    assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'half'").fetchone()
    connection.close()


@pytest.mark.parametrize("log_left", [False, True])
def test_a_newer_file_is_refused_and_not_touched(path: Path, log_left: bool) -> None:
    Database.open(path).close()
    newer = sqlite3.connect(path, isolation_level=None)
    newer.execute("PRAGMA wal_autocheckpoint = 0")
    newer.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    if not log_left:
        newer.close()
    before = _contents(path.parent)
    with pytest.raises(NewerWorkspace, match="upgrade Trailmark"):
        Database.open(path)
    assert _contents(path.parent) == before
    newer.close()


def _contents(folder: Path) -> dict[str, bytes]:
    """Every file byte for byte, but for the -shm, which is shared memory and of no matter when nobody has the file open."""
    return {file.name: b"" if file.name.endswith("-shm") else file.read_bytes() for file in folder.iterdir()}


def test_a_newer_file_whose_writer_was_killed_is_refused_and_not_touched(path: Path) -> None:
    Database.open(path).close()
    program = textwrap.dedent(
        f"""
        import os, sqlite3, sys
        newer = sqlite3.connect(sys.argv[1], isolation_level=None)
        newer.execute("PRAGMA user_version = {len(MIGRATIONS) + 1}")
        os._exit(0)
        """
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)
    before = _contents(path.parent)
    assert before["trailmark.db-wal"]
    with pytest.raises(NewerWorkspace, match="nothing was changed"):
        Database.open(path)
    assert _contents(path.parent) == before


def _locks_on(*files: Path) -> list[str]:
    """What the kernel says of locks on these files, without the number of each line."""
    inodes = [f":{file.stat().st_ino} " for file in files]
    lines = Path("/proc/locks").read_text().splitlines()
    return sorted(line.partition(":")[2] for line in lines if any(inode in line for inode in inodes))


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="the kernel's locks are asked")
def test_opening_a_database_again_drops_no_lock_of_the_process(path: Path) -> None:
    with Database.open(path) as database, database.transaction() as connection:
        connection.execute("INSERT INTO meta VALUES ('a', 'b')")
        held = _locks_on(path, Path(f"{path}-shm"))
        assert any(" WRITE " in lock for lock in held)
        assert any(f":{path.stat().st_ino} " in lock for lock in held)
        for _ in range(3):
            Database.open(path).close()
        assert _locks_on(path, Path(f"{path}-shm")) == held


@pytest.mark.parametrize(
    "content", [b"hello", b"x" * 5000, b"SQLite format 3\x00", b"SQLite format 3\x00" + b"x" * 5000]
)
def test_what_is_no_database_is_refused_in_one_sentence(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(WorkspaceError) as caught:
        Database.open(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == content


def test_the_database_of_another_program_is_refused(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs (x)")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(WorkspaceError, match="another program"):
        Database.open(path)
    assert path.read_bytes() == before


def test_a_damaged_database_is_a_workspace_error(path: Path) -> None:
    with Database.open(path) as database:
        database.add_trails([TRAIL], "a.jsonl")
    content = bytearray(path.read_bytes())
    content[100:] = b"\xff" * (len(content) - 100)
    path.write_bytes(content)
    with pytest.raises(WorkspaceError, match="damaged"), Database.open(path) as database:
        database.counts()


def test_damage_met_while_reading_is_a_workspace_error(path: Path) -> None:
    with Database.open(path) as database:
        database.add_annotations([Annotation(f"http://a.example/{n}", "f", "v" * 200) for n in range(400)], "a")
    content = bytearray(path.read_bytes())
    content[-80 * 1024 :] = b"\xff" * 80 * 1024
    path.write_bytes(content)
    with Database.open(path) as database, pytest.raises(WorkspaceError, match="damaged"):
        list(database.annotations())


def test_a_folder_that_is_not_there_is_a_workspace_error(path: Path) -> None:
    with pytest.raises(WorkspaceError, match="folder"):
        Database.open(path.parent / "none" / "trailmark.db")
    with pytest.raises(WorkspaceError):
        Database.open(path.parent)


def test_waiting_too_long_is_workspace_busy(path: Path) -> None:
    with Database.open(path) as holder, Database.open(path, timeout=0.05) as waiting:
        with holder.transaction(), pytest.raises(WorkspaceBusy, match="another process"):
            waiting.add_trails([TRAIL], "a.jsonl")
        assert waiting.add_trails([TRAIL], "a.jsonl") == 1


def _write_many(path: Path, name: str, many: int) -> None:
    with Database.open(path) as database:
        for number in range(many):
            database.add_trails([Trail(site=name, outcome="fail", steps=(Step(f"http://{name}/{number}"),))], name)


@pytest.mark.slow
def test_processes_that_write_at_once_lose_nothing(path: Path) -> None:
    # The file is made by whichever comes first: opening is part of the race.
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_write_many, args=(path, f"w{n}", 150)) for n in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    with Database.open(path) as database:
        assert database.counts()["trails"] == database.counts()["steps"] == 450
        assert database.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_new_file_says_whose_it_is(path: Path) -> None:
    with Database.open(path) as database:
        assert database.connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert database.connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert database.connection.execute("PRAGMA foreign_keys").fetchone() == (1,)
    assert [file.name for file in path.parent.iterdir()] == ["trailmark.db"]


def test_what_was_committed_survives_a_kill(path: Path) -> None:
    program = textwrap.dedent(
        """
        import sys
        from trailmark.datatypes import Annotation
        from trailmark.store.database import Database
        database = Database.open(sys.argv[1])
        for number in range(1_000_000):
            database.add_annotations([Annotation(f"http://a.example/{number}", "f", None)], "s")
            print(number, flush=True)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    first = [process.stdout.readline() for _ in range(60)]
    os.kill(process.pid, signal.SIGKILL)
    told = int([*first, *process.stdout.readlines()][-1])
    process.wait()
    process.stdout.close()
    with Database.open(path) as database:
        urls = [each.url for each in database.annotations()]
        assert urls == [f"http://a.example/{number}" for number in range(len(urls))]
        assert len(urls) > told
        assert database.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_snapshot_is_of_one_moment_and_waits_for_nobody(path: Path) -> None:
    with Database.open(path) as writer, Database.open(path, timeout=0.05) as reader:
        writer.add_trails([TRAIL], "a.jsonl")
        with writer.transaction():
            writer.add_trails([FAIL], "a.jsonl")
            with reader.snapshot():
                assert list(reader.trails()) == [TRAIL]
        with reader.snapshot() as connection:
            assert reader.counts()["trails"] == 2
            course = Trail(site=TRAIL.site, outcome="goal", steps=(Step("http://a.example/", "course"),))
            writer.add_trails([course], "b.jsonl")  # reading holds no lock that a writer needs
            with reader.snapshot() as inner:
                assert inner is connection
                assert list(reader.trails()) == [TRAIL, FAIL]
        assert list(reader.trails()) == [TRAIL, FAIL, course]


def test_a_snapshot_inside_a_transaction_sees_what_it_wrote(path: Path) -> None:
    with Database.open(path) as database:
        with database.transaction():
            database.add_trails([TRAIL], "a.jsonl")
            with database.snapshot():
                assert list(database.trails()) == [TRAIL]
        assert list(database.trails()) == [TRAIL]


def test_a_snapshot_is_not_written_from(path: Path) -> None:
    with Database.open(path) as database, database.snapshot(), pytest.raises(AssertionError, match="for reading"):
        database.add_trails([TRAIL], "a.jsonl")
