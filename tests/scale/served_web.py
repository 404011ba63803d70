"""The generated web on a real server, a workspace that may walk it, and what the server saw."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from trailmark.datatypes import Response
from trailmark.demo import DemoWeb
from trailmark.demo.server import ADDRESS, DemoServer
from trailmark.store.run_table import RunTable
from trailmark.workspace import Workspace

SETTINGS = """[forage]
contact = "tests@example.org"
allow_hosts = ["*.localhost"]
delay = 0.0
[scale]
part_sites = {part_sites}
"""


class WatchedServer(DemoServer):
    """Notes how many requests of one host were under way at once, and which sites lead elsewhere."""

    def __init__(self, web: DemoWeb, moved: dict[int, int] | None = None) -> None:
        self.under_way: Counter[str] = Counter()
        self.most_at_once: Counter[str] = Counter()
        self._count = threading.Lock()
        super().__init__(web, 0, ADDRESS)
        self.keep_log = True
        self.moved = {self._name(self.root(source)): self.root(target) for source, target in (moved or {}).items()}

    def _name(self, root: str) -> str:
        return root.partition("://")[2].partition(".")[0]

    def answer(self, host: str, path: str) -> Response:
        name = host.lower().split(":")[0].split(".")[0]
        with self._count:
            self.under_way[name] += 1
            self.most_at_once[name] = max(self.most_at_once[name], self.under_way[name])
        try:
            if name in self.moved and path == "/":
                with self._lock:
                    self.asked.append((name, path))
                return Response(path, 302, (("Location", self.moved[name]),))
            return super().answer(host, path)
        finally:
            with self._count:
                self.under_way[name] -= 1


@contextmanager
def served(sites: int, moved: dict[int, int] | None = None) -> Iterator[WatchedServer]:
    """A server of so many sites; of those that moved the root leads to another's."""
    server = WatchedServer(DemoWeb(sites=sites, pages=100), moved)
    try:
        yield server
    finally:
        server.close()


def new_workspace(folder: Path, part_sites: int = 2) -> Path:
    Workspace.create(folder).close()
    (folder / "trailmark.toml").write_text(SETTINGS.format(part_sites=part_sites), encoding="utf-8")
    return folder


def fetched(folder: Path, run: int = 1) -> list[tuple[str, int, str, int]]:
    """What a run asked for, in its order: URL, status, root of its site, depth."""
    with Workspace.open(folder) as workspace:
        return [(each.url, each.status, each.site, each.depth) for _, each in RunTable(workspace.database).fetches(run)]


def site_rows(folder: Path, run: int = 1) -> list[Any]:
    with Workspace.open(folder) as workspace:
        return RunTable(workspace.database).sites(run)
