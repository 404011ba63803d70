"""`trailmark serve --portal` on the command line: what goes together, and what is said where nothing can be shown."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.serve.portal_world import library
from trailmark.cli.main import cli, main
from trailmark.workspace import Workspace


def code_of(words: list[str]) -> int:
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0)


@pytest.mark.parametrize("words", [["--portal", "--keys"], ["--portal", "--revoke", "all"], ["--prefix", "/x"]])
def test_what_does_not_go_together_is_refused(tmp_path: Path, words: list[str]) -> None:
    Workspace.create(tmp_path / "w").close()
    ended = CliRunner().invoke(cli, ["-w", str(tmp_path / "w"), "serve", *words])
    assert ended.exit_code == 2
    assert "--portal" in ended.output


def test_where_nothing_can_be_shown_a_sentence_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "w"
    Workspace.create(folder).close()
    assert code_of(["-w", str(folder), "serve", "--portal", "--no-open"]) == 2
    assert "Nothing was organised yet" in capsys.readouterr().err
    assert code_of(["-w", str(tmp_path / "none"), "serve", "--portal", "--no-open"]) == 2
    assert "is not a Trailmark workspace" in capsys.readouterr().err
    assert code_of(["-w", str(folder), "serve", "--portal", "--no-open", "--prefix", "a b"]) == 2
    assert "/library" in capsys.readouterr().err


def test_a_port_that_is_taken_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = library(tmp_path / "w")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert code_of(["-w", str(folder), "serve", "--portal", "--no-open", "--port", str(port)]) == 2
    assert f"Port {port}" in capsys.readouterr().err
