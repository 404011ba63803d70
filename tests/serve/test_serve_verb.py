"""`trailmark serve` as a person calls it: it says where it is, answers there, and ends with Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import PATIENCE, wait_for


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


def start(folder: Path, *arguments: str, **variables: str) -> tuple[subprocess.Popen[str], int, str]:
    """`trailmark serve` with a port of its own; the process, the port and the link that it printed."""
    command = [sys.executable, "-m", "trailmark.cli.main", "-w", str(folder), "serve", "--json"]
    port = free_port()
    process = subprocess.Popen(
        [*command, "--port", str(port), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **variables},
    )
    assert process.stdout is not None
    return process, port, str(json.loads(process.stdout.readline())["url"])


def status_with_cookies(url: str) -> int:
    """As a browser asks: it keeps its cookies."""
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    try:
        with opener.open(url, timeout=PATIENCE) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.slow
def test_it_prints_a_link_that_works_once_and_ends_with_ctrl_c(folder: Path) -> None:
    process, port, link = start(folder, "--no-open")
    try:
        assert link.startswith(f"http://127.0.0.1:{port}/enter?link=")
        wait_for(lambda: status_at(f"http://127.0.0.1:{port}/") == 401)
        assert status_with_cookies(link) == 200
        assert status_with_cookies(link) == 401
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 0
    assert "Traceback" not in err
    log = (folder / "logs" / "trailmark.log").read_text(encoding="utf-8")
    assert " INFO uvicorn.error: Started server process" in log
    assert f"serve --json --port {port} --no-open" in log
    assert "ended with exit code 0" in log
    assert link.partition("link=")[2] not in log


@pytest.mark.slow
def test_the_browser_is_told_of_a_file_that_its_owner_alone_can_read(folder: Path, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" >"{seen}.new" && mv "{seen}.new" "{seen}"\n', encoding="utf-8")
    browser.chmod(0o755)
    process, _, printed = start(folder, BROWSER=str(browser))
    try:
        wait_for(seen.exists)
        said = seen.read_text(encoding="utf-8").strip()
        file = folder / "serve" / "open.html"
        assert said == file.resolve().as_uri(), "what a process is started with is no secret"
        assert file.stat().st_mode & 0o777 == 0o600
        found = re.search(r"url=([^\"]+)", file.read_text(encoding="utf-8"))
        assert found
        assert found[1] != printed, "each is used once"
        assert status_with_cookies(found[1]) == 200
        assert status_with_cookies(printed) == 200
        arguments = Path(f"/proc/{process.pid}/cmdline")
        assert not arguments.exists() or b"link=" not in arguments.read_bytes()
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)


SECRET = "a-long-enough-secret"


@pytest.mark.slow
@pytest.mark.parametrize("way", ["file", "variable"])
def test_a_token_comes_by_a_file_or_a_variable(folder: Path, tmp_path: Path, way: str) -> None:
    file = tmp_path / "token"
    file.write_text(SECRET + "\n", encoding="utf-8")
    file.chmod(0o600)
    arguments = ["--token-file", str(file)] if way == "file" else []
    process, port, _ = start(
        folder, "--no-open", *arguments, **({"TRAILMARK_TOKEN": SECRET} if way == "variable" else {})
    )
    try:
        for _ in range(2):
            assert status_with_cookies(f"http://127.0.0.1:{port}/enter?token={SECRET}") == 200
        asked = urllib.request.Request(
            f"http://127.0.0.1:{port}/api/status", headers={"Authorization": f"Bearer {SECRET}"}
        )
        with urllib.request.urlopen(asked, timeout=PATIENCE) as answer:
            assert answer.status == 200
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)


@pytest.mark.slow
def test_another_link_and_the_keys_are_had_beside_the_app_that_runs(
    trailmark: Callable[..., Any], folder: Path
) -> None:
    process, port, first = start(folder, "--no-open")
    try:
        second = json.loads(trailmark("-w", folder, "serve", "--link", "--json").out)["url"]
        assert second != first
        jar = CookieJar()
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        with opener.open(second, timeout=PATIENCE) as answer:
            assert answer.status == 200
        (key,) = json.loads(trailmark("-w", folder, "serve", "--keys", "--json").out)["keys"]
        assert key["kind"] == "browser"
        assert key["id"] in trailmark("-w", folder, "serve", "--keys").out
        assert trailmark("-w", folder, "serve", "--revoke", "nothing").code == 2
        assert trailmark("-w", folder, "serve", "--revoke", key["id"]).code == 0
        with pytest.raises(urllib.error.HTTPError, match="401"):
            opener.open(f"http://127.0.0.1:{port}/", timeout=PATIENCE)
    finally:
        process.kill()
        process.communicate(timeout=PATIENCE)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--token", SECRET], "--token-file"),
        (["--token-file", "short"], "guess"),
        (["--token-file", "open"], "chmod 600"),
        (["--token-file", "none"], "can't be read"),
        (["--token-file", "empty"], "no token"),
        (["--port", "0"], "--port"),
    ],
)
def test_what_would_be_unsafe_is_refused(
    trailmark: Callable[..., Any], folder: Path, tmp_path: Path, arguments: list[str], words: str
) -> None:
    for name, text, mode in (("short", "short", 0o600), ("open", SECRET, 0o644), ("empty", "\n", 0o600)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(mode)
    named = [str(tmp_path / word) if arguments[0] == "--token-file" and n else word for n, word in enumerate(arguments)]
    ended = trailmark("-w", folder, "serve", "--no-open", *named)
    assert ended.code == 2
    assert words in ended.err
    assert SECRET not in ended.err


@pytest.mark.parametrize(
    "address", ["name", "ftp://name/", "https://name/path", "https://", "https://a@b/", "https://name:x/"]
)
def test_a_public_address_is_an_origin(trailmark: Callable[..., Any], folder: Path, address: str) -> None:
    (folder / "trailmark.toml").write_text(f'[serve]\npublic_address = "{address}"\n', encoding="utf-8")
    ended = trailmark("-w", folder, "serve", "--no-open")
    assert ended.code == 2
    assert "public_address" in ended.err


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
