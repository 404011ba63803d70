from __future__ import annotations

import gzip
import io
import lzma
import re
import struct
import warnings
import zlib
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from trailmark.datatypes import Response
from trailmark.errors import ArchiveError
from trailmark.settings import StoreSettings
from trailmark.store.archive import ArchiveWarning, archives_in, read_archive
from trailmark.store.archive_index import ArchiveIndex
from trailmark.store.http_message import CUT_HEADER, parse_response
from trailmark.store.warc_record import response_record, warcinfo_record

PAGES = tuple(Response(f"http://a.example/{n}", 200, body=f"<p>page {n}</p>".encode() * (n + 1)) for n in range(8))
RECORDS = [warcinfo_record("a.warc", software="a test"), *map(response_record, PAGES)]


def _zst_with_dictionary(records: list[bytes], *, packed: bool) -> bytes:
    trained = zstandard.train_dictionary(
        2000, [record[k : k + 100] for record in records * 40 for k in range(0, 300, 7)]
    )
    frame = zstandard.compress(trained.as_bytes()) if packed else trained.as_bytes()
    compressor = zstandard.ZstdCompressor(dict_data=trained)
    return struct.pack("<II", 0x184D2A5D, len(frame)) + frame + b"".join(map(compressor.compress, records))


PACKED = {
    "plain.warc": b"".join(RECORDS),
    "members.warc.gz": b"".join(map(gzip.compress, RECORDS)),
    "whole.warc.gz": gzip.compress(b"".join(RECORDS)),
    "frames.warc.zst": b"".join(map(zstandard.compress, RECORDS)),
    "whole.warc.zst": zstandard.compress(b"".join(RECORDS)),
    "dictionary.warc.zst": _zst_with_dictionary(RECORDS, packed=False),
    "packed-dictionary.warc.zst": _zst_with_dictionary(RECORDS, packed=True),
    "whole.warc.xz": lzma.compress(b"".join(RECORDS)),
    "misnamed.warc.gz": b"".join(RECORDS),
}


def _bodies(path: Path) -> dict[str, bytes]:
    return {response.url: response.body for response in read_archive(path)}


@pytest.mark.parametrize("name", PACKED)
def test_every_packing_is_read_in_order_and_by_url(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(PACKED[name])
    responses = list(read_archive(path))
    assert [(each.url, each.status, each.body) for each in responses] == [(p.url, 200, p.body) for p in PAGES]
    with ArchiveIndex([path]) as index:
        for page in reversed(PAGES):
            place = index.find(page.url)
            assert place is not None
            assert place.unpacked == name.startswith(("whole", "dictionary", "packed"))
            assert index.read(place).body == page.body
    assert [file.name for file in tmp_path.iterdir()] == [name]


def _by_warcio(path: Path, *, packed: bool) -> None:
    html = b"<p>caf\xc3\xa9</p>" * 50
    chunked = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (html[:100], html[100:])) + b"0\r\n\r\n"
    answers = {
        "plain": ([("Content-Type", "text/html")], html),
        "chunked": ([("Transfer-Encoding", "chunked")], chunked),
        "gzip": ([("Content-Encoding", "gzip")], gzip.compress(html)),
        "x-gzip": ([("Content-Encoding", "x-gzip")], gzip.compress(html[:99]) + gzip.compress(html[99:])),
        "zlib": ([("content-encoding", "DEFLATE")], zlib.compress(html)),
        "deflate": ([("Content-Encoding", "deflate")], zlib.compress(html)[2:-4]),
        "br": ([("Content-Encoding", "br")], brotli.compress(html)),
        "zstd": ([("Content-Encoding", "zstd")], zstandard.compress(html)),
        "twice": ([("Content-Encoding", "deflate, gzip")], gzip.compress(zlib.compress(html))),
        "gzip-lie": ([("Content-Encoding", "gzip")], html),
        "chunked-lie": ([("Transfer-Encoding", "chunked")], html),
    }
    both = b"%x\r\n%s\r\n0\r\n\r\n" % (len(gzip.compress(html, mtime=0)), gzip.compress(html, mtime=0))
    answers["both"] = ([("Transfer-Encoding", "chunked"), ("Content-Encoding", "gzip")], both)
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=packed)
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "another"}))
        for name, (headers, body) in answers.items():
            head = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.0" if name == "plain" else "HTTP/1.1")
            url = f"http://b.example/{name}"
            request = StatusAndHeaders("GET / HTTP/1.1", [("Host", "b.example")], is_http_request=True)
            writer.write_record(writer.create_warc_record(url, "request", http_headers=request))
            writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head))
        moved = StatusAndHeaders("301 Moved", [("Location", "/plain")], protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record("http://b.example/old", "response", http_headers=moved))
        writer.write_record(
            writer.create_revisit_record("http://b.example/plain", "sha1:AAAA", "http://b.example/plain", "2020-01-01")
        )
        writer.write_record(
            writer.create_warc_record(
                "http://b.example/r", "resource", payload=io.BytesIO(b"r"), warc_content_type="a/b"
            )
        )
        writer.write_record(
            writer.create_warc_record(
                "dns:b.example", "response", payload=io.BytesIO(b"1"), warc_content_type="text/dns"
            )
        )


