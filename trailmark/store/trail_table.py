"""Trails and annotations as rows: what a person taught."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby

from trailmark.datatypes import Annotation, Step, Trail
from trailmark.store.content_digest import content_digest


def add_trail(connection: sqlite3.Connection, trail: Trail, *, source: str, line: int | None, at: str) -> bool:
    """Whether the trail was new; one that says the same is left as it is."""
    steps = [(step.url, step.label, step.anchor) for step in trail.steps]
    added = connection.execute(
        "INSERT OR IGNORE INTO trails (site, outcome, last_label, source, line, added_at, content_hash) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            trail.site,
            trail.outcome,
            trail.steps[-1].label if trail.steps else None,
            source,
            line,
            at,
            content_digest(trail.site, trail.outcome, steps),
        ),
    )
    if added.rowcount == 0:
        return False
    connection.executemany(
        "INSERT INTO steps (trail_id, position, url, label, anchor) VALUES (?, ?, ?, ?, ?)",
        [(added.lastrowid, position, *step) for position, step in enumerate(steps)],
    )
    return True


def read_trails(connection: sqlite3.Connection, goal: str | None) -> Iterator[Trail]:
    """Trails in the order they were added; with a goal, without the goal trails that end in another label."""
    rows = connection.execute(
        "SELECT trails.id, site, outcome, url, label, anchor FROM trails JOIN steps ON trail_id = trails.id "
        "WHERE ?1 IS NULL OR outcome = 'fail' OR last_label = ?1 ORDER BY trails.id, position",
        (goal,),
    )
    for (_, site, outcome), steps in groupby(rows, key=lambda row: row[:3]):
        yield Trail(site=site, outcome=outcome, steps=tuple(Step(*step[3:]) for step in steps))


def add_annotations(connection: sqlite3.Connection, annotations: Iterable[Annotation], *, source: str, at: str) -> int:
    """How many annotations were new."""
    new = 0
    for annotation in annotations:
        marked = (annotation.url, annotation.field, annotation.value, annotation.xpath)
        new += connection.execute(
            "INSERT OR IGNORE INTO annotations (url, field, value, xpath, source, added_at, content_hash) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (*marked, source, at, content_digest(*marked)),
        ).rowcount
    return new


_ANNOTATIONS = "SELECT url, field, value, xpath FROM annotations"


def read_annotations(connection: sqlite3.Connection, url: str | None) -> Iterator[Annotation]:
    """Annotations in the order they were added, of one page or of all."""
    query = f"{_ANNOTATIONS} ORDER BY id" if url is None else f"{_ANNOTATIONS} WHERE url = ? ORDER BY id"
    for row in connection.execute(query, () if url is None else (url,)):
        yield Annotation(*row)


def forget_annotations(connection: sqlite3.Connection, annotations: Iterable[Annotation]) -> int:
    """How many of these were there and are no longer."""
    return sum(
        connection.execute(
            "DELETE FROM annotations WHERE url = ? AND field = ? AND value IS ? AND xpath IS ?",
            (annotation.url, annotation.field, annotation.value, annotation.xpath),
        ).rowcount
        for annotation in annotations
    )
