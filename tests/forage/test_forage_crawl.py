"""Live crawls over servers of this machine: the same order as a walk, manners, hostile sites, `kill -9`, Ctrl-C, the verb."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.forage.forage_answers import SETTINGS, no_dns
from tests.forage.forage_strategies import Hashed
from tests.forage.hostile_server import SECRET, HostileServer
from trailmark.datatypes import Fetch, Response
from trailmark.demo import DemoServer, DemoWeb, serve
from trailmark.forage.breadth import Breadth
from trailmark.forage.crawl import crawl
from trailmark.forage.run import Forager
from trailmark.forage.scope import Seed
from trailmark.forage.walk import walk
from trailmark.settings import ForageSettings
from trailmark.store import read_archive
from trailmark.strategy import Strategy
from trailmark.workspace import Workspace

PAGES = 40
FAST = replace(SETTINGS, timeout=60.0, max_bytes=1_000_000, budget=4 * PAGES, max_redirects=3)


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoServer]:
    with serve(DemoWeb(sites=4, pages=100)) as server:
        server.keep_log = True
        yield server


def forager_over(
    server: DemoServer, settings: ForageSettings, strategy: Strategy | None = None
) -> tuple[Forager, list[Fetch]]:
    fetches: list[Fetch] = []
    forager = Forager(strategy or Hashed(), settings, on_fetch=lambda fetch, site: fetches.append(fetch))
    for number in range(4):
        forager.add_site(Seed(server.root(number), "host"))
    return forager, fetches


def by_site(fetches: list[Fetch]) -> dict[str, list[tuple[str, float, str | None]]]:
    found = defaultdict(list)
    for fetch in fetches:
        found[fetch.site].append((fetch.url, fetch.score, fetch.parent))
    return dict(found)


@pytest.mark.slow
def test_a_crawl_fetches_what_a_walk_fetches_in_the_same_order(demo: DemoServer) -> None:
    settings = replace(FAST, obey_robots=False, budget=0, site_budget=PAGES)
    crawled, live = forager_over(demo, settings)
    assert not crawl(crawled, lookup=no_dns)
    walked, still = forager_over(demo, settings)

    def answer(url: str) -> Response:
        ways: list[str] = []
        while True:
            response = demo.web.respond(url)
            if response.status // 100 != 3 or len(ways) > 3:
                return replace(response, redirects=tuple(ways))
            ways.append(url)
            url = response.header("location")

    walk(walked, answer)
    assert by_site(live) == by_site(still)
    assert [site.pages for site in crawled.sites] == [PAGES] * 4
    assert crawled.frontier.tickets == 0


@pytest.mark.slow
def test_robots_are_obeyed_and_cost_nothing(demo: DemoServer) -> None:
    before = len(demo.asked)
    forager, fetches = forager_over(demo, replace(FAST, max_wait=0.0), Breadth())
    crawl(forager, lookup=no_dns)
    asked = demo.asked[before:]
    assert not [path for _, path in asked if path.startswith("/private/")]
    assert forager.totals.skipped["its robots.txt forbids it"] > 0
    assert len(fetches) == FAST.budget == forager.totals.fetched
    assert not [fetch for fetch in fetches if "/private/" in fetch.url]
    robots = Counter(host for host, path in asked if path == "/robots.txt")
    assert set(robots.values()) == {1}


@pytest.mark.slow
def test_a_hostile_site_harms_no_other(server: HostileServer, connections: list[str]) -> None:
    settings = replace(SETTINGS, budget=0, retries=0, max_redirects=3, max_wait=0.0)
    fetches: dict[str, Fetch] = {}
    forager = Forager(Breadth(), settings, on_fetch=lambda fetch, site: fetches.update({fetch.url: fetch}))
    for label in ("walked", "peaceful"):
        forager.add_site(Seed(server.url(label, "/all" if label == "walked" else "/good"), "host"))
    assert not crawl(forager, lookup=no_dns)
    assert [site.ended for site in forager.sites] == ["empty", "empty"]
    said = {url.partition(f":{server.port}")[2]: fetch for url, fetch in fetches.items() if "walked" in url}
    assert said["/after"].status == 200
    assert said["/good"].status == 200
    for path in ("/endless", "/big", "/bomb-gzip", "/bomb-deflate", "/bomb-br", "/bomb-zstd", "/bomb-twice"):
        assert "larger than" in said[path].failure, path
    for path in ("/endless-head", "/endless-100", "/many-headers"):
        assert "head of the answer" in said[path].failure, path
    for path in ("/loop", "/maze/0"):
        assert "redirects more than" in said[path].failure, path
    assert said["/to-loopback"].status == 302
    assert fetches[server.url("peaceful", "/good")].status == 200
    assert not [each for each in server.asked if each.path == "/secret"]
    assert set(connections) == {"127.0.0.1"}
    assert SECRET


@pytest.mark.slow
def test_a_dead_host_is_unreachable_and_the_others_go_on(demo: DemoServer) -> None:
    forager, _ = forager_over(demo, replace(FAST, budget=30))
    forager.add_site(Seed("http://nobody.invalid/"))
    forager.add_site(Seed("http://127.0.0.1/"))
    crawl(forager, lookup=no_dns)
    assert [site.ended for site in forager.sites[4:]] == ["unreachable", "unreachable"]
    assert forager.sites[4].why.endswith("no address is known for host nobody.invalid")
    assert "host 127.0.0.1 has no public address (127.0.0.1)" in forager.sites[5].why
    assert sum(site.pages for site in forager.sites[:4]) >= 28


@pytest.mark.slow
def test_an_error_of_ours_ends_the_crawl_and_is_raised(demo: DemoServer) -> None:
    forager, fetches = forager_over(demo, FAST)

    def tick() -> None:
        if len(fetches) >= 10:
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk is full"):
        crawl(forager, tick=tick, lookup=no_dns)
    assert len(fetches) < 20


@pytest.mark.slow
def test_sites_that_wait_for_their_host_let_others_pass(demo: DemoServer) -> None:
    """One request under way in all, and a pause for each host: the sites take turns while their hosts rest."""
    settings = replace(FAST, delay=0.4, budget=12, obey_robots=False, concurrency=1)
    forager, fetches = forager_over(demo, settings)
    start = time.monotonic()
    crawl(forager, lookup=no_dns)
    assert len(fetches) == 12
    assert [site.pages for site in forager.sites] == [3] * 4
    assert time.monotonic() - start >= 0.8
    turns = [fetch.site for fetch in fetches]
    assert [set(turns[first : first + 4]) for first in (0, 4, 8)] == [set(turns)] * 3


# --- the verb ----------------------------------------------------------------------------------------------------


def workspace(folder: Path) -> Path:
    Workspace.create(folder).close()
    (folder / "trailmark.toml").write_text(
        '[forage]\ncontact = "tests@example.org"\nallow_hosts = ["*.localhost"]\ndelay = 0.0\nmax_redirects = 3\n'
        "max_wait = 0.0\n",
        encoding="utf-8",
    )
    return folder


DRIVER = """
import json, sys
from pathlib import Path
from trailmark.forage.scope import Seed
from trailmark.forage.breadth import Breadth
from trailmark.forage.forage_run import Errand, ForageRun
from trailmark.verbs.run_books import StoredBooks
from trailmark.settings import Settings, parse_settings
from trailmark.store.database import Database
folder, budget, *roots = sys.argv[1:]
settings = parse_settings((Path(folder) / "trailmark.toml").read_text() + f"budget = {budget}")
errand = Errand([Seed(root) for root in roots], Breadth(), log=Path(folder) / "log.jsonl")
try:
    with Database.open(Path(folder) / "trailmark.db") as database:
        books = StoredBooks(Path(folder), database, settings)
        print(json.dumps(ForageRun(errand, settings, books).run().to_json()))
