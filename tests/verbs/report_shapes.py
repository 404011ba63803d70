"""Runs every verb with --json over a small generated web, and gives the shape of each report: its keys, however deep.

python tests/verbs/report_shapes.py    writes report_shapes.json anew, to be looked at before it is committed
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.store.organised_items import SHELF, open_items, put_items
from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.full_text import refresh_index

COURSE, OTHER = "http://www.example.edu/cs101/", "http://www.example.org/ma7/"
PINNED = Path(__file__).parent / "report_shapes.json"
NAMED = {
    "teach": ("labels",),
    "status": ("labels", "counts"),
    "learn": ("words", "rewards", "chances"),
    "learn several goals": ("words", "rewards", "chances"),
    "forage": ("skipped", "problems", "failures"),
    "forage for several goals": ("skipped", "problems", "failures", "goals_by_name"),
    "extract": ("fields", "fill", "examples", "named"),
    "export": ("fields",),
    "why": ("chances",),
    "suggest": ("guesses",),
    "preview": ("fields", "sources"),
    "monitor": ("outcomes",),
    "show all": ("cuts",),
    "course": ("types",),
    "course --list": ("types",),
    "course of another teacher": ("types",),
    "course --show": ("types",),
    "package": ("types", "why_linked"),
    "package --from": ("types", "why_linked"),
    "map": ("courses", "kinds"),
    "search": ("topic", "year", "site", "kind"),
}
"""Keys whose value is an object with names from the data, not of ours."""


def shape(value: Any, named: Sequence[str] = (), *, names: bool = False) -> Any:
    """Objects as sorted keys with their shapes, arrays as the shape of all their items together, the rest as nothing."""
    if isinstance(value, dict):
        if names:
            return {"*": _together([shape(item, named) for item in value.values()])}
        return {key: shape(item, named, names=key in named) for key, item in sorted(value.items())}
    if isinstance(value, list):
        return [_together([shape(item, named) for item in value])]
    return None


def _together(shapes: Sequence[Any]) -> Any:
    objects = [each for each in shapes if isinstance(each, dict)]
    if not objects:
        return next((each for each in shapes if each is not None), None)
    keys = sorted({key for each in objects for key in each})
    return {key: _together([each[key] for each in objects if key in each]) for key in keys}


def shapes_of_all_verbs(folder: Path) -> dict[str, Any]:
    """Verb -> shape of what it reports with --json."""
    web, space = folder / "demo", folder / "w"
    reports: dict[str, Any] = {}

    def run(name: str, *words: str, inside: bool = True) -> Any:
        arguments = [
            sys.executable,
            "-m",
            "trailmark.cli.main",
            *(["-w", str(space)] if inside else []),
            *words,
            "--json",
        ]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, cwd=folder)
        assert done.returncode in (0, 1), f"{words}: {done.stderr}"
        reports[name] = json.loads(done.stdout)
        return reports[name]

    run("demo --web-only", "demo", "--web-only", "--out", str(web), "--sites", "5", inside=False)
    archive, trails = str(web / "web/demo.warc.gz"), web / "web/demo.trails.course.jsonl"
    lines = trails.read_text(encoding="utf-8").splitlines()
    roots = list(dict.fromkeys(json.loads(line)["site"] for line in lines))
    taught = [line for line in lines if json.loads(line)["site"] in roots[:2]]
    (folder / "taught.jsonl").write_text("\n".join([*taught, "{"]) + "\n", encoding="utf-8")
    run("init", "init", str(space), inside=False)
    run("teach", "teach", str(folder / "taught.jsonl"), "--replay", archive)
    run("learn", "learn", "--quick")
    run("learn again", "learn")
    run("suggest", "teach", "--suggest", "2", "--replay", archive)
    (folder / "roots.txt").write_text(f"{roots[2]}\nnot a url\n", encoding="utf-8")
    run("forage", "forage", "--seeds", str(folder / "roots.txt"), "--replay", archive, "--budget", "40")
    run("check", "check", "--count", "0")
    run("cluster", "cluster", "--archive", archive)
    _mark(reports["cluster"], archive, folder, run)
    run("annotations", "teach", "--annotations", str(folder / "marks.jsonl"))
    cluster = run("wrap", "wrap")["clusters"][0]["id"]
    run("preview", "wrap", "--preview", cluster)
    run("propose", "wrap", "--propose")
    run("extract", "extract", "--archive", archive)
    run("export", "export", str(folder / "records.csv"))
    run("shape", "shape", "title", "--rename", "name")
    run("export rules", "export", str(folder / "rules.json"), "--rules")
    run("monitor", "monitor", "--replay", archive)
    run("show", "show", roots[0], "--replay", archive)
    run("show all", "show", "--all", "--replay", archive)
    run("why", "show", roots[0], "--why")
    marked = json.loads((folder / "marks.jsonl").read_text(encoding="utf-8").splitlines()[0])["url"]
    run("record", "show", marked, "--record", "--replay", archive)
    run("status", "status")
    run("runs", "status", "--runs")
    other = web / "web/demo.trails.publications.jsonl"
    run("teach another goal", "teach", str(other), "--replay", archive)
    run("learn several goals", "learn", "--quick")
    run("forage for several goals", "forage", roots[3], "--replay", archive, "--budget", "60")
    _organise(space)
    _course(folder)
    number = run("course", "course", COURSE, "--archive", str(folder / "course.warc.gz"))["courses"][0]["id"]
    run("course --list", "course", "--list")
    run("course --show", "course", "--show", number)
    packed = run("package", "package", "--out", str(folder / "packages"))["packages"][0]["file"]
    (folder / "broken.zip").write_bytes(Path(packed).read_bytes()[:300])
    run("package --check", "package", "--check", packed, "--check", str(folder / "broken.zip"), inside=False)
    run("package --from", "package", "--from", COURSE, "--replay", str(folder / "course.warc.gz"), "--out", str(folder / "site"))  # fmt: skip
    run("map", "map", str(folder / "map.html"))
    run("course of another teacher", "course", OTHER)
    run("recommend", "recommend", f"{COURSE}trees.html")
    (folder / "syllabus.txt").write_text("1. Binary trees\n2. Onion soup\n", encoding="utf-8")
    run("draft", "draft", "--title", "Trees", "--syllabus", str(folder / "syllabus.txt"))
    run("search", "search", "garbage", "--facets")
    return {name: shape(report, NAMED.get(name, ())) for name, report in reports.items()}


def _course(folder: Path) -> None:
    """A course with a page of its own that is missing, and one of another term."""
    first = "<title>CS 101, Fall 1996</title><a href=l1.ps>Lecture 1</a> <a href=trees.html>Lecture 2: Trees</a> <a href=staff.html>Staff</a> <a href=/>Department</a>"
    taught = (
        "<p>A binary tree has nodes, and each search tree is a binary tree. A search tree finds what is in it.</p>" * 3
    )
    lectures = "<title>MA 7</title><h2>Lectures</h2><a href=trees.html>Lecture 1: Trees</a>"
    pages = {
        COURSE: first + taught,
        OTHER: lectures,
        f"{COURSE}trees.html": taught * 2,
        f"{OTHER}trees.html": taught * 2,
    }
    with ArchiveWriter(folder / "course.warc.gz") as writer:
        for url, text in pages.items():
            writer.write(Response(url, 200, (("Content-Type", "text/html"),), text.encode()))


def _organise(space: Path) -> None:
    """Items to search, as they are laid out in organised.db."""
    connection = open_items(space / "organised.db")
    put_items(connection, SHELF)
    refresh_index(connection)
    connection.close()


def _mark(clusters: Any, archive: str, folder: Path, run: Any) -> None:
    """Marks the title of the first pages of the largest group of pages."""
    group = max(clusters["clusters"], key=lambda each: each["size"])
    marks = []
    for url in group["sample"][:2]:
        heading = run("show", "show", url, "--replay", archive)["title"]
        marks.append({"url": url, "field": "title", "value": heading})
    text = "".join(json.dumps(mark) + "\n" for mark in marks)
    (folder / "marks.jsonl").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        PINNED.write_text(json.dumps(shapes_of_all_verbs(Path(scratch)), indent=1) + "\n", encoding="utf-8")
