"""Start a course in the app: a syllabus pasted, weeks with proposals, ticked and unticked, and the package taken away."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests.course.package_world import unpacked
from tests.serve.advice_world import advised_workspace
from tests.serve.app_visitor import Visitor, running, wait_for, way_in
from tests.serve.test_serve_accessible import FAINT, FAULTS, LEAST_CONTRAST, WIDE
from trailmark.course.package.package_check import checked_package
from trailmark.verbs.draft import draft
from trailmark.verbs.draft_file import read_draft
from trailmark.workspace import Workspace

SYLLABUS = "Week 1: Regular grammars\nWeek 2: Turing machines\nWeek 3: Onion soup\n"


@pytest.fixture
def school(tmp_path: Path) -> Path:
    return advised_workspace(tmp_path)


@pytest.fixture
def drafted(school: Path) -> Path:
    with Workspace.open(school) as workspace:
        draft(workspace, "Languages", SYLLABUS)
    return school


def test_a_draft_is_shown_with_reasons_and_what_is_harm_is_text(drafted: Path) -> None:
    visitor = Visitor(drafted)
    assert '<a href="/drafts/languages">' in visitor.get("/drafts").text
    text = visitor.get("/drafts/languages").text
    assert "Both speak of" in text
    assert "Nothing that was found fits." in text
    assert "<script>alert" not in text
    assert 'href="/drafts"' in visitor.get("/courses").text


def test_what_is_ticked_is_kept_and_packed(drafted: Path) -> None:
    visitor, file = Visitor(drafted), drafted / "drafts" / "languages.json"
    answer = visitor.post("/drafts/languages", do="save", use=["2.0", "2.1", "99.3", "x"])
    assert "2 of its items are in" in visitor.said(answer)
    assert [item.is_used for item in read_draft(file).weeks[0].items] == [False, False]
    added = visitor.post("/drafts/languages", do="add", use=["2.0"], week="3", type="reading", title="Soup", url="http://x.example/soup.html")  # fmt: skip
    assert "2 of its items are in" in visitor.said(added)
    made = visitor.get("/drafts/languages/package/scorm12")
    assert checked_package(io.BytesIO(made.content)).faults == ()
    manifest = unpacked(made.content)["imsmanifest.xml"].decode()
    assert "Soup" in manifest
    assert "Regular grammars" not in manifest


def test_a_draft_that_a_person_named_is_opened_kept_and_packed(drafted: Path) -> None:
    visitor, folder = Visitor(drafted), drafted / "drafts"
    (folder / "languages.json").rename(folder / "My <b>draft #1?.json")
    (folder / os.fsdecode(b"\xff.json")).write_text("{}")  # a name that is no text can't be an address
    (link,) = re.findall('href="(/drafts/[^"]+)"', visitor.get("/drafts").text)
    assert "Both speak of" in visitor.get(link).text
    assert "1 of its items are in" in visitor.said(visitor.post(link, do="save", use=["1.0"]))
    (package,) = re.findall('href="([^"]+/scorm12)"', visitor.get(link).text)
    assert checked_package(io.BytesIO(visitor.get(package).content)).faults == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"do": "add", "week": "9", "type": "reading", "url": "http://x.example/"},
        {"do": "add", "week": "1", "type": "reading", "url": "javascript:alert(1)"},
        {"do": "add", "week": "1", "type": "nothing", "url": "http://x.example/"},
        {"do": "add", "week": "x", "type": "reading", "url": "http://x.example/ y"},
    ],
)
def test_what_can_not_be_added_changes_nothing(drafted: Path, fields: dict[str, str]) -> None:
    visitor, file = Visitor(drafted), drafted / "drafts" / "languages.json"
    before = file.read_bytes()
    assert visitor.said(visitor.post("/drafts/languages", **fields))
    assert file.read_bytes() == before


def test_a_draft_is_forgotten_and_names_lead_nowhere_else(drafted: Path) -> None:
    visitor = Visitor(drafted)
    for name in ("..%2Ftrailmark", "none", "Languages", ".hidden", "a" * 99):
        assert "There is no such draft" in visitor.get(f"/drafts/{name}").text or visitor.get(f"/drafts/{name}").status_code == 404  # fmt: skip
        visitor.post(f"/drafts/{name}", do="forget")
    assert (drafted / "trailmark.toml").is_file()
    visitor.post("/drafts/languages", do="forget")
    assert not (drafted / "drafts" / "languages.json").exists()


def test_what_can_not_begin_keeps_what_was_typed(drafted: Path) -> None:
    visitor = Visitor(drafted)
    for title, syllabus, words in (
        ("", SYLLABUS, "needs a title"), ("Languages", SYLLABUS, "already"), ("x", " ", "is empty"), ("-x", SYLLABUS, "dash"),
        ("x", "line </textarea><script>alert(1)</script>\n" * 200, "at most"),
    ):  # fmt: skip
        answer = visitor.post("/drafts", title=title, syllabus=syllabus)
        assert (answer.status_code, words in answer.text) == (400, True)
        assert "<script>alert" not in answer.text


def test_a_teacher_pastes_a_syllabus_chooses_and_takes_the_package(school: Path, browser_page: Any) -> None:
    page = browser_page
    with running(school) as address:
        page.goto(address + way_in(school))
        page.goto(f"{address}/courses")
        page.click("a:has-text('Start a course')")
        page.fill("#title", "Machines and languages")
        page.fill("#syllabus", SYLLABUS)
        page.click("button:has-text('Find what fits')")
        page.wait_for_selector("h1:has-text('Machines and languages')", timeout=60_000)
        boxes = page.locator("input[name='use']")
        assert boxes.count() == 4
        page.locator("section[aria-labelledby='week-1'] input").first.uncheck()
        page.locator("section[aria-labelledby='week-2'] input").last.check()
        page.click("button:has-text('Keep') >> nth=0")
        page.wait_for_selector("text=Kept: 2 of its items are in.")
        with page.expect_download() as taken:
            page.click("a:has-text('SCORM 1.2')")
        with Path(taken.value.path()).open("rb") as file:
            assert checked_package(file).faults == ()
        for scheme, width in (("light", 1280), ("dark", 1280), ("light", 400)):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for path in ("/drafts", "/drafts/machines-and-languages"):
                page.goto(f"{address}{path}", wait_until="load")
                faults = page.evaluate(FAULTS) + page.evaluate(FAINT, LEAST_CONTRAST) + page.evaluate(WIDE)
                assert not faults, (path, scheme, width, faults)
    wait_for(lambda: (school / "drafts" / "machines-and-languages.json").is_file())
