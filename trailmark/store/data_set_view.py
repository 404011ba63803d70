"""Looking at a data set of records: how many there are of each kind, one page of them, all of them in batches. Memory is bounded by a file's groups of rows.

Manifests say how many rows each file has, so that a count reads no file, and the page after a million rows only the one that it stands in.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from trailmark.datatypes import Record
from trailmark.errors import InputError, WorkspaceError
from trailmark.quoting import reason_text
from trailmark.store.data_set import DataFile, DataSet, Standing
from trailmark.store.parquet_schema import ASIDE, RECORDS, Table, arrow, record_of

BATCH = 5_000
_KIND = "kind="


@dataclass(frozen=True, slots=True)
class AsidePage:
    """A page, or what stands for one, that was set aside."""

    url: str
    archive: str
    offset: int
    reason: str


class DataSetView:
    """What can be seen of a data set of records, as it was when this was made."""

    def __init__(self, data_set: DataSet) -> None:
        self._folder = data_set.folder
        self.standing: Standing = data_set.standing()

    def kinds(self) -> dict[str, int]:
        """How many records there are of each kind."""
        return {
            unquote(folder.removeprefix(_KIND)): rows for folder, rows in sorted(self.standing.rows().items()) if rows
        }

    def count(self, kind: str | None = None) -> int:
        return sum(rows for name, rows in self.kinds().items() if kind in (None, name))

    def count_aside(self) -> int:
        return self.standing.rows(aside=True).total()

    def records(self, kind: str | None = None) -> Iterator[Record]:
        """All records, file after file."""
        for file in self._files(kind):
            for batch in self._batches(file):
                yield from map(record_of, batch.to_pylist())

    def page(
        self, kind: str | None = None, *, containing: str = "", most: int = 50, skip: int = 0
    ) -> tuple[int, list[Record]]:
        """How many records there are of a kind, with these letters in a value or the address where any are given, and one page of them."""
        if containing:
            return self._search(kind, containing, most, skip)
        found: list[Record] = []
        left = skip
        for file in self._files(kind):
            rows = self.standing.live_rows(file)
            if left >= rows:
                left -= rows
                continue
            found += self._rows_at(file, left, most - len(found))
            left = 0
            if len(found) >= most:
                break
        return self.count(kind), found

    def aside(self, most: int = 50) -> list[AsidePage]:
        """Some of what was set aside."""
        found: list[AsidePage] = []
        for file in self.standing.files(aside=True):
            for batch in self._batches(file):
                rows = batch.to_pylist()
                found += [AsidePage(row["url"], row["archive"], row["offset"], row["reason"]) for row in rows]
                if len(found) >= most:
                    return found[:most]
        return found

    def _files(self, kind: str | None) -> list[DataFile]:
        files = self.standing.files()
        return files if kind is None else [file for file in files if unquote(file.folder.removeprefix(_KIND)) == kind]

    def _rows_at(self, file: DataFile, skip: int, most: int) -> list[Record]:
        """Rows of one file from a place on; groups of rows before it are not read."""
        gone = self.standing.gone(file)
        found: list[Record] = []
        with self._opened(file) as opened:
            for group in range(opened.num_row_groups):
                rows = opened.metadata.row_group(group).num_rows
                if not gone and skip >= rows:
                    skip -= rows
                    continue
                table = without_parts(opened.read_row_group(group), gone)
                found += map(record_of, table.slice(skip, most - len(found)).to_pylist())
                skip = max(skip - table.num_rows, 0)
                if len(found) >= most:
                    break
        return found

    def _search(self, kind: str | None, containing: str, most: int, skip: int) -> tuple[int, list[Record]]:
        """Only addresses and values are read; all of a record, for the page alone."""
        count, found = 0, list[Record]()
        for file in self._files(kind):
            at, wanted = 0, list[int]()
            for batch in self._batches(file, ["url", "fields", "part"]):
                for place in np.flatnonzero(_contains(batch, containing)):
                    if skip <= count and len(found) + len(wanted) < most:
                        wanted.append(at + int(place))
                    count += 1
                at += batch.num_rows
            if wanted:
                found += self._rows_of(file, wanted)
        return count, found

    def _rows_of(self, file: DataFile, wanted: list[int]) -> list[Record]:
        """Rows of one file by their places among those that count."""
        at, found = 0, list[Record]()
        for batch in self._batches(file):
            here = [place - at for place in wanted if at <= place < at + batch.num_rows]
            found += map(record_of, batch.take(here).to_pylist()) if here else ()
            at += batch.num_rows
            if at > wanted[-1]:
                break
        return found

    def _batches(self, file: DataFile, columns: list[str] | None = None) -> Iterator[Any]:
        gone = self.standing.gone(file)
        with self._opened(file) as opened:
            for batch in opened.iter_batches(batch_size=BATCH, columns=columns):
                yield without_parts(arrow().Table.from_batches([batch]), gone)

    @contextmanager
    def _opened(self, file: DataFile) -> Iterator[Any]:
        with opened_file(self._folder, self.standing, file) as opened:
            schema = opened.schema_arrow
            missing = [each.name for each in _table(file).schema() if not _has(schema, each)]
            if missing:
                raise InputError(
                    f"{self._folder / file.path} holds no records, as it has no such column as {missing[0]}: "
                    "name a data set of records, as trailmark extract --out FOLDER/ writes it."
                )
            yield opened


@contextmanager
def opened_file(folder: Path, standing: Standing, file: DataFile) -> Iterator[Any]:
    """A Parquet file of a data set; raises WorkspaceError with what to do where it is gone or damaged, also while it is read."""
    path = folder / file.path
    anew = f"remove {folder / standing.manifest_of(file)}, and write its part again."
    try:
        with path.open("rb") as stream:
            yield arrow().parquet.ParquetFile(stream, pre_buffer=False)
    except FileNotFoundError as error:
        raise WorkspaceError(
            f"{path} is gone: try again, as it may have been compacted meanwhile; where that does not help, {anew}"
        ) from error
    except (OSError, arrow().ArrowException) as error:  # pyarrow has an OSError for what can't be unpacked
        reason = reason_text(error, 200).rstrip(".")
        raise WorkspaceError(f"{path} can't be read ({reason}): try again; where it is damaged, {anew}") from error


def _table(file: DataFile) -> Table:
    return ASIDE if file.aside else RECORDS


def _has(schema: Any, wanted: Any) -> bool:
    return wanted.name in schema.names and schema.field(wanted.name).type == wanted.type


def without_parts(table: Any, parts: list[str]) -> Any:
    """The rows of a table that are of none of these parts."""
    if not parts:
        return table
    compute = arrow().compute
    return table.filter(compute.invert(compute.is_in(table["part"], value_set=arrow().array(parts))))


def _contains(table: Any, text: str) -> Any:
    """Which rows have these letters in a value or the address, capitals aside."""
    compute = arrow().compute
    fields = table["fields"].combine_chunks()
    values = fields.items
    hits = compute.match_substring(values.values, text, ignore_case=True).to_numpy(zero_copy_only=False).nonzero()[0]
    at = np.searchsorted(values.offsets.to_numpy(), hits, side="right") - 1  # of a value: its field
    rows = np.searchsorted(fields.offsets.to_numpy(), at, side="right") - 1  # of a field: its row
    found = compute.match_substring(table["url"], text, ignore_case=True).to_numpy(zero_copy_only=False).copy()
    found[rows[(rows >= 0) & (rows < len(found))]] = True
    return found
