"""Rows -> the Parquet files of one part of a data set: in groups of rows, so that memory is bounded, and in place when all are whole."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from trailmark.store.data_set import ASIDE_FOLDER, SUFFIX, DataFile, DataSet, PartManifest
from trailmark.store.parquet_schema import ASIDE, Row, Table, arrow
from trailmark.store.placed_file import place

GROUP = 5_000
"""Rows of one group: what a writer holds of each file."""
MOST_OPEN = 64
"""Files that are written at once; kinds that come after so many share a file's memory by being written out sooner."""


class PartWriter:
    """`add` rows, then `end` with what was counted; leaving the block without `end` leaves nothing that counts."""

    def __init__(self, data_set: DataSet, table: Table, part: str, version: str) -> None:
        self._data_set, self._table, self.part, self.version = data_set, table, part, version
        self._stem = f"{part}-{version[:16]}"
        self._files: dict[str, _GrowingFile] = {}

    def __enter__(self) -> Self:
        self._scratch = tempfile.TemporaryDirectory(prefix="trailmark-part-")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files.values():
            file.close()
        self._scratch.cleanup()

    def add(self, rows: Iterable[Row]) -> None:
        """Rows of the table, each to the file of its folder."""
        for row in rows:
            self._file(self._table.folder(row), self._table).add(row)

    def set_aside(self, rows: Iterable[Row]) -> None:
        """What could not be read."""
        for row in rows:
            self._file(ASIDE_FOLDER, ASIDE).add(row)

    def end(self, notes: dict[str, Any]) -> PartManifest:
        """Put the files in place, then say that the part is done; what an earlier version of it left is for `DataSet.sweep`."""
        files: list[DataFile] = []
        for folder, file in sorted(self._files.items()):
            file.close()
            name = f"{folder}/{self._stem}{SUFFIX}".lstrip("/")
            files.append(DataFile(name, file.path.stat().st_size, {self.part: file.rows}))
            place(file.path, self._data_set.folder / name)
        manifest = PartManifest(self.part, self.version, tuple(files), notes)
        self._data_set.put_manifest(manifest)
        return manifest

    def _file(self, folder: str, table: Table) -> _GrowingFile:
        if folder not in self._files:
            path = Path(self._scratch.name) / f"{len(self._files):06d}{SUFFIX}"
            self._files[folder] = _GrowingFile(path, table.schema())
            if len(self._files) > MOST_OPEN:
                for each in self._files.values():
                    each.write_out()
        return self._files[folder]


def put_part(data_set: DataSet, table: Table, part: str, version: str, rows: Iterable[Row]) -> int:
    """Rows -> a part of a data set, where it is not there in this version, in place of what was -> how many it has."""
    done = data_set.done(part, version)
    if done is None:
        with PartWriter(data_set, table, part, version) as writer:
            writer.add(rows)
            done = writer.end({})
        data_set.sweep([part])
    return sum(file.rows for file in done.files)


class _GrowingFile:
    """A Parquet file and the rows that wait for it."""

    def __init__(self, path: Path, schema: Any) -> None:
        self.path, self.rows, self._schema = path, 0, schema
        self._waiting: list[Row] = []
        self._writer: Any = arrow().parquet.ParquetWriter(path, schema, compression="zstd", write_page_index=False)

    def add(self, row: Row) -> None:
        self._waiting.append(row)
        self.rows += 1
        if len(self._waiting) >= GROUP:
            self.write_out()

    def write_out(self) -> None:
        if self._waiting:
            self._writer.write_table(table_of(self._waiting, self._schema))
            self._waiting.clear()

    def close(self) -> None:
        """May be called twice."""
        if self._writer is not None:
            self.write_out()
            self._writer.close()
            self._writer = None


def table_of(rows: Sequence[Row], schema: Any) -> Any:
    """Rows -> a table of pyarrow."""
    pa = arrow()
    columns = zip(*rows, strict=True)
    return pa.table(
        [pa.array(list(column), kind.type) for column, kind in zip(columns, schema, strict=True)], schema=schema
    )