except KeyboardInterrupt:
    sys.exit(130)
"""
"""The verb without the parts of the package that take seconds to load."""


def command(folder: Path, *words: str) -> list[str]:
    return [sys.executable, "-c", DRIVER, str(folder), *words]


def run(folder: Path, *words: str) -> dict[str, Any]:
    done = subprocess.run(command(folder, *words), capture_output=True, check=True, text=True)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def stop_after(server: DemoServer, requests: int, words: list[str], how: int) -> int:
    """Start a process, send it a signal once it asked so many things of the server; its exit code."""
    before = sum(server.requests.values())
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and sum(server.requests.values()) - before < requests:
            time.sleep(0.005)
        process.send_signal(how)
        return process.wait()


def fetched_again(server: DemoServer) -> Counter[str]:
    """How often each host gave a page it had given before; the hops of a redirect belong to the fetch they end in."""
    asked = [pair for pair in server.asked if pair[1] != "/robots.txt"]
    moved = {pair for pair in set(asked) if 300 <= server.answer(*pair).status < 400}
    times = Counter(pair for pair in asked if pair not in moved)
    again: Counter[str] = Counter()
    for (host, _), count in times.items():
        again[host] += count - 1
    return again


@pytest.mark.slow
def test_killed_live_it_asks_nothing_twice_but_what_was_in_flight(tmp_path: Path) -> None:
    with serve(DemoWeb(sites=4, pages=100)) as server:
        server.keep_log = True
        folder = workspace(tmp_path / "w")
        words = ["200", *(server.root(number) for number in range(4))]
        log = folder / "log.jsonl"
        deaths = 0
        for requests in (9, 57, 31):
            assert stop_after(server, requests, command(folder, *words), signal.SIGKILL) == -9
            deaths += 1
        report = run(folder, *words)
    assert report["resumed"]
    assert report["pages"] == 200
    fetches = [json.loads(line) for line in log.read_text().splitlines()]
    assert [fetch["n"] for fetch in fetches] == list(range(1, 201))
    assert len({fetch["url"] for fetch in fetches}) == 200
    assert max(fetched_again(server).values()) <= deaths
    archived = {response.url for path in (folder / "archive").glob("*.warc.gz") for response in read_archive(path)}
    assert {fetch["url"] for fetch in fetches if fetch["status"] == 200} <= archived


@pytest.mark.slow
def test_ctrl_c_live_ends_politely_and_the_rest_comes_later(tmp_path: Path) -> None:
    with serve(DemoWeb(sites=2, pages=100)) as server:
        server.keep_log = True
        folder = workspace(tmp_path / "w")
        words = ["60", server.root(0), server.root(1)]
        assert stop_after(server, 20, command(folder, *words), signal.SIGINT) == 130
        report = run(folder, *words)
    assert report["resumed"]
    assert report["pages"] == 60
    paths = Counter(pair for pair in server.asked if pair[1] != "/robots.txt" and "old-news" not in pair[1])
    assert set(paths.values()) == {1}


@pytest.mark.slow
def test_the_report_names_sites_goals_and_trails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from trailmark.cli.main import run as run_verb
    from trailmark.store import ArchiveWriter

    site = DemoWeb(sites=1, pages=100).site(0)
    archive = tmp_path / "web.warc.gz"
    with ArchiveWriter(archive) as writer:
        for response in site.responses():
            writer.write(response)
    folder = workspace(tmp_path / "w")
    seeds = tmp_path / "seeds.txt"
    seeds.write_text(f"# one site\n{site.root} host\nnonsense://x\n", encoding="utf-8")
    words = ["-w", str(folder), "forage", "--seeds", str(seeds), "--replay", str(archive), "--strategy", "breadth"]
    assert run_verb([*words, "--budget", "30", "--json"]) == 1
    out, err = capsys.readouterr()
    report = json.loads(out)
    assert f"{seeds}, line 3: 'nonsense://x' is not an http or https URL." in err
    assert report["bad_seeds"][0]["line"] == 3
    assert report["sites"] == [
        {
            "site": site.root,
            "scope": "host",
            "pages": 30,
            "goals": 0,
            "unsure": 0,
            "harvest_rate": 0.0,
            "ended": "budget",
            "same_as": "",
            "why": "",
        }
    ]
    picture = tmp_path / "harvest.svg"
    assert run_verb([*words, "--budget", "30", "--plot", str(picture)]) == 1
    assert "harvest rate" in picture.read_text(encoding="utf-8")
    assert run_verb([*words, "--plot", "harvest.xyz"]) == 2
    assert "must end in .png" in capsys.readouterr().err
    assert run_verb([*words, "--budget", "30"]) == 1
    out, err = capsys.readouterr()
    assert "run before" in out
    assert "budget" in out
    assert run_verb([*words, "--strategy", "path"]) == 2
    assert capsys.readouterr().err.endswith(" learn\n")
    assert run_verb(["-w", str(folder), "forage"]) == 2
    assert run_verb(["-w", str(folder), "forage", "mailto://a@b.c"]) == 2
    assert "not an http" in capsys.readouterr().err


@pytest.mark.slow
def test_an_error_in_the_queue_ends_the_crawl_and_is_raised(demo: DemoServer, monkeypatch: pytest.MonkeyPatch) -> None:
    forager, fetches = forager_over(demo, FAST)
    plain_next = forager.next

    def failing(now: float = 0.0) -> Any:
        if len(fetches) > 5:
            raise OSError("the database is gone")
        return plain_next(now)

    monkeypatch.setattr(forager, "next", failing)
    with pytest.raises(OSError, match="database is gone"):
        crawl(forager, lookup=no_dns)
