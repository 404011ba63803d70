"""`Response` -> the bytes of a WARC 1.0 record, uncompressed.

A response's body has its codings off, so the headers that speak of codings are left out and Content-Length is the
body's own. What could break the record apart (line ends in a URL or a header) is escaped or replaced by blanks.
"""

from __future__ import annotations

import base64
import hashlib
import re
import uuid
from datetime import UTC, datetime
from http import HTTPStatus
from urllib.parse import quote

from trailmark.datatypes import Response

_UNSAFE = re.compile(r"[\x00-\x20\x7f]")
_LEFT_OUT = frozenset({"content-length", "content-encoding", "transfer-encoding"})
_HEADER_NAME = re.compile(r"[^\x00-\x20\x7f:]+")


def warcinfo_record(filename: str, *, software: str, date: str | None = None) -> bytes:
    """The first record of a file: who wrote it."""
    block = f"software: {software}\r\nformat: WARC File Format 1.0\r\n".encode()
    fields = (("WARC-Filename", filename), ("Content-Type", "application/warc-fields"))
    return _record("warcinfo", fields, block, date)


def response_record(response: Response, *, date: str | None = None) -> bytes:
    """The record of one response; without `date` it is dated now and has a random identifier."""
    fields = (
        ("WARC-Target-URI", _UNSAFE.sub(lambda match: quote(match[0]), response.url)),
        ("WARC-Payload-Digest", _digest(response.body)),
        ("Content-Type", "application/http; msgtype=response"),
    )
    return _record("response", fields, _http_head(response) + response.body, date)


def _record(kind: str, fields: tuple[tuple[str, str], ...], block: bytes, date: str | None) -> bytes:
    # With a given date the identifier follows from the content, so that the same web is written as the same bytes.
    content = repr((kind, fields, date, _digest(block)))
    identifier = uuid.uuid5(uuid.NAMESPACE_URL, content) if date else uuid.uuid4()
    lines = [
        ("WARC-Type", kind),
        ("WARC-Record-ID", f"<urn:uuid:{identifier}>"),
        ("WARC-Date", date or datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")),
        *fields,
        ("Content-Length", str(len(block))),
    ]
    head = "WARC/1.0\r\n" + "".join(f"{name}: {value}\r\n" for name, value in lines)
    return head.encode("utf-8", "replace") + b"\r\n" + block + b"\r\n\r\n"


def _http_head(response: Response) -> bytes:
    lines = [f"HTTP/1.1 {response.status:03d} {_reason(response.status)}".rstrip()]
    for name, value in response.headers:
        if name.lower() not in _LEFT_OUT and _HEADER_NAME.fullmatch(name):
            lines.append(f"{name}: {_UNSAFE.sub(' ', value).strip()}")
    lines.append(f"Content-Length: {len(response.body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace")


def _reason(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _digest(content: bytes) -> str:
    sha1 = hashlib.sha1(content, usedforsecurity=False).digest()
    return "sha1:" + base64.b32encode(sha1).decode()
