"""What others wrote besides pages: addresses, recordings, answers of servers, files. One line adds another."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

from trailmark.cluster import url_pattern
from trailmark.cluster.grouping import group_vectors
from trailmark.datatypes import Record
from trailmark.errors import SettingsError
from trailmark.export import write_records
from trailmark.learn.phrase import feature_phrase
from trailmark.read import normalise_url, url_words
from trailmark.read.view.style_view import style_view
from trailmark.settings import parse_settings
from trailmark.store.http_message import parse_response
from trailmark.teach import parse_annotations, parse_recording, parse_trails
from trailmark.url_key import url_key
from trailmark.wrap.rules.value_type import types_of

File = tuple[Callable[[int], Any], Callable[[Any], object]]
"""(a size -> what is read, what reads it)."""

MANY = 10**9


def parsed(block: bytes) -> object:
    return parse_response(block, url="https://a.example/", max_bytes=MANY)


def answer(head: str, body: bytes = b"") -> bytes:
    return f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n".encode() + body


def settings_of(text: str) -> None:
    try:
        parse_settings(text)
    except SettingsError:
        return


def har(size: int) -> str:
    entry = {
        "request": {"method": "GET"},
        "response": {"status": 200, "content": {"mimeType": "text/html", "text": "x"}},
    }
    urls = [f"https://a.example/{n}" for n in range(size)]
    return json.dumps({"log": {"entries": [{**entry, "request": {"method": "GET", "url": url}} for url in urls]}})


def back_and_forth(size: int) -> str:
    """A long way, and then again and again from its first page to another one."""
    urls = [f"https://a.example/{n}" for n in range(size)] + ["https://a.example/0", "https://a.example/x"] * size
    steps: list[dict[str, Any]] = [{"type": "navigate", "url": urls[0]}]
    steps += [{"type": "click", "assertedEvents": [{"type": "navigation", "url": url}]} for url in urls[1:]]
    return json.dumps({"steps": steps})


def records(size: int) -> list[Record]:
    return [Record("https://a.example/", "item", {"field": tuple(f"v{n}" for n in range(size))})]


def written(form: Any) -> Callable[[Any], object]:
    return lambda made: write_records(made, BytesIO(), form, ["field"], sources=True)


def styled(text: str) -> str:
    return style_view(text, lambda url: url)


STYLES = {
    "escapes": "u\\72l(",
    "open urls": "url(",
    "urls": "a{b:url(x)}",
    "open strings": "'",
    "strings": "a{b:'\\\n'}",
    "comments": "/*",
    "stars": "/**",
    "blocks": "{[(",
    "ends": ")]}",
    "imports": "@import ",
    "numbers": "1e+",
    "blanks": " \t\n\f",
    "hashes": "#\\",
    "vendors": "-a-",
    "less": "<!-",
}
"""What a style sheet is made of, again and again."""


def repeated(text: str) -> Callable[[int], str]:
    return lambda n: text * n


FILES: dict[str, File] = {
    **{f"style sheet of {name}": (repeated(text), styled) for name, text in STYLES.items()},
    "url_key of colons": (lambda n: f"http://a.example{':80' * n}x/", url_key),
    "url_key of dots": (lambda n: f"http://a.example/{'a/../' * n}", url_key),
    "url_key of escapes": (lambda n: f"http://a.example/{'%41%' * n}", url_key),
    "normalise_url of dots": (lambda n: f"http://a.example/{'../a/./' * n}", normalise_url),
    "normalise_url of labels": (lambda n: f"http://{'a.' * n}example/", normalise_url),
    "normalise_url of another script": (lambda n: f"http://{'ü' * n}.example/", normalise_url),
    "url_words": (lambda n: f"http://a.example/{'~aB-9_' * n}", url_words),
    "url_pattern of long figures": (lambda n: [f"http://a.example/{'1' * n}a{each}" for each in range(8)], url_pattern),
    "url_pattern of many": (lambda n: [f"http://a.example/{each}/{each}" for each in range(n)], url_pattern),
    "url_pattern of many parts": (lambda n: [f"http://a.example/{'a/' * n}{each}" for each in range(8)], url_pattern),
    "group_vectors": (lambda n: [each.to_bytes(8, "little") for each in range(n)], group_vectors),
    "members of a gzip body": (lambda n: answer("Content-Encoding: gzip", gzip.compress(b"") * n), parsed),
    "a gzip body": (lambda n: answer("Content-Encoding: gzip", gzip.compress(b"0" * 64 * n)), parsed),
    "a stored gzip body": (lambda n: answer("Content-Encoding: gzip", gzip.compress(b"0" * 64 * n, 0)), parsed),
    "folded headers": (lambda n: answer("A: b" + "\r\n c" * n), parsed),
    "headers": (lambda n: answer("A: b\r\n" * n), parsed),
    "codings": (lambda n: answer("Content-Encoding: " + ", " * n), parsed),
    "chunks": (lambda n: answer("Transfer-Encoding: chunked", b"1\r\na\r\n" * n + b"0\r\n\r\n"), parsed),
    "chunks of blanks": (lambda n: answer("Transfer-Encoding: chunked", b" " * n), parsed),
    "a head without an end": (lambda n: b"HTTP/1.1 200 OK\r\n" + b"\r" * n, parsed),
    "a network log": (har, lambda text: parse_recording(text, "a")),
    "a recording that goes back": (back_and_forth, lambda text: parse_recording(text, "a")),
    "trails": (lambda n: ["{}"] * n, lambda lines: parse_trails(lines, "a")),
    "annotations": (
        lambda n: [json.dumps({"url": "http://a.example/", "field": "f", "value": "v"})] * n,
        lambda lines: parse_annotations(lines, "a"),
    ),
    "settings": (lambda n: "".join(f"[t{each}]\n" for each in range(n)), settings_of),
    "settings of blanks": (lambda n: "[read]\nwindow =" + " " * n + "\n", settings_of),
    "types_of": (lambda n: "9,999" * n, types_of),
    "feature_phrase": (lambda n: "a " * n, lambda word: feature_phrase("anchor", word)),
    "json lines": (records, written("json lines")),
    "csv": (records, written("csv")),
    "parquet": (records, written("parquet")),
}
