"""Bellwethers with their golden extractions, what visits found, and earlier versions of rules, as rows.

What stands in the JSON columns is the business of those who write it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

MOST_VISITS = 1000
"""Of one cluster that are kept; the oldest go first."""
MOST_VERSIONS = 20


@dataclass(frozen=True, slots=True)
class KeptVisit:
    """What one run found in one cluster."""

    run: int
    at: str
    cluster: str
    status: str
    report: dict[str, Any]


def write_bellwethers(
    connection: sqlite3.Connection, cluster: str, *, rules: str, at: str, goldens: Iterable[dict[str, Any]]
) -> None:
    """Put these golden extractions in place of the cluster's; `rules` is a digest of the rules that made them."""
    connection.execute("DELETE FROM bellwethers WHERE cluster_id = ?", (cluster,))
    connection.executemany(
        "INSERT OR REPLACE INTO bellwethers (cluster_id, url, golden, rules, taken_at) VALUES (?, ?, ?, ?, ?)",
        [(cluster, golden["url"], json.dumps(golden), rules, at) for golden in goldens],
    )


def read_bellwethers(connection: sqlite3.Connection, cluster: str) -> tuple[str, list[dict[str, Any]]]:
    """The digest of the rules and the golden extractions; nothing where there are none."""
    rows = connection.execute(
        "SELECT rules, golden FROM bellwethers WHERE cluster_id = ? ORDER BY url", (cluster,)
    ).fetchall()
    return (rows[0][0], [json.loads(golden) for _, golden in rows]) if rows else ("", [])


def next_run(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(run), 0) + 1 FROM monitor_visits").fetchone()[0])


def add_visit(connection: sqlite3.Connection, visit: KeptVisit) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO monitor_visits (run, cluster_id, at, status, report) VALUES (?, ?, ?, ?, ?)",
        (visit.run, visit.cluster, visit.at, visit.status, json.dumps(visit.report)),
    )
    connection.execute(
        "DELETE FROM monitor_visits WHERE cluster_id = ? AND run <= ?", (visit.cluster, visit.run - MOST_VISITS)
    )


def read_visits(connection: sqlite3.Connection, cluster: str | None = None) -> list[KeptVisit]:
    """From the first to the last."""
    rows = connection.execute(
        "SELECT run, at, cluster_id, status, report FROM monitor_visits WHERE ? IS NULL OR cluster_id = ? ORDER BY run, cluster_id",
        (cluster, cluster),
    ).fetchall()
    return [KeptVisit(run, at, name, status, json.loads(report)) for run, at, name, status, report in rows]


def add_version(connection: sqlite3.Connection, cluster: str, *, at: str, version: dict[str, Any]) -> None:
    """Keep what is about to be replaced."""
    connection.execute(
        "INSERT INTO rule_versions (cluster_id, at, kept) VALUES (?, ?, ?)", (cluster, at, json.dumps(version))
    )
    connection.execute(
        "DELETE FROM rule_versions WHERE cluster_id = ? AND id NOT IN"
        " (SELECT id FROM rule_versions WHERE cluster_id = ? ORDER BY id DESC LIMIT ?)",
        (cluster, cluster, MOST_VERSIONS),
    )


def take_version(connection: sqlite3.Connection, cluster: str) -> dict[str, Any] | None:
    """The version that was kept last, which is then no longer kept; None where there is none."""
    row = connection.execute(
        "SELECT id, kept FROM rule_versions WHERE cluster_id = ? ORDER BY id DESC LIMIT 1", (cluster,)
    ).fetchone()
    if row is None:
        return None
    connection.execute("DELETE FROM rule_versions WHERE id = ?", (row[0],))
    version: dict[str, Any] = json.loads(row[1])
    return version


def set_template(connection: sqlite3.Connection, cluster: str, *, signature: str, template: dict[str, Any]) -> None:
    """Give a cluster another template; its pages stay."""
    connection.execute(
        "UPDATE clusters SET signature = ?, template = ? WHERE id = ?", (signature, json.dumps(template), cluster)
    )
