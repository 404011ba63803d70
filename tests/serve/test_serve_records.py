"""The table of records: what lifting will give, fill, types, sorting, filter, changes that are tried first, files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.serve.app_visitor import Visitor
from tests.serve.test_serve_annotate import SITE, cluster_of, item, mark, node_of
from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.cluster import cluster
from trailmark.verbs.wrap import wrap
from trailmark.workspace import Workspace

COUNT = 10


@pytest.fixture
def shop(folder: Path) -> Path:
    """A workspace with pages of one template, grouped; the replay archive of the app holds more of the same site."""
    writer = ArchiveWriter(folder / "archive")
    with Workspace.open(folder) as workspace:
        for number in range(COUNT):
            response = Response(f"{SITE}item/{number}", 200, (("Content-Type", "text/html"),), item(number).encode())
            workspace.keep_page(response.url, response, writer)
        writer.close()
        cluster(workspace)
    return folder


def jobs_done(visitor: Visitor) -> None:
    assert all(visitor.wait(job["id"])["state"] == "done" for job in visitor.get("/api/jobs").json())


def learn(visitor: Visitor) -> None:
    mark(visitor, 3, "name", "Clock <3>", node=str(node_of(3, "//h1")))
    mark(visitor, 3, "price", "$8.99", node=str(node_of(3, "//b")))
    with Workspace.open(visitor.folder) as workspace:
        wrap(workspace)


@pytest.mark.slow
def test_before_lifting_it_says_how_many_rows_there_will_be(shop: Path) -> None:
    visitor = Visitor(shop)
    learn(visitor)
    visitor.post("/records", do="try")
    jobs_done(visitor)
    text = visitor.get("/records").text
    assert "It will give 10 rows from 10 pages." in text
    assert "name 100 %" in text
    assert visitor.get("/api/records").json()["count"] == 0
    visitor.post("/records", do="lift")
    jobs_done(visitor)
    assert visitor.get("/api/records").json()["count"] == 10
    assert "It will give" not in visitor.get("/records").text


@pytest.mark.slow
def test_lifting_leaves_the_replayed_web_alone(shop: Path, tmp_path: Path) -> None:
    """The archive that the app replays is no wish: only a box says that all pages are meant."""
    from trailmark.serve.options import Options

    frame = "<main><article><section><ul><li>a<li>b<li>c</ul>"
    with ArchiveWriter(tmp_path / "more.warc.gz") as writer:
        for number in range(COUNT):
            body = item(number).replace("<body>", f"<body>{frame}").encode()
            writer.write(Response(f"{SITE}other/{number}", 200, (("Content-Type", "text/html"),), body))
    visitor = Visitor(shop, Options(archives=(tmp_path / "more.warc.gz",)))
    assert cluster_of(visitor)
    learn(visitor)
    visitor.post("/annotate", **{"from": "archive"})
    visitor.post("/records", do="lift")
    jobs_done(visitor)
    assert visitor.get("/api/records").json()["count"] == 10
    visitor.post("/records", do="lift", all="1", borrow="1")
    jobs_done(visitor)
    found = visitor.get("/api/records").json()
    assert found["count"] == 20
    assert sum(record["borrowed"] for record in found["records"]) == 10
    assert visitor.get("/records").text.count(">borrowed</span>") == 10
