from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from trailmark.datatypes import Response
from trailmark.errors import ArchiveError, WorkspaceBusy, WorkspaceError
from trailmark.settings import StoreSettings
from trailmark.store.archive import ArchiveWarning, read_archive
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.replay import Replay


def _page(number: int) -> Response:
    return Response(f"http://a.example/{number}", 200, (("Content-Type", "text/html"),), b"<p>%d</p>" % number * 5)


def _urls(path: Path) -> list[str]:
    return [response.url for response in read_archive(path)]


def test_what_was_written_is_read_back_by_us_and_by_another_program(tmp_path: Path) -> None:
    pages = [
        _page(1),
        Response("http://a.example/old", 301, (("Location", "/1"),)),
        Response("http://a.example/x", 500),
    ]
    with ArchiveWriter(tmp_path / "archive") as writer:
        places = [writer.write(page) for page in pages]
    path = tmp_path / "archive" / "pages-00001.warc.gz"
    found = list(read_archive(path))
    assert [(each.url, each.status, each.body) for each in found] == [(p.url, p.status, p.body) for p in pages]
    assert found[1].header("Location") == "/1"
    assert {place[0] for place in places} == {path}
    with path.open("rb") as file:
        theirs = [(each.rec_type, each.rec_headers.get_header("WARC-Target-URI")) for each in ArchiveIterator(file)]
    assert theirs == [("warcinfo", None), *(("response", page.url) for page in pages)]
    with path.open("rb") as file:
        for page, (_, offset) in zip(pages, places, strict=True):
            file.seek(offset)
            assert next(iter(ArchiveIterator(file))).rec_headers.get_header("WARC-Target-URI") == page.url
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_digests_written_hold_in_the_eyes_of_another_program(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path / "a.warc.gz") as writer:
        writer.write(_page(3))
    with (tmp_path / "a.warc.gz").open("rb") as file:
        for record in ArchiveIterator(file, check_digests="raise"):
            record.content_stream().read()
            assert record.digest_checker.passed is not False


def test_codings_in_the_headers_do_not_outlive_the_coding(tmp_path: Path) -> None:
    headers = (("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"), ("Content-Length", "3"), ("A", "b"))
    inner = gzip.compress(b"a file that is itself compressed")
    with ArchiveWriter(tmp_path / "a.warc.gz") as writer:
        writer.write(Response("http://a.example/p.ps.gz", 200, headers, inner))
    (found,) = read_archive(tmp_path / "a.warc.gz")
    assert found.headers == (("A", "b"), ("Content-Length", str(len(inner))))
    assert found.body == inner


_anything = st.text(max_size=30)


@pytest.mark.slow
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=_anything,
    status=st.integers(100, 599),
    headers=st.lists(st.tuples(_anything, _anything), max_size=4).map(tuple),
    body=st.binary(max_size=200),
)
def test_nothing_in_a_response_breaks_its_record(
    tmp_path: Path, path: str, status: int, headers: tuple[tuple[str, str], ...], body: bytes
) -> None:
    archive = tmp_path / "a.warc.gz"
    archive.unlink(missing_ok=True)
    with ArchiveWriter(archive) as writer:
        writer.write(Response(f"http://a.example/{path}", status, headers, body))
        writer.write(_page(1))
    first, second = read_archive(archive)
    assert (first.status, first.body) == (status, body)
    assert (second.url, second.body) == (_page(1).url, _page(1).body)
    assert first.url.startswith("http://a.example/")


def test_redirects_on_the_way_are_replayed(tmp_path: Path) -> None:
    page = Response("http://a.example/c", 200, body=b"c", redirects=("http://a.example/a", "http://a.example/b"))
    with ArchiveWriter(tmp_path) as writer:
        path, offset = writer.write(page)
    with Replay([path]) as replay:
        found = replay.fetch("http://a.example/a")
        place = replay.index.find(page.url)
    assert (found.url, found.body, found.redirects) == (page.url, page.body, page.redirects)
    assert place is not None
    assert place.offset == offset


