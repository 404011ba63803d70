"""Which archives can be entered at any record, and unpacking those that can't."""

from __future__ import annotations

import gzip
import lzma
import zlib
from pathlib import Path
from typing import IO, Any

from fastwarc.stream_io import ZstdReader

from trailmark.store.archive import packing_of

_STARTS = (b"WARC/", b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd")
_DICTIONARY_FRAME = b"\x5d\x2a\x4d\x18"
_STEP = 1 << 18


def has_random_access(archive: Path) -> bool:
    """Whether a record may be read by its offset, judged by the first bytes; `starts_record` tells for each offset.

    Never for xz. Not for zstd with a dictionary either: the records can't be read without the file's first frame.
    """
    packing = packing_of(archive)
    with archive.open("rb") as file:
        return packing != "xz" and file.read(4) != _DICTIONARY_FRAME


def starts_record(file: IO[bytes], offset: int) -> bool:
    """Whether a record, or its compressed member, begins there; false within an archive compressed as a whole."""
    file.seek(offset)
    return file.read(5).startswith(_STARTS)


def unpack(archive: Path, target: IO[bytes]) -> None:
    """The archive without its compression; where it breaks off, so does the target."""
    packing = packing_of(archive)
    with archive.open("rb") as file:
        source: Any = file
        if packing == "xz":
            source = lzma.LZMAFile(file)  # noqa: SIM115 - closed with the file beneath it
        elif packing == "gz":
            source = gzip.GzipFile(fileobj=file)
        elif packing == "zst":
            source = ZstdReader(file)
        try:
            while chunk := source.read(_STEP):
                target.write(chunk)
        except (OSError, EOFError, lzma.LZMAError, zlib.error):
            pass  # reading the target reports what is missing
    target.flush()
