"""Ctrl-C while a page is read that takes long, or comes slowly: the run ends soon, and nothing is lost."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.forage.hostile_server import HostileServer

SCRIPT = """
import sys, time
from pathlib import Path
import numpy as np
from trailmark.datatypes import Response
from trailmark.forage.forage_run import Errand, ForageRun
from trailmark.forage.scope import Seed
from trailmark.settings import ForageSettings, Settings
from trailmark.strategy import UNJUDGED, Visit
from trailmark.verbs.run_books import StoredBooks
from trailmark.workspace import Workspace

folder, way, seed = Path(sys.argv[1]), sys.argv[2], sys.argv[3]

class Slow:
    name, judges, learns = "slow", True, False
    def visit(self, page, link, /):
        if way.startswith("slow") and "slow" in page.url:
            print("reading", flush=True)
            until = time.monotonic() + 120
            while time.monotonic() < until:
                sum(range(1000))
        return Visit(UNJUDGED, np.ones(len(page.links)))

class Served(StoredBooks):
    def pages(self): return self
    def __enter__(self): return self
    def __exit__(self, *_): pass
    def fetch(self, url):
        print("fetched", url, flush=True)
        links = "".join(f"<a href=/{name}>{name}</a>" for name in ("a", "slow", "z"))
        return Response(url, 200, (("Content-Type", "text/html"),), f"<p>{url}{links}".encode())

live = ForageSettings(contact="t@example.org", allow_hosts=("*.localhost",), delay=0.0, timeout=100.0, retries=0, obey_robots=False)
settings = Settings(forage=live)
archives = [] if "live" in way else [Path("some.warc.gz")]
with Workspace.open(folder) as opened:
    errand = Errand([Seed(seed, "host")], Slow(), archives=archives)
    run = ForageRun(errand, settings, Served(folder, opened.database, settings))
    try:
        run.run()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
        sys.exit(130)
    for _, fetch in run.books.rows.fetches(run.state.id):
        print("page", fetch.url, fetch.status, flush=True)
"""


def started(folder: Path, way: str, seed: str) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", SCRIPT, str(folder), way, seed]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2])
def test_a_page_that_takes_long_to_read_does_not_hold_up_ctrl_c(workspace: Path, times: int) -> None:
    with started(workspace, "slow", "http://h.test/") as process:
        assert process.stdout is not None
        before = []
        while "reading" not in (line := process.stdout.readline()):
            before.append(line.split()[-1])
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            time.sleep(0.05)
        assert process.communicate(timeout=60)[0] == "interrupted\n"
    assert process.returncode == 130
    with started(workspace, "quick", "http://h.test/") as again:
        out = again.communicate(timeout=60)[0].splitlines()
    asked = [line.split()[1] for line in out if line.startswith("fetched")]
    pages = [line.split()[1] for line in out if line.startswith("page")]
    assert before == ["http://h.test/", "http://h.test/a", "http://h.test/slow"]
    assert asked == ["http://h.test/z"], "what was fetched before is not fetched again"
    assert pages == [*before, "http://h.test/z"]


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/drip", "/slow"])
def test_neither_does_one_from_the_net(workspace: Path, server: HostileServer, path: str) -> None:
    label = f"interrupted-{path[1:]}"
    with started(workspace, "slow-live", server.url(label, path)) as process:
        until = time.monotonic() + 60
        while not server.visits(label):
            assert time.monotonic() < until
            time.sleep(0.02)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60)[0].endswith("interrupted\n")
    assert process.returncode == 130
