"""Ctrl-C and `kill -9` in the midst of `trailmark teach`: what was kept is whole, and the next run goes on."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from trailmark.demo import DemoWeb, serve
from trailmark.store.json_lines import trail_to_json
from trailmark.verbs.teach import BATCH
from trailmark.workspace import Workspace

COMMAND = [sys.executable, "-m", "trailmark.cli.main"]
TRAILS = 2500


def wait_for(happened: Any, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 60
    while not happened():
        assert process.poll() is None, "it ended before it could be stopped"
        assert time.monotonic() < until
        time.sleep(0.002)


def rows(folder: Path, table: str) -> int:
    with sqlite3.connect(folder / "trailmark.db") as connection:
        count = int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    connection.close()
    return count


@pytest.mark.slow
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGKILL])
def test_trails_that_were_kept_are_whole(way: signal.Signals, trailmark: Any, workspace: Path, small_web: Any) -> None:
    lines = [small_web.trail("", "people/", "~ada/", labels=[f"label {n}"]) for n in range(TRAILS)]
    file = small_web.file(*lines)
    arguments = ["-w", str(workspace), "teach", str(file), "--replay", str(small_web.archive), "--json"]
    with subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for(lambda: rows(workspace, "trails") >= BATCH, process)
        process.send_signal(way)
        out, err = process.communicate(timeout=60)
    assert out == "", "nothing was said to be done"
    assert "Traceback" not in err
    if way == signal.SIGINT:
        assert process.returncode == 130
        assert "what was done is kept" in err
    with Workspace.open(workspace) as opened, opened.replay() as replay:
        kept = list(opened.database.trails())
        assert BATCH <= len(kept) < TRAILS
        assert len(kept) % BATCH == 0
        for trail in kept:
            assert [step.anchor for step in trail.steps] == [None, "People", "Ada"]
        for step in kept[0].steps:
            assert replay.fetch(step.url).status == 200
    report = trailmark(*arguments).report
    assert (report["known_already"], report["good"]) == (len(kept), TRAILS)
    assert trailmark("-w", workspace, "status", "--json").report["counts"]["trails"] == TRAILS


@pytest.mark.slow
def test_pages_that_were_fetched_are_not_asked_for_again(trailmark: Any, workspace: Path, tmp_path: Path) -> None:
    settings = '[forage]\ncontact = "tests@example.org"\nallow_hosts = ["*.localhost"]\ndelay = {delay}\n'
    (workspace / "trailmark.toml").write_text(settings.format(delay=0.1), encoding="utf-8")
    with serve(DemoWeb(sites=4, pages=60)) as server:
        trails = server.web.site(0).trails("course", 8)
        file = tmp_path / "trails.jsonl"
        file.write_text("".join(json.dumps(trail_to_json(trail)) + "\n" for trail in trails), encoding="utf-8")
        pages = {step.url for trail in trails for step in trail.steps}
        arguments = ["-w", str(workspace), "teach", str(file)]
        with subprocess.Popen(
            [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        ) as process:
            wait_for(lambda: rows(workspace, "pages") >= 3, process)
            process.kill()
        kept = rows(workspace, "pages")
        assert 3 <= kept < len(pages)
        (workspace / "trailmark.toml").write_text(settings.format(delay=0), encoding="utf-8")
        server.keep_log = True
        assert trailmark(*arguments).code == 0
        asked = [path for _, path in server.asked if path != "/robots.txt"]
    assert len(asked) == len(pages) - kept
