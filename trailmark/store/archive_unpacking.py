"""Which archives can be entered at any record, and unpacking those that can't."""

from __future__ import annotations

import errno
import gzip
import lzma
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from fastwarc.stream_io import ZstdReader

from trailmark.errors import ArchiveError
from trailmark.settings import StoreSettings
from trailmark.store.archive import packing_of
from trailmark.store.warc_record import response_record
from trailmark.store.wiki_dump import dump_responses

_STARTS = (b"WARC/", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd")
_DICTIONARY_FRAME = b"\x5d\x2a\x4d\x18"
_STEP = 1 << 18
_DUMPED = "2000-01-01T00:00:00Z"
"""Date of the records that the pages of a dump are unpacked to: nobody fetched them."""
ALWAYS_ALLOWED = 100_000_000
"""Bytes that any archive may unpack to: small ones of like pages shrink more than a thousandfold."""


def has_random_access(archive: Path) -> bool:
    """Whether a record may be read by its offset, judged by the first bytes; `starts_record` tells for each offset.

    Never for xz. Not for zstd with a dictionary either: the records can't be read without the file's first frame.
    """
    packing = packing_of(archive)
    with archive.open("rb") as file:
        return packing not in ("xz", "dump") and file.read(4) != _DICTIONARY_FRAME


def starts_record(file: IO[bytes], offset: int) -> bool:
    """Whether a record, or its compressed member, begins there; false within an archive compressed as a whole."""
    file.seek(offset)
    return file.read(5).startswith(_STARTS)


def unpack(archive: Path, target: IO[bytes], *, ratio: int = StoreSettings().unpacked_ratio) -> None:
    """The archive without its compression; where it breaks off, so does the target.

    Raises ArchiveError where it takes more than `ratio` times its own size and more than is always allowed, or where the
    disk is full.
    """
    most = max(ALWAYS_ALLOWED, archive.stat().st_size * ratio)
    written = 0
    for chunk in _chunks(archive, ratio):
        written += len(chunk)
        if written > most:
            raise ArchiveError(
                f"{archive} unpacks to more than {most:,} bytes, {ratio} times its size: if you trust it, raise "
                "store.unpacked_ratio."
            )
        _put(chunk, target, archive)
    _put(b"", target, archive)


def _chunks(archive: Path, ratio: int) -> Iterator[bytes]:
    """What the archive holds, step by step, as far as it can be read: who reads it then reports what is missing."""
    packing = packing_of(archive)
    if packing == "dump":
        for response in dump_responses(archive, ratio=ratio):
            yield response_record(response, date=_DUMPED)
        return
    with archive.open("rb") as file:
        source: Any = file
        if packing == "xz":
            source = lzma.LZMAFile(file)  # noqa: SIM115 - closed with the file beneath it
        elif packing == "gz":
            source = gzip.GzipFile(fileobj=file)
        elif packing == "zst":
            source = ZstdReader(file)
        while True:
            try:
                chunk = source.read(_STEP)
            except (OSError, EOFError, lzma.LZMAError, zlib.error):
                return
            if not chunk:
                return
            yield chunk


def _put(chunk: bytes, target: IO[bytes], archive: Path) -> None:
    """Write it out; an empty one makes sure that all of it is there."""
    try:
        target.write(chunk) if chunk else target.flush()
    except OSError as error:
        why = "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT) else error.strerror
        raise ArchiveError(
            f"{archive} can't be unpacked into {tempfile.gettempdir()} ({why}): make room there, or name another folder "
            "in TMPDIR."
        ) from error
