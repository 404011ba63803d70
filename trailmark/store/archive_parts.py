"""Archives -> parts that are read apart: an archive, or a stretch of a large one, so that one huge site does not hold everything up.

A stretch begins where a record does. That is found by walking over the records, which costs a small share of what reading the pages does;
guessing at the middle of a file would not do, as a page may hold an archive itself.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trailmark.settings import StoreSettings
from trailmark.store.archive import ArchiveWarning, Entry, addresses_of, archive_state, entries_of, open_archive
from trailmark.store.archive_listing import listed_addresses
from trailmark.store.archive_unpacking import has_random_access, starts_record


@dataclass(frozen=True, slots=True)
class ArchivePart:
    """A stretch of an archive."""

    archive: Path
    start: int = 0
    end: int | None = None
    """Where the next part begins; None for the rest of the archive."""

    @property
    def name(self) -> str:
        """What it is called in a data set: the same for the same stretch of the same file, wherever it is read."""
        told = f"{self.archive.absolute()}\0{self.start}\0{self.end}"
        return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class DealtArchive:
    """An archive in parts."""

    parts: tuple[ArchivePart, ...]
    state: str
    """Another one where the archive is another."""
    warnings: tuple[str, ...] = ()
    """What could not be read, where that was seen."""


def deal_archive(archive: Path, most_bytes: int) -> DealtArchive:
    """An archive -> parts of about so many bytes, as it is now."""
    size, mark = archive_state(archive)
    state = f"{size}:{mark}"
    if size <= most_bytes or not has_random_access(archive):
        return DealtArchive((ArchivePart(archive),), state)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ArchiveWarning)
        starts = _starts(archive, size, most_bytes)
    parts = tuple(ArchivePart(archive, start, end) for start, end in zip(starts, (*starts[1:], None), strict=True))
    return DealtArchive(parts, state, tuple(str(each.message) for each in told if len(parts) > 1))


def _starts(archive: Path, size: int, most_bytes: int) -> list[int]:
    """Where parts begin, by the list beside the archive where there is one; one part where the file was compressed as a whole."""
    starts, listed = [0], listed_addresses(archive, size)
    with open_archive(archive) as stream, archive.open("rb", buffering=0) as probe:
        for _, offset in listed if listed is not None else addresses_of(stream, archive):
            if offset - starts[-1] >= most_bytes:
                if not starts_record(probe, offset):
                    return [0]
                starts.append(offset)
    return starts


def entries_in(part: ArchivePart, settings: StoreSettings) -> Iterator[Entry]:
    """The responses of a part, in the order of the file."""
    with open_archive(part.archive) as stream:
        stream.seek(part.start)
        for entry in entries_of(stream, part.archive, settings=settings):
            if part.end is not None and entry.offset >= part.end:
                return
            yield entry
