"""Shipping what a run that was dealt fetched: the pages of each part when it ends, its fetches when the run does.

A part is shipped by who walked it, before the next one is taken up: a slow store slows the walk, and nothing piles up in memory. The
fetches wait for the end, because only then their verdicts are settled.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from trailmark.forage.scope import domain_of, host_of
from trailmark.settings import StoreSettings
from trailmark.store.archive import archives_in
from trailmark.store.archive_shipping import ship_pages
from trailmark.store.data_set import DataSet
from trailmark.store.database import Database
from trailmark.store.parquet_part import put_part
from trailmark.store.parquet_schema import FETCHES
from trailmark.store.placed_file import bytes_of, place_bytes
from trailmark.store.run_part import RunPart
from trailmark.store.table_rows import fetch_rows, fetches_version
from trailmark.verbs.walk_part import PartErrand, PartWalker

BUCKETS = 16
SHIPPED = "shipped"
"""File in which a part notes what of it is in the storage."""


@dataclass(frozen=True, slots=True)
class ShippedWalk:
    """Walks parts of a run, and ships each when it ends."""

    walker: PartWalker
    storage: Path
    run: int
    day: str
    """On which the run began, as `2026-01-31`."""
    settings: StoreSettings

    def __call__(self, errand: PartErrand) -> int:
        """As `PartWalker`."""
        pages = self.walker(errand)
        self.ship(errand.part)
        return pages

    def ship(self, part: RunPart) -> None:
        """The pages of a part to the storage, unless all that it has is there."""
        archives, note = archives_in(part.folder / "archive"), part.folder / SHIPPED
        state = "\n".join([str(self.storage), *(f"{each.name} {each.stat().st_size}" for each in archives)]).encode()
        if bytes_of(note) != state:
            name = f"run-{self.run:05d}-part-{part.number:05d}.warc.gz"
            ship_pages(archives, self.storage / "pages" / self.day / name, self.day, settings=self.settings)
            place_bytes(state, note)


def ship_fetches(database: Database, run: int, data_set: DataSet) -> int:
    """The fetches of a run -> its part of a data set, where it is not there as it is; how many rows it has."""
    part = f"run{run:05d}"
    rows = fetch_rows(database, run, part, bucket_of)
    return put_part(data_set, FETCHES, part, fetches_version(database, run), rows)


def bucket_of(site: str) -> str:
    """The root of a site -> one of sixteen buckets, by its registrable domain."""
    domain = domain_of(host_of(site))
    return f"{int(hashlib.sha256(domain.encode('utf-8', 'surrogatepass')).hexdigest()[:8], 16) % BUCKETS:02d}"
