"""The portal as files: every page, feed and download, and an index for a search in the browser, for any web server.

1. The folder is claimed; what was organised is read at one moment. A process that began later and sees other items gives up.
2. Pages of items are made in processes side by side, the others here; a file that is the same is not written again.
3. Every link of every page must lead to a file that is made; one that does not is reported.
4. What an earlier time made and this one did not is taken away.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import wait
from pathlib import Path

from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.report import Report
from trailmark.serve.portal.file_ways import ways_of
from trailmark.serve.portal.look import owners_logo, portal_frame
from trailmark.serve.portal.options import portal_options
from trailmark.serve.portal.press import Press, Site, Tally
from trailmark.store.library import Library
from trailmark.store.site_folder import SiteFolder
from trailmark.verbs.portal_catalogue import read_catalogue
from trailmark.workspace import FOLDERS, Workspace

FEW = 400
"""Items below which other processes are not worth their start."""


@dataclass(frozen=True)
class PublishReport(Report):
    """What was published."""

    folder: str
    items: int
    topics: int
    files: int
    written: int
    """Of these, new or changed."""
    taken_away: int
    bytes: int
    links: int
    """Links between pages that were followed."""
    broken: tuple[str, ...]
    """Those that lead nowhere: page and link."""
    address: str
    """The public address that feeds and permanent links have; empty where none is known."""


def publish(
    workspace: Workspace,
    folder: str | Path,
    *,
    address: str | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> PublishReport:
    """A workspace that was organised -> its portal as files below a folder."""
    _check_apart(workspace.folder.resolve(), Path(folder).resolve())
    settings = workspace.settings
    if address is not None:
        settings = replace(settings, portal=replace(settings.portal, public_address=address))
    options = portal_options(settings.portal)
    logo = owners_logo(workspace.folder, settings.portal)
    frame = portal_frame(workspace.folder, settings.portal, ways_of("index.html", ""))
    site = Site(workspace.folder, Path(folder), settings, frame, options.public_origin + options.prefix, logo)
    target = SiteFolder(site.target)
    with Library.of(workspace.folder) as library, target.claimed(), library.reading(3600.0):
        press = Press(site, library, read_catalogue(library, workspace.folder, settings))
        tally = press.shared_pages()
        count = len(press.catalogue.shelf)
        wanted = jobs if jobs is not None else settings.wrap.jobs
        for done in progress(_in_processes(site, press, wanted), "parts of the items"):
            tally.add(done)
        gone = target.sweep(tally.names)
    return PublishReport(
        folder=str(folder),
        items=count,
        topics=len(press.catalogue.topics.by_id),
        files=len(tally.names),
        written=tally.written,
        taken_away=gone,
        bytes=tally.size,
        links=tally.links,
        broken=tuple(tally.broken),
        address=site.origin,
    )


def _check_apart(workspace: Path, target: Path) -> None:
    """InputError where the folder to publish to is, holds, or is kept by the workspace: what is not published is taken away there."""
    own = target.is_relative_to(workspace) and target.relative_to(workspace).parts[:1]
    if workspace.is_relative_to(target) or (own and own[0] in FOLDERS):
        raise InputError(
            f"{target} holds the workspace {workspace}, or belongs to it: name another folder to publish to."
        )


def _in_processes(site: Site, press: Press, jobs: int) -> Iterator[Tally]:
    """The items, part by part: here where one process is wanted or little is to be done, else side by side."""
    if jobs == 1 or len(press.catalogue.shelf) < FEW:
        yield from map(press.items, press.parts())
        return
    workers = jobs or multiprocessing.cpu_count()
    with ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn"), initializer=partial(_begin, site)
    ) as pool:
        yield from pool.map(partial(_items, press.digest), press.parts())


_press: Press | None = None


def _begin(site: Site) -> None:
    """In each process, once."""
    global _press
    threading.Thread(target=_end_with_parent, daemon=True).start()
    library = Library.of(site.folder)
    library.reading(3600.0).__enter__()
    _press = Press(site, library, read_catalogue(library, site.folder, site.settings))


def _end_with_parent() -> None:
    """Wait for the end of the process that wants the pages, and end too: one that was killed can't tell its own that nobody waits for them any more."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _items(digest: str, places: range) -> Tally:
    assert _press is not None
    if _press.digest != digest:
        raise InputError("Something was organised while it was being published; publish it again.")
    return _press.items(places)
