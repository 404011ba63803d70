"""Trails and annotations as rows: what a person taught."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from trailmark.datatypes import Annotation, Step, Trail
from trailmark.store.content_digest import content_digest
from trailmark.store.row_numbers import next_number


@dataclass(frozen=True, slots=True)
class KeptTrail:
    """A trail with its number, and where it came from."""

    id: int
    told: int
    """When it was said last, counted in trails: of two that contradict each other the greater one counts."""
    source: str
    line: int | None
    added_at: str
    trail: Trail


_LAST_TOLD = "(SELECT max(coalesce(max(told), 0), coalesce(max(id), 0)) FROM trails)"


def add_trail(
    connection: sqlite3.Connection, trail: Trail, *, source: str, line: int | None, at: str, told_again: bool = False
) -> bool:
    """Whether the trail was new; one that says the same is left as it is, but that it is about more goals now, or was `told_again`."""
    steps = [(step.url, step.label, step.anchor) for step in trail.steps]
    added = connection.execute(
        "INSERT OR IGNORE INTO trails (id, told, site, outcome, last_label, source, line, added_at, content_hash, about) "  # noqa: S608
        f"VALUES ({next_number('trails')}, {_LAST_TOLD} + 1, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            trail.site,
            trail.outcome,
            trail.steps[-1].label if trail.steps else None,
            source,
            line,
            at,
            content_digest(trail.site, trail.outcome, steps),
            json.dumps(trail.about),
        ),
    )
    if added.rowcount == 0:
        _add_goals(connection, trail, content_digest(trail.site, trail.outcome, steps))
        if told_again:
            _tell_again(connection, content_digest(trail.site, trail.outcome, steps))
        return False
    connection.executemany(
        "INSERT INTO steps (trail_id, position, url, label, anchor) VALUES (?, ?, ?, ?, ?)",
        [(added.lastrowid, position, *step) for position, step in enumerate(steps)],
    )
    return True


def trail_digest(connection: sqlite3.Connection, number: int, outcome: str) -> str:
    """The digest of a trail as its steps are now, with that outcome."""
    (site,) = connection.execute("SELECT site FROM trails WHERE id = ?", (number,)).fetchone()
    rows = connection.execute("SELECT url, label, anchor FROM steps WHERE trail_id = ? ORDER BY position", (number,))
    return content_digest(site, outcome, [list(row) for row in rows])


def _add_goals(connection: sqlite3.Connection, trail: Trail, digest: str) -> None:
    (kept,) = connection.execute("SELECT about FROM trails WHERE content_hash = ?", (digest,)).fetchone()
    known = json.loads(kept)
    about = list(dict.fromkeys([*known, *trail.about]))
    if about != known:
        connection.execute("UPDATE trails SET about = ? WHERE content_hash = ?", (json.dumps(about), digest))


def _tell_again(connection: sqlite3.Connection, digest: str) -> None:
    connection.execute(
        f"UPDATE trails SET told = {_LAST_TOLD} + 1 WHERE content_hash = ? AND max(told, id) < {_LAST_TOLD}",  # noqa: S608
        (digest,),
    )


def read_kept_trails(connection: sqlite3.Connection) -> Iterator[KeptTrail]:
    """Trails with their numbers, in the order they were added."""
    rows = connection.execute(
        "SELECT trails.id, max(told, trails.id), source, line, added_at, site, outcome, about, url, label, anchor "
        "FROM trails JOIN steps ON trail_id = trails.id ORDER BY trails.id, position"
    )
    for (number, told, source, line, at, site, outcome, about), steps in groupby(rows, key=lambda row: row[:8]):
        trail = Trail(site, outcome, tuple(Step(*step[8:]) for step in steps), about=tuple(json.loads(about)))
        yield KeptTrail(number, told, source, line, at, trail)


def read_trails(connection: sqlite3.Connection) -> Iterator[Trail]:
    """Trails in the order they were added."""
    rows = connection.execute(
        "SELECT trails.id, site, outcome, about, url, label, anchor FROM trails JOIN steps ON trail_id = trails.id "
        "ORDER BY trails.id, position"
    )
    for (_, site, outcome, about), steps in groupby(rows, key=lambda row: row[:4]):
        yield Trail(site, outcome, tuple(Step(*step[4:]) for step in steps), about=tuple(json.loads(about)))


def add_annotations(connection: sqlite3.Connection, annotations: Iterable[Annotation], *, source: str, at: str) -> int:
    """How many annotations were new."""
    new = 0
    for annotation in annotations:
        marked = (annotation.url, annotation.field, annotation.value, annotation.xpath)
        new += connection.execute(
            "INSERT OR IGNORE INTO annotations (id, url, field, value, xpath, source, added_at, content_hash) "  # noqa: S608
            f"VALUES ({next_number('annotations')}, ?, ?, ?, ?, ?, ?, ?)",
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