@pytest.mark.parametrize("packed", [True, False])
def test_archives_written_by_another_program_are_unpacked(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "b.warc.gz"
    _by_warcio(path, packed=packed)
    responses = {response.url.rpartition("/")[2]: response for response in read_archive(path)}
    assert len(responses) == 13
    moved = responses.pop("old")
    assert (moved.status, moved.header("location"), moved.body) == (301, "/plain", b"")
    for name, response in responses.items():
        assert response.body == b"<p>caf\xc3\xa9</p>" * 50, name
        assert response.header("Transfer-Encoding") == response.header("Content-Encoding") == "", name
    assert responses["plain"].header("content-type") == "text/html"


@pytest.mark.parametrize(
    ("block", "status", "body"),
    [
        (b"HTTP/1.1 200 OK\r\n\r\nx", 200, b"x"),
        (b"HTTP/1.0 404\n\nx", 404, b"x"),
        (b"HTTP/2 204 \r\nA: b\r\n\r\n", 204, b""),
        (b"HTTP/1.1 200 OK", 200, b""),
        (b"HTTP/1.1 OK\r\n\r\nx", 502, b"x"),
        (b"HTTP/1.1 20000 OK\r\n\r\nx", 502, b"x"),
        (b"http/1.1 200 ok\r\nno colon\r\n: no name\r\n\r\nx", 200, b"x"),
        (b"<p>no head</p>", 200, b"<p>no head</p>"),
        (b"", 200, b""),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: rot13\r\n\r\nx", 200, b"x"),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"x" * 99, mtime=0)[:-9], 200, b"x" * 99),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(b"", mtime=0), 200, b""),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n" + zlib.compress(b""), 200, b""),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n" + brotli.compress(b""), 200, b""),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\n\r\n<p>not br</p>", 200, b"<p>not br</p>"),
        (b"HTTP/1.1 304 OK\r\nContent-Encoding: gzip\r\n\r\n", 304, b""),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\ncut off", 200, b"cut off"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\nabc\n0\n\n", 200, b"abc"),
    ],
)
def test_broken_messages_are_read_as_far_as_they_go(block: bytes, status: int, body: bytes) -> None:
    response = parse_response(block, url="http://a.example/", max_bytes=1000)
    assert (response.status, response.body) == (status, body)


def test_headers_may_be_folded_repeated_and_in_any_charset() -> None:
    block = b"HTTP/1.1 200 OK\r\nA: one\r\n two\r\nA:three\r\nB: caf\xe9\r\nC: caf\xc3\xa9\r\n\r\n"
    response = parse_response(block, url="u", max_bytes=10)
    assert response.headers == (("A", "one two"), ("A", "three"), ("B", "café"), ("C", "café"))


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
def test_a_bomb_is_cut_off_and_the_response_says_so(coding: str) -> None:
    zeros = bytes(5_000_000)
    packers = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "zstd": zstandard.compress}
    bomb = packers["gzip"](packers["gzip"](zeros)) if "," in coding else packers[coding](zeros)
    block = f"HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n".encode() + bomb
    response = parse_response(block, url="u", max_bytes=100_000)
    assert response.body == bytes(100_000)
    assert "100000" in response.header(CUT_HEADER)


def test_a_large_body_is_cut_off_and_the_next_record_still_read(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(response_record(Response("http://a.example/big", 200, body=bytes(400_000))) + RECORDS[1])
    big, small = read_archive(path, settings=StoreSettings(max_bytes=1000))
    assert len(big.body) == 1000
    assert big.header(CUT_HEADER)
    assert (small.body, small.header(CUT_HEADER)) == (PAGES[0].body, "")


@pytest.mark.parametrize(
    "content", [b"", b"hello", b"\x1f\x8b" + bytes(50), gzip.compress(b"hello", mtime=0), b"WARC/1.0\r\n"]
)
def test_what_is_no_archive_is_an_archive_error_that_names_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "no.warc.gz"
    path.write_bytes(content)
    with pytest.raises(ArchiveError, match=r"no\.warc\.gz"):
        list(read_archive(path))


def test_a_missing_archive_is_reported_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(ArchiveError, match="check the name"):
        read_archive(tmp_path / "none.warc")
    with pytest.raises(ArchiveError):
        read_archive(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain.warc", "members.warc.gz", "frames.warc.zst", "whole.warc.gz", "whole.warc.xz"])
def test_torn_anywhere_gives_the_whole_records_and_a_warning(tmp_path: Path, name: str) -> None:
    content, path = PACKED[name], tmp_path / name
    step = 3 if name == "members.warc.gz" else 17
    ends = [len(b"".join(map(gzip.compress, RECORDS[: n + 2]))) for n in range(len(PAGES))]
    seen = set()
    for cut in range(0, len(content) - 1, step):
        path.write_bytes(content[:cut])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ArchiveWarning)
            try:
                found = [response.body for response in read_archive(path)]
            except ArchiveError:
                found = []
        assert found == [page.body for page in PAGES[: len(found)]]
        assert {warning.category for warning in caught} <= {ArchiveWarning}
        seen.add(len(found))
        if name == "members.warc.gz":
            assert len(found) >= sum(end <= cut for end in ends)
    assert seen >= set(range(8)) or name.startswith("whole")


def test_the_archives_of_a_folder_come_in_order(tmp_path: Path) -> None:
    for name in ("pages-00002.warc.gz", "pages-00001.warc.gz", "index.db", "x.warc.xz", "notes.txt"):
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in archives_in(tmp_path)] == ["pages-00001.warc.gz", "pages-00002.warc.gz", "x.warc.xz"]


