"""The workspace's log: what stands in it, what never does, and that it stays whole and small."""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.cli import log_file, main
from trailmark.cli.log_file import LONGEST, LogFile, OneLine, append, escaped, logging_to, older_file, turn_over
from trailmark.cli.logged_words import figures, without_secrets

LINE = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \d+ (?:DEBUG|INFO|WARNING|ERROR|CRITICAL) [\w.]+: .*", re.ASCII
)


def lines_of(folder: Path) -> list[str]:
    """The log of a workspace, every line as it must be."""
    lines = (folder / "logs" / log_file.NAME).read_text(encoding="utf-8").splitlines()
    for line in lines:
        assert LINE.fullmatch(line), line
    return lines


def test_a_verb_logs_what_was_asked_and_what_came_of_it(trailmark: Any, workspace: Path, small_web: Any) -> None:
    file = small_web.file(*small_web.good(), "{}")
    assert trailmark("-w", workspace, "teach", file, "--replay", small_web.archive).code == 1
    text = "\n".join(lines_of(workspace))
    assert f"teach {file} --replay {small_web.archive}" in text
    assert "report: trails=2 known_already=0 good=2 problems=1" in text
    assert re.search(r"WARNING \S+: \S+trails.jsonl, line 3 is left out: ", text)
    assert "ended with exit code 1 after" in text


def test_an_expected_error_is_in_the_log_without_a_traceback(trailmark: Any, workspace: Path) -> None:
    ended = trailmark("-w", workspace, "learn")
    assert ended.code == 2
    text = "\n".join(lines_of(workspace))
    assert ended.err.removeprefix("trailmark: ").partition(";")[0] in text
    assert "Traceback" not in text


def test_outside_of_a_workspace_nothing_is_written(trailmark: Any, tmp_path: Path, small_archive: Path) -> None:
    assert trailmark("-w", tmp_path, "show", "http://www.example.edu/", "--replay", small_archive).code in (0, 2)
    assert list(tmp_path.rglob("*.log")) == []


@pytest.mark.parametrize("words", [("-v",), ("-vv",), ("--verbose",)])
def test_verbose_shows_it_on_stderr_and_leaves_stdout_alone(trailmark: Any, workspace: Path, words: Any) -> None:
    quiet, loud = trailmark("-w", workspace, "status", "--json"), trailmark("-w", workspace, *words, "status", "--json")
    assert loud.report == quiet.report
    more = [line for line in loud.err.splitlines() if line not in quiet.err.splitlines()]
    assert "INFO trailmark.cli.main: trailmark" in more[0]
    assert "report: schema=" in more[1]
    assert all(LINE.fullmatch(line) for line in more)


def test_loggers_are_as_before_after_a_call(trailmark: Any, workspace: Path) -> None:
    root = logging.getLogger()
    before = [*root.handlers], root.level, logging.getLogger("trailmark").level
    trailmark("-w", workspace, "-vv", "status")
    assert ([*root.handlers], root.level, logging.getLogger("trailmark").level) == before


def test_an_unexpected_error_goes_to_the_log_and_the_terminal_names_it(
    workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(self: object) -> None:
        raise ValueError("what\x1b[2J now")

    monkeypatch.setattr("trailmark.cli.status.status", broken)
    with pytest.raises(SystemExit) as ended:
        main.main(["-w", str(workspace), "status"])
    assert ended.value.code == 1
    shown = capsys.readouterr().err
    assert "Traceback" not in shown
    assert "\x1b" not in shown
    assert "ValueError: what\N{REPLACEMENT CHARACTER}[2J now. This is a fault in Trailmark" in shown
    assert str(workspace / "logs" / log_file.NAME) in shown
    (line,) = [line for line in lines_of(workspace) if " ERROR " in line]
    assert r"\nTraceback (most recent call last):\n" in line
    assert line.endswith(r"ValueError: what\x1b[2J now")


def test_an_unexpected_error_outside_of_a_workspace_is_not_swallowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(folder: Path) -> None:
        raise ValueError("what now")

    monkeypatch.setattr("trailmark.workspace.Workspace.open", broken)
    with pytest.raises(ValueError, match="what now"):
        main.main(["-w", str(tmp_path), "status"])


@given(st.text())
def test_whatever_is_logged_is_one_printable_line(text: str) -> None:
    line = escaped(text)
    assert line.isprintable()
    assert line.encode("utf-8").decode("unicode_escape" if line.isascii() else "utf-8") is not None


@given(st.text(alphabet=st.characters(max_codepoint=0x24F), max_size=60))
def test_what_was_escaped_can_be_told_from_what_was_written_so(text: str) -> None:
    back = re.sub(
        r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|[\\nrt])",
        lambda found: found[0].encode().decode("unicode_escape"),
        escaped(text),
    )
    assert back == text


def record_of(message: str) -> logging.LogRecord:
    return logging.LogRecord("trailmark.test", logging.INFO, __file__, 1, message, (), None)


def test_a_long_line_keeps_its_beginning_and_its_end() -> None:
    line = OneLine().format(record_of("first " + "\n" * LONGEST + " last"))
    assert len(line) < LONGEST + 10
    assert "first" in line
    assert line.endswith("last")


def test_the_log_is_bounded(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_file, "MOST_BYTES", 5000)
    log = LogFile(workspace)
    (workspace / "logs" / log_file.NAME).unlink()
    for number in range(1000):
        log.emit(record_of(f"{number} {'x' * 80}"))
    files = sorted((workspace / "logs").iterdir())
    if files[0].name != log_file.NAME:  # the very last line filled it
        log.emit(record_of("1000 more"))
        files = sorted((workspace / "logs").iterdir())
    assert [file.name for file in files] == ["trailmark.log"] + [f"trailmark.log.{n}" for n in range(1, 5)]
    assert sum(file.stat().st_size for file in files) < 5 * 5200
    shown = [int(line.split(": ")[1].split()[0]) for file in reversed(files) for line in file.read_text().splitlines()]
    assert shown == list(range(shown[0], shown[-1] + 1)), "the latest are kept, in order"


