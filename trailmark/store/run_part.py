"""Parts of a run that was dealt to several walkers: each in a folder of its own, brought together in the workspace's books.

A part is what a workspace is while it is walked: a database, an archive, a journal. When all are done their rows become the rows of one
run, sites and fetches numbered anew in the order of the parts, and their archives are linked into the workspace's.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trailmark.datatypes import RunState, SiteState
from trailmark.store.archive import archives_in
from trailmark.store.database import Database
from trailmark.store.json_lines import written_whole
from trailmark.store.page_table import read_pages
from trailmark.store.run_table import RunTable

_FETCH = (
    "status", "score", "label", "goal", "goal_probability", "depth", "final_url", "content_hash", "gist", "failure", "sketch",
    "missing", "evidence", "family", "walk_goal", "walk_probability", "goal_name", "commonness", "at", "title", "url",
    "keywords",
)  # fmt: skip
"""Columns of a fetch that are the same in the part and in the whole."""
_EVENT = ("at", "kind", "host", "url", "words")
PART_DATABASE, _SITES = "trailmark.db", "sites"


@dataclass(frozen=True)
class RunPart:
    """A part in its folder, and which sites of the whole run its own are."""

    number: int
    folder: Path
    sites: tuple[int, ...]

    @property
    def begun(self) -> bool:
        """Whether anybody walked it, or began to."""
        return (self.folder / PART_DATABASE).is_file()

    def as_begun(self) -> RunPart:
        """The part with the sites that it was begun with; as it is where nobody began it."""
        file = self.folder / _SITES
        if not file.is_file():
            return self
        return replace(self, sites=tuple(map(int, file.read_text(encoding="ascii").split())))

    def opened(self, *, timeout: float) -> Database:
        """Its database, made where there is none yet."""
        if not self.begun:
            for name in ("archive", "logs"):
                (self.folder / name).mkdir(parents=True, exist_ok=True)
            with written_whole(self.folder / _SITES) as file:
                file.write(" ".join(map(str, self.sites)).encode())
        return Database.open(self.folder / PART_DATABASE, timeout=timeout)

    def standing(self, database: Database) -> tuple[RunState | None, list[SiteState]]:
        """How far it has come, as its database has it: its run, and its sites by the numbers of the whole."""
        rows = RunTable(database)
        run = rows.last()
        if run is None:
            return None, []
        return run, [replace(site, number=self.sites[site.number]) for site in rows.sites(run.id)]


def link_archives(part: RunPart, archive: Path, run: int) -> dict[str, str]:
    """The archives of a part -> names that they have in the workspace's archive from now on, by those they have in the part."""
    names: dict[str, str] = {}
    for source in archives_in(part.folder / "archive"):
        names[source.name] = f"run-{run:05d}-part-{part.number:05d}-{source.name}"
        target = archive / names[source.name]
        if target.exists() and target.samefile(source):
            continue  # by an earlier bringing together of the same run; what was written since is in it
        target.unlink(missing_ok=True)
        try:
            os.link(source, target)
        except OSError:  # another file system, or one without links
            beside = target.with_suffix(".copying")
            shutil.copyfile(source, beside)
            beside.replace(target)
    return names


def forget_fetches(database: Database, run: int) -> None:
    """Remove what an earlier bringing together put into a run; part of the transaction that is open."""
    with database.transaction() as connection:
        connection.execute("DELETE FROM fetches WHERE run_id = ?", (run,))
        connection.execute("DELETE FROM run_events WHERE run_id = ?", (run,))


def add_part(database: Database, run: int, part: RunPart, names: dict[str, str], *, after: int, timeout: float) -> int:
    """The rows of a part become rows of the run, its fetches numbered from `after` on; part of the transaction that is open. How many it had."""
    with part.opened(timeout=timeout) as own, own.snapshot() as source, database.transaction() as target:
        latest = RunTable(own).last()
        if latest is None:
            return 0
        rows = source.execute(
            f"SELECT n, site, parent_n, {', '.join(_FETCH)} FROM fetches WHERE run_id = ? ORDER BY n",  # noqa: S608
            (latest.id,),
        )
        added = target.executemany(
            f"INSERT INTO fetches (run_id, n, site, parent_n, {', '.join(_FETCH)}) VALUES (?, ?, ?, ?{', ?' * len(_FETCH)})",  # noqa: S608
            ((run, n + after, part.sites[site], above and above + after, *rest) for n, site, above, *rest in rows),
        )
        events = source.execute(
            f"SELECT {', '.join(_EVENT)} FROM run_events WHERE run_id = ? ORDER BY id",  # noqa: S608
            (latest.id,),
        )
        target.executemany(
            f"INSERT INTO run_events (run_id, {', '.join(_EVENT)}) VALUES (?{', ?' * len(_EVENT)})",  # noqa: S608
            ((run, *row) for row in events),
        )
        database.add_pages(replace(page, archive=names.get(page.archive, page.archive)) for page in read_pages(source))
        return max(added.rowcount, 0)


def forget_parts(folders: Iterable[Path]) -> None:
    """Remove the folders of parts whose run is whole and can't be taken up again; their archives are linked elsewhere."""
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def part_of(folder: Path, number: int, sites: Sequence[int]) -> RunPart:
    """A part of a run whose parts rest in a folder."""
    return RunPart(number, folder / f"part-{number:05d}", tuple(sites))
