"""Courses in the portal: one item each, whatever the number of its items; its page leads to them, as people typed them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.serve.portal_world import Reader
from tests.verbs.course_world import course_site, write_courses, write_pages
from trailmark.datatypes import Course, course_id
from trailmark.store.course_table import read_course
from trailmark.verbs.correct_course import correct_item
from trailmark.verbs.course import course
from trailmark.verbs.organise import organise
from trailmark.workspace import Workspace

SITES = [course_site(0, "headings"), course_site(6, "weeks")]
EVIL = "http://evil.example/c/"
TERMS = {
    f"http://www.example.edu/cs211/{term}/": f"<title>CS 211: Graphs</title><h1>CS 211: Graphs</h1><p>{words}</p><h2>Lectures</h2><a href=l1.ps>Lecture 1</a>"
    for term, words in (("fall96", "Fall 1996"), ("spring97", "Spring 1997"))
}
HARM = '<title>x</title><h2>Lectures</h2><a href="javascript:alert(1)">Lecture 1</a> <a href="l2.ps">&lt;script&gt;alert(2)&lt;/script&gt; lecture 2</a>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    archive = write_courses(tmp_path / "a.warc.gz", SITES)
    more = write_pages(tmp_path / "b.warc.gz", TERMS | {EVIL: HARM})
    with Workspace.create(tmp_path / "w") as workspace:
        course(workspace, [*(site.home for site in SITES), *TERMS, EVIL], [archive, more])
        organise(workspace)
    return tmp_path / "w"


def read(workspace: Workspace, url: str) -> Course:
    found = read_course(workspace.database, course_id(url))
    assert found is not None
    return found


def test_a_course_is_one_item_and_its_page_leads_to_what_it_offers(folder: Path) -> None:
    reader = Reader(folder)
    with Workspace.open(folder) as workspace:
        found = read(workspace, SITES[0].home)
    text = reader.get(f"/item/{found.id}").text
    for item in found.items:
        assert (f'href="{item.url}"' in text) == item.url.startswith("http"), item
    assert "5 items" in reader.get("/").text
    assert '<h2 id="material-lecture">' in text
    reader.desk.close()


def test_two_terms_of_a_course_stay_two(folder: Path) -> None:
    reader = Reader(folder)
    text = reader.get("/search?q=graphs").text
    assert {course_id(url) for url in TERMS} <= set(re.findall(r"/item/([0-9a-f]{12})", text))
    reader.desk.close()


def test_what_a_person_put_right_is_shown_and_what_means_harm_is_text(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        found = read(workspace, SITES[1].home)
        correct_item(workspace, found.id, found.items[0].url, "video")
    reader = Reader(folder)
    page = reader.get(f"/item/{found.id}").text
    video = page.partition('id="material-video"')[2].partition("</section>")[0]
    assert found.items[0].url in video
    evil = reader.get(f"/item/{course_id(EVIL)}").text
    assert "javascript:alert" not in evil
    assert "<script>alert" not in evil
    reader.desk.close()
