"""The portal as files."""

from __future__ import annotations

import functools
import http.server
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.serve.app_visitor import wait_for
from tests.serve.portal_world import Reader, library
from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.serve.portal.file_ways import feed_file_name, item_file_name, topic_file_name, ways_of
from trailmark.serve.portal.inner_links import inner_links, target_of
from trailmark.serve.portal.publishing import publish
from trailmark.serve.portal.shown_text import clean
from trailmark.serve.portal.word_index import shard_of, words_in
from trailmark.store.library import Library
from trailmark.store.record_table import add_records
from trailmark.store.site_folder import MARK, SiteFolder
from trailmark.verbs.portal_catalogue import SORTS, read_catalogue
from trailmark.workspace import Workspace

ADDRESS = "https://papers.example/library"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library(tmp_path_factory.mktemp("publish") / "w")


@pytest.fixture(scope="module")
def site(world: Path) -> Path:
    folder = world.parent / "site"
    with Workspace.open(world) as workspace:
        report = publish(workspace, folder, address=f"{ADDRESS}/", jobs=1)
    assert report.broken == ()
    assert report.links > 1000
    return folder


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_every_page_is_there_and_every_link_leads_somewhere(site: Path) -> None:
    files = content(site)
    for name, body in files.items():
        if name.endswith(".html"):
            for link in inner_links(body):
                assert target_of(name, link) in files, f"{name}: {link}"
    assert sum(name.startswith("item/") and name.endswith(".html") for name in files) == 52
    for name in (
        "index.html",
        "about.html",
        "help.html",
        "search.html",
        "feed/newest.xml",
        "robots.txt",
        "sitemap.xml",
    ):
        assert name in files


def test_the_same_twice_is_the_same_and_nothing_is_written(world: Path, site: Path, tmp_path: Path) -> None:
    before = content(site)
    with Workspace.open(world) as workspace:
        again = publish(workspace, site, address=f"{ADDRESS}/", jobs=1)
        elsewhere = publish(workspace, tmp_path / "other", address=f"{ADDRESS}/", jobs=2)
    assert (again.written, again.taken_away) == (0, 0)
    assert elsewhere.files == again.files
    assert content(tmp_path / "other") == before == content(site)