def test_a_torn_archive_warns_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "torn.warc.gz"
    path.write_bytes(PACKED["members.warc.gz"][:-40])
    with pytest.warns(ArchiveWarning, match=r"torn\.warc\.gz.*8 whole records"):
        assert len(list(read_archive(path))) == 7


def _head_of(size: int) -> bytes:
    return RECORDS[4].replace(b"WARC-Type", b"X-Long: " + b"x" * size + b"\r\nWARC-Type", 1)


def _length_of(number: bytes) -> bytes:
    at = RECORDS[4].index(b"Content-Length: ") + len(b"Content-Length: ")
    return RECORDS[4][:at] + number + RECORDS[4][RECORDS[4].index(b"\r", at) :]


BROKEN = {
    "a head without end": _head_of(70_000),
    "a head of a megabyte": _head_of(1_000_000),
    "a length beyond the file": _length_of(b"999999999"),
    "a length that is none": _length_of(b"many"),
    "a negative length": _length_of(b"-5"),
    "a length beyond all numbers": _length_of(b"9" * 30),
    "no record": b"\0" * 300,
}


@pytest.mark.slow
@pytest.mark.parametrize("pack", [bytes, gzip.compress, zstandard.compress], ids=["plain", "gz", "zst"])
@pytest.mark.parametrize("what", BROKEN)
def test_reading_goes_on_behind_a_broken_record(tmp_path: Path, what: str, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(b"".join(map(pack, [*RECORDS[:4], BROKEN[what], *RECORDS[5:]])))
    wanted = [page.body for page in (*PAGES[:3], *PAGES[4:])]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert [response.body for response in read_archive(path) if response.url != PAGES[3].url] == wanted
        with ArchiveIndex([path]) as index:
            places = [index.find(page.url) for page in (*PAGES[:3], *PAGES[4:])]
            assert [place and index.read(place).body for place in places] == wanted
    said = {str(warning.message) for warning in caught}
    if what != "no record":
        assert len(said) == 1
        assert re.search(r"a\.warc is damaged after 4 whole records: 1 could not be read .* 8 whole", said.pop())


def test_an_empty_member_in_the_middle_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.warc.gz"
    members = list(map(gzip.compress, RECORDS))
    path.write_bytes(b"".join([*members[:2], gzip.compress(b""), *members[2:5], gzip.compress(b"") * 3, *members[5:]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [response.body for response in read_archive(path)] == [page.body for page in PAGES]
        with ArchiveIndex([path]) as index:
            assert sorted(index.urls()) == sorted(page.url for page in PAGES)


def test_an_archive_of_broken_records_is_given_up_in_time(tmp_path: Path) -> None:
    path = tmp_path / "a.warc"
    path.write_bytes(RECORDS[1] + _length_of(b"999999999") * 3000)
    with pytest.warns(ArchiveWarning, match="damaged or cut off after 1 whole"):
        assert len(list(read_archive(path))) == 1


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    start=st.sampled_from(
        [b"", b"WARC/1.0\r\n", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00", *PACKED.values()]
    ),
    at=st.integers(0, 5000),
    noise=st.binary(max_size=300),
)
def test_noise_never_raises_anything_but_archive_error(tmp_path: Path, start: bytes, at: int, noise: bytes) -> None:
    path = tmp_path / "noise.warc"
    path.write_bytes(start[:at] + noise + start[at + len(noise) :])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ArchiveWarning)
        try:
            found = list(read_archive(path))
        except ArchiveError:
            found = []
    assert all(isinstance(response, Response) for response in found)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [b"HTTP/1.1 200 OK\r\n", b"\r\n", b"Content-Encoding: gzip, br\r\n", b"Transfer-Encoding: chunked\n"]
        )
        | st.binary(max_size=30),
        max_size=8,
    )
)
def test_any_block_gives_a_response(parts: list[bytes]) -> None:
    response = parse_response(b"".join(parts), url="u", max_bytes=50)
    assert 0 <= response.status <= 999
    assert len(response.body) <= 50
