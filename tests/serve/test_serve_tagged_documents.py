"""Documents in the app: listed, a page of one with its fields coloured, a field put right and brought back; what a document says is text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.read.made_pdf import broken_pdfs
from tests.serve.app_visitor import Visitor
from tests.tag.test_tag import HEADER, paper
from tests.tag.test_tag import tagged as tagged_text
from tests.verbs.test_correct_document import URL, header
from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.tag import tag
from trailmark.verbs.train_tagger import train_tagger
from trailmark.verbs.undo import undo
from trailmark.workspace import Workspace

HOSTILE = "<script>alert(1)</script>"
BROKEN = "http://a.example/broken.pdf"
VIEW = "/documents/view"


@pytest.fixture
def tagged(folder: Path) -> Path:
    """A workspace in which a paper and a broken file were fetched and tagged."""
    bodies = {URL: paper(), BROKEN: next(iter(broken_pdfs().values()))}
    with Workspace.open(folder) as workspace:
        with ArchiveWriter(folder / "archive") as writer:
            for url, body in bodies.items():
                workspace.keep_page(url, Response(url, 200, (("Content-Type", "application/pdf"),), body), writer)
        tag(workspace, jobs=1)
    return folder


def choice_of(shown: str, text: str) -> str:
    """What the form sends for a value with this text."""
    found = re.search(rf'value="(\w+:\d+:\d+)">(?:(?!</label>).)*<bdi>{re.escape(text)}', shown, re.DOTALL)
    assert found, text
    return found[1]


def test_documents_are_listed_with_what_was_found_or_what_went_wrong(tagged: Path) -> None:
    visitor = Visitor(tagged)
    shown = visitor.get("/documents").text
    assert "Walks of Sites" in shown
    assert "Not read: " in shown
    assert BROKEN not in visitor.get("/documents?show=papers").text
    assert URL not in visitor.get("/documents?show=failed").text
    assert "No document is so." in visitor.get("/documents?q=nothing+like+it").text
    listed = visitor.http.get("/api/documents", params={"q": "walks"}, headers=visitor.bearer()).json()
    assert [row["url"] for row in listed["documents"]] == [URL]


def test_a_value_is_given_another_field_and_it_is_undone(tagged: Path) -> None:
    visitor = Visitor(tagged)
    shown = visitor.get(VIEW, params={"url": URL}).text
    assert "The header" in shown
    choice = choice_of(shown, "Walks of Sites")
    answer = visitor.post(VIEW, url=URL, page="1", choice=choice, field="note")
    assert visitor.said(answer).endswith("is note. It can be undone under History.")
    assert "by hand" in answer.text
    with Workspace.open(tagged) as workspace:
        assert "Walks of Sites" in header(workspace).fields["note"]
        undo(workspace)
        assert header(workspace).fields["title"] == ("Walks of Sites",)
    assert "by hand" not in visitor.get(VIEW, params={"url": URL}).text


def test_programs_read_a_page_and_put_a_field_right(tagged: Path) -> None:
    visitor = Visitor(tagged)
    bearer = visitor.bearer()
    drawn = visitor.http.get("/api/documents/page", params={"url": URL}, headers=bearer).json()
    part = drawn["parts"][0]
    sent = {"url": URL, "part": part["key"], "first": 0, "last": 0, "field": "note"}
    assert "is note" in visitor.http.post("/api/documents/correct", json=sent, headers=bearer).json()["said"]
    again = visitor.http.get("/api/documents/page", params={"url": URL}, headers=bearer).json()
    assert again["parts"][0]["values"][0]["label"] == "note"


def test_the_button_learns_from_corrections_and_tags_again(tagged: Path, tmp_path: Path) -> None:
    with Workspace.open(tagged) as workspace:
        train_tagger(workspace, tagged_text(tmp_path / "headers.jsonl", HEADER), "headers")
        tag(workspace, jobs=1)
    visitor = Visitor(tagged)
    assert "Learn from" not in visitor.get("/documents").text
    choice = choice_of(visitor.get(VIEW, params={"url": URL}).text, "Walks of Sites")
    visitor.post(VIEW, url=URL, page="1", choice=choice, field="author")
    assert "Learn from 1 correction<" in visitor.get("/documents").text
    before = (tagged / "models" / "headers.tagger").read_bytes()
    visitor.post("/documents", do="learn")
    (job,) = visitor.get("/api/jobs").json()
    told = visitor.wait(job["id"])
    assert told["state"] == "done", told
    assert (tagged / "models" / "headers.tagger").read_bytes() != before
    assert (tagged / "models" / "headers.corrections.jsonl").is_file()
    with Workspace.open(tagged) as workspace:
        assert "Walks of Sites" in header(workspace).fields["author"]


def test_only_what_was_tagged_is_shown_and_odd_requests_are_sentences(tagged: Path) -> None:
    visitor = Visitor(tagged)
    for url in ("file:///etc/hostname", HOSTILE, "", "http://a.example/other"):
        answer = visitor.get(VIEW, params={"url": url})
        assert answer.status_code == 400
        assert HOSTILE not in answer.text
    broken = visitor.get(VIEW, params={"url": BROKEN})
    assert "can&#39;t be read" in broken.text
    for number in ("0", "-4", "99999999"):
        assert visitor.get(VIEW, params={"url": URL, "page": number}).status_code == 200
    for choice, field in (("", "title"), ("x:0:0", "title"), ("x", HOSTILE), ("a:b:c", ""), ("::", "")):
        answer = visitor.post(VIEW, url=URL, page="1", choice=choice, field=field)
        assert answer.status_code == 200
        assert visitor.said(answer)
        assert HOSTILE not in answer.text


def test_what_a_document_says_is_text(folder: Path) -> None:
    file = folder / "hostile.txt"
    lines = [HOSTILE, "Ada Lovelace", "Abstract", f"We {HOSTILE} it.", "References", f"[1] A. Turing. {HOSTILE}. 1950."]
    file.write_text("\n".join(lines))
    with Workspace.open(folder) as workspace:
        tag(workspace, [file], jobs=1)
    visitor = Visitor(folder)
    for shown in (visitor.get(VIEW, params={"url": file.as_uri()}), visitor.get("/documents"), visitor.get("/records")):
        assert shown.status_code == 200
        assert HOSTILE not in shown.text
    assert "&lt;script&gt;" in visitor.get(VIEW, params={"url": file.as_uri()}).text


def test_records_of_papers_have_no_doubled_columns_and_lead_to_the_document(tagged: Path) -> None:
    visitor = Visitor(tagged)
    shown = visitor.get("/records?kind=paper").text
    assert "by=author&" in shown
    assert "by=author_normal&" not in shown
    assert f"/documents/view?url={URL.replace(':', '%3A').replace('/', '%2F')}&amp;page=1" in shown
    assert "by=author_normal&" in visitor.get("/records?kind=paper&within=author_normal").text
    place = re.search(r"/records/place\?id=\d+&amp;field=title&amp;n=0", shown)
    assert place
    assert "See it in the document" in visitor.get(place[0].replace("&amp;", "&")).text
