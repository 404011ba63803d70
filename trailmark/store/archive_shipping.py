"""Archives of a part of a run -> the same pages in a folder or an object store: site after site, each in the order of time, with a list beside.

The compressed records are copied as they are; only their order changes, so that the pages of a site are one stretch of one object. What was
shipped before is not shipped again while it is the same.
"""

from __future__ import annotations

import gzip
import hashlib
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from trailmark.errors import ArchiveError
from trailmark.settings import StoreSettings
from trailmark.store.archive import entries_of, open_archive
from trailmark.store.archive_listing import SUFFIX as LIST_SUFFIX
from trailmark.store.archive_listing import ListedResponse, listing
from trailmark.store.archive_writer import SUFFIX
from trailmark.store.placed_file import bytes_of, place, place_bytes
from trailmark.store.warc_record import warcinfo_record

_STEP = 1 << 20


@dataclass(frozen=True, slots=True)
class ShippedPages:
    """What was put where."""

    archive: str
    pages: int
    size: int


@dataclass(frozen=True, slots=True)
class _Member:
    """A compressed record of an archive."""

    source: Path
    start: int
    end: int
    site: str
    listed: ListedResponse


def ship_pages(sources: Iterable[Path], target: Path, day: str, *, settings: StoreSettings) -> ShippedPages | None:
    """Archives of one part -> one archive at `target` (a name that ends in .warc.gz) with its list; None where they hold nothing."""
    members = sorted(_members(sources, day, settings), key=lambda each: each.site)  # stable: within a site by time
    if not members:
        return None
    with tempfile.NamedTemporaryFile(prefix="trailmark-ship-", suffix=SUFFIX, delete=False) as whole:
        scratch = Path(whole.name)
        try:
            whole.write(_first_member(target.name))
            listed = list(_copied(members, whole))
            size = whole.tell()
            whole.flush()
            lines = listing(listed, target.name, size)
            beside = target.with_name(target.name + LIST_SUFFIX)
            if bytes_of(beside) != lines:  # the list says by digests what the archive holds
                place(scratch, target)
                place_bytes(lines, beside)
        finally:
            scratch.unlink(missing_ok=True)
    return ShippedPages(str(target), len(members), size)


def _members(sources: Iterable[Path], day: str, settings: StoreSettings) -> Iterator[_Member]:
    """The records of archives that we wrote, one compressed member each, in the order of time."""
    for source in sources:
        found: list[tuple[int, str, ListedResponse]] = []
        try:
            with open_archive(source) as stream:
                for entry in entries_of(stream, source, settings=settings):
                    response = entry.response
                    digest = hashlib.sha1(response.body, usedforsecurity=False).hexdigest()
                    told = ListedResponse(
                        response.url, day, entry.offset, 0, response.status, response.content_type, f"sha1:{digest}"
                    )
                    found.append((entry.offset, told.key.partition(")")[0], told))
        except ArchiveError:
            continue  # it was begun, and nothing was written to it yet
        ends = [offset for offset, _, _ in found[1:]] + [source.stat().st_size]
        for (offset, site, told), end in zip(found, ends, strict=True):
            yield _Member(source, offset, end, site, told)


def _copied(members: Iterable[_Member], target: IO[bytes]) -> Iterator[ListedResponse]:
    """Members, one after the other, to a file -> what the list says of each."""
    opened: dict[Path, IO[bytes]] = {}
    try:
        for member in members:
            if member.source not in opened:
                opened[member.source] = member.source.open("rb")
            file, at, left = opened[member.source], target.tell(), member.end - member.start
            file.seek(member.start)
            while left > 0 and (piece := file.read(min(left, _STEP))):
                target.write(piece)
                left -= len(piece)
            yield replace(member.listed, offset=at, length=target.tell() - at)
    finally:
        for file in opened.values():
            file.close()


def _first_member(name: str) -> bytes:
    return gzip.compress(warcinfo_record(name, software="Trailmark", date="2000-01-01T00:00:00Z"), mtime=0)
