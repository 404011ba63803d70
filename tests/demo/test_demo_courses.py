"""The courses of the generated web: the same for the same seed, served, of every layout, every link with its type."""

from __future__ import annotations

from random import Random

import pytest

from trailmark.course.course_file import item_key
from trailmark.course.page_item import item_page
from trailmark.course.type_word import TYPES
from trailmark.datatypes import Response
from trailmark.demo import DemoWeb
from trailmark.demo.course_site import CASE_1, CASE_2, LAYOUTS, make_course_site
from trailmark.verbs.ready_typer import lesson

SITES = [make_course_site(Random(f"layout/{number}"), f"http://a.test/class/{number}/", layout=layout) for number, layout in enumerate(LAYOUTS)]  # fmt: skip


def test_a_course_is_the_same_for_the_same_seed_and_is_served() -> None:
    site, again = DemoWeb(sites=2).site(0), DemoWeb(sites=2).site(0)
    for number, layout in enumerate((None, *LAYOUTS)):
        course = site.course(number, layout)
        assert course == again.course(number, layout)
        for response in course.responses():
            assert site.respond(response.url) == response
    assert site.course(0) != site.course(1)
    assert site.course(0) != DemoWeb(sites=2).site(1).course(0)


def test_what_is_no_course_answers_404() -> None:
    site = DemoWeb(sites=2).site(0)
    for path in ("/class/", "/class/x/", "/class/0/nothing.html", "/class/0-nothing/", "/class/99999/", "/class/0-../"):
        assert site.respond(path).status == 404, path


def test_the_rest_of_the_web_does_not_lead_there() -> None:
    site = DemoWeb(sites=2).site(0)
    assert not any("/class/" in url for urls in site.links.values() for url in urls)
    assert not any("/class/" in response.url for response in site.responses())


def test_with_classes_the_departments_pages_lead_to_the_material() -> None:
    site = DemoWeb(sites=2, pages=100, classes=True).site(0)
    assert site.course_homes
    answers = {response.url: response for response in site.responses()}
    for path, folder in site.course_homes.items():
        assert any(site.url(path) in urls for urls in site.links.values())
        first = answers[site.url(path)]
        assert first.status == (200 if path == folder else 302)
        course = site.material_of(path)
        assert course.title in answers[site.url(folder)].body.decode()
        assert {response.url for response in course.responses()} <= answers.keys()
    assert not DemoWeb(sites=2, pages=100).site(0).course_homes


@pytest.mark.parametrize("site", SITES, ids=LAYOUTS)
def test_every_link_of_its_pages_has_a_type(site) -> None:  # type: ignore[no-untyped-def]
    labelled = lesson(site)
    assert all(kind in TYPES for kinds in labelled.kinds for kind in kinds)
    told = {(link.page, item_key(link)) for link in site.links}
    for url, text in site.pages.items():
        page = item_page(Response(url, 200, (("Content-Type", "text/html; charset=utf-8"),), text.encode()))
        assert {(url, item.url) for item in page.items} <= told


def test_both_cases_of_the_thesis_are_there() -> None:
    for site in SITES:
        cases = {link.case for link in site.links if link.kind != "other"}
        assert cases == ({CASE_2} if site.layout in ("pages", "frames") else {CASE_1})
