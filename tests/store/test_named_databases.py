"""A person who names the workspace's own database as any file is told so, and nobody but SQLite opens it."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.store.crowd import COMMAND, SITE, small_web, watched
from trailmark.datatypes import Annotation
from trailmark.errors import InputError
from trailmark.serve.job_words import Fence, job_words
from trailmark.store.archive_index import ArchiveIndex
from trailmark.store.database import Database
from trailmark.store.json_lines import written_whole
from trailmark.store.live_files import refuse_database
from trailmark.workspace import Workspace

OWN = ("trailmark.db", "trailmark.db-wal", "archive/index.db")
CALLS = [
    ["teach", "{}"],
    ["teach", "--annotations", "{}"],
    ["cluster", "--archive", "{}"],
    ["forage", SITE, "--replay", "{}", "--strategy", "breadth"],
    ["forage", SITE, "--replay", "web.warc.gz", "--strategy", "breadth", "--seeds", "{}"],
    ["forage", SITE, "--replay", "web.warc.gz", "--strategy", "breadth", "--log", "{}"],
]
"""What names a file, with a place for its name."""


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A workspace with one mark in it, and an archive beside it."""
    with Workspace.create(tmp_path / "w") as workspace:
        workspace.database.add_annotations([Annotation(SITE, "a", "b")], source="x")
        with workspace.replay([small_web(tmp_path / "web.warc.gz")]) as replay:
            assert replay.fetch(SITE).status == 200
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("words", CALLS, ids=lambda words: " ".join(words[:1] + words[-2:-1]))
def test_commands_refuse_the_database_as_a_file(kept: Path, words: list[str]) -> None:
    """By its name, and by a link to it."""
    (kept / "soft").symlink_to(kept / "w" / "trailmark.db")
    os.link(kept / "w" / "archive" / "index.db", kept / "hard")
    for name in ("w/trailmark.db", "soft", "hard"):
        call = [*COMMAND, "-w", "w", *(word.format(name) for word in words)]
        ended = subprocess.run(call, capture_output=True, text=True, check=False, cwd=kept, env=watched(kept))
        assert (ended.returncode, ended.stdout) == (2, "")
        assert "belongs to the workspace's own database: name another file." in ended.stderr
    assert not (kept / "opened.txt").exists()
    with Database.open(kept / "w" / "trailmark.db") as database:
        assert [mark.value for mark in database.annotations()] == ["b"]


@pytest.mark.slow
@pytest.mark.parametrize("name", OWN)
def test_an_open_database_is_neither_read_nor_replaced(kept: Path, name: str) -> None:
    with Workspace.open(kept / "w") as workspace, workspace.replay():
        workspace.database.set_meta("a", "b")  # so that there is a log
        with pytest.raises(InputError, match="own database"), written_whole(kept / "w" / name):
            pass
        with pytest.raises(InputError, match="own database"):
            refuse_database(kept / "w" / name)
        with pytest.raises(InputError, match="own database"):
            ArchiveIndex([kept / "w" / name])
        with pytest.raises(InputError, match="own database"):
            job_words("forage", ["--seeds", name], Fence(kept / "w"))


def test_a_log_that_is_not_there_now_is_refused_as_well(kept: Path) -> None:
    with Workspace.open(kept / "w"), pytest.raises(InputError, match="own database"):
        refuse_database(os.path.realpath(kept) + "/w/archive/index.db-journal")


def test_other_files_are_nobodys(kept: Path) -> None:
    for name in ("web.warc.gz", "w/trailmark.toml", "w/nowhere", "nul\0"):
        refuse_database(kept / name)


HOLD = """
import sys
from trailmark.store.archive_index import ArchiveIndex
index = ArchiveIndex([sys.argv[1]], sys.argv[2])
print("open", flush=True)
sys.stdin.read()
print(index.find(sys.argv[3]) is not None)
"""


def damage(index: Path) -> None:
    """Break the file beneath SQLite; the process that does so has it open nowhere else."""
    subprocess.run(
        [sys.executable, "-c", f"open({str(index)!r}, 'r+b').write(b'no database at all'.ljust(8192))"], check=True
    )


@pytest.mark.slow
def test_a_damaged_index_is_not_removed_while_others_use_it(tmp_path: Path) -> None:
    archive, index = small_web(tmp_path / "web.warc.gz"), tmp_path / "index.db"
    ArchiveIndex([archive], index).close()
    words = [sys.executable, "-c", HOLD, str(archive), str(index), SITE]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        damage(index)
        before = index.stat().st_ino
        with pytest.warns(UserWarning, match="is damaged and used by another process"):
            mine = ArchiveIndex([archive], index)
        with closing(mine):
            assert mine.find(SITE) is not None
        assert index.stat().st_ino == before
        other.stdin.close()
        other.wait()
    with ArchiveIndex([archive], index) as anew:
        assert anew.find(SITE) is not None
    assert index.read_bytes().startswith(b"SQLite format 3")
