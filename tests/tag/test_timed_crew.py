"""Processes that may be killed: an item that hangs, dies or eats memory is answered for, and the others are done, in order."""

from __future__ import annotations

import mmap
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.read.made_pdf import Piece, made_pdf
from trailmark.datatypes import Response
from trailmark.errors import DocumentError
from trailmark.settings import TagSettings
from trailmark.tag import postscript
from trailmark.tag.read_document import read_document
from trailmark.tag.timed_crew import TimedCrew


def make_work(word: str) -> Callable[[str], str]:
    def work(item: str) -> str:
        if item == "hang":
            time.sleep(60)
        if item == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if item == "eat":
            return str(len(bytearray(4_000_000_000)))
        if item.startswith("child"):
            process = subprocess.Popen(["sleep", "60"])
            Path(item.partition(" ")[2]).write_text(str(process.pid))
            time.sleep(60)
        return f"{word} {item}"

    def careful(item: str) -> str:
        try:
            return work(item)
        except MemoryError:
            return "no memory"

    return careful


def answers(items: list[str], *, seconds: float = 3.0, jobs: int = 2) -> list[str]:
    lost = lambda item, reason: f"{item}: {reason}"  # noqa: E731
    with TimedCrew(make_work, ("did",), lost=lost, seconds=seconds, memory=2_000_000_000, jobs=jobs) as crew:
        return [answer for _, answer in crew.answers(items)]


@pytest.mark.parametrize("jobs", [1, 3])
def test_answers_come_in_order_whatever_dies(jobs: int) -> None:
    items = ["a", "die", "b", "hang", "c", "die", "d", "e", "f"]
    done = {"die": "die: its process died", "hang": "hang: it took more than 3 seconds"}
    assert answers(items, jobs=jobs) == [done.get(item, f"did {item}") for item in items]


def _taking() -> Callable[[str], str]:
    def work(size: str) -> str:
        return f"had {bytearray(int(size))[-1]}"

    return work


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_what_an_item_may_take_does_not_depend_on_who_started_its_process() -> None:
    # Nothing of it is touched: it takes no memory, and counts as data all the same.
    held = mmap.mmap(-1, 900_000_000, flags=mmap.MAP_PRIVATE)
    with TimedCrew(_taking, (), lost=lambda *_: "lost", seconds=30, memory=1_000_000_000, jobs=1) as crew:
        assert [answer for _, answer in crew.answers(["300000000", "1300000000"])] == ["had 0", "lost"]
    held.close()


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_memory_is_bounded() -> None:
    assert answers(["eat", "a"]) == ["no memory", "did a"]


def test_what_a_process_started_ends_with_it(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    answers([f"child {note}"])
    child = int(note.read_text())
    for _ in range(100):
        state = Path(f"/proc/{child}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.05)
    pytest.fail("it goes on")


def test_nothing_is_left_when_nobody_wants_the_answers() -> None:
    with TimedCrew(make_work, ("did",), lost=lambda item, reason: "", seconds=30, memory=0, jobs=2) as crew:
        assert next(crew.answers(["a", "hang", "b"])) == ("a", "did a")
        begun = time.monotonic()
    assert time.monotonic() - begun < 10


def answer(body: bytes, name: str, content_type: str = "") -> Response:
    return Response(name, 200, (("Content-Type", content_type),), body)


def test_every_kind_is_read() -> None:
    pdf = made_pdf([[Piece(72, 72, "Some words")]])
    assert read_document(answer(pdf, "a.pdf")).kind == "pdf"
    assert read_document(answer(b"<p>Some words</p>", "http://a.example/", "text/html")).kind == "html"
    assert read_document(answer(b"Some words", "a.txt")).words == 2
    with pytest.raises(DocumentError, match="no PDF, PostScript, HTML"):
        read_document(answer(b"PK\x03\x04", "a.zip", "application/zip"))
    with pytest.raises(DocumentError, match="more than 1,000 bytes"):
        read_document(answer(b" " * 1001, "a.txt"), TagSettings(max_bytes=1000))


def test_postscript_without_ghostscript_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(DocumentError, match=r"a\.ps: reading PostScript needs Ghostscript.*install 'ghostscript'"):
        read_document(answer(b"%!PS\nshowpage", "a.ps"))


@pytest.fixture
def stub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A program in the place of Ghostscript."""

    def install(script: str) -> None:
        program = tmp_path / "gs"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        monkeypatch.setattr(postscript, "PROGRAMS", (str(program),))

    return install


def test_what_ghostscript_makes_is_read_as_pdf(stub: Callable[[str], None], tmp_path: Path) -> None:
    (tmp_path / "made.pdf").write_bytes(made_pdf([[Piece(72, 72, "From PostScript")]]))
    stub(
        f'case "$*" in *-dSAFER*) for o in "$@"; do case $o in -sOutputFile=*) cp {tmp_path}/made.pdf "${{o#*=}}";; esac; done;; esac'
    )
    document = read_document(answer(b"%!PS\nshowpage", "a.ps"))
    assert (document.kind, document.pages[0].lines[0].text) == ("postscript", "From PostScript")


@pytest.mark.parametrize(
    ("script", "words"), [("exit 1", "can't read it"), ("sleep 60", "took more than"), ("exit 0", "can't read it")]
)
def test_ghostscript_that_fails_or_hangs(stub: Callable[[str], None], script: str, words: str) -> None:
    stub(script)
    with pytest.raises(DocumentError, match=words):
        read_document(answer(b"%!PS\nshowpage", "a.ps"), TagSettings(seconds=1.0))


@pytest.mark.skipif(postscript.ghostscript() is None, reason="Ghostscript is not installed")
def test_real_postscript_is_read() -> None:
    body = b"%!PS\n/Helvetica 12 selectfont 72 700 moveto (Words of PostScript) show showpage\n"
    assert read_document(answer(body, "a.ps")).pages[0].lines[0].text == "Words of PostScript"
