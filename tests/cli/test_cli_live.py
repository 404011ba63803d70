"""`trailmark teach` and `show` without archives: pages come from the generated web, served on this machine."""

from __future__ import annotations

import json
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trailmark.demo import DemoServer, DemoWeb, serve
from trailmark.store.archive import archives_in, read_archive
from trailmark.store.json_lines import trail_to_json

SETTINGS = '[forage]\ncontact = "tests@example.org"\nallow_hosts = ["*.localhost"]\ndelay = 0\nretries = 0\n'


@pytest.fixture(scope="module")
def server() -> Iterator[DemoServer]:
    with serve(DemoWeb(sites=4, pages=60)) as running:
        running.keep_log = True
        yield running


@pytest.fixture
def live(workspace: Path, server: DemoServer) -> Path:
    (workspace / "trailmark.toml").write_text(SETTINGS, encoding="utf-8")
    server.asked.clear()
    return workspace


def trails_file(server: DemoServer, folder: Path) -> Path:
    file = folder / "live.jsonl"
    trails = server.web.site(0).trails("course", 6)
    assert len(trails) >= 4
    file.write_text("".join(json.dumps(trail_to_json(trail)) + "\n" for trail in trails), encoding="utf-8")
    return file


@pytest.mark.slow
def test_pages_are_fetched_once_and_kept(trailmark: Any, live: Path, server: DemoServer, tmp_path: Path) -> None:
    file = trails_file(server, tmp_path)
    ended = trailmark("-w", live, "teach", file, "--json")
    assert (ended.code, ended.report["problems"]) == (0, [])
    steps = {
        step["url"] for line in file.read_text(encoding="utf-8").splitlines() for step in json.loads(line)["steps"]
    }
    asked = [path for _, path in server.asked if path != "/robots.txt"]
    assert len(asked) == len(set(asked)) == len(steps)
    archived = {response.url for path in archives_in(live / "archive") for response in read_archive(path)}
    assert steps <= archived
    server.asked.clear()
    again = trailmark("-w", live, "teach", file, "--json")
    assert (again.code, again.report["trails"], again.report["known_already"]) == (0, 0, ended.report["trails"])
    assert server.asked == [], "what is kept is not asked for again"


@pytest.mark.slow
def test_a_page_that_failed_is_named_and_asked_for_again(
    trailmark: Any, live: Path, server: DemoServer, tmp_path: Path
) -> None:
    file = trails_file(server, tmp_path)
    good = len(file.read_text(encoding="utf-8").splitlines())
    root = server.root(0)
    missing = {"site": root, "outcome": "fail", "steps": [{"url": root}, {"url": root + "no-such-page"}]}
    with file.open("a", encoding="utf-8") as more:
        more.write(json.dumps(missing) + "\n")
    for _ in range(2):
        server.asked.clear()
        ended = trailmark("-w", live, "teach", file)
        assert ended.code == 1
        assert ended.err.startswith(f"trailmark: {file}, line {good + 1}: step 2 ({root}no-such-page) is not linked")
        assert "/no-such-page" in [path for _, path in server.asked]


@pytest.mark.slow
def test_an_error_that_was_kept_does_not_stand_for_the_page(
    trailmark: Any, live: Path, server: DemoServer, tmp_path: Path
) -> None:
    file = trails_file(server, tmp_path)
    assert trailmark("-w", live, "teach", file).code == 0
    with sqlite3.connect(live / "trailmark.db") as connection:
        connection.execute("UPDATE pages SET status = 503 WHERE url = ?", (server.root(0),))
    connection.close()
    server.asked.clear()
    assert trailmark("-w", live, "teach", file).code == 0
    assert [path for _, path in server.asked if path != "/robots.txt"] == ["/"]


@pytest.mark.slow
def test_hosts_that_are_not_allowed_are_named(trailmark: Any, live: Path, server: DemoServer, tmp_path: Path) -> None:
    (live / "trailmark.toml").write_text(SETTINGS.replace("*.localhost", "other.example"), encoding="utf-8")
    ended = trailmark("-w", live, "teach", trails_file(server, tmp_path))
    assert ended.code == 2
    assert "allow_hosts" in ended.err
    assert ".." not in ended.err.replace("...", "")
    assert server.asked == []


def nobody_there() -> str:
    """A root on this machine where nobody listens, at a port that web servers may have."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://nowhere.localhost:{listener.getsockname()[1]}/"


@pytest.mark.slow
def test_show_fetches_what_the_workspace_lacks(trailmark: Any, live: Path, server: DemoServer) -> None:
    report = trailmark("-w", live, "show", server.root(1), "--json").report
    assert report["url"] == server.root(1)
    assert report["links"]
    ended = trailmark("-w", live, "show", server.root(1) + "no-such-page", "--json")
    assert (ended.code, ended.report["status"]) == (0, 404)
    refused = trailmark("-w", live, "show", nobody_there())
    assert refused.code == 2
    assert "refused the connection" in refused.err
    other = trailmark("-w", live, "show", "http://nowhere.localhost:1/")
    assert (other.code, "its port belongs to another service than the web" in other.err) == (2, True)


def log_of(folder: Path) -> str:
    return (folder / "logs" / "trailmark.log").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_log_says_why_sites_were_left_and_what_the_engine_did(
    trailmark: Any, live: Path, server: DemoServer
) -> None:
    dead = nobody_there()
    roots = server.root(0), dead, "http://10.0.0.1/"
    assert trailmark("-w", live, "forage", *roots, "--strategy", "breadth", "--budget", 5).code == 0
    text = log_of(live)
    assert "http://10.0.0.1/: left alone, host 10.0.0.1 has no public address" in text
    assert re.search(rf"{dead}: left alone, .*the server refused the connection", text)
    assert f"{server.root(0)}: 5 pages, 0 goals, 0 unsure, budget" in text
    assert "INFO scrapy.core.engine: Spider opened" in text
    assert "Crawled (200)" not in text
    trailmark("-w", live, "-vv", "forage", server.root(1), "--strategy", "breadth", "--budget", 2)
    assert "DEBUG scrapy.core.engine: Crawled (200)" in log_of(live)


QUIET = """
from trailmark.forage.fetch import fetch_pages
from trailmark.settings import ForageSettings
settings = ForageSettings(contact="tests@example.org", allow_hosts=("*.localhost",), retries=1, delay=0.0)
failures = []
fetch_pages(["http://nowhere.localhost:1/"], settings, on_response=print, on_failure=lambda url, error: failures.append(url))
assert failures == ["http://nowhere.localhost:1/"]
"""


@pytest.mark.slow
def test_where_nobody_set_logs_up_the_engine_says_nothing() -> None:
    ended = subprocess.run([sys.executable, "-c", QUIET], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
