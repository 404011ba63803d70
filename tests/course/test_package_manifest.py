"""Packages as they are written: same bytes, whole by our own checks, read by a reader of its own, metadata with sources and dates."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given, settings
from lxml import etree

from tests.course.cartridge_reader import read_cartridge
from tests.course.package_world import COURSE, HOME, content, item, packed, unpacked
from tests.hostile_text import HOSTILE
from trailmark.course.package.content import Content, Lesson
from trailmark.course.package.lesson_page import lesson_page
from trailmark.course.package.manifest import FORMATS, Format
from trailmark.course.package.package_check import checked_package
from trailmark.datatypes import Course

FORMS = pytest.mark.parametrize("form", FORMATS)


@FORMS
def test_the_same_course_makes_the_same_bytes(form: Format) -> None:
    assert packed(form) == packed(form)
    with zipfile.ZipFile(io.BytesIO(packed(form))) as opened:
        names = opened.namelist()
        assert names == sorted(names)
        assert {entry.date_time for entry in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@FORMS
def test_our_own_checks_find_nothing(form: Format) -> None:
    found = checked_package(io.BytesIO(packed(form)))
    assert found.faults == ()
    assert found.items == len(content().lessons)


@FORMS
@given(HOSTILE)
@settings(max_examples=25)
def test_any_words_make_a_whole_package(form: Format, words: str) -> None:
    items = (*COURSE.items, item("lecture", words, "l1.html", 9), item("exam", words, f"http://x.example/{words}"))
    course = Course(HOME, words, words, words, (words,), words, items)
    assert checked_package(io.BytesIO(packed(form, course))).faults == ()


@pytest.mark.parametrize(("form", "attribute"), [("scorm12", "scormtype"), ("scorm2004", "scormType")])
def test_every_lesson_talks_with_the_learning_system(form: Format, attribute: str) -> None:
    root = etree.fromstring(unpacked(packed(form))["imsmanifest.xml"])
    kinds = root.xpath(f"//*[local-name()='resource']/@*[local-name()='{attribute}']")
    assert kinds.count("sco") == len(content().lessons)
    assert kinds.count("asset") == 2
    pages = [body.decode() for path, body in unpacked(packed(form)).items() if path.startswith("items/")]
    assert all('<script src="../shared/runtime.js"></script>' in page and 'id="done"' in page for page in pages)
    assert 'data-scorm="1.2"' in pages[0] if form == "scorm12" else 'data-scorm="2004"' in pages[0]


def test_another_reader_finds_the_outline_of_a_cartridge() -> None:
    cartridge = read_cartridge(packed("imscc"))
    assert (cartridge.title, cartridge.version) == ("CS 101: Introduction <to> Computing", "1.3.0")
    assert [entry.title for entry in cartridge.entries] == ["Lectures", "Readings", "Assignments", "Software"]
    lectures, readings, assignments, _ = (entry.entries for entry in cartridge.entries)
    assert [(entry.title, entry.kind) for entry in lectures] == [
        ("Sorting", "page"), ("Heaps", "page"), ("Where heaps are explained", "page")
    ]  # fmt: skip
    assert assignments[0].target == "http://else.example/hw1.ps"
    assert {entry.title: entry.kind for entry in readings}["Closed"] == "link"


def test_a_cartridge_runs_no_script_at_all() -> None:
    files = unpacked(packed("imscc"))
    assert not any(path.endswith(".js") for path in files)
    assert not any(b"<script" in body for path, body in files.items() if path.endswith((".html", ".xml")))


def test_copies_stand_in_frames_that_belong_to_no_origin() -> None:
    page = unpacked(packed("scorm12"))["items/001-sorting.html"].decode()
    frame = etree.fromstring(page, etree.HTMLParser()).find(".//iframe")
    assert frame is not None
    assert not {"allow-scripts", "allow-same-origin"} & set(frame.get("sandbox", "allow-scripts").split())


@FORMS
def test_metadata_say_where_things_come_from_and_when(form: Format) -> None:
    files = unpacked(packed(form))
    core = etree.fromstring(files["metadata/dublin-core.xml"])
    records = core.findall("record")
    assert len(records) == 1 + len(content().lessons)
    sources = core.findall(".//{http://purl.org/dc/elements/1.1/}source")
    assert [each.text for each in sources][:2] == [HOME, f"{HOME}l1.html"]
    assert records[1].findtext("{http://purl.org/dc/elements/1.1/}date") == "1996-11-05"
    assert "creativecommons.org" in (records[1].findtext("{http://purl.org/dc/terms/}license") or "")
    manifest = files["imsmanifest.xml"].decode()
    assert HOME in manifest
    assert "Ada Lovelace" in manifest
    assert "1996-11-05" in manifest


def test_words_of_the_web_are_no_markup_in_a_lesson() -> None:
    bad = '"><script>alert(1)</script>'
    lesson = Lesson(1, item("lecture", bad, f"http://x.example/{bad}"), bad)
    page = lesson_page(lesson, course=bad, language='en"><script>', scorm="1.2")
    assert page.count("<script") == 1


def test_an_empty_course_has_an_empty_content() -> None:
    assert content(Course(HOME, "t")).lessons == ()
    assert isinstance(content(Course(HOME, "t")), Content)
