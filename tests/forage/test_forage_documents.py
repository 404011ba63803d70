"""Documents: those that goals link to are fetched where they are wanted, up to a bound of their own, and `tag` and `organise` go on from there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from tests.tag.test_tag import paper
from trailmark.datatypes import Page
from trailmark.forage.documents import FIRST, WithDocuments, is_document_url
from trailmark.forage.forage_report import ForageReport
from trailmark.strategy import FollowedLink, Judgement, Visit
from trailmark.verbs.forage import forage
from trailmark.verbs.organise import organise
from trailmark.verbs.tag import tag
from trailmark.workspace import Workspace

PAGES: dict[str, tuple[str, bytes]] = {
    "/": ("text/html", b"<a href=one.html>One</a> <a href=pubs.html>Papers</a> <a href=two.html>Two</a>"),
    "/one.html": ("text/html", b"<a href=c.pdf>Minutes</a> <p>A page of no interest"),
    "/two.html": ("text/html", b"<p>Another page of no interest"),
    "/pubs.html": ("text/html", b"<p>Papers <a href=a.pdf>PDF</a> <a href=big.pdf>PDF</a> <a href=two.html>two</a>"),
    "/a.pdf": ("application/pdf", paper()),
    "/big.pdf": ("application/pdf", paper("A Larger Paper") + b"\n" * 60_000),
    "/c.pdf": ("application/pdf", paper("Minutes of Nothing")),
}


class Answers(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind, body = PAGES.get(self.path, ("", b""))
        self.send_response(200 if kind else 404)
        self.send_header("Content-Type", kind or "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def root() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


class Publications:
    """Calls the list of papers a goal, and promises nothing of PDFs."""

    name, judges, learns = "publications", True, False

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        assert not link.url.endswith("a.pdf"), "a document that is wanted is no page to judge"
        goal = page.url.endswith("pubs.html")
        scores = np.array([0.1 if ".pdf" in each.url else 0.5 for each in page.links])
        return Visit(Judgement("goal" if goal else "", goal, float(goal)), scores)


def walked(folder: Path, root: str, *, budget: int, documents: bool, most: int = 100_000) -> ForageReport:
    if not folder.exists():
        Workspace.create(folder).close()
        (folder / "trailmark.toml").write_text(
            '[forage]\ncontact = "a@b.example"\nallow_hosts = ["127.0.0.1"]\ndelay = 0.0\n'
            f"max_bytes = 20000\nmax_document_bytes = {most}\n"
        )
    with Workspace.open(folder) as workspace:
        return forage(
            workspace, root, strategy=Publications(), budget=budget, documents=documents, log=folder / "log.jsonl"
        )


def asked(folder: Path) -> str:
    return (folder / "log.jsonl").read_text()


def test_documents_of_a_goal_come_first_and_the_next_verbs_go_on_from_there(tmp_path: Path, root: str) -> None:
    report = walked(tmp_path / "w", root, budget=5, documents=True)
    assert (report.pages, report.goals_found) == (5, 1)
    assert [name in asked(tmp_path / "w") for name in ("a.pdf", "big.pdf", "c.pdf", "two.html")] == [
        True,
        True,
        False,
        False,
    ]
    with Workspace.open(tmp_path / "w") as workspace:
        assert tag(workspace).papers == 2
        organise(workspace)


def test_without_being_asked_documents_wait_for_their_turn(tmp_path: Path, root: str) -> None:
    walked(tmp_path / "w", root, budget=4, documents=False)
    assert ".pdf" not in asked(tmp_path / "w")


def test_a_document_above_its_bound_is_left_out_with_the_reason(
    tmp_path: Path, root: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    report = walked(tmp_path / "w", root, budget=5, documents=True, most=30_000)
    assert report.skipped == {"larger than max_bytes or max_document_bytes": 1}
    assert "it is larger than 30000 bytes" in caplog.text
    with Workspace.open(tmp_path / "w") as workspace:
        assert tag(workspace).documents == 1


def test_a_run_that_is_taken_up_again_still_wants_the_documents(tmp_path: Path, root: str) -> None:
    walked(tmp_path / "w", root, budget=3, documents=True)
    assert ".pdf" not in asked(tmp_path / "w")
    report = walked(tmp_path / "w", root, budget=5, documents=True)
    assert report.resumed
    assert all(name in asked(tmp_path / "w") for name in ("a.pdf", "big.pdf"))


@pytest.mark.parametrize(
    ("url", "is_one"),
    [
        ("http://a/x.PDF", True),
        ("http://a/x.ps.gz?download=1", True),
        ("http://a/x.ps.Z#page=2", True),
        ("http://a/pdf", False),
        ("http://a/?x.pdf", False),
    ],
)
def test_addresses_of_documents(url: str, is_one: bool) -> None:
    assert is_document_url(url) is is_one


def test_the_promise_of_a_document_stays_above_what_is_scored_anew() -> None:
    strategy = WithDocuments(Publications())
    assert (strategy.name, strategy.learns, FIRST > 1) == ("publications+documents", True, True)
