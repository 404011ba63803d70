"""Rows of the workspace's database as rows of data sets: the fetches of a run, the pages of clusters. One at a time, so that memory stays flat."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from trailmark.quoting import unicode_text
from trailmark.store.content_digest import content_digest
from trailmark.store.database import Database
from trailmark.store.parquet_schema import Row

BucketOf = Callable[[str], str]
"""The root of a site -> the bucket in which its rows are."""
_FETCHES = (
    "SELECT f.n, root, f.url, f.status, f.score, f.label, f.goal, f.goal_probability, f.goal_name, above.final_url, f.depth, f.final_url, "
    "f.content_hash, f.failure, f.at, f.title FROM fetches AS f JOIN sites ON sites.run_id = f.run_id AND sites.number = f.site "
    "LEFT JOIN fetches AS above ON above.run_id = f.run_id AND above.n = f.parent_n WHERE f.run_id = ? ORDER BY f.n"
)
_STATE = (
    "SELECT COUNT(*), total(goal), total(goal_probability), total(at), max(n) FROM fetches WHERE run_id = ? "
    "UNION ALL SELECT id, started_at, finished_at, seconds, goal_name FROM runs WHERE id = ?"
)
_PAGES = (
    "SELECT p.url, p.cluster_id, c.site, c.signature, c.url_pattern, p.sample_rank FROM cluster_pages AS p "
    "JOIN clusters AS c ON c.id = p.cluster_id ORDER BY c.site, p.cluster_id, p.url"
)


def fetches_version(database: Database, run: int) -> str:
    """Another one where what was fetched or decided in a run is."""
    with database.snapshot() as connection:
        return content_digest(connection.execute(_STATE, (run, run)).fetchall())


def fetch_rows(database: Database, run: int, part: str, bucket_of: BucketOf) -> Iterator[Row]:
    """The fetches of a run in their order, as rows of `parquet_schema.FETCHES`."""
    with database.snapshot() as connection:
        for n, site, url, status, score, label, goal, chance, name, above, *rest in connection.execute(
            _FETCHES, (run,)
        ):
            depth, final, content, failure, at, title = rest
            verdict = None if goal is None else bool(goal)
            row = (run, bucket_of(site), n, site, url, status, score, label, verdict, chance, name, above or "", depth)
            yield tuple(map(_plain, (*row, final, content, failure, at, title, part)))


def cluster_rows(database: Database, part: str, bucket_of: BucketOf) -> Iterator[Row]:
    """The pages of clusters, as rows of `parquet_schema.CLUSTERS`."""
    with database.snapshot() as connection:
        for url, cluster, site, signature, pattern, rank in connection.execute(_PAGES):
            yield tuple(map(_plain, (bucket_of(site), url, cluster, site, signature, pattern, rank, part)))


def run_numbers(database: Database) -> list[int]:
    """The runs of the forager that fetched something."""
    with database.snapshot() as connection:
        return [int(number) for (number,) in connection.execute("SELECT DISTINCT run_id FROM fetches ORDER BY 1")]


def _plain(value: object) -> object:
    return unicode_text(value) if isinstance(value, str) else value