def test_a_full_file_is_followed_by_the_next(tmp_path: Path) -> None:
    small = StoreSettings(archive_bytes=1000)
    for round_ in range(2):
        with ArchiveWriter(tmp_path, settings=small) as writer:
            for number in range(10):
                writer.write(_page(round_ * 10 + number))
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files[:2]] == ["pages-00001.warc.gz", "pages-00002.warc.gz"]
    assert len(files) > 3
    assert [url for file in files for url in _urls(file)] == [_page(number).url for number in range(20)]


def test_a_second_writer_is_told_to_wait(tmp_path: Path) -> None:
    with ArchiveWriter(tmp_path), pytest.raises(WorkspaceBusy, match="another process"):
        ArchiveWriter(tmp_path)
    with ArchiveWriter(tmp_path / "a.warc.gz"), pytest.raises(WorkspaceBusy):
        ArchiveWriter(tmp_path / "a.warc.gz")
    with ArchiveWriter(tmp_path) as writer:
        writer.write(_page(1))


def test_a_closed_writer_and_a_place_without_folder_say_so(tmp_path: Path) -> None:
    writer = ArchiveWriter(tmp_path)
    writer.close()
    writer.close()
    with pytest.raises(WorkspaceError, match="closed"):
        writer.write(_page(1))
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(WorkspaceError, match="can't be written"):
        ArchiveWriter(tmp_path / "file" / "archive")


@pytest.mark.slow
def test_torn_at_every_byte_is_cut_off_and_written_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
    path = tmp_path / "a.warc.gz"
    with ArchiveWriter(path) as writer:
        ends = [writer.write(_page(number))[1] for number in range(2)]
    content = path.read_bytes()
    boundaries = [0, *ends, len(content)]
    for cut in range(len(content) + 1):
        path.write_bytes(content[:cut])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ArchiveWarning)
            with ArchiveWriter(path) as writer:
                writer.write(_page(99))
        whole = [_page(number).url for number in range(2) if boundaries[number + 2] <= cut]
        assert _urls(path) == [*whole, _page(99).url]
        assert bool(caught) == (cut not in boundaries)
    assert [file.name for file in tmp_path.iterdir()] == ["a.warc.gz"]


def test_a_tail_of_zeros_as_a_loss_of_power_leaves_it_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    with ArchiveWriter(path) as writer:
        writer.write(_page(1))
    path.write_bytes(path.read_bytes() + bytes(5000))
    with pytest.warns(ArchiveWarning, match="5000 bytes"), ArchiveWriter(path) as writer:
        writer.write(_page(2))
    assert _urls(path) == [_page(1).url, _page(2).url]


def test_damage_that_is_not_a_torn_tail_is_never_cut(tmp_path: Path) -> None:
    path = tmp_path / "pages-00001.warc.gz"
    with ArchiveWriter(tmp_path) as writer:
        offsets = [writer.write(_page(number))[1] for number in range(5)]
    content = bytearray(path.read_bytes())
    content[offsets[1] + 30] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match="damaged"):
        ArchiveWriter(path)
    with pytest.warns(ArchiveWarning, match="left as it is"), ArchiveWriter(tmp_path) as writer:
        assert writer.write(_page(9))[0].name == "pages-00002.warc.gz"
    assert path.read_bytes() == content
    notes = tmp_path / "notes.warc.gz"
    notes.write_bytes(b"my only copy")
    with pytest.raises(ArchiveError):
        ArchiveWriter(notes)
    assert notes.read_bytes() == b"my only copy"


def test_a_killed_writer_loses_at_most_its_last_record(tmp_path: Path) -> None:
    program = textwrap.dedent(
        """
        import sys
        from trailmark.datatypes import Response
        from trailmark.store.archive_writer import ArchiveWriter
        writer = ArchiveWriter(sys.argv[1])
        for number in range(1_000_000):
            writer.write(Response(f"http://a.example/{number}", 200, body=b"%d" % number * 2000))
            print(number, flush=True)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    for _ in range(150):
        line = process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    told = int(([line, *process.stdout.readlines()])[-1])
    process.wait()
    process.stdout.close()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ArchiveWarning)
        with ArchiveWriter(tmp_path) as writer:
            writer.write(_page(-1))
    (path,) = tmp_path.iterdir()
    urls = _urls(path)
    assert urls[-1] == _page(-1).url
    assert urls[:-1] == [f"http://a.example/{number}" for number in range(len(urls) - 1)]
    assert len(urls) - 1 >= told + 1