def test_what_is_gone_is_taken_away_and_what_is_not_ours_is_never_touched(world: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    with Workspace.open(world) as workspace:
        publish(workspace, folder, jobs=1)
        (folder / "item" / "zz").mkdir()
        (folder / "item" / "zz" / "old.html").write_text("gone")
        assert publish(workspace, folder, jobs=1).taken_away == 1
        assert not (folder / "item" / "zz").exists()
        other = tmp_path / "home"
        other.mkdir()
        (other / "thesis.tex").write_text("years of work")
        with pytest.raises(InputError, match="not published by Trailmark"):
            publish(workspace, other, jobs=1)
    assert content(other) == {"thesis.tex": b"years of work"}


def test_hostile_records_stay_text(site: Path) -> None:
    for name, body in content(site).items():
        if name.endswith(".html"):
            assert b"<script>alert" not in body, name
            assert b"onerror=alert(1)>" not in body.replace(b"&gt;", b""), name
            assert b'href="javascript:' not in body, name
            assert "\u202e".encode() not in body, name


def test_of_a_file_of_this_machine_its_name_is_told_alone(trailmark: Any, tmp_path: Path) -> None:
    with Workspace.create(tmp_path / "w") as workspace:
        fields = {"title": ("On Heaps",), "author": ("A. Person",)}
        record = Record("file:///home/person/secret%20plans/on%20heaps.pdf", "paper", fields, "tag:x")
        with workspace.database.transaction() as connection:
            add_records(connection, [record], at="2026-01-02T03:04:05+00:00")
    assert trailmark("-w", tmp_path / "w", "organise").code == 0
    with Workspace.open(tmp_path / "w") as workspace:
        assert publish(workspace, tmp_path / "site", jobs=1).items == 1
    files = content(tmp_path / "site")
    assert not [name for name, body in files.items() if b"secret" in body or b"/home/" in body]
    page = next(body for name, body in files.items() if name.startswith("item/") and name.endswith(".html"))
    assert b"on heaps.pdf" in page
    assert b"1 item." in files["index.html"]
    reader = Reader(tmp_path / "w")
    for way in (
        "/search?q=heaps",
        "/search.csv?q=heaps",
        "/api/v1/search?q=heaps",
        "/oai?verb=ListRecords&metadataPrefix=oai_dc",
    ):
        answer = reader.get(way)
        assert (answer.status_code, "Heaps" in answer.text, "secret" in answer.text) == (200, True, False), way


def test_feeds_and_permanent_links_have_the_public_address(site: Path) -> None:
    feed = (site / "feed" / "newest.xml").read_text(encoding="utf-8")
    assert f"<id>{ADDRESS}/feed/newest.xml</id>" in feed
    assert f"<id>{ADDRESS}/item/" in feed
    assert f"Sitemap: {ADDRESS}/sitemap.xml" in (site / "robots.txt").read_text()


def test_nothing_organised_is_a_sentence(trailmark: Any, workspace: Path, tmp_path: Path) -> None:
    ended = trailmark("-w", workspace, "publish", tmp_path / "site")
    assert ended.code == 2
    assert "Nothing was organised yet" in ended.err
    assert not (tmp_path / "site").exists()


def test_the_command_says_what_was_written(trailmark: Any, world: Path, tmp_path: Path) -> None:
    report = trailmark("-w", world, "publish", tmp_path / "site", "--jobs", "1", "--json").report
    assert (report["items"], report["broken"], report["address"]) == (52, [], "")
    assert report["files"] == report["written"] == len(content(tmp_path / "site")) - 1


TOPICS = st.text(min_size=1, max_size=60)


@given(st.lists(TOPICS, unique=True, max_size=8))
def test_no_two_pages_share_a_file(topics: list[str]) -> None:
    names = [topic_file_name(topic, sort, page) for topic in topics for sort in SORTS for page in (1, 2)]
    assert len(set(names)) == len(names)
    for name in (*names, *map(feed_file_name, topics)):
        assert name.isascii()
        assert ".." not in name
        assert len(name) < 100


@given(st.sampled_from(("index.html", "topic/a-1.html", "item/ab/abc.html", "feed/x.xml")), TOPICS)
def test_a_way_from_any_page_leads_to_its_file(page: str, topic: str) -> None:
    ways = ways_of(page, "https://a.example")
    assert target_of(page, ways.topic(topic, "cited", 3)) == topic_file_name(topic, "cited", 3)
    assert target_of(page, ways.item("abcdef012345")) == item_file_name("abcdef012345", "html")
    assert target_of(page, ways.search(topic, {"topic": topic})) == "search.html"
    assert ways.whole(ways.item("abcdef012345")) == "https://a.example/item/ab/abcdef012345.html"


@given(st.text(max_size=50))
def test_words_of_the_index_are_plain(text: str) -> None:
    for word in words_in(text):
        assert 0 < len(word) <= 30
        assert shard_of(word).isalnum()
        assert shard_of(word).isascii()


def test_two_writers_of_one_folder_leave_it_whole(tmp_path: Path) -> None:
    folder = SiteFolder(tmp_path / "site")
    with folder.claimed():
        crowd = [threading.Thread(target=folder.write, args=("a/b.html", b"x" * 100_000)) for _ in range(8)]
        for each in crowd:
            each.start()
        for each in crowd:
            each.join()
    assert content(tmp_path / "site") == {MARK: (tmp_path / "site" / MARK).read_bytes(), "a/b.html": b"x" * 100_000}


def test_one_publishes_into_a_folder_at_a_time(trailmark: Any, world: Path, tmp_path: Path) -> None:
    with SiteFolder(tmp_path / "site").claimed():
        ended = trailmark("-w", world, "publish", tmp_path / "site", "--jobs", "1")
        assert (ended.code, {*content(tmp_path / "site")}) == (2, {MARK})
        assert "is being published by another process: nothing was done" in ended.err
    assert trailmark("-w", world, "publish", tmp_path / "site", "--jobs", "1").code == 0


def test_links_in_the_folder_lead_nothing_out(world: Path, tmp_path: Path) -> None:
    folder, outside = tmp_path / "site", tmp_path / "outside"
    with Workspace.open(world) as workspace:
        publish(workspace, folder, jobs=1)
        before = content(folder)
        outside.mkdir()
        (outside / "diary").write_text("mine")
        shutil.rmtree(folder / "item")
        (folder / "item").symlink_to(outside)
        (folder / "index.html").unlink()
        (folder / "index.html").symlink_to(outside / "diary")
        (folder / "topic" / "more").symlink_to(outside)
        publish(workspace, folder, jobs=1)
        assert content(folder) == before
        other = tmp_path / "other"
        other.mkdir()
        (other / MARK).symlink_to(outside / "diary")
        with pytest.raises(InputError, match="not published by Trailmark"):
            publish(workspace, other, jobs=1)
    assert not any(path.is_symlink() for path in folder.rglob("*"))
    assert content(outside) == {"diary": b"mine"}


def test_what_begins_with_a_dot_at_the_top_is_the_owners(world: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/pages")
    with Workspace.open(world) as workspace:
        publish(workspace, folder, jobs=1)
        (folder / ".nojekyll").touch()
        (folder / f"{MARK}-1-2").write_text("left by one that was killed")
        assert publish(workspace, folder, jobs=1).taken_away == 1
    assert (folder / ".git" / "HEAD").read_text() == "ref: refs/heads/pages"
    assert (folder / ".nojekyll").exists()


@pytest.mark.parametrize("place", [".", "..", "archive", "models", "archive/site", "../link"])
def test_nothing_is_published_over_a_workspace(trailmark: Any, tmp_path: Path, place: str) -> None:
    world = library(tmp_path / "around" / "w")
    with SiteFolder(tmp_path / "elsewhere").claimed():
        pass
    for claimed in (world, world.parent, world / "archive"):
        shutil.copy(tmp_path / "elsewhere" / MARK, claimed / MARK)  # as if it had been published to before
    (world.parent / "link").symlink_to(world)
    before = {*world.parent.rglob("*")}
    ended = trailmark("-w", world, "publish", world / place, "--jobs", "1")
    assert ended.code == 2
    assert "or belongs to it: name another folder" in ended.err
    assert before <= {*world.parent.rglob("*")}


@pytest.fixture
def served(site: Path) -> Iterator[str]:
    handler = functools.partial(_Quiet, directory=str(site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def having(world: Path, *words: str) -> set[str]:
    """Titles of the items that have all the words, by reading every one."""
    opened = Library.open(world)
    assert opened is not None
    with opened, Workspace.open(world) as workspace, opened.reading(60):
        catalogue = read_catalogue(opened, world, workspace.settings)
        entries = catalogue.entries(opened, range(len(catalogue.shelf)))
    return {
        clean(entry.title)
        for entry in entries
        if {*words} <= {*words_in(f"{entry.title} {entry.subtitle} {entry.summary}")}
    }


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_a_reader_searches_in_the_browser(world: Path, served: str, browser_page: Any) -> None:
    page = browser_page
    page.goto(f"{served}/index.html")
    page.fill("#q", "neural network")
    page.press("#q", "Enter")
    page.wait_for_selector("#hits .entry")
    assert "/search.html?q=neural+network" in page.url
    assert "items" in page.inner_text("#status")
    assert set(page.locator("#hits .what").all_inner_texts()) == having(world, "neural", "network")
    page.goto(f"{served}/search.html?q=neural+-network")
    page.wait_for_selector("#status:not(:empty)")
    page.wait_for_function("!document.getElementById('status').textContent.startsWith('Searching')")
    without = having(world, "neural") - having(world, "neural", "network")
    assert set(page.locator("#hits .what").all_inner_texts()) == without
    page.goto(f"{served}/search.html?q=neur*+1800..1900")
    page.wait_for_function("document.getElementById('status').textContent.startsWith('0 items')")
    page.goto(f"{served}/search.html?q=text:neural+title:%22network%22")
    page.wait_for_selector("#hits .entry")
    assert set(page.locator("#hits .what").all_inner_texts()) == having(world, "neural", "network")
    page.goto(f"{served}/search.html?q=alert")
    page.wait_for_selector("#hits .entry")
    page.click("#hits .entry a")
    page.wait_for_selector("h1")
    assert page.evaluate("window.owned") is None


HELD = """
import multiprocessing, sys, time
from pathlib import Path
from trailmark.serve.portal import publishing
from trailmark.workspace import Workspace

def held(parts, name):
    for part in parts:
        print(*(child.pid for child in multiprocessing.active_children()), flush=True)
        time.sleep(600)
        yield part

if __name__ == "__main__":
    publishing.FEW = 1
    with Workspace.open(Path(sys.argv[1])) as workspace:
        publishing.publish(workspace, sys.argv[2], jobs=2, progress=held)
"""


def _is_there(number: int) -> bool:
    """Whether a process is at work; one that ended and that nobody asked after is not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{number}/status").read_text(encoding="utf-8")
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="processes are looked at in /proc")
def test_workers_end_by_themselves_when_the_one_they_work_for_was_killed(world: Path, tmp_path: Path) -> None:
    script = tmp_path / "held.py"
    script.write_text(HELD, encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(script), str(world), str(tmp_path / "site")], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        workers = [int(number) for number in parent.stdout.readline().split()]
        assert workers
        assert all(map(_is_there, workers))
        parent.kill()
    wait_for(lambda: not any(map(_is_there, workers)))
