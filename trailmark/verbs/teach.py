"""The wiring of `trailmark teach`: where the pages that trails name come from, and what is said about the lines of a file."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from trailmark.datatypes import Page, Response, Trail
from trailmark.errors import FetchError, InputError
from trailmark.progress import Progress
from trailmark.read import read_page
from trailmark.settings import Settings
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.database import Database
from trailmark.store.replay import Replay
from trailmark.teach import Problem, check_trail, parse_recording, parse_trails

_log = logging.getLogger(__name__)
PAGES_AT_HAND = 500
"""Trails share their first pages; so many are kept read while trails are checked."""
MOST_TOLD = 50
"""Lines left out that are named in the log."""
BATCH = 50
"""Trails that are kept in one transaction."""


class PageKeeper(Protocol):
    """What is asked of a workspace."""

    settings: Settings
    database: Database

    @property
    def archive_folder(self) -> Path: ...
    def replay(self, archives: Sequence[Path] = ()) -> Replay: ...
    def keep_page(self, url: str, response: Response, writer: ArchiveWriter) -> None: ...


@dataclass(frozen=True, slots=True)
class Told:
    """A trail, and the file and line that tell it."""

    source: str
    line: int
    trail: Trail


class TaughtPages:
    """The pages that trails name: from archives or, without any, from the network; what is used is kept in the workspace.

    `supplied` are pages that came with the trails, as in a browser's network log; they are taken before anything is fetched.
    """

    def __init__(
        self,
        workspace: PageKeeper,
        archives: Sequence[Path],
        trails: list[Trail],
        progress: Progress,
        supplied: Sequence[Response] = (),
    ) -> None:
        self.workspace, self.archives, self.trails, self.progress = workspace, archives, trails, progress
        self.supplied = supplied
        self.failures: dict[str, str] = {}
        self.page = lru_cache(maxsize=PAGES_AT_HAND)(self._read)

    def __enter__(self) -> Self:
        self.writer = ArchiveWriter(self.workspace.archive_folder)
        try:
            for response in self.supplied:
                if not self._is_kept(response.url):
                    self._store(response.url, response)
            if not self.archives:
                self._fetch_missing()
            self.replay = self.workspace.replay(self.archives)
        except BaseException:
            self.writer.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.replay.close()
        self.writer.close()

    def _fetch_missing(self) -> None:
        wanted = dict.fromkeys(step.url for trail in self.trails for step in trail.steps)
        missing = [url for url in wanted if not self._is_kept(url)]
        if missing:
            from trailmark.forage import fetch_pages

            watched = self.progress(missing, "fetching pages")

            def got(url: str, response: Response) -> None:
                self._store(url, response)
                next(watched, None)

            def failed(url: str, error: FetchError) -> None:
                self.failures[url] = str(error)
                next(watched, None)

            next(watched, None)
            fetch_pages(missing, self.workspace.settings.forage, on_response=got, on_failure=failed)

    def _is_kept(self, url: str) -> bool:
        """Whether the workspace has the page itself; an error that was kept is asked for again."""
        kept = self.workspace.database.page(url)
        return kept is not None and kept.status == 200

    def _store(self, url: str, response: Response) -> None:
        self.workspace.keep_page(url, response, self.writer)

    def response(self, url: str) -> Response:
        if url in self.failures:
            raise FetchError(self.failures[url])
        response = self.replay.fetch(url)
        if response.status != 200:
            raise FetchError(f"the page {url} can't be had (it answers {response.status})")
        return response

    def _read(self, url: str) -> Page:
        return read_page(self.response(url), self.workspace.settings.read)

    def final_url(self, url: str) -> str:
        return self.replay.fetch(url).url

    def keep(self, trail: Trail) -> None:
        """Copy the pages of a good trail into the workspace, unless they are there."""
        for step in trail.steps:
            if not self._is_kept(step.url):
                self._store(step.url, self.response(step.url))


def lines_of(file: Path) -> list[str]:
    """The lines of a file that a person named."""
    try:
        return file.read_text(encoding="utf-8-sig").split("\n")
    except FileNotFoundError as error:
        raise InputError(f"{file} does not exist; check the name.") from error
    except IsADirectoryError as error:
        raise InputError(f"{file} is a folder; name the files in it.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 text (byte {error.start}); save it as UTF-8.") from error


def told_in(file: Path, label: str | None = None) -> tuple[list[Told], list[Problem], tuple[Response, ...]]:
    """What a trails file or a browser's recording tells; `label` names the last page of a recording."""
    lines = lines_of(file)
    recording = parse_recording("\n".join(lines), str(file), label=label)
    if isinstance(recording, Problem):
        return [], [recording], ()
    if recording is not None:
        return [Told(str(file), 1, trail) for trail in recording.trails], [], recording.responses
    good, bad = parse_trails(lines, str(file))
    return [Told(str(file), line, trail) for line, trail in good], bad or nothing_in(file, good), ()


def keep_trails(
    workspace: PageKeeper,
    told: Sequence[Told],
    archives: Sequence[Path],
    progress: Progress,
    supplied: Sequence[Response] = (),
) -> tuple[int, int, list[Problem]]:
    """Get the pages, check that every step is linked from the one before, keep the good ones: new, known already, problems."""
    new = known = 0
    problems: list[Problem] = []
    with TaughtPages(workspace, archives, [each.trail for each in told], progress, supplied) as pages:
        watched = progress(told, "checking trails")
        while batch := list(islice(watched, BATCH)):
            # What a batch said is kept together; a run that is stopped loses no batch before.
            with workspace.database.transaction():
                for each in batch:
                    try:
                        checked = check_trail(each.trail, pages.page, final_url=pages.final_url)
                        pages.keep(checked)
                    except (ValueError, FetchError) as reason:
                        problems.append(Problem(each.source, each.line, str(reason).rstrip(".")))
                        continue
                    source = Path(each.source).name
                    added = workspace.database.add_trails([checked], source=source, lines=[each.line])
                    new, known = new + added, known + 1 - added
    return new, known, problems


def nothing_in(file: Path, good: Sequence[object]) -> list[Problem]:
    """A file without a single line is more likely a slip than a wish."""
    return [] if good else [Problem(str(file), 1, "the file is empty")]


def teach_report(what: str, new: int, known: int, problems: list[Problem], **more: Any) -> dict[str, Any]:
    for problem in problems[:MOST_TOLD]:
        _log.warning("%s, line %d is left out: %s", problem.source, problem.line, problem.reason)
    left_out = f" {len(problems)} left out." if problems else ""
    again = f" {known} known already." if known else ""
    return {
        what: new,
        "known_already": known,
        "good": new + known,
        "problems": [{"file": p.source, "line": p.line, "reason": p.reason} for p in problems],
        "summary": f"Imported {new} {what}.{again}{left_out}",
        **more,
    }
