"""The bytes of an archived HTTP answer -> `Response`, however carelessly they were written.

Nothing here raises on bad input: a line that is no header is passed over, a body that does not unpack stays as it is.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

from fastwarc.stream_io import BrotliReader, ZstdReader

from trailmark.datatypes import Response

CUT_HEADER = "X-Trailmark-Cut"
"""Header added to a response whose body was cut off at `store.max_bytes`."""

_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_STATUS_LINE = re.compile(rb"HTTP/\d(?:\.\d)?[ \t]+(\d{3})(?!\d)", re.IGNORECASE)
_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9a-fA-F]{1,15})[ \t]*(?:;[^\r\n]*)?\r?\n")
_STEP = 1 << 16
_STRETCH = 1 << 12
_MOST_CODINGS = 4
_MOST_HEAD = 1 << 17
_UNREADABLE_STATUS = 502  # what a proxy answers when it can't understand the server

Headers = tuple[tuple[str, str], ...]


def parse_response(block: bytes, *, url: str, max_bytes: int) -> Response:
    """The response in the block of a WARC record, its transfer and content codings taken off.

    A block without a status line is taken as a bare body, as HTTP/0.9 sent it. A status line without a number gives 502.
    The headers that spoke of codings are dropped with the codings, so that headers and body agree.
    """
    if block[:5].upper() != b"HTTP/":
        return Response(url=url, status=200, body=block[:max_bytes])
    end = _END_OF_HEAD.search(block, 0, _MOST_HEAD)
    head, body = (block[: end.start()], block[end.end() :]) if end else (block[:_MOST_HEAD], b"")
    status = _STATUS_LINE.match(head)
    headers = tuple(_header_lines(head))
    headers, body, cut = _unpacked(headers, body, max_bytes)
    if cut:
        headers += ((CUT_HEADER, f"cut off after {max_bytes} bytes"),)
    return Response(url=url, status=int(status[1]) if status else _UNREADABLE_STATUS, headers=headers, body=body)


def _header_lines(head: bytes) -> Iterator[tuple[str, str]]:
    """Name and value of each header; a folded line goes on where the one before it ended."""
    lines: list[list[bytes]] = []
    for line in re.split(rb"\r?\n", head)[1:]:
        if line[:1] in (b" ", b"\t") and lines:
            lines[-1].append(line.strip())
        else:
            lines.append([line])
    for parts in lines:
        name, colon, value = b" ".join(parts).partition(b":")
        if colon and name.strip():
            yield _text(name.strip()), _text(value.strip())


def _text(raw: bytes) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _unpacked(headers: Headers, body: bytes, max_bytes: int) -> tuple[Headers, bytes, bool]:
    """Headers, body and whether the body was cut, after its codings are taken off, the last one applied first."""
    if "chunked" in _codings(headers, "transfer-encoding"):
        body = _unchunked(body)
    # gzip may stand in either header: as transfer coding it is taken off first.
    codings = _codings(headers, "content-encoding") + _codings(headers, "transfer-encoding")
    codings = [coding for coding in codings if coding not in ("chunked", "identity")]
    unknown = len(codings) > _MOST_CODINGS or any(coding not in _UNPACKERS for coding in codings)
    dropped = {"transfer-encoding"} if unknown else {"transfer-encoding", "content-encoding"}
    headers = tuple((name, value) for name, value in headers if name.lower() not in dropped)
    cut = False
    for coding in [] if unknown else reversed(codings):
        unpacked = _UNPACKERS[coding](body, max_bytes + 1)
        body = body if unpacked is None else unpacked
        cut = cut or len(body) > max_bytes
    return headers, body[:max_bytes], cut or len(body) > max_bytes


def _codings(headers: Headers, wanted: str) -> list[str]:
    values = (value for name, value in headers if name.lower() == wanted)
    return [coding for value in values for coding in re.split(r"[,\s]+", value.lower()) if coding]


def _unchunked(body: bytes) -> bytes:
    """The body without its chunk marks; unchanged where it has none, although the header says so."""
    parts: list[bytes] = []
    position = 0
    while size_line := _CHUNK_SIZE.match(body, position):
        start = size_line.end()
        size = int(size_line[1], 16)
        if size == 0:
            return b"".join(parts)
        parts.append(body[start : start + size])
        position = start + size
        if body[position : position + 2] == b"\r\n":
            position += 2
        elif body[position : position + 1] == b"\n":
            position += 1
        elif position < len(body):
            break
    return b"".join(parts) if parts and position >= len(body) else body


def _ungzipped(body: bytes, limit: int) -> bytes | None:
    """All members of a gzip body, at most `limit` bytes; what stands before a defect, None where it is no gzip."""
    parts: list[bytes] = []
    position = 0
    while body[position : position + 2] == b"\x1f\x8b" and limit > 0:
        part, position = _stepwise(zlib.decompressobj(31), body, limit, position)
        parts.append(part or b"")
        limit -= len(part or b"")
    return b"".join(parts) if parts else None


def _inflated(body: bytes, limit: int) -> bytes | None:
    """`deflate` means zlib by the standard and raw deflate by some servers."""
    unpacked, _ = _stepwise(zlib.decompressobj(15), body, limit)
    return _stepwise(zlib.decompressobj(-15), body, limit)[0] if unpacked is None else unpacked


def _stepwise(inflater: Any, body: bytes, limit: int, position: int = 0) -> tuple[bytes | None, int]:
    """(what was unpacked from `position` on, where the stream ended; behind the body where it did not end).

    In steps, so that a defect loses only what follows it and a bomb never bursts. The inflater is given a stretch at a time:
    it hands back a copy of what it did not use, and a body of many small members would be copied once for each.
    """
    parts: list[bytes] = []
    left = limit
    try:
        while position < len(body) and left > 0 and not inflater.eof:
            given = body[position : position + _STRETCH]
            part = inflater.decompress(given, min(_STEP, left))
            position += len(given) - len(inflater.unconsumed_tail) - len(inflater.unused_data)
            parts.append(part)
            left -= len(part)
    except zlib.error:
        return b"".join(parts) or None, len(body)
    return b"".join(parts), position if inflater.eof else len(body)


def _read_stepwise(opener: Callable[[BytesIO], Any]) -> Callable[[bytes, int], bytes | None]:
    def unpack(body: bytes, limit: int) -> bytes | None:
        parts: list[bytes] = []
        left = limit
        try:
            reader = opener(BytesIO(body))
            while left > 0 and (part := reader.read(min(_STEP, left))):
                parts.append(part)
                left -= len(part)
        except OSError:
            return b"".join(parts) or None
        return b"".join(parts)

    return unpack


_UNPACKERS: dict[str, Callable[[bytes, int], bytes | None]] = {
    "gzip": _ungzipped,
    "x-gzip": _ungzipped,
    "deflate": _inflated,
    "br": _read_stepwise(BrotliReader),
    "zstd": _read_stepwise(ZstdReader),
}
