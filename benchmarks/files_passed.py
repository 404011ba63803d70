"""Files of the package that a page passes on its way to the next queued link, and that a click in the app passes.

    python -m benchmarks.files_passed [--list]

Whoever follows one page through `trailmark forage` opens so many files, and as many for one click of a teacher. A file counts
where one of its functions is called: for a page, between its fetch and the next one of a walk over an archive; for a click,
while the app answers it and shows where it led. With `--list` the files are named.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import trailmark
from trailmark.demo import DemoSite, DemoWeb
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.replay import Replay
from trailmark.verbs.forage import forage
from trailmark.verbs.learn import learn
from trailmark.verbs.teach import teach
from trailmark.workspace import Workspace

PACKAGE = str(Path(trailmark.__file__).parent) + "/"
ADDRESS = "http://127.0.0.1:8765"
TAUGHT, PAGES = 2, 60


class Tracer:
    """Notes the files whose functions are called; a call of `start` begins a new set."""

    def __init__(self, start: CodeType | None = None) -> None:
        self.sets: list[set[str]] = [set()]
        self._start = start

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or not frame.f_code.co_filename.startswith(PACKAGE):
            return
        if frame.f_code is self._start:
            self.sets.append(set())
        self.sets[-1].add(frame.f_code.co_filename.removeprefix(PACKAGE))


@contextmanager
def traced(tracer: Tracer) -> Iterator[Tracer]:
    """Calls of this thread, and of threads that begin meanwhile, are told to the tracer."""
    threading.setprofile(tracer)
    sys.setprofile(tracer)
    try:
        yield tracer
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def page_sets(workspace: Workspace, web: DemoWeb, archive: Path) -> list[set[str]]:
    """The files of each page of a walk, from its fetch to the next; the last one has none after it.

    Pages of trails are fetched as well, before the walk begins: they are not shown to the forager.
    """
    roots = [web.root(number) for number in range(TAUGHT, web.sites)]
    with traced(Tracer(Replay.fetch.__code__)) as tracer:
        forage(workspace, roots, archives=[archive], budget=PAGES)
    return [files for files in tracer.sets[:-1] if "forage/run.py" in files][1:]


def click_set(folder: Path, root: str, archive: Path) -> set[str]:
    """The files that answer one click of a teacher: the click itself, the page with its trail, and its frame."""
    from fastapi.testclient import TestClient

    from trailmark.serve.app import make_app
    from trailmark.serve.key_ring import new_link
    from trailmark.serve.keys import Keys
    from trailmark.serve.options import Options

    tracer = Tracer()
    with traced(tracer), TestClient(make_app(folder, Options(archives=(archive,))), base_url=ADDRESS) as app:
        app.get(new_link(Keys.of(folder)))
        token = _first(r'name="csrf" content="([^"]+)"', app.get("/").text)
        text = app.post("/teach", data={"csrf": token, "site": root}).text
        frame = app.get(_first(r'<iframe[^>]* src="([^"]+)"', text)).text
        tracer.sets.append(set())
        text = app.get(_first(r'href="(/teach/[^"]+/go\?[^"]+)"', frame)).text
        app.get(_first(r'<iframe[^>]* src="([^"]+)"', text))
        return tracer.sets[-1]


def _first(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found is not None, f"{pattern} is not on the page"
    return unescape(found[1])


def taught_workspace(folder: Path, web: DemoWeb) -> tuple[Workspace, Path]:
    """A workspace that learnt the way to publications on the first sites of a web, and the archive of all its pages."""
    archive, file = folder / "web.warc.gz", folder / "trails.jsonl"
    with ArchiveWriter(archive) as writer:
        for site in web:
            for response in site.responses():
                writer.write(response)
    trails = [line for number in range(TAUGHT) for line in _trail_lines(web.site(number))]
    file.write_text("\n".join(trails), encoding="utf-8")
    workspace = Workspace.create(folder / "w")
    teach(workspace, [file], [archive])
    learn(workspace, choose_recipe=False)
    return workspace, archive


def _trail_lines(site: DemoSite) -> Iterator[str]:
    for trail in site.trails("publications", 6):
        steps = [{"url": step.url, "label": step.label} for step in trail.steps]
        yield json.dumps({"site": trail.site, "outcome": trail.outcome, "steps": steps})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name the files")
    options = parser.parse_args()
    web = DemoWeb(sites=4, pages=60)
    with tempfile.TemporaryDirectory() as scratch:
        workspace, archive = taught_workspace(Path(scratch), web)
        with workspace:
            pages = page_sets(workspace, web, archive)
        click = click_set(workspace.folder, web.root(0), archive)
    counts = [len(files) for files in pages]
    every = sorted(set().union(*pages))
    print(
        f"a page passes {statistics.median(counts):.0f} files (at most {max(counts)}, all pages together {len(every)})"
    )
    print(f"a click passes {len(click)} files")
    if options.list:
        print("a page: " + " ".join(f"{name}({sum(name in files for files in pages)})" for name in every))
        print("a click: " + " ".join(sorted(click)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
