"""Where the next record of an archive begins, after one that can't be read."""

from __future__ import annotations

import re
import zlib
from typing import IO

import zstandard

_PLAIN = re.compile(rb"(?<=[\n\0])WARC/1\.\d\r?\n[A-Za-z][A-Za-z-]*:")
_LONGEST_START = 80
"""Bytes within which a start is told, whichever it is."""
_STEP = 1 << 20
_SIP = 1 << 14
"""Bytes that are unpacked at once: sixteen million at most come of them."""
_HEAD_WITHIN = 1 << 17
_LENGTH = re.compile(rb"^Content-Length:\s*(\d{1,18})\s*$", re.IGNORECASE | re.MULTILINE)
_GZ, _ZST = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"
_COMPRESSED = {_GZ[:2]: re.compile(re.escape(_GZ)), _ZST[:2]: re.compile(re.escape(_ZST))}


def next_record(stream: IO[bytes], after: int) -> int | None:
    """Offset of the first record that begins behind the one at `after`, which need not be a record; None where none does.

    A record's own length is not believed here: what looks like the beginning of a record is one.
    """
    stream.seek(after)
    pattern = _COMPRESSED.get(stream.read(2), _PLAIN)
    at = after + 1
    while True:
        stream.seek(at - 1)  # a line end before it belongs to the start of a plain one
        chunk = stream.read(_STEP)
        for match in pattern.finditer(chunk, 1):
            offset = at - 1 + match.start()
            if pattern is _PLAIN or _unpacks_to_record(stream, offset):
                return offset
        if len(chunk) < _STEP:
            return None
        at += _STEP - _LONGEST_START


def record_end(stream: IO[bytes], start: int) -> int:
    """Offset behind the record at `start` by its own word; of a compressed one, `start` itself."""
    stream.seek(start)
    head, _, _ = stream.read(_HEAD_WITHIN).partition(b"\r\n\r\n")
    length = _LENGTH.search(head)
    if not head.startswith(b"WARC/") or length is None:
        return start
    return start + len(head) + 4 + int(length[1])


def is_lost_between(stream: IO[bytes], last: int, following: int) -> bool:
    """Whether more than empty gzip members stands between the one at `last` and the one at `found`."""
    stream.seek(last)
    at, member, rest = last, 0, b""
    while at < following:
        unpacking, got, at_start = zlib.decompressobj(31), 0, at
        while not unpacking.eof:
            chunk = rest or stream.read(_SIP)
            if not chunk:
                return True
            try:
                got += len(unpacking.decompress(chunk))
            except zlib.error:
                return at_start < following and member > 0
            rest = unpacking.unused_data
            at += len(chunk) - len(rest)
        if member and got:
            return True
        member += 1
    return at > following


def _unpacks_to_record(stream: IO[bytes], offset: int) -> bool:
    """Whether a compressed member begins there that holds a record: three bytes stand somewhere in most large files."""
    stream.seek(offset)
    start = stream.read(1 << 10)
    try:
        if start.startswith(_GZ):
            return zlib.decompressobj(31).decompress(start, 5) == b"WARC/"
        return zstandard.ZstdDecompressor().decompressobj().decompress(start).startswith(b"WARC/")
    except (zlib.error, zstandard.ZstdError):
        return False
