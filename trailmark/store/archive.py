"""A web archive on disk -> its `Response`s, one at a time.

Any WARC 1.0 or 1.1 file: plain, `.gz`, `.zst` (with or without a dictionary frame) or `.xz`; told apart by its first
bytes, not by its name; or the XML dump of a MediaWiki (`wiki_dump`). Only `response` records of http and https URLs are read. A `revisit` record repeats a page that
is in the archive already and carries no body, a `resource` record has no HTTP status: both are passed over.
"""

from __future__ import annotations

import lzma
import re
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
from trailmark.store.archive_names import SUFFIXES as SUFFIXES
from trailmark.store.archive_names import path_named
from trailmark.store.archive_resuming import is_lost_between, next_record, record_end
from trailmark.store.archive_warning import ArchiveWarning as ArchiveWarning
from trailmark.store.http_message import parse_response
from trailmark.store.live_files import refuse_database
from trailmark.store.remote_path import RemotePath
from trailmark.store.wiki_dump import dump_responses, is_dump

Packing = Literal["plain", "gz", "zst", "xz", "dump"]

_MAGIC: tuple[tuple[bytes, Packing], ...] = (
    (b"WARC/", "plain"),
    (b"\x1f\x8b", "gz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
    (b"\x5d\x2a\x4d\x18", "zst"),  # a dictionary frame
    (b"\xfd7zXZ\x00", "xz"),
)
MOST_LEFT = 100
"""Damaged records that are passed over in one archive before the rest is given up: each costs a look at what follows."""
_LENGTH = re.compile(r"[0-9]{1,18}")
_HEAD_ALLOWANCE = 1 << 17  # HTTP headers that may precede a body of the greatest size


@dataclass(frozen=True, slots=True)
class Entry:
    """One response record and where it starts in the file (for `.xz`: in the unpacked file)."""

    offset: int
    response: Response


def read_archive(path: Path | str, *, settings: StoreSettings | None = None) -> Iterator[Response]:
    """The responses of an archive in file order, with memory for one at a time.

    A missing file and one that is no WARC raise ArchiveError at once. Records that can't be read are passed over: the
    whole ones before and after them are given, and an `ArchiveWarning` (Python `warnings`) counts what was left; if there
    is no whole record, that is an ArchiveError too.
    """
    path = path_named(path)
    packing_of(path)
    return _read_responses(path, settings)


def _read_responses(path: Path, settings: StoreSettings | None) -> Iterator[Response]:
    if packing_of(path) == "dump":
        yield from dump_responses(path, ratio=(settings or StoreSettings()).unpacked_ratio)
        return
    with open_archive(path) as stream:
        for entry in entries_of(stream, path, settings=settings):
            yield entry.response


def archives_in(folder: Path | str) -> tuple[Path, ...]:
    """The archives of a folder in the order of their names, which is the order in which a crawl wrote them."""
    return tuple(sorted(path for path in Path(folder).iterdir() if path.name.endswith(SUFFIXES) and path.is_file()))


def packing_of(path: Path) -> Packing:
    """How the archive is compressed, or that it is the dump of a wiki; raises ArchiveError where it is no archive."""
    refuse_database(path)
    try:
        with path.open("rb", buffering=0) as file:
            start = file.read(6)
            packing = next((packing for magic, packing in _MAGIC if start.startswith(magic)), None)
            if packing in (None, "gz", "xz") and is_dump(file, start):
                return "dump"
    except OSError as error:
        raise _unreadable(path, error) from error
    if packing is not None:
        return packing
    what = "is empty" if not start else "is not a web archive"
    raise ArchiveError(
        f"{path} {what}: give a WARC file (.warc, .warc.gz, .warc.zst or .warc.xz), or the dump of a wiki (.xml, .xml.bz2)."
    )


def archive_state(path: Path) -> tuple[int, int]:
    """Its size, and a number that is another where the archive is: of a local file the time of its last change."""
    try:
        if isinstance(path, RemotePath):
            return path.version()
        state = path.stat()
    except OSError as error:
        raise _unreadable(path, error) from error
    return state.st_size, state.st_mtime_ns


def _unreadable(path: Path, error: OSError) -> ArchiveError:
    return ArchiveError(
        f"{path} can't be read as a web archive ({error.strerror}): check the name and its permissions."
    )


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
    """URL, offset and up to `most` bytes of the block of each whole response record.

    What can't be read is passed over up to the next record, and counted.
    """
    start: int | None = stream.tell()
    count = _Count()
    while start is not None:
        stream.seek(start)
        last, broke = None, False
        for record in _records(stream):
            url = _page_url(record)
            block = _block(record, most if url else 0)
            if record is None or block is None:
                broke = True
                break
            last = record.stream_pos
            count.note_whole()
            if url:
                yield url, record.stream_pos, block
        start = _resumed(stream, start, last, broke=broke, count=count)
    if not count.whole and not count.left:
        raise ArchiveError(f"{path} holds no WARC record: give another archive.")
    count.report(path)


def _resumed(stream: IO[bytes], start: int, last: int | None, *, broke: bool, count: _Count) -> int | None:
    """Where to read on, if anywhere, after reading from `start` gave whole records up to the one at `last`."""
    if last is None:
        count.left += broke or start > 0
    elif isinstance(stream, lzma.LZMAFile) and not broke:
        return None  # to look back would be to unpack all of it again
    if count.left >= MOST_LEFT:
        return None
    try:
        start_of_next = next_record(stream, start if last is None else max(last, record_end(stream, last) - 1))
    except (OSError, EOFError, lzma.LZMAError):
        start_of_next = None
    count.left += bool(start_of_next is None and broke and last is not None)
    if start_of_next is not None and last is not None:
        count.left += _is_gzip(stream, last) and is_lost_between(stream, last, start_of_next)
    return start_of_next


def _is_gzip(stream: IO[bytes], at: int) -> bool:
    stream.seek(at)
    return stream.read(2) == b"\x1f\x8b"


@dataclass(slots=True)
class _Count:
    """Records that were read and those that could not be."""

    whole: int = 0
    left: int = 0
    after: int = 0
    """Whole ones before the first that could not be."""
    between: bool = False
    """Whether whole ones follow one that could not be."""

    def note_whole(self) -> None:
        self.between = self.between or self.left > 0
        self.after += self.left == 0
        self.whole += 1

    def report(self, path: Path) -> None:
        if not self.left:
            return
        if not self.whole:
            raise ArchiveError(
                f"{path} is no web archive or breaks off within its first record: give a WARC file, or copy it again."
            )
        more = "or more " if self.left >= MOST_LEFT else ""
        lost = f"{self.left} {more}could not be read and were left out, {self.whole} whole records were read"
        sentence = f"is damaged after {self.after} whole records: {lost}"
        if not self.between:
            sentence = f"is damaged or cut off after {self.whole} whole records: the rest was left out"
        warnings.warn(f"{path} {sentence}.", ArchiveWarning, stacklevel=4)


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
    if record is None or not _LENGTH.fullmatch(str(record.headers.get("Content-Length") or "").strip()):
        return None
    try:
        block: bytes = record.reader.read(most) if most else b""
        wanted = min(record.content_length, most or record.content_length)
        got = len(block) if most else record.reader.consume(wanted)
    except (OSError, EOFError, lzma.LZMAError):
        return None
    return block if got >= wanted else None
