"""A web archive on disk -> its `Response`s, one at a time.

Any WARC 1.0 or 1.1 file: plain, `.gz`, `.zst` (with or without a dictionary frame) or `.xz`; told apart by its first
bytes, not by its name. Only `response` records of http and https URLs are read. A `revisit` record repeats a page that
is in the archive already and carries no body, a `resource` record has no HTTP status: both are passed over.
"""

from __future__ import annotations

import lzma
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType

from trailmark.datatypes import Response
from trailmark.errors import ArchiveError
from trailmark.settings import StoreSettings
from trailmark.store.http_message import parse_response

Packing = Literal["plain", "gz", "zst", "xz"]

SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.xz")
_MAGIC: tuple[tuple[bytes, Packing], ...] = (
    (b"WARC/", "plain"),
    (b"\x1f\x8b", "gz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
    (b"\x5d\x2a\x4d\x18", "zst"),  # a dictionary frame
    (b"\xfd7zXZ\x00", "xz"),
)
_HEAD_ALLOWANCE = 1 << 17  # HTTP headers that may precede a body of the greatest size


class ArchiveWarning(UserWarning):
    """An archive was read or mended only in part; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One response record and where it starts in the file (for `.xz`: in the unpacked file)."""

    offset: int
    response: Response


def read_archive(path: Path | str, *, settings: StoreSettings | None = None) -> Iterator[Response]:
    """The responses of an archive in file order, with memory for one at a time.

    A missing file and one that is no WARC raise ArchiveError at once. Where the file ends or breaks in the midst of a
    record, the whole records before it are given and an `ArchiveWarning` (Python `warnings`) names the place; if there
    is no whole record before it, that is an ArchiveError too.
    """
    path = Path(path)
    packing_of(path)
    return _read_responses(path, settings)


def _read_responses(path: Path, settings: StoreSettings | None) -> Iterator[Response]:
    with open_archive(path) as stream:
        for entry in entries_of(stream, path, settings=settings):
            yield entry.response


def archives_in(folder: Path | str) -> tuple[Path, ...]:
    """The archives of a folder in the order of their names, which is the order in which a crawl wrote them."""
    return tuple(sorted(path for path in Path(folder).iterdir() if path.name.endswith(SUFFIXES) and path.is_file()))


def packing_of(path: Path) -> Packing:
    """How the archive is compressed; raises ArchiveError where it is no archive."""
    try:
        with path.open("rb") as file:
            start = file.read(6)
    except OSError as error:
        raise ArchiveError(
            f"{path} can't be read as a web archive ({error.strerror}): check the name and its permissions."
        ) from error
    for magic, packing in _MAGIC:
        if start.startswith(magic):
            return packing
    what = "is empty" if not start else "is not a web archive"
    raise ArchiveError(f"{path} {what}: give a WARC file (.warc, .warc.gz, .warc.zst or .warc.xz).")


@contextmanager
def open_archive(path: Path) -> Iterator[IO[bytes]]:
    """The file as the record reader wants it: xz taken off, other compression left on."""
    packing = packing_of(path)
    with path.open("rb") as file:
        if packing == "xz":
            with lzma.open(file) as unpacked:
                yield unpacked
        else:
            yield file


def entries_of(stream: IO[bytes], path: Path, *, settings: StoreSettings | None = None) -> Iterator[Entry]:
    """Responses from an opened archive; `path` is only for messages."""
    limit = (settings or StoreSettings()).max_bytes
    for url, offset, block in _responses(stream, path, limit + _HEAD_ALLOWANCE):
        yield Entry(offset, parse_response(block, url=url, max_bytes=limit))


def addresses_of(stream: IO[bytes], path: Path) -> Iterator[tuple[str, int]]:
    """URL and offset of each response of an opened archive, without keeping or unpacking a body."""
    for url, offset, _ in _responses(stream, path, 0):
        yield url, offset


def _responses(stream: IO[bytes], path: Path, most: int) -> Iterator[tuple[str, int, bytes]]:
    """URL, offset and up to `most` bytes of the block of each whole response record."""
    whole = -1
    for whole, record in enumerate(_records(stream)):
        url = _page_url(record)
        block = _block(record, most if url else 0)
        if record is None or block is None:
            _report_torn(path, whole)
            return
        if url:
            yield url, record.stream_pos, block
    if whole < 0:
        raise ArchiveError(f"{path} holds no WARC record: give another archive.")


def _records(stream: IO[bytes]) -> Iterator[WarcRecord | None]:
    """The records; None, as the last one, where the file breaks off."""
    try:
        yield from ArchiveIterator(stream, parse_http=False)
    except (OSError, EOFError, lzma.LZMAError):
        yield None


def _page_url(record: WarcRecord | None) -> str:
    """URL of a response record over HTTP, else nothing; some writers put it in angle brackets."""
    if record is None or record.record_type != WarcRecordType.response:
        return ""
    url = str(record.headers.get("WARC-Target-URI") or "").strip().removeprefix("<").removesuffix(">")
    return url if url.lower().startswith(("http://", "https://")) else ""


def _block(record: WarcRecord | None, most: int) -> bytes | None:
    """At most `most` bytes of the record's block (with 0 it is passed over); None where the record is not whole."""
    # The reader gives a record whose head was cut off as one of length 0: its Content-Length tells.
    if record is None or not str(record.headers.get("Content-Length") or "").strip().isdigit():
        return None
    try:
        block: bytes = record.reader.read(most) if most else b""
        wanted = min(record.content_length, most or record.content_length)
        got = len(block) if most else record.reader.consume(wanted)
    except (OSError, EOFError, lzma.LZMAError):
        return None
    return block if got >= wanted else None


def _report_torn(path: Path, whole: int) -> None:
    if whole == 0:
        raise ArchiveError(
            f"{path} is no web archive or breaks off within its first record: give a WARC file, or copy it again."
        )
    warnings.warn(
        f"{path} is damaged or cut off after {whole} whole records: the rest was left out.",
        ArchiveWarning,
        stacklevel=3,
    )
