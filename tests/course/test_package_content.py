"""What a package holds of a course: order, copies and links, licences, harmless copies, bounds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html

from tests.course.package_world import COURSE, HOME, content, item
from tests.hostile_text import HOSTILE
from trailmark.course.package.content import NOT_ARCHIVED, REFUSED, TOO_LARGE, UNKNOWN_KIND, UNLICENSED
from trailmark.course.package.file_name import file_stem, name_faults
from trailmark.course.package.licence import known_licence, page_licence
from trailmark.course.package.local_copy import local_copy
from trailmark.datatypes import Course, Response


def test_items_stand_by_type_then_by_position() -> None:
    lessons = content().lessons
    assert [lesson.item.kind for lesson in lessons] == [
        *["lecture"] * 3, *["reading"] * 5, "assignment", "software"
    ]  # fmt: skip
    assert [lesson.title for lesson in lessons[:3]] == ["Sorting", "Heaps", "Where heaps are explained"]
    assert [group.lessons[0].item.kind for group in content().groups] == [
        "lecture",
        "reading",
        "assignment",
        "software",
    ]


def test_only_what_states_an_open_licence_is_copied() -> None:
    told = {lesson.title: (lesson.copy, lesson.why_linked) for lesson in content().lessons}
    assert told["Sorting"] == ("copies/001.html", "")
    assert told["Notes"][0].endswith(".pdf")
    assert told["Program"][0].endswith(".txt")
    assert told["Closed"] == ("", UNLICENSED)
    assert told["For schools"] == ("", UNLICENSED)
    assert told["Private"] == ("", REFUSED)
    assert told["Homework 1"] == ("", NOT_ARCHIVED)
    assert told["Drawing"] == ("", UNKNOWN_KIND)


@pytest.mark.parametrize(("rule", "copied"), [("none", 0), ("open", 5), ("non-commercial", 6), ("all", 7)])
def test_the_owner_says_what_may_be_copied(rule: str, copied: int) -> None:
    lessons = content(copies=rule).lessons
    assert sum(1 for lesson in lessons if lesson.copy) == copied
    assert next(lesson for lesson in lessons if lesson.title == "Private").why_linked, "a page may say no to all"


def test_places_of_one_page_share_its_copy() -> None:
    made = content()
    assert made.lessons[1].copy == "copies/002.html"
    assert made.lessons[2].copy == "copies/002.html#heaps"
    assert len({path for path, _ in made.copies}) == len(made.copies)


def test_a_copy_can_do_nothing() -> None:
    text = dict(content().copies)["copies/001.html"].body.decode()
    assert "broken" not in text
    assert "evil.example" not in text
    assert "<script" not in text
    assert "Sorting" in text
    assert 'src="data:image/png;base64,' in text
    root = html.fromstring(text)
    assert root.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0].startswith("default-src 'none'")
    assert not root.xpath("//form|//iframe|//object|//@onload|//@onerror")


def test_copies_lead_to_copies_and_else_to_the_web() -> None:
    root = html.fromstring(dict(content().copies)["copies/001.html"].body)
    assert root.xpath("//a[.='Heaps']/@href") == ["002.html"]
    assert root.xpath("//a[.='elsewhere']/@href") == ["http://cs.example.edu/elsewhere.html"]
    assert root.xpath("//a[.='elsewhere']/@target") == ["_blank"]


def test_a_copy_that_does_not_fit_is_a_link_and_nothing_leads_to_it() -> None:
    whole = {path: len(copy.body) for path, copy in content().copies}
    made = content(max_file_bytes=whole["copies/001.html"] - 1)
    told = {lesson.title: lesson.why_linked for lesson in made.lessons}
    assert told["Sorting"] == TOO_LARGE
    assert all(b"001.html" not in copy.body for _, copy in made.copies)


def test_items_and_titles_are_bounded() -> None:
    many = tuple(item("lecture", "x" * 5000, f"http://a.example/{n}", n) for n in range(40))
    made = content(Course(HOME, "t", items=many), max_items=7)
    assert (len(made.lessons), made.left_out) == (7, 33)
    assert all(len(lesson.title) <= 200 and len(lesson.page) < 80 for lesson in made.lessons)


def test_what_leads_to_no_address_of_the_web_is_left_out_and_counted() -> None:
    assert content().left_out == 1
    assert all(lesson.item.url.startswith("http") for lesson in content().lessons)


@given(HOSTILE)
def test_names_unzip_everywhere(title: str) -> None:
    name = f"items/001-{file_stem(title)}.html"
    assert list(name_faults([name])) == []
    assert re.fullmatch(r"[a-z0-9-]{1,42}", file_stem(title))


@pytest.mark.parametrize("reserved", ["CON", "aux", "com1", "LPT9"])
def test_names_of_devices_are_not_used(reserved: str) -> None:
    assert list(name_faults([f"{file_stem(reserved)}.html"])) == []
    assert list(name_faults([f"{reserved}.html"]))


@pytest.mark.parametrize(
    ("address", "terms"),
    [
        ("https://creativecommons.org/licenses/by/4.0/", "open"),
        ("http://www.creativecommons.org/licenses/by-sa/2.5/in/", "open"),
        ("http://creativecommons.org/licenses/nc-sa/1.0/", None),
        ("http://creativecommons.org/licenses/by-nd-nc/1.0/", "non-commercial"),
        ("https://creativecommons.org/publicdomain/zero/1.0/", "open"),
        ("https://creativecommons.org/", None),
        ("https://creativecommons.org.evil.example/licenses/by/4.0/", None),
        ("http://www.gnu.org/copyleft/fdl.html", "open"),
    ],
)
def test_licences_by_their_addresses(address: str, terms: str | None) -> None:
    licence = known_licence(address)
    assert (licence.terms if licence else None) == terms


def test_the_licence_of_a_picture_is_not_that_of_its_page() -> None:
    link = '<a href="https://creativecommons.org/licenses/by/4.0/">CC BY</a>'
    assert page_licence(html.fromstring(f"<body><p>Photo by Ada, {link}</p></body>")) is None
    assert page_licence(html.fromstring(f"<body><p>Except where noted, this work is licensed under {link}</p></body>"))


@given(st.binary(max_size=200), st.sampled_from(["", "text/html", "text/plain", "image/svg+xml", "application/zip"]))
def test_no_copy_is_handed_out_as_a_page_but_those_written_anew(body: bytes, kind: str) -> None:
    copy = local_copy(
        Response(f"{HOME}x", 200, (("Content-Type", kind),), body), link_href=lambda _n, _l: None, asset=lambda _u: None
    )
    if copy is not None and copy.ending == "html":
        assert b"Content-Security-Policy" in copy.body
        assert b"<script" not in copy.body.lower()
    else:
        assert copy is None or copy.ending in {"pdf", "ps", "txt", "gz", "tgz", "zip", "rtf"}


@given(HOSTILE)
def test_any_words_of_the_web_make_a_package(words: str) -> None:
    course = Course(words, words, words, words, (words,), words, (*COURSE.items, item("lecture", words, "l1.html", 9)))
    assert content(course).lessons
