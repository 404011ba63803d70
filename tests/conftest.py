"""A small web that tests teach on: one site, every kind of page that matters to a trail, written as an archive.

`make test` draws the same cases at every start; `make fuzz` (HYPOTHESIS_PROFILE=search) draws new ones, and many more.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import hypothesis
import pytest

from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "same")
# No deadline: a test never fails because the machine is busy.
hypothesis.settings.register_profile("same", derandomize=True, deadline=None)
hypothesis.settings.register_profile("search", derandomize=False, print_blob=True, deadline=None)
hypothesis.settings.load_profile(PROFILE)


_SETTINGS = "_hypothesis_internal_use_settings"
_BUCKETS = count(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A search draws many times the examples that each test asks for."""
    times = int(os.environ.get("HYPOTHESIS_TIMES", "20")) if PROFILE == "search" else 1
    tests = {test for each in items if hypothesis.is_hypothesis_test(test := getattr(each, "obj", None))}
    for test in tests if times > 1 else ():
        asked = getattr(test, _SETTINGS, None) or hypothesis.settings()
        setattr(test, _SETTINGS, hypothesis.settings(asked, max_examples=asked.max_examples * times))


SITE = "http://dept.example/"
HTML = (("Content-Type", "text/html; charset=utf-8"),)
PAGES = {
    "": '<title>The Department</title><a href="people/">People</a> <a href="go?7">Contact us</a> <a href="gone">Gone</a> '
    '<a href="news">News</a> <a href="loop">Loop</a>',
    "people/": '<title>People</title><h2>Faculty</h2><ul><li><a href="../~ada/">Ada</a><li><a href="../~bob/">Bob</a></ul>',
    "~ada/": '<title>Ada Ångström</title><a href="pubs.html">Publications</a>',
    "~ada/pubs.html": "<title>Publications of Ada</title><p>On chains.",
    "~bob/": "<title>Bob</title><p>Nothing here.",
    "contact/": "<title>Contact</title><p>Write to us.",
    "news": "<title>\x1b[31mRed\x1b]0;owned\x07 [bold]news[/bold] \u202egnp.exe</title><a href='x'>\x1b[2JClear</a>",
}
REDIRECTS = {"go?7": "contact/", "loop": "loop2", "loop2": "loop"}


class SmallWeb(NamedTuple):
    """Where the archive is, and a way to write trails."""

    archive: Path
    folder: Path

    def trail(self, *paths: str, outcome: str = "goal", labels: Sequence[str | None] = ()) -> str:
        """A line of a trails file through these pages."""
        named = [*labels, *[None] * (len(paths) - len(labels))]
        steps = [{"url": SITE + path, "label": label} for path, label in zip(paths, named, strict=True)]
        return json.dumps({"site": SITE, "outcome": outcome, "steps": steps})

    def file(self, *lines: str, name: str = "trails.jsonl") -> Path:
        path = self.folder / name
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return path

    def good(self) -> list[str]:
        return [
            self.trail(
                "", "people/", "~ada/", "~ada/pubs.html", labels=["department", None, "faculty", "publications"]
            ),
            self.trail("", "people/", "~bob/", outcome="fail", labels=["department"]),
        ]


@pytest.fixture(scope="session")
def small_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("web") / "small.warc.gz"
    with ArchiveWriter(path) as writer:
        for place, body in PAGES.items():
            writer.write(Response(SITE + place, 200, HTML, body.encode()))
        for place, target in REDIRECTS.items():
            writer.write(Response(SITE + place, 302, (("Location", "/" + target),)))
    return path


@pytest.fixture
def small_web(small_archive: Path, tmp_path: Path) -> SmallWeb:
    return SmallWeb(small_archive, tmp_path)


class Ended(NamedTuple):
    """How a run of the command line ended."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> Any:
        """The one JSON object on stdout."""
        assert self.out.count("\n") == 1
        assert self.out.endswith("\n")
        report = json.loads(self.out)
        assert isinstance(report, dict)
        return report


@pytest.fixture
def trailmark(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """Runs the command line in this process."""
    from trailmark.cli.main import run

    def call(*arguments: object) -> Ended:
        capsys.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        assert code in (0, 1, 2)
        if code == 2:
            assert err.startswith("trailmark: "), "bad input is explained in a sentence"
        return Ended(code, out, err)

    return call


@pytest.fixture
def workspace(trailmark: Callable[..., Ended], tmp_path: Path) -> Path:
    """A new workspace."""
    folder = tmp_path / "w"
    assert trailmark("init", folder).code == 0
    return folder


@pytest.fixture(scope="session")
def store_server() -> Iterator[Any]:
    from tests.store.object_store import running_store

    with running_store() as server:
        yield server


@pytest.fixture
def object_store(store_server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An S3 store with a bucket of its own for each test."""
    from tests.store.object_store import Store, environment
    from trailmark.store.remote_path import RemotePath

    server, endpoint = store_server
    for name, value in environment(endpoint).items():
        monkeypatch.setenv(name, value)
    bucket = f"bucket-{next(_BUCKETS)}"
    RemotePath(f"s3://{bucket}").filesystem.mkdir(bucket)
    return Store(server, endpoint, bucket)
