from __future__ import annotations

import gzip
import lzma
import multiprocessing
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trailmark.datatypes import Response
from trailmark.errors import ArchiveError, WorkspaceError
from trailmark.settings import StoreSettings
from trailmark.store.archive import ArchiveWarning
from trailmark.store.archive_index import ArchiveIndex
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.replay import Replay
from trailmark.store.warc_record import response_record
from trailmark.url_key import url_key


def _write(path: Path, *answers: tuple[str, bytes]) -> Path:
    with ArchiveWriter(path) as writer:
        for name, body in answers:
            writer.write(Response(f"http://a.example/{name}", 200, body=body))
    return path


def _body(index: ArchiveIndex, name: str) -> bytes | None:
    place = index.find(f"http://a.example/{name}")
    return None if place is None else index.read(place).body


def _redirecting(path: Path, *ways: tuple[str, str]) -> Path:
    with ArchiveWriter(path) as writer:
        for here, there in ways:
            writer.write(Response(f"http://a.example/{here}", 301, (("Location", there),)))
    return path


def test_later_records_and_later_archives_win(tmp_path: Path) -> None:
    first = _write(tmp_path / "1.warc.gz", ("a", b"old"), ("b", b"old"), ("a", b"new"))
    second = _write(tmp_path / "2.warc.gz", ("b", b"newest"))
    with ArchiveIndex([first, second]) as index:
        assert (_body(index, "a"), _body(index, "b"), _body(index, "c")) == (b"new", b"newest", None)
        assert list(index.urls()) == ["http://a.example/a", "http://a.example/b"]
    with ArchiveIndex([second, first]) as index:
        assert _body(index, "b") == b"old"


def test_an_index_on_disk_is_used_again(tmp_path: Path) -> None:
    archive = _write(tmp_path / "a.warc.gz", ("a", b"1"))
    with ArchiveIndex([archive], tmp_path / "index.db") as index:
        assert index.refresh() == 0
    with ArchiveIndex([archive], tmp_path / "index.db") as index:
        assert index.refresh() == 0
        assert _body(index, "a") == b"1"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.warc.gz", "index.db", "index.db.lock"]


def test_an_archive_that_grew_is_read_on_from_its_last_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = _write(tmp_path / "a.warc.gz", *((f"{n}", b"%d" % n) for n in range(50)))
    with ArchiveIndex([archive], tmp_path / "index.db") as index:
        _write(archive, ("50", b"50"), ("7", b"seven"))
        starts: list[int] = []
        plain = ArchiveIndex._addresses

        def noted(self: ArchiveIndex, path: Path, start: int, *, unpacked: bool) -> list[tuple[str, int]] | None:
            starts.append(start)
            return plain(self, path, start, unpacked=unpacked)

        monkeypatch.setattr(ArchiveIndex, "_addresses", noted)
        assert index.refresh() == 1
        assert len(starts) == 1
        assert starts[0] > 0
        assert [_body(index, name) for name in ("0", "7", "49", "50")] == [b"0", b"seven", b"49", b"50"]


def test_an_archive_that_was_replaced_is_read_anew(tmp_path: Path) -> None:
    archive = _write(tmp_path / "a.warc.gz", ("a", b"1"), ("b", b"1"))
    with ArchiveIndex([archive], tmp_path / "index.db"):
        pass
    archive.unlink()
    _write(archive, *((f"c{n}", b"longer than before") for n in range(9)))
    with ArchiveIndex([archive], tmp_path / "index.db") as index:
        assert (_body(index, "a"), _body(index, "c3")) == (None, b"longer than before")


def test_an_archive_changed_under_the_index_is_an_archive_error(tmp_path: Path) -> None:
    archive = _write(tmp_path / "a.warc.gz", ("a", b"1"))
    with ArchiveIndex([archive]) as index:
        archive.write_bytes(b"\x1f\x8b" + bytes(200))
        with pytest.raises(ArchiveError, match="changed"):
            _body(index, "a")


def test_archives_not_asked_for_stay_unseen(tmp_path: Path) -> None:
    first, second = (_write(tmp_path / f"{name}.warc.gz", (name, b"1")) for name in "ab")
    with ArchiveIndex([first, second], tmp_path / "index.db"):
        pass
    with ArchiveIndex([second], tmp_path / "index.db") as index:
        assert (_body(index, "a"), _body(index, "b")) == (None, b"1")
        assert list(index.urls()) == ["http://a.example/b"]


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["noise", "half", "other format", "empty"])
def test_a_damaged_index_is_made_anew(tmp_path: Path, damage: str) -> None:
    archive = _write(tmp_path / "a.warc.gz", *((f"{n}", b"%d" % n) for n in range(200)))
    path = tmp_path / "index.db"
    with ArchiveIndex([archive], path):
        pass
    if damage == "other format":
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA user_version = 99")
        connection.close()
    else:
        content = path.read_bytes()
        damaged = {"noise": b"noise" * 999, "half": content[:4096] + b"\xff" * (len(content) - 4096), "empty": b""}
        path.write_bytes(damaged[damage])
    with ArchiveIndex([archive], path) as index:
        assert _body(index, "150") == b"150"


