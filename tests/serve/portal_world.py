"""A small library for the tests of the portal: papers that cite each other, courses, a list page, copies of pages, and records that mean harm."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from fastapi.testclient import TestClient

from tests.serve.app_visitor import on_socket
from trailmark.datatypes import Record, Response
from trailmark.serve.portal.app import make_portal
from trailmark.serve.portal.options import portal_options
from trailmark.serve.portal.server import portal_config
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.record_table import add_records
from trailmark.verbs.organise import organise
from trailmark.workspace import Workspace, change_settings, settings_in

TOPICS = {
    "name": "Computing",
    "children": [
        {
            "name": "Learning",
            "keywords": ["learning"],
            "children": [
                {"name": "Neural networks", "keywords": ["neural", "network"]},
                {"name": "Decision trees", "keywords": ["tree", "pruning"]},
            ],
        },
        {
            "name": "Systems",
            "keywords": ["system"],
            "children": [
                {"name": "Scheduling", "keywords": ["scheduling", "processor"]},
                {"name": "File storage", "keywords": ["disk", "file"]},
            ],
        },
    ],
}
WORDS = {
    "neural": ("neural", "network", "layer", "gradient", "backpropagation", "activation", "recurrent", "perceptron", "weights", "speech"),
    "tree": ("tree", "pruning", "split", "entropy", "leaf", "attribute", "induction", "impurity", "rule", "forest"),
    "scheduling": ("scheduling", "processor", "deadline", "priority", "queue", "preemption", "task", "fairness", "latency", "workload"),
    "file": ("file", "disk", "log", "cache", "replica", "recovery", "block", "journal", "mirror", "archive"),
}  # fmt: skip
PEOPLE = (
    "Ada Byron",
    "Grace Murray",
    "Edsger Waal",
    "Barbara Lisk",
    "Alan Green",
    "Donald Stone",
    "Frances Hill",
    "John Field",
)
SCRIPT = "<script>alert('owned')</script>"
HOSTILE = {
    "title": f"{SCRIPT}\"'>\u202egnp.exe &amp; {{7*7}} neural network",
    "author": "<img src=x onerror=alert(1)>",
    "date": "1999",
    "venue": '=HYPERLINK("http://evil.test")',
    "abstract": "neural network layer </script><svg onload=alert(2)>\x00\x1b[2J" + "A" * 30_000,
    "homepage": "javascript:alert(3)",
    'naïve "field"<b>': "x",
}
PAGE = (
    "<!DOCTYPE html><title>A paper</title><script>alert('copied')</script><h1 onclick='alert(4)'>{title}</h1>"
    "<img src='http://evil.test/x.png'><form action='http://evil.test/'><input></form><p>{abstract}</p>"
    "<a href='http://evil.test/'>away</a><meta http-equiv=refresh content='0;url=http://evil.test/'>"
)


def papers(count: int = 48, seed: int = 1) -> list[Record]:
    """Papers of four topics over thirty years, each with references to earlier ones and the sentences that cite them."""
    rng = random.Random(seed)
    records: list[Record] = []
    written: list[tuple[str, str, str, int]] = []
    for number in range(count):
        topic = list(WORDS)[number % 4]
        chosen = rng.sample(WORDS[topic], 4)
        title = f"On {chosen[0]} and {chosen[1]} for {chosen[2]} {number}"
        author, year = PEOPLE[number % len(PEOPLE)], 1970 + number * 30 // count
        url = f"http://site{number % 5}.example/papers/{number}.html"
        abstract = " ".join(rng.choice(WORDS[topic]) for _ in range(60)).capitalize() + "."
        fields = {"title": (title,), "author": (author, PEOPLE[(number + 3) % len(PEOPLE)]), "abstract": (abstract,)}
        fields["venue"] = (("Journal of Things", "Proceedings of Stuff", "Annals of Matter")[number % 3],)
        if number % 7:
            fields["date"] = (f"June {year}",)
        places = {name: tuple(f"/html/body/p[{n + 1}]" for n in range(len(values))) for name, values in fields.items()}
        records.append(Record(url, "paper", fields, "rule:x", places))
        for other in rng.sample(written, min(len(written), 4)):
            sentence = f"As shown by {other[1]} [{len(records)}], the {topic} of this kind can be had."
            text = f"{other[1]}. {other[0]}. {other[3]}."
            told = {
                "text": (text,),
                "title": (other[0],),
                "author": (other[1],),
                "date": (str(other[3]),),
                "context": (sentence,),
            }
            records.append(Record(url, "reference", told, "tag:x"))
        written.append((title, author, url, year))
    return records


def courses() -> list[Record]:
    """Three courses of one list page."""
    return [
        Record("http://uni.example/courses", "course", {"name": (f"Course {n} on {word}",), "instructor": (PEOPLE[n],), "room": ("R1",)}, "rule:y")
        for n, word in enumerate(("neural networks", "file systems", "scheduling of tasks"))
    ]  # fmt: skip


def library(folder: Path, *, settings: dict[str, Any] | None = None, more: list[Record] | None = None) -> Path:
    """A workspace with all of it, organised."""
    Workspace.create(folder).close()
    (folder / "topics.json").write_text(json.dumps(TOPICS), encoding="utf-8")
    hostile = Record("javascript:alert(5)//http://evil.test/", "paper", {k: (v,) for k, v in HOSTILE.items()}, "rule:x")
    with Workspace.open(folder) as workspace:
        kept = [*papers(), *courses(), hostile, *(more or [])]
        with workspace.database.transaction() as connection:
            add_records(connection, kept, at="2026-01-02T03:04:05+00:00")
        with ArchiveWriter(workspace.archive_folder) as writer:
            for record in kept:
                if record.kind == "paper" and record.url.startswith("http://site0"):
                    body = PAGE.format(title=record.fields["title"][0], abstract=record.fields["abstract"][0]).encode()
                    answer = Response(record.url, 200, (("Content-Type", "text/html; charset=utf-8"),), body)
                    workspace.keep_page(record.url, answer, writer)
        organise(workspace)
    change_settings(
        folder, {("portal", "rate"): 0, **{("portal", name): value for name, value in (settings or {}).items()}}
    )
    return folder


class Reader:
    """A reader without a browser."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.folder = folder
        self.app = make_portal(folder, portal_options(settings_in(folder).portal, **options))
        self.desk = self.app.state.portal.desk
        self.http = TestClient(self.app, base_url="http://library.test", raise_server_exceptions=False)

    def get(self, path: str, **more: Any) -> Any:
        return self.http.get(path, follow_redirects=False, **more)

    def address(self, words: str) -> str:
        """The permanent address of the first item that a search finds."""
        found = self.get("/api/v1/search", params={"q": words}).json()
        return str(found["items"][0]["address"])


@contextmanager
def portal_running(folder: Path, **options: Any) -> Iterator[str]:
    """The portal on a real socket; gives its address."""

    def config(port: int) -> uvicorn.Config:
        return portal_config(make_portal(folder, portal_options(settings_in(folder).portal, port=port, **options)))

    with on_socket(config) as address:
        yield address
