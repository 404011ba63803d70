"""Where the whole part of a `.warc.gz` ends: a process that was killed may leave half a record at the end."""

from __future__ import annotations

import mmap
import os
import warnings
import zlib
from pathlib import Path
from typing import BinaryIO

from trailmark.errors import ArchiveError
from trailmark.store.archive import ArchiveWarning

_MAGIC = b"\x1f\x8b\x08"
_FIRST_STEP = 1 << 12
_GREATEST_STEP = 1 << 18
_MOST_AT_ONCE = 1 << 20


def cut_torn_tail(path: Path, file: BinaryIO) -> int:
    """Cut the file after its last whole gzip member, with a warning where something was cut; returns the new size.

    Only a tail is cut: a file that is no gzip, or that has whole records after the break, raises ArchiveError untouched.
    """
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        return 0
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        end = _whole_end(content)
        torn = end < size
        if torn and not _only_a_tail(content, end):
            raise ArchiveError(f"{path} is damaged at byte {end} and was left as it is: move it away to write here.")
    if torn:
        file.truncate(end)
        os.fsync(file.fileno())
        warnings.warn(
            f"{path} ended within a record, probably because a run was killed: its last {size - end} bytes were cut off.",
            ArchiveWarning,
            stacklevel=3,
        )
    return end


def _whole_end(content: mmap.mmap) -> int:
    """Offset after the last whole member, found by walking over all members, checksums included, with flat memory."""
    end = 0
    while (after := _member_end(content, end)) is not None:
        end = after
    return end


def _only_a_tail(content: mmap.mmap, end: int) -> bool:
    """Whether what stands from `end` on is the beginning of one member, or blank, and nothing whole follows it."""
    start = content[end : end + len(_MAGIC)]
    if not _MAGIC.startswith(start) and start.strip(b"\0"):
        return False
    candidate = content.find(_MAGIC, end + 1)
    while candidate >= 0:
        if _member_end(content, candidate) is not None:
            return False
        candidate = content.find(_MAGIC, candidate + 1)
    return True


def _member_end(content: mmap.mmap, start: int) -> int | None:
    """Offset after the gzip member at `start`, or None where no whole member is there."""
    member = zlib.decompressobj(31)
    read = start
    # The first steps are small because most members are: what is left of a step is copied and thrown away.
    step = _FIRST_STEP
    while chunk := content[read : read + step]:
        read += len(chunk)
        step = min(2 * step, _GREATEST_STEP)
        try:
            while chunk and not member.eof:
                member.decompress(chunk, _MOST_AT_ONCE)
                chunk = member.unconsumed_tail
        except zlib.error:
            return None
        if member.eof:
            return read - len(member.unused_data)
    return None
