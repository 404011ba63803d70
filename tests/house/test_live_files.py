"""A database is opened by SQLite alone: whoever closes the file himself drops every lock that his process holds on it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import trailmark

ROOT = Path(trailmark.__file__).parent
CONNECTING = {
    "store/database.py", "store/first_look.py", "store/index_file.py", "store/organised.py", "store/read_only.py", "store/record_database.py", "store/suggestion_box.py",
}  # fmt: skip
OPENING = {"open", "read_bytes", "read_text", "write_bytes", "write_text", "copy", "copyfile", "copy2", "copytree"}
NAMING = ("DATABASE_FILE", "index.db", "organised.db", "trailmark.db")


def calls(path: Path) -> list[ast.Call]:
    return [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]


def name_of(call: ast.Call) -> str:
    return ast.unparse(call.func)


@pytest.mark.slow
def test_databases_are_connected_to_in_these_places_alone() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        if any(name_of(call) == "sqlite3.connect" for call in calls(path))
    }
    assert found == CONNECTING


@pytest.mark.slow
def test_nothing_that_names_a_database_opens_it_as_a_file() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in ROOT.rglob("*.py")
        for call in calls(path)
        if name_of(call).rpartition(".")[2] in OPENING and not name_of(call).startswith("Database.")
        if any(name in ast.unparse(call) for name in NAMING)
    ]
    assert wrong == []


def test_modules_that_connect_open_no_path_of_theirs() -> None:
    for name in CONNECTING:
        opened = [ast.unparse(call) for call in calls(ROOT / name) if name_of(call).rpartition(".")[2] in OPENING]
        assert all(call.startswith("os.open(f'{path}.lock'") for call in opened)  # a file beside the database
