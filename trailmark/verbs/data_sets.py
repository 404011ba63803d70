"""Data sets beside a workspace: what it holds written to them, a page of one looked at, the records of one taken over, small files made large.

The workspace's database is for one machine. What outgrows it stays in a data set: it is counted and listed there, and whoever wants to
organise and publish it takes over the kinds that are wanted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.report import Report
from trailmark.store.archive_names import path_named
from trailmark.store.content_digest import content_digest
from trailmark.store.data_set import DataSet, data_set_named
from trailmark.store.data_set_compaction import compact
from trailmark.store.data_set_view import AsidePage, DataSetView
from trailmark.store.parquet_part import put_part
from trailmark.store.parquet_schema import CLUSTERS, RECORDS, arrow, record_row
from trailmark.store.record_table import last_record, records_up_to, shown_version
from trailmark.store.table_rows import cluster_rows, run_numbers
from trailmark.verbs.reshaping import shown_now
from trailmark.verbs.ship_part import bucket_of, ship_fetches
from trailmark.workspace import Workspace

TABLES = ("records", "fetches", "clusters")
OWN_PART = "workspace"
BATCH = 500
"""Pages that are taken over in one go."""


@dataclass(frozen=True, slots=True)
class DataSetsReport(Report):
    """What `export FOLDER/` wrote."""

    folder: str
    records: int
    fetches: int
    clusters: int
    """Pages of clusters."""


@dataclass(frozen=True, slots=True)
class CompactReport(Report):
    """What `export --compact FOLDER/` did."""

    folder: str
    files_before: int
    files: int
    rows: int


@dataclass(frozen=True, slots=True)
class DataSetReport(Report):
    """A data set of records, and one page of it."""

    folder: str
    kinds: Mapping[str, int]
    """How many records there are of each kind."""
    parts: int
    aside: int
    """Pages that were set aside."""
    count: int
    """Records that were asked for."""
    records: tuple[Record, ...]
    """One page of these."""
    set_aside: tuple[AsidePage, ...]
    """Some that were set aside."""


@dataclass(frozen=True, slots=True)
class TakenReport(Report):
    """What `extract --from FOLDER/` took over."""

    folder: str
    records: int
    """Records that were read."""
    new: int
    """Of these, those that the workspace has now and did not have."""


def export_data_sets(workspace: Workspace, folder: str | Path) -> DataSetsReport:
    """What a workspace holds -> data sets below a folder: records, fetches and clusters."""
    arrow()
    root, database = path_named(folder), workspace.database
    with database.snapshot() as connection:
        known = [records_up_to(connection, last_record(connection)), shown_version(connection)]
    rows = (record_row(record, OWN_PART) for record in database.records())
    records = put_part(DataSet(root / "records"), RECORDS, OWN_PART, content_digest(*known), rows)
    fetches = sum(ship_fetches(database, run, DataSet(root / "fetches")) for run in run_numbers(database))
    pages = list(cluster_rows(database, OWN_PART, bucket_of))
    clusters = put_part(DataSet(root / "clusters"), CLUSTERS, OWN_PART, content_digest(pages), pages)
    return DataSetsReport(str(folder), records, fetches, clusters)


def compact_data_sets(folder: str | Path) -> CompactReport:
    """A data set, or a folder of several, that nobody writes to -> the same rows in few files."""
    arrow()
    root = path_named(folder)
    found = [DataSet(each) for each in (root, *(root / name for name in TABLES)) if DataSet(each).standing().parts]
    if not found:
        raise InputError(f"{root} holds no data set: write one with trailmark export {root}/")
    done = [compact(each) for each in found]
    sums = (sum(each.files_before for each in done), sum(each.files for each in done), sum(each.rows for each in done))
    return CompactReport(str(folder), *sums)


def data_set_page(
    folder: str | Path, *, kind: str | None = None, containing: str = "", most: int = 50, skip: int = 0
) -> DataSetReport:
    """A data set of records -> what it holds, and one page of those that are asked for."""
    arrow()
    view = DataSetView(data_set_named(path_named(folder)))
    count, records = view.page(kind, containing=containing, most=most, skip=skip)
    aside = view.count_aside()
    return DataSetReport(
        str(folder),
        view.kinds(),
        len(view.standing.parts),
        aside,
        count,
        tuple(records),
        tuple(view.aside(most=10)) if aside else (),
    )


def count_data_set(folder: str | Path) -> int:
    """How many records a data set has; no file of it is read but its manifests."""
    return DataSetView(data_set_named(path_named(folder))).count()


def take_records(
    workspace: Workspace, folder: str | Path, *, kind: str | None = None, progress: Progress = silent
) -> TakenReport:
    """The records of a data set, or those of a kind -> the workspace, some hundred pages at a time. What it has already is not taken twice."""
    arrow()
    view = DataSetView(data_set_named(path_named(folder)))
    read = new = 0
    records = progress(view.records(kind), "records")
    pages = (list(page) for _, page in groupby(records, key=lambda record: record.url))
    while batch := list(islice(pages, BATCH)):
        with workspace.database.transaction(), shown_now(workspace) as shown:
            new += sum(workspace.database.add_lifted(page, shown=shown) for page in batch)
        read += sum(map(len, batch))
    return TakenReport(str(folder), read, new)
