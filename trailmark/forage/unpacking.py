"""Packed bodies, unpacked to the last byte or not at all: for what must be read whole, as robots.txt must."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterable

ENCODINGS = "gzip, deflate"
"""As the request says it."""


class Unpackable(ValueError):
    """A body that is broken, cut off, too large or packed otherwise."""


def unpacked(body: bytes, encodings: Iterable[str], *, most: int) -> bytes:
    """A body with its encodings (the last was applied last) undone; raises Unpackable."""
    for encoding in reversed(list(encodings)):
        body = _one_unpacked(body, encoding.strip().lower(), most)
    return body


def _one_unpacked(body: bytes, encoding: str, most: int) -> bytes:
    if encoding in ("", "identity"):
        return body
    if encoding not in ("gzip", "x-gzip", "deflate"):
        raise Unpackable(f"it is packed as {encoding[:40]!r}, which was not asked for")
    try:
        content = _inflated(body, most) if encoding == "deflate" else _gunzipped(body, most)
    except (OSError, EOFError, zlib.error) as error:
        raise Unpackable("its body can't be unpacked") from error
    if len(content) > most:
        raise Unpackable(f"it is larger than {most} bytes when unpacked")
    return content


def _gunzipped(body: bytes, most: int) -> bytes:
    with gzip.GzipFile(fileobj=io.BytesIO(body)) as packed:
        return packed.read(most + 1)


def _inflated(body: bytes, most: int) -> bytes:
    """Deflate with the header that the standard asks for or, as many servers send it, without."""
    try:
        return _inflated_as(body, zlib.MAX_WBITS, most)
    except zlib.error:
        return _inflated_as(body, -zlib.MAX_WBITS, most)


def _inflated_as(body: bytes, bits: int, most: int) -> bytes:
    stream = zlib.decompressobj(bits)
    content = stream.decompress(body, most + 1)
    if not stream.eof and len(content) <= most:
        raise EOFError
    return content
