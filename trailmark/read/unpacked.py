"""Packed bytes -> the document within, never more than a bound: what a few bytes unpack to may fill any memory."""

from __future__ import annotations

import zlib

from trailmark.errors import DocumentError

GZIP, COMPRESS = b"\x1f\x8b", b"\x1f\x9d"
_CLEAR, _FIRST_CODE = 256, 257
_BLOCK_MODE = 0x80


def unpacked(body: bytes, url: str, *, most: int) -> bytes:
    """Bytes that gzip or compress packed -> what was packed; other bytes as they are. DocumentError where they are broken, or too many."""
    if body.startswith(GZIP):
        return _from_gzip(body, url, most)
    return _from_compress(body, url, most) if body.startswith(COMPRESS) else body


def _from_gzip(body: bytes, url: str, most: int) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)
    try:
        whole = unpacker.decompress(body, most + 1)
    except zlib.error as error:
        raise DocumentError(f"{url}: it is packed, and broken ({error}); fetch it again.") from error
    _check(len(whole), url, most)
    if not unpacker.eof:
        raise DocumentError(f"{url}: it is packed, and ends too early; fetch it again.")
    return whole


def _check(size: int, url: str, most: int) -> None:
    if size > most:
        raise DocumentError(f"{url}: it unpacks to more than {most:,} bytes; raise max_bytes in [tag] to read it.")


def _from_compress(body: bytes, url: str, most: int) -> bytes:
    """What Unix `compress` packed (`.Z`): LZW with codes that grow from 9 bits."""
    broken = DocumentError(f"{url}: it is packed with compress, and broken; fetch it again.")
    if len(body) < 3 or not 9 <= (limit := body[2] & 0x1F) <= 16:
        raise broken
    first = _FIRST_CODE if body[2] & _BLOCK_MODE else _CLEAR
    table = [bytes((value,)) for value in range(256)] + [b""] * (first - 256)
    whole, size, before = [], 0, b""
    width, place, total = 9, 24, len(body) * 8
    group = place
    while place + width <= total:
        start = place >> 3
        code = int.from_bytes(body[start : start + 4], "little") >> (place & 7) & ((1 << width) - 1)
        place += width
        if code == _CLEAR and first == _FIRST_CODE:
            # Codes come in groups of eight: the rest of a group is blank.
            place = group + -(-(place - group) // (width * 8)) * width * 8
            del table[first:]
            width, group, before = 9, place, b""
            continue
        if code < len(table) and (table[code] or code < 256):
            entry = table[code]
        elif before and code == len(table):
            entry = before + before[:1]
        else:
            raise broken
        if before and len(table) < 1 << limit:
            table.append(before + entry[:1])
            if len(table) == 1 << width and width < limit:
                place = group + -(-(place - group) // (width * 8)) * width * 8
                width, group = width + 1, place
        whole.append(entry)
        size += len(entry)
        _check(size, url, most)
        before = entry
    return b"".join(whole)
