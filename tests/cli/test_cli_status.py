"""`trailmark init`, `trailmark status` and the command line as a whole."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import trailmark as package
from trailmark.store.schema import MIGRATIONS

COMMAND = [sys.executable, "-m", "trailmark.cli.main"]


def test_init_makes_a_workspace(trailmark: Any, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "er"
    ended = trailmark("init", folder, "--json")
    assert (ended.code, ended.report) == (0, {"workspace": str(folder)})
    assert sorted(path.name for path in folder.iterdir()) == [
        "archive", "logs", "models", "trailmark.db", "trailmark.toml",
    ]  # fmt: skip
    assert "contact" in (folder / "trailmark.toml").read_text(encoding="utf-8")


def test_init_leaves_what_is_there_alone(trailmark: Any, workspace: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    before = {path.name: path.read_bytes() for path in workspace.iterdir() if path.is_file()}
    for folder, words in ((workspace, "is a workspace already"), (tmp_path, "is not empty"), (file, "is a file")):
        ended = trailmark("init", folder)
        assert ended.code == 2
        assert words in ended.err
    assert {path.name: path.read_bytes() for path in workspace.iterdir() if path.is_file()} == before
    assert file.read_text() == "mine"
    assert trailmark("init", file / "below").code == 2


def test_status_of_a_new_workspace(trailmark: Any, workspace: Path) -> None:
    report = trailmark("-w", workspace, "status", "--json").report
    assert report["counts"] == dict.fromkeys(("pages", "trails", "steps", "annotations", "records", "clusters"), 0)
    assert report["labels"] == {}
    assert report["schema"] == len(MIGRATIONS)
    assert "trailmark teach" in report["next"]
    assert f"trailmark -w {workspace} teach" in trailmark("-w", workspace, "status").out


def test_status_after_teaching(trailmark: Any, workspace: Path, small_web: Any) -> None:
    trail = small_web.trail("", "people/", labels=["\x1b[31mred", "[bold]list"])
    file = small_web.file(*small_web.good(), trail)
    assert trailmark("-w", workspace, "teach", file, "--replay", small_web.archive).code == 0
    ended = trailmark("-w", workspace, "status")
    assert "\x1b" not in ended.out
    assert "[bold]list" in ended.out
    report = trailmark("-w", workspace, "status", "--json").report
    assert report["counts"]["trails"] == 3
    assert report["labels"] == {"department": 2, "faculty": 1, "publications": 1, "[31mred": 1, "[bold]list": 1}
    assert "learn" in report["next"]


def broken_settings(folder: Path) -> None:
    (folder / "trailmark.toml").write_text("[forage]\ndely = 3\n", encoding="utf-8")


def foreign_settings(folder: Path) -> None:
    (folder / "trailmark.toml").write_bytes(b'[forage]\ncontact = "caf\xe9"\n')


def garbled_database(folder: Path) -> None:
    (folder / "trailmark.db").write_bytes(b"nonsense" * 1000)


def torn_database(folder: Path) -> None:
    whole = (folder / "trailmark.db").read_bytes()
    (folder / "trailmark.db").write_bytes(whole[:5000] + b"\xff" * (len(whole) - 5000))


def newer_database(folder: Path) -> None:
    with sqlite3.connect(folder / "trailmark.db") as connection:
        connection.execute("PRAGMA user_version = 999")
    connection.close()


def other_database(folder: Path) -> None:
    (folder / "trailmark.db").unlink()
    with sqlite3.connect(folder / "trailmark.db") as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()


def no_database(folder: Path) -> None:
    (folder / "trailmark.db").unlink()


def folder_as_database(folder: Path) -> None:
    (folder / "trailmark.db").unlink()
    (folder / "trailmark.db").mkdir()


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (broken_settings, "unknown key 'dely' (did you mean 'delay'?)"),
        (foreign_settings, "is not UTF-8 text"),
        (garbled_database, "is not a database"),
        (torn_database, "is damaged"),
        (newer_database, "was made by a newer Trailmark"),
        (other_database, "is the database of another program"),
        (no_database, "is not a Trailmark workspace"),
        (folder_as_database, "is not a Trailmark workspace"),
        (shutil.rmtree, "is not a Trailmark workspace"),
    ],
)
def test_status_of_a_workspace_that_cant_be_used(harm: Any, words: str, trailmark: Any, workspace: Path) -> None:
    harm(workspace)
    before = {path: path.read_bytes() for path in workspace.rglob("*") if path.is_file()}
    ended = trailmark("-w", workspace, "status", "--json")
    assert ended.code == 2
    assert ended.out == ""
    assert words in ended.err
    assert str(workspace) in ended.err
    assert len(ended.err.splitlines()) == 1
    if harm is not torn_database:  # SQLite itself had to look into that one
        assert {path: path.read_bytes() for path in workspace.rglob("*") if path.is_file()} == before


def test_settings_saved_with_a_byte_order_mark(trailmark: Any, workspace: Path) -> None:
    (workspace / "trailmark.toml").write_text("\ufeff[read]\r\nwindow = 5\r\n", encoding="utf-8")
    assert trailmark("-w", workspace, "status").code == 0


def test_help_and_version(trailmark: Any) -> None:
    ended = trailmark("--help")
    assert ended.code == 0
    for verb in ("init", "teach", "show", "status", "demo"):
        assert re.search(rf"^  {verb} ", ended.out, re.MULTILINE)
        assert trailmark(verb, "-h").out.startswith(f"Usage: trailmark {verb}")
    assert trailmark("--version").out == f"trailmark {package.__version__}\n"


def test_bad_usage(trailmark: Any) -> None:
    assert "No such command 'statsu'" in trailmark("statsu").err
    assert "No such option" in trailmark("status", "--jsno").err
    assert trailmark("status", "more").code == 2


def test_no_arguments_show_the_help() -> None:
    ended = subprocess.run(COMMAND, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert "trailmark init my-project" in ended.stdout


@pytest.mark.slow
def test_a_terminal_without_the_letters_and_a_pipe_without_a_reader(small_web: Any) -> None:
    show = [*COMMAND, "show", "http://dept.example/~ada/", "--replay", str(small_web.archive)]
    poor = subprocess.run(show, capture_output=True, timeout=60, env={"PYTHONIOENCODING": "ascii"})
    assert poor.returncode == 0
    assert rb"Ada \xc5ngstr\xf6m" in poor.stdout
    with subprocess.Popen([*show, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert process.returncode == 0
    assert b"Traceback" not in said
    assert b"BrokenPipe" not in said


@pytest.mark.slow
def test_a_torn_archive_is_a_warning_in_a_sentence(small_web: Any) -> None:
    torn = small_web.folder / "torn.warc.gz"
    whole = small_web.archive.read_bytes()
    torn.write_bytes(whole[: len(whole) - 60])
    ended = subprocess.run(
        [*COMMAND, "show", "--all", "--replay", str(torn)], capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 0
    assert re.fullmatch(rf"trailmark: warning: {torn} is damaged or cut off after \d+ whole records.*\n", ended.stderr)
