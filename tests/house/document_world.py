"""The files that the examples of the documents speak of: a folder with archives, workspaces, trails and marks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.house.document_examples import examples
from tests.monitor import shop_versions
from trailmark.cli.main import run
from trailmark.datatypes import Response
from trailmark.demo import DemoSite, DemoWeb
from trailmark.demo.course_site import make_course_site
from trailmark.demo.lesson_text import lesson_text
from trailmark.store.archive_writer import ArchiveWriter

ROOT = Path(__file__).parents[2]
MOVED = {3: "www.example.edu", 0: "www.example.org"}
"""Sites of the generated web that stand at other names too: those that the documents take for somebody's own site."""
WORKSPACES = ("my-project", "shop", "books")


@dataclass(frozen=True)
class World:
    """A folder to copy from; `live` is what answers where an example would ask the live web."""

    folder: Path

    @property
    def live(self) -> list[Path]:
        return [self.folder / name for name in ("demo-out/web/demo.warc.gz", "site.warc.gz", "shop.warc.gz")]

    def copy_to(self, folder: Path, text: str) -> None:
        """All that a page may name, but for the workspaces that its own examples make."""
        made = [name for name in WORKSPACES if f"init {name}" in text or f'create("{name}")' in text]
        shutil.copytree(self.folder, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*made))


def make_world(folder: Path) -> World:
    """Everything made once, by the verbs themselves where a verb makes it."""
    world = World(folder)
    _call("demo", "--web-only", "--out", folder / "demo-out")
    _write_archives(folder)
    _write_course(folder)
    _write_lessons(folder)
    _make_project(folder, world)
    _make_shop(folder)
    return world


def _call(*words: object) -> None:
    code = run([str(word) for word in words])
    assert code == 0, words


def _write_archives(folder: Path) -> None:
    with ArchiveWriter(folder / "site.warc.gz") as writer:
        for number, host in MOVED.items():
            for response in _moved(DemoWeb(pages=100).site(number), host):
                writer.write(response)
    shop_versions.archive(folder / "shop.warc.gz", shop_versions.first_design)
    shop_versions.archive(folder / "today.warc.gz", shop_versions.second_design)
    with ArchiveWriter(folder / "new-shop.warc.gz") as writer:
        for number in range(20):
            page = shop_versions.second_design(number + 40).encode()
            writer.write(Response(f"http://new-shop.example/{number}", 200, shop_versions.HTML, page))


SYLLABUS = "Week 1: Binary search trees\nWeek 2: Stable sorting\nWeek 3: Garbage collection\n"


def _lesson(topic: str) -> str:
    return f"<title>{topic}</title><h1>{topic}</h1>" + "".join(
        f"<p>{text}</p>" for text in lesson_text(topic, "CS 101", topic)
    )


def _write_course(folder: Path) -> None:
    """A course in an archive, its links typed, and a syllabus of another."""
    (folder / "syllabus.txt").write_text(SYLLABUS, encoding="utf-8")
    site = make_course_site(Random("documents"), "http://www.example.edu/cs101/", layout="pages", code="CS 101")
    more = {f"{site.home}{name}.html": _lesson(topic) for name, topic in (("trees", "Trees"), ("sorting", "Sorting"))}
    home = site.pages[site.home].replace("</body>", '<a href="trees.html">Lecture 21: Trees</a> <a href="sorting.html">Lecture 22: Sorting</a></body>')  # fmt: skip
    with ArchiveWriter(folder / "course.warc.gz") as writer:
        for url, text in (site.pages | {site.home: home} | site.files | more).items():
            writer.write(Response(url, 200, shop_versions.HTML, text.encode()))
    items = [
        {"type": link.kind, **{name: getattr(link, name) for name in ("page", "url", "text", "heading", "case")}}
        for link in site.links
    ]
    (folder / "typed.jsonl").write_text(json.dumps({"course": site.home, "web": "x", "items": items}), encoding="utf-8")


def _moved(site: DemoSite, host: str) -> Iterator[Response]:
    """A site of the generated web as if it stood at another name; its addresses are plain ASCII in every charset it uses."""
    old = site.root.partition("://")[2].rstrip("/")
    for response in site.responses():
        headers = tuple((name, value.replace(old, host)) for name, value in response.headers)
        body = response.body.replace(old.encode(), host.encode())
        yield Response(response.url.replace(old, host), response.status, headers, body)


def _write_lessons(folder: Path) -> None:
    """Trails, seeds, and what browsers recorded, on the generated web."""
    site = DemoWeb().site(0)
    trail = max(site.trails("course", 2), key=lambda trail: trail.outcome == "goal")
    urls = [step.url for step in trail.steps]
    course = (folder / "demo-out/web/demo.trails.course.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "shown.jsonl").write_text("".join(line for line in course if "cs-elmport" not in line), encoding="utf-8")
    (folder / "trails.jsonl").write_bytes((folder / "demo-out/web/demo.trails.publications.jsonl").read_bytes())
    (folder / "roots.txt").write_text("".join(f"{DemoWeb().root(number)}\n" for number in (4, 5)), encoding="utf-8")
    clicks = [{"type": "click", "assertedEvents": [{"type": "navigation", "url": url}]} for url in urls[1:]]
    recording = {"title": "Recording", "steps": [{"type": "navigate", "url": urls[0]}, *clicks]}
    (folder / "recording.json").write_text(json.dumps(recording), encoding="utf-8")
    (folder / "clicks.har").write_text(json.dumps({"log": {"entries": [*_entries(site, urls)]}}), encoding="utf-8")
    tutorial = (ROOT / "docs/tutorial.md").read_text(encoding="utf-8")
    (mine,) = (example.body for example in examples(tutorial) if example.file == "mine.jsonl")
    (folder / "mine.jsonl").write_text(mine + "\n", encoding="utf-8")
    shop_versions.marks(folder / "marks.jsonl", (0, 1))
    shop_versions.marks(folder / "more-marks.jsonl", (2,))


def _entries(site: DemoSite, urls: list[str]) -> Iterator[dict[str, object]]:
    for at, url in enumerate(urls):
        response = site.respond("/" + url.partition("://")[2].partition("/")[2])
        content = {"mimeType": "text/html", "text": response.body.decode("utf-8", "replace")}
        yield {
            "startedDateTime": f"2026-01-01T10:00:{at:02d}.000Z",
            "pageref": f"page_{at}",
            "request": {"method": "GET", "url": url, "headers": []},
            "response": {"status": 200, "headers": [], "content": content},
        }


def _make_project(folder: Path, world: World) -> None:
    """A workspace that was taught two goals, has learnt, and has walked."""
    project, web = folder / "my-project", folder / "demo-out/web"
    replay = ["--replay", world.live[0], "--replay", world.live[1]]
    _call("init", project)
    _call("-w", project, "teach", *(web / f"demo.trails.{goal}.jsonl" for goal in ("publications", "course")), *replay)
    _call("-w", project, "learn", "--goal", "publications", "--quick")
    _call("-w", project, "forage", "http://www.example.org/", "--budget", 20, *replay)


def _make_shop(folder: Path) -> None:
    """A workspace with clusters, marks, rules and records; another of the same, which knows no other shop yet."""
    for name in ("shop", "books"):
        shop = folder / name
        _call("init", shop)
        _call("-w", shop, "cluster", "--archive", folder / "shop.warc.gz")
        _call("-w", shop, "teach", "--annotations", folder / "marks.jsonl")
        _call("-w", shop, "wrap")
        _call("-w", shop, "extract", "--jobs", 1)