WRITER = """
import logging, sys
from pathlib import Path
from trailmark.cli import log_file
log_file.MOST_BYTES = 20_000
with log_file.logging_to(log_file.LogFile(Path(sys.argv[1]))):
    for number in range(150):
        logging.getLogger("trailmark.test").info("%s-%03d %s|", sys.argv[2], number, "y" * (number * 7 % 500))
"""


@pytest.mark.slow
def test_processes_that_write_at_once_tear_no_line(workspace: Path) -> None:
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, workspace, name]) for name in "abc"]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    path = workspace / "logs" / log_file.NAME
    files = [file for number in range(4, 0, -1) if (file := older_file(path, number)).exists()] + [path]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    written = [re.fullmatch(r".* INFO trailmark\.test: ([abc])-(\d{3}) (y*)\|", line) for line in lines]
    assert all(written)
    assert all(len(found[3]) == int(found[2]) * 7 % 500 for found in written if found)
    for name in "abc":
        numbers = [int(found[2]) for found in written if found and found[1] == name]
        assert len(numbers) == len(set(numbers))
    # What was turned over five times is gone; of what is kept, nothing is missing at the end.
    assert len(written) == 450 or older_file(path, 4).exists()
    assert {found[1] + found[2] for found in written if found} >= {f"{name}149" for name in "abc"}


def test_a_link_at_the_place_of_the_log_is_not_followed(trailmark: Any, workspace: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "precious"
    elsewhere.write_text("mine", encoding="utf-8")
    path = workspace / "logs" / log_file.NAME
    path.unlink(missing_ok=True)
    path.symlink_to(elsewhere)
    ended = trailmark("-w", workspace, "status")
    assert ended.code == 0
    assert ended.err.count("can't be written") == 1
    assert elsewhere.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("make", [lambda path: path.mkdir(), os.mkfifo], ids=["folder", "pipe"])
def test_what_is_no_file_is_no_log_and_no_reason_to_stop(
    trailmark: Any, workspace: Path, make: Callable[[Path], None]
) -> None:
    path = workspace / "logs" / log_file.NAME
    path.unlink(missing_ok=True)
    make(path)
    ended = trailmark("-w", workspace, "status")
    assert ended.code == 0
    assert ended.err.count("can't be written") == 1


def test_a_missing_folder_of_logs_is_made(trailmark: Any, workspace: Path) -> None:
    for file in (workspace / "logs").iterdir():
        file.unlink()
    (workspace / "logs").rmdir()
    assert trailmark("-w", workspace, "status").err == ""
    assert lines_of(workspace)


def test_only_the_owner_can_read_it(trailmark: Any, workspace: Path) -> None:
    trailmark("-w", workspace, "status")
    assert (workspace / "logs" / log_file.NAME).stat().st_mode & 0o077 == 0


def test_turning_over_what_another_process_has_turned_over_does_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.log"
    turn_over(path)
    append(path, b"one\n")
    turn_over(path)
    assert [file.name for file in tmp_path.iterdir()] == ["a.log"]


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["serve", "--token", "s3cret", "--port", "9"], ["serve", "--token", "***", "--port", "9"]),
        (["serve", "--token=s3cret"], ["serve", "--token=***"]),
        (["serve", "--api-key", "s3cret"], ["serve", "--api-key", "***"]),
        (["forage", "http://me:s3cret@h/?a=1"], ["forage", "http://***@h/?a=1"]),
        (["show", "http://h/?q=1&token=s3cret&b=2"], ["show", "http://h/?q=1&token=***&b=2"]),
        (["show", "http://h/?PHPSESSIONID=s3cret#top"], ["show", "http://h/?PHPSESSIONID=***#top"]),
        (["learn", "--goal", "course"], ["learn", "--goal", "course"]),
    ],
)
def test_secrets_are_not_logged(words: list[str], shown: list[str]) -> None:
    assert without_secrets(words) == shown


def test_figures_are_numbers_and_lengths() -> None:
    report = {
        "url": "http://h/?token=s3cret",
        "pages": 3,
        "rate": 1 / 3,
        "done": True,
        "goals": [{}, {}],
        "by": {"a": 1, "b": "s3cret"},
    }
    assert figures(report) == "pages=3 rate=0.3333 done=true goals=2 by.a=1"
    assert figures({"counts": {str(number): number for number in range(1000)}}).endswith(" counts.39=39")


def test_a_log_that_is_entered_twice_writes_each_line_once(workspace: Path) -> None:
    with logging_to(LogFile(workspace)):
        logging.getLogger("trailmark.test").info("once")
    logging.getLogger("trailmark.test").info("never")
    texts = [line for line in lines_of(workspace) if "trailmark.test" in line]
    assert len(texts) == 1


def test_a_workspace_that_cant_be_used_is_left_alone_until_a_room_speaks(workspace: Path) -> None:
    path = workspace / "logs" / log_file.NAME
    path.unlink()
    ours, room = logging.getLogger(log_file.HELD_BACK), logging.getLogger("trailmark.test")
    with logging_to(log := LogFile(workspace)):
        ours.info("asked")
        log.forget()
        ours.info("ended")
        log.write_held()
    assert not path.exists()
    with logging_to(log := LogFile(workspace)):
        ours.info("asked")
        assert not path.exists()
        room.info("decided")
        log.forget()
        ours.info("ended")
    assert [line.rpartition(": ")[2] for line in lines_of(workspace)] == ["asked", "decided", "ended"]