def test_an_index_that_has_no_folder_is_a_workspace_error(tmp_path: Path) -> None:
    archive = _write(tmp_path / "a.warc.gz", ("a", b"1"))
    with pytest.raises(WorkspaceError):
        ArchiveIndex([archive], tmp_path / "none" / "index.db")


def test_a_missing_archive_is_an_error_and_an_empty_one_a_warning(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="check the name"):
        ArchiveIndex([tmp_path / "none.warc"])
    (tmp_path / "empty.warc.gz").write_bytes(b"")
    with pytest.warns(ArchiveWarning, match="empty"), ArchiveIndex([tmp_path / "empty.warc.gz"]) as index:
        assert index.find("http://a.example/") is None


def test_a_torn_archive_is_indexed_up_to_the_break(tmp_path: Path) -> None:
    archive = _write(tmp_path / "a.warc.gz", ("a", b"1"), ("b", b"2"))
    archive.write_bytes(archive.read_bytes()[:-20])
    with pytest.warns(ArchiveWarning, match="cut off"), ArchiveIndex([archive]) as index:
        assert (_body(index, "a"), _body(index, "b")) == (b"1", None)


def test_archives_in_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    folder = tmp_path / "fixed"
    folder.mkdir()
    archive = folder / "a.warc.xz"
    archive.write_bytes(lzma.compress(response_record(Response("http://a.example/a", 200, body=b"1"))))
    folder.chmod(0o555)
    try:
        with ArchiveIndex([archive], tmp_path / "index.db") as index:
            assert _body(index, "a") == b"1"
        with ArchiveIndex([archive], tmp_path / "index.db") as index:
            assert _body(index, "a") == b"1"
        assert [file.name for file in folder.iterdir()] == ["a.warc.xz"]
    finally:
        folder.chmod(0o755)


@pytest.mark.slow
def test_more_archives_than_files_kept_open(tmp_path: Path) -> None:
    archives = [_write(tmp_path / f"{n}.warc.gz", (f"{n}", b"%d" % n)) for n in range(40)]
    with ArchiveIndex(archives) as index:
        assert [_body(index, f"{n}") for n in range(40)] == [b"%d" % n for n in range(40)]
        assert len(index._files) <= 32


def test_replay_answers_404_for_what_is_not_there(tmp_path: Path) -> None:
    with Replay([_write(tmp_path / "a.warc.gz", ("a", b"1"))]) as replay:
        assert replay.fetch("http://a.example/a").body == b"1"
        missing = replay.fetch("http://a.example/none#part")
        assert (missing.status, missing.url, missing.body) == (404, "http://a.example/none", b"")
        assert "http://a.example/a" in replay
        assert "http://a.example/none" not in replay


def test_replay_follows_redirects_and_says_which(tmp_path: Path) -> None:
    archive = _redirecting(tmp_path / "a.warc.gz", ("a", "b"), ("b", "http://a.example/c#top"), ("gone", "/nowhere"))
    _write(archive, ("c", b"found"))
    with Replay([archive]) as replay:
        found = replay.fetch("http://a.example/a")
        assert (found.status, found.url, found.body) == (200, "http://a.example/c", b"found")
        assert found.redirects == ("http://a.example/a", "http://a.example/b")
        gone = replay.fetch("http://a.example/gone")
        assert (gone.status, gone.url, gone.redirects) == (404, "http://a.example/nowhere", ("http://a.example/gone",))


def test_replay_ends_in_circles_and_long_chains(tmp_path: Path) -> None:
    ways = [("self", "self"), ("a", "b"), ("b", "a"), *((f"{n}", f"{n + 1}") for n in range(30))]
    archive = _redirecting(tmp_path / "a.warc.gz", *ways)
    _write(archive, ("30", b"end"))
    with Replay([archive]) as replay:
        for name in ("self", "a"):
            response = replay.fetch(f"http://a.example/{name}")
            assert (response.status, response.header("X-Trailmark-Replay")) == (508, "the redirects go in a circle")
        assert replay.fetch("http://a.example/a").redirects == ("http://a.example/a", "http://a.example/b")
        assert replay.fetch("http://a.example/0").status == 508
        assert replay.fetch("http://a.example/20").body == b"end"
        assert replay.fetch("http://a.example/19").status == 508


