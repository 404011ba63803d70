"""The XML dump of a MediaWiki -> its pages as answers, one at a time, with memory for one.

Only articles are read, in their last revision; a redirect answers 301. The XML parser is expat, fed a little at a time (measured against mwxml and
ElementTree's `iterparse` in `docs/why/reading.md`): the text of a page is cut while it comes, so that a page of any size costs no more than the cut. A document type is refused, and
with it every entity that XML does not have by itself.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import warnings
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from pathlib import Path
from typing import IO
from xml.parsers import expat

from trailmark.datatypes import Response
from trailmark.errors import ArchiveError
from trailmark.quoting import count_of
from trailmark.store.archive_warning import ArchiveWarning
from trailmark.store.wikitext import LONGEST_TEXT, LONGEST_TITLE, wiki_address, wiki_html

_STEP, PEEK = 1 << 16, 4096
_ROOT = b"<mediawiki"
_KEPT = frozenset(("base", "namespace", "title", "ns", "text", "timestamp"))
_LONGEST = {"text": LONGEST_TEXT}
_SHORT = 2000
ARTICLES = "0"
LEAST_ALLOWED = 100_000_000
"""Bytes that any dump may unpack to."""


@dataclass(slots=True)
class WikiPage:
    """A page of a dump as it stands there."""

    title: str = ""
    space: str = ""
    redirect: str | None = None
    text: str = ""
    changed: str = ""


@dataclass(slots=True)
class _Reader:
    """What expat tells, put together."""

    base: str = ""
    spaces: list[str] = field(default_factory=list)
    pages: list[WikiPage] = field(default_factory=list)
    page: WikiPage | None = None
    _words: list[str] | None = None
    _room: int = 0

    def parser(self) -> expat.XMLParserType:
        made = expat.ParserCreate()
        made.buffer_text = True
        made.StartElementHandler, made.EndElementHandler = self.start, self.end
        made.CharacterDataHandler = self.data
        made.StartDoctypeDeclHandler = _refuse
        made.EntityDeclHandler = _refuse
        return made

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "page":
            self.page = WikiPage()
        elif name == "redirect" and self.page is not None:
            self.page.redirect = attributes.get("title", "")[:LONGEST_TITLE]
        elif name in _KEPT:
            self._words, self._room = [], _LONGEST.get(name, _SHORT)

    def data(self, text: str) -> None:
        if self._words is not None and self._room > 0:
            self._words.append(text[: self._room])
            self._room -= len(text)

    def end(self, name: str) -> None:
        words = "".join(self._words) if self._words is not None and name in _KEPT else ""
        page = self.page
        if name == "page" and page is not None:
            self.pages.append(page)
            self.page = None
        elif page is None:
            if name == "base":
                self.base = words.strip()
            elif name == "namespace" and len(self.spaces) < 1000:
                self.spaces.append(words)
        elif name == "title":
            page.title = words
        elif name == "ns":
            page.space = words.strip()
        elif name == "text":
            page.text = words
        elif name == "timestamp":
            page.changed = words
        if name in _KEPT:
            self._words = None


def _refuse(*_: object) -> None:
    raise ArchiveError("it has a document type of its own, which no dump of a wiki has")


def is_dump(file: IO[bytes], start: bytes) -> bool:
    """Whether an opened file that begins so is the dump of a wiki, by its first bytes, packed or not."""
    try:
        return _ROOT in _opened(file, start).read(PEEK)
    except (OSError, EOFError, lzma.LZMAError, zlib.error):
        return False


def dump_responses(path: Path, *, ratio: int) -> Iterator[Response]:
    """A dump -> its articles as answers of the wiki. Where it breaks off, what came before is given, and a `ArchiveWarning` says so."""
    reader = _Reader()
    parser = reader.parser()
    most = max(LEAST_ALLOWED, path.stat().st_size * ratio)
    count = size = 0
    problem = ""
    with path.open("rb") as file:
        source = _opened(file, file.read(6))
        while not problem:
            try:
                chunk = source.read(_STEP)
                size += len(chunk)
                parser.Parse(chunk, not chunk)
            except (OSError, EOFError, lzma.LZMAError, zlib.error, expat.ExpatError) as error:
                chunk, problem = b"", f"it is damaged or breaks off ({error})"
            except ArchiveError as error:
                chunk, problem = b"", str(error)
            if size > most:
                problem = f"it unpacks to more than {most:,} bytes; if you trust it, raise store.unpacked_ratio"
            for page in reader.pages:
                answer = _response(page, reader)
                if answer is not None:
                    count += 1
                    yield answer
            reader.pages.clear()
            if not chunk:
                break
    if problem and not count:
        raise ArchiveError(f"{path} can't be read as the dump of a wiki: {problem}.")
    if problem:
        warnings.warn(
            f"{path}: {problem}; what was read before that: {count_of(count, 'page')}.", ArchiveWarning, stacklevel=2
        )


def _opened(file: IO[bytes], start: bytes) -> IO[bytes]:
    """A file from its beginning, unpacked while it is read."""
    file.seek(0)
    if start.startswith(b"BZh"):
        return bz2.BZ2File(file)
    if start.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=file)  # type: ignore[return-value]
    return lzma.LZMAFile(file) if start.startswith(b"\xfd7zXZ") else file


def _response(page: WikiPage, reader: _Reader) -> Response | None:
    """A page -> what the wiki would answer; None where it is no article."""
    if page.space not in (ARTICLES, "") or not page.title.strip():
        return None
    prefix = _prefix(reader.base)
    url = wiki_address(prefix, page.title)
    if page.redirect:
        return Response(url, 301, (("Location", wiki_address(prefix, page.redirect.partition("#")[0])),))
    body = wiki_html(page.text, page.title, prefix, reader.spaces).encode("utf-8", "replace")
    return Response(url, 200, (("Content-Type", "text/html; charset=utf-8"), *_dates(page.changed)), body)


def _prefix(base: str) -> str:
    """The address of a wiki's first page -> what all its addresses begin with; one that leads nowhere where it says none."""
    if base.startswith(("http://", "https://")) and base.count("/") >= 3 and not any(sign.isspace() for sign in base):
        return base.rpartition("/")[0] + "/"
    return "http://wiki.invalid/"


def _dates(changed: str) -> tuple[tuple[str, str], ...]:
    try:
        moment = datetime.fromisoformat(changed.strip())
        return (("Last-Modified", format_datetime(moment, usegmt=True)),)
    except (ValueError, OverflowError):
        return ()
