"""`trailmark serve` as a person calls it: it says where it is, answers there, and ends with Ctrl-C."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from app_visitor import PATIENCE, wait_for


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def status_at(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def test_it_says_where_it_is_and_ends_with_ctrl_c(folder: Path) -> None:
    command = [sys.executable, "-m", "trailmark.cli.main", "-w", str(folder), "serve", "--no-open", "--json"]
    port = free_port()
    secret = "a-long-enough-secret"
    process = subprocess.Popen(
        [*command, "--port", str(port), "--token", secret], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        assert said["url"] == f"http://127.0.0.1:{port}/?token={secret}"
        wait_for(lambda: status_at(f"http://127.0.0.1:{port}/") == 401)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 0
    assert "Traceback" not in err
    log = (folder / "logs" / "trailmark.log").read_text(encoding="utf-8")
    assert " INFO uvicorn.error: Started server process" in log
    assert f"serve --no-open --json --port {port} --token ***" in log
    assert "ended with exit code 0" in log
    assert secret not in log


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--host", "0.0.0.0"], "--token"), (["--token", "short"], "guess"), (["--port", "0"], "--port")],
)
def test_what_would_be_unsafe_is_refused(
    trailmark: Callable[..., Any], folder: Path, arguments: list[str], words: str
) -> None:
    ended = trailmark("-w", folder, "serve", "--no-open", *arguments)
    assert ended.code == 2
    assert words in ended.err


def test_a_port_that_is_taken_is_named(trailmark: Callable[..., Any], folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        ended = trailmark("-w", folder, "serve", "--no-open", "--port", port)
    assert ended.code == 2
    assert str(port) in ended.err


def test_only_a_workspace_is_served(trailmark: Callable[..., Any], tmp_path: Path) -> None:
    ended = trailmark("-w", tmp_path, "serve", "--no-open")
    assert ended.code == 2
    assert "trailmark init" in ended.err