@pytest.mark.parametrize("location", ["", "mailto:a@b.example", "http://[bad", "ftp://a.example/"])
def test_a_redirect_that_leads_nowhere_is_given_as_it_is(tmp_path: Path, location: str) -> None:
    with Replay([_redirecting(tmp_path / "a.warc.gz", ("a", location))]) as replay:
        assert replay.fetch("http://a.example/a").status == 301


def test_a_redirect_between_spellings_of_one_url_is_no_circle(tmp_path: Path) -> None:
    # The redirect is the later record: the exact spelling must win over it.
    archive = _write(tmp_path / "a.warc.gz", ("~ada/", b"Ada"))
    _redirecting(archive, ("%7Eada/", "/~ada/"))
    with Replay([archive]) as replay:
        assert replay.fetch("http://a.example/%7Eada/").body == b"Ada"
        assert replay.fetch("http://a.example/~ada/").redirects == ()


@pytest.mark.parametrize(
    ("asked", "archived"),
    [
        ("http://a.example/x#part", "http://a.example/x"),
        ("HTTP://A.Example:80/x", "http://a.example/x"),
        ("https://a.example:443", "https://a.example/"),
        ("http://a.example/caf%C3%A9?q=%c3%a9", "http://a.example/café?q=é"),
        ("http://a.example/%7eada/a%2fb", "http://a.example/~ada/a%2Fb"),
        ("http://a.example/a b", "http://a.example/a%20b"),
        ("http://a.example/a/../b/./c", "http://a.example/b/c"),
        ("http://a.example/a/..", "http://a.example/"),
        ("http://b\u00fccher.example/", "http://xn--bcher-kva.example/"),
        ("http://a.example/x?", "http://a.example/x"),
        ("http://a.example/p?sid=2&x=1", "http://a.example/p?sid=1&x=1"),
        ("http://a.example/p;jsessionid=A?x=1", "http://a.example/p?x=1"),
    ],
)
def test_spellings_of_one_url_meet(tmp_path: Path, asked: str, archived: str) -> None:
    assert url_key(asked) == url_key(archived)
    path = tmp_path / "a.warc.gz"
    path.write_bytes(gzip.compress(response_record(Response(archived, 200, body=b"1"))))
    with Replay([path]) as replay:
        assert (replay.fetch(asked).body, replay.fetch(asked).url) == (b"1", archived)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/x", "https://a.example/x"),
        ("http://a.example/x", "http://a.example/X"),
        ("http://a.example/a/b", "http://a.example/a%2Fb"),
        ("http://a.example/x", "http://a.example/x/"),
        ("http://a.example/x?a", "http://a.example/x"),
        ("http://a.example:8080/", "http://a.example/"),
    ],
)
def test_different_urls_stay_apart(one: str, other: str) -> None:
    assert url_key(one) != url_key(other)


def test_the_very_url_is_found_before_one_that_differs_in_its_session(tmp_path: Path) -> None:
    archive = _write(tmp_path / "a.warc.gz", ("p?sid=1", b"one"), ("p?sid=2", b"two"))
    with Replay([archive]) as replay:
        assert [replay.fetch(f"http://a.example/p?sid={n}").body for n in (1, 2, 3)] == [b"one", b"two", b"two"]


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(
    st.text(max_size=40)
    | st.text("/.%:?#[]@a7e80é \n", max_size=40).map("http://".__add__)
    | st.lists(st.sampled_from(["sid=1", "sess=", ";", "&", "?", "/", "a=1", "jsessionid=2", "%73id=3", "s"])).map(
        lambda parts: "http://a.example/" + "".join(parts)
    )
)
def test_a_key_is_its_own_key(url: str) -> None:
    assert url_key(url_key(url)) == url_key(url)


def _find_all(archive: Path, index: Path, many: int) -> None:
    with ArchiveIndex([archive], index) as opened:
        for number in range(many):
            assert _body(opened, f"{number}") == b"%d" % number


@pytest.mark.slow
def test_processes_may_share_an_index_that_is_not_there_yet(tmp_path: Path) -> None:
    archive = _write(tmp_path / "a.warc.gz", *((f"{n}", b"%d" % n) for n in range(300)))
    context = multiprocessing.get_context("spawn")
    readers = [context.Process(target=_find_all, args=(archive, tmp_path / "index.db", 300)) for _ in range(3)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
    assert [reader.exitcode for reader in readers] == [0, 0, 0]


def test_settings_reach_the_bodies(tmp_path: Path) -> None:
    with Replay([_write(tmp_path / "a.warc.gz", ("a", bytes(5000)))], settings=StoreSettings(max_bytes=1000)) as replay:
        assert len(replay.fetch("http://a.example/a").body) == 1000
