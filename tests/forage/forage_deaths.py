"""Runs over a generated web whose process is killed at chosen steps; a fork is the process, so that many deaths cost little."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import trailmark.forage.forage_run as foraging
from tests.forage.forage_strategies import Hashed
from trailmark.datatypes import Response
from trailmark.demo import DemoWeb
from trailmark.forage.forage_report import ForageReport
from trailmark.forage.forage_run import Errand, ForageRun
from trailmark.forage.scope import Seed
from trailmark.settings import ForageSettings, Settings
from trailmark.store import Database
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.run_ledger import RunLedger
from trailmark.store.run_table import RunTable
from trailmark.verbs.run_books import StoredBooks
from trailmark.workspace import Workspace

WEB = DemoWeb(sites=3, pages=100)
BUDGET = 150
SITES = [WEB.site(number) for number in range(3)]
KNOWN = {response.url: response for site in SITES for response in site.responses()}


class Served:
    """A web in place of the archives; every fetch is noted in a file that outlives the process."""

    def __init__(self, notes: Path) -> None:
        self._notes = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def fetch(self, url: str) -> Response:
        os.write(self._notes, f"{url}\n".encode())
        return KNOWN.get(url) or Response(url, 404)

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._notes)


class Fuse:
    """Kills the process at the n-th step."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    def burn(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def wrapped(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def around(*args: Any, **kwargs: Any) -> Any:
            self.burn()
            answer = function(*args, **kwargs)
            self.burn()
            return answer

        return around


STEPS = (
    (Served, "fetch"), (ArchiveWriter, "write"), (RunLedger, "keep"), (RunLedger, "flush"), (RunTable, "add_fetch"),
    (RunTable, "save_run"), (Database, "commit"), (ForageRun, "_commit"), (foraging, "restore"), (foraging, "catch_up"),
    (foraging, "settle_run"), (RunTable, "unsettle"), (RunTable, "save_verdicts"),
)  # fmt: skip


def errand(strategy: Any = None, **more: Any) -> Errand:
    seeds = [Seed(site.root, "host") for site in SITES]
    return Errand(seeds, strategy or Hashed(), archives=[Path("some.warc.gz")], **more)


class ServedBooks(StoredBooks):
    """The books of a workspace, with the generated web in place of the archives."""

    def __init__(self, workspace: Workspace, settings: Settings) -> None:
        super().__init__(workspace.folder, workspace.database, settings)
        self.notes = workspace.folder / "fetched.txt"

    def pages(self) -> Any:
        return Served(self.notes)


def forage(folder: Path, settings: ForageSettings, work: Errand) -> ForageReport:
    every = Settings(forage=settings)
    with Workspace.open(folder) as workspace:
        return ForageRun(work, every, ServedBooks(workspace, every)).run()


@contextmanager
def small_commits() -> Iterator[None]:
    """Commits by pages alone, so that nothing depends on the clock."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(foraging, "COMMIT_PAGES", 10)
        patch.setattr(foraging, "COMMIT_SECONDS", 1e9)
        yield


def killed(folder: Path, settings: ForageSettings, work: Errand, steps: int) -> bool:
    """Run in a fork that dies after so many steps; False where it came to its end before."""
    child = os.fork()
    if child == 0:
        code = 3
        try:
            fuse = Fuse(steps)
            for owner, name in STEPS:
                setattr(owner, name, fuse.wrapped(getattr(owner, name)))
            forage(folder, settings, work)
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def fetched(folder: Path) -> list[str]:
    return (folder / "fetched.txt").read_text(encoding="utf-8").split()
