"""A part of an archive -> its records in a data set: what one worker does at a time, wherever it is.

A page that can't be lifted is set aside with the reason. One that kills the worker is found by whoever does the part again: an attempt that
did not end is noted in the data set, and from the second on pages are lifted in a process of their own, which may die.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trailmark.cluster import site_of
from trailmark.extract.crew import Crew, chunks
from trailmark.extract.known_pages import KnownPages
from trailmark.extract.lifter import LiftedPage, LiftingTask, make_lifter
from trailmark.extract.tally import Tally
from trailmark.settings import StoreSettings
from trailmark.store.archive import ArchiveWarning, Entry
from trailmark.store.archive_parts import ArchivePart, entries_in
from trailmark.store.data_set import DataSet
from trailmark.store.parquet_part import PartWriter
from trailmark.store.parquet_schema import RECORDS, record_row
from trailmark.store.placed_file import bytes_of, place_bytes

BEGUN = "_begun"
"""Folder in which attempts are noted."""


@dataclass(frozen=True, slots=True)
class LiftErrand:
    """A part, and the version that its records will be of."""

    part: ArchivePart
    version: str
    again: bool = False
    """Whether it is made again although it is there."""


@dataclass(frozen=True, slots=True)
class LiftedPart:
    """What became of a part."""

    notes: dict[str, Any]
    """As `Tally.notes` has it, and `warnings`: what of the archive could not be read."""


@dataclass
class PartLifter:
    """Rules and all else that every part needs: it travels to each worker once. Called with a part, it lifts it."""

    out: Path
    recruit: tuple[Any, ...]
    """What `make_lifter` makes a lifter of."""
    store_settings: StoreSettings
    sites: frozenset[str]
    known: KnownPages
    fields: dict[str, list[str]]
    _lifter: Any = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_lifter": None}

    def __call__(self, errand: LiftErrand) -> LiftedPart:
        data_set, part = DataSet(self.out), errand.part
        done = data_set.done(part.name, errand.version)
        if done is not None and not errand.again:
            # By a worker that was given up as dead, or that died of the next part.
            (self.out / BEGUN / part.name).unlink(missing_ok=True)
            return LiftedPart(dict(done.notes))
        attempt = _begin(self.out / BEGUN / part.name)
        tally = Tally(self.fields)
        with PartWriter(data_set, RECORDS, part.name, errand.version) as writer:
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always", ArchiveWarning)
                for entry, lifted in self._lifted(entries_in(part, self.store_settings), tally, alone=attempt > 1):
                    tally.count(entry.response.url, lifted, fresh=True)
                    writer.add(record_row(record, part.name) for record in lifted.records)
                    if lifted.outcome == "failed":
                        place = (entry.response.url, str(part.archive), entry.offset)
                        writer.set_aside([(*place, lifted.note, part.name)])
            damage = tuple(str(each.message) for each in told)
            writer.set_aside(("", str(part.archive), part.start, sentence, part.name) for sentence in damage)
            notes = {**tally.notes(), "warnings": list(damage), "archive": str(part.archive), "start": part.start}
            writer.end(notes)
        (self.out / BEGUN / part.name).unlink(missing_ok=True)
        return LiftedPart(notes)

    def _lifted(self, entries: Iterable[Entry], tally: Tally, *, alone: bool) -> Iterator[tuple[Entry, LiftedPage]]:
        wanted = self._wanted(entries, tally)
        if not alone:
            if self._lifter is None:
                self._lifter = make_lifter(*self.recruit)
            for entry in wanted:
                yield entry, self._lifter(self._task(entry))
            return
        crew: Crew[LiftingTask, LiftedPage] = Crew(
            make_lifter, self.recruit, jobs=1, lost=lambda _: LiftedPage("failed", note="its process died"), here=False
        )
        with crew:
            for chunk in chunks(wanted, lambda entry: len(entry.response.body)):
                (answers,) = crew.answers([[self._task(entry) for entry in chunk]])
                yield from zip(chunk, answers, strict=True)

    def _wanted(self, entries: Iterable[Entry], tally: Tally) -> Iterator[Entry]:
        """Pages of sites that have rules; the others need not be parsed."""
        for entry in entries:
            if entry.response.status != 200:
                continue
            if site_of(entry.response.url) in self.sites:
                yield entry
            else:
                tally.pass_over(entry.response.url)

    def _task(self, entry: Entry) -> LiftingTask:
        return entry.response, self.known.cluster(entry.response.url), True


def _begin(file: Path) -> int:
    """Note an attempt -> which one it is."""
    before = bytes_of(file)
    attempt = 1 + (int(before) if before is not None and before.isdigit() else 0)
    place_bytes(str(attempt).encode(), file)
    return attempt
