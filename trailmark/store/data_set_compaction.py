"""Many small files of a data set -> few large ones with the same rows in the same order.

The new files are put in place first, then the manifest that names them, then what it replaces is removed: stopped at any moment, a reader sees
every row once. Nobody may write to the data set meanwhile. Compacting again what was compacted changes nothing.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailmark.errors import WorkspaceError
from trailmark.store.data_set import DONE, SUFFIX, DataFile, DataSet, Standing
from trailmark.store.data_set_view import opened_file, without_parts
from trailmark.store.parquet_part import GROUP
from trailmark.store.parquet_schema import arrow
from trailmark.store.placed_file import place

ENOUGH = 64_000_000
"""Bytes from which on a file is large, and is left as it is."""


@dataclass(frozen=True, slots=True)
class Compaction:
    """What compacting did."""

    files_before: int
    files: int
    rows: int


def compact(data_set: DataSet, *, enough: int = ENOUGH) -> Compaction:
    """A data set that nobody writes to -> the same rows in as few files of at least so many bytes as there can be."""
    standing = data_set.standing()
    before = [*standing.files(), *standing.files(aside=True)]
    kept: list[DataFile] = []
    made: list[DataFile] = []
    for folder in sorted({file.folder for file in before}):
        for group in _groups([file for file in before if file.folder == folder], enough):
            if len(group) == 1 and not standing.gone(group[0]):
                kept.append(group[0])
            else:
                made += _written(data_set, standing, folder, group)
    if made or any(not each.compacted for each in standing.parts.values()):
        data_set.put_compacted(standing.parts, [*kept, *made])
    named = {file.path for file in (*kept, *made)}
    for part, known in standing.parts.items():
        if not known.compacted and data_set.done(part, known.version):  # else it was written anew meanwhile
            (data_set.folder / DONE / f"{part}.json").unlink(missing_ok=True)
    data_set.sweep()
    return Compaction(len(before), len(named), sum(file.rows for file in (*kept, *made)))


def _groups(files: Sequence[DataFile], enough: int) -> Iterator[list[DataFile]]:
    """Files of a folder in their order -> those that become one: until they are enough."""
    group: list[DataFile] = []
    for file in files:
        group.append(file)
        if sum(each.size for each in group) >= enough:
            yield group
            group = []
    if group:
        yield group


def _written(data_set: DataSet, standing: Standing, folder: str, group: Sequence[DataFile]) -> list[DataFile]:
    """Files -> one with all their rows that count, in place; none where none do. Its name says what it is of."""
    name = hashlib.sha256("\n".join(file.path for file in group).encode()).hexdigest()[:24]
    rows = Counter[str]()
    with tempfile.TemporaryDirectory(prefix="trailmark-compact-") as scratch:
        path = Path(scratch) / f"whole{SUFFIX}"
        writer: Any = None
        for table in _tables(data_set, standing, group):
            if writer is None:
                writer = arrow().parquet.ParquetWriter(path, table.schema, compression="zstd")
            writer.write_table(table, row_group_size=GROUP)
            for entry in table["part"].value_counts().to_pylist():
                rows[entry["values"]] += entry["counts"]
        if writer is None:
            return []
        writer.close()
        size, target = path.stat().st_size, f"{folder}/compacted-{name}{SUFFIX}".lstrip("/")
        place(path, data_set.folder / target)
    return [DataFile(target, size, dict(sorted(rows.items())))]


def _tables(data_set: DataSet, standing: Standing, group: Sequence[DataFile]) -> Iterator[Any]:
    for file in group:
        with opened_file(data_set.folder, standing, file) as opened:
            if "part" not in opened.schema_arrow.names:
                raise WorkspaceError(
                    f"{data_set.folder / file.path} is no file of a data set: "
                    f"remove {data_set.folder / standing.manifest_of(file)}, and write its part again."
                )
            for number in range(opened.num_row_groups):
                table = without_parts(opened.read_row_group(number), standing.gone(file))
                if table.num_rows:
                    yield table
