"""Types of items: learnt from few courses, told for others."""

from __future__ import annotations

import pytest

from trailmark.course.course_file import labelled, written_courses
from trailmark.course.item_typer import WRITTEN_TO, ItemTyper, LabelledCourse, learnt_typer
from trailmark.course.page_item import ItemPage, item_page
from trailmark.datatypes import Response
from trailmark.errors import InputError

KINDS = {"Homework": "assignment", "Lectures": "lecture", "Exams": "exam"}


def course(site: str, *, names: tuple[str, ...] = ("Homework", "Lectures", "Exams")) -> LabelledCourse:
    """A course of one page: three headings, items that are bare numbers, and the department's page."""
    home = f"http://{site}/cs1/"
    parts = [
        f"<h2>{name}</h2><ul>" + "".join(f'<li><a href="{name[0]}{n}.ps">{n}</a>' for n in range(3)) + "</ul>"
        for name in names
    ]
    body = "".join(parts) + f'<p><a href="http://{site}/">Department</a>'
    page = item_page(Response(home, 200, (("Content-Type", "text/html"),), body.encode()))
    kinds = [KINDS[name] for name in names for _ in range(3)] + ["other"]
    return LabelledCourse((page,), (tuple(kinds),))


@pytest.fixture(scope="module")
def typer() -> ItemTyper:
    return learnt_typer([course("a.example"), course("b.example", names=("Exams", "Homework"))])


def test_items_of_another_university(typer: ItemTyper) -> None:
    other = course("c.example", names=("Lectures", "Exams", "Homework"))
    assert [typed.kind for typed in typer.typed(other.pages)[0]] == list(other.kinds[0])


def test_a_rule_holds_for_types_that_were_never_shown(typer: ItemTyper) -> None:
    body = "<h2>Solutions</h2><ul><li><a href=s1.ps>1</a><li><a href=s2.ps>2</a></ul><h2>Staff</h2><a href=x.html>A</a>"
    page = item_page(Response("http://d.example/x/", 200, (("Content-Type", "text/html"),), body.encode()))
    assert [typed.kind for typed in typer.typed([page])[0]] == ["solution", "solution", "people"]


def test_an_address_that_one_writes_to_is_no_material(typer: ItemTyper) -> None:
    body = '<h2>Homework</h2><ul><li><a href=h1.ps>1</a><li><a href="mailto:ada@d.example">2</a><li><a href=h3.ps>3</a></ul>'
    page = item_page(Response("http://d.example/x/", 200, (("Content-Type", "text/html"),), body.encode()))
    (found,) = typer.typed([page])
    assert [typed.kind for typed in found if typed.item.url.endswith(".ps")] == ["assignment", "assignment"]
    assert {typed.kind for typed in found if typed.item.url.startswith("mailto:")} <= set(WRITTEN_TO)
    assert len(found) == 3
    assert all(0.0 <= typed.chance <= 1.0 for typed in found)


def test_pages_without_items_and_no_pages(typer: ItemTyper) -> None:
    assert typer.typed([]) == []
    assert typer.typed([ItemPage("http://e.example/")]) == [[]]
    pages = [ItemPage("http://e.example/"), *course("e.example").pages]
    assert [len(found) for found in typer.typed(pages)] == [0, 10]


def test_the_same_courses_teach_the_same(typer: ItemTyper) -> None:
    again = learnt_typer([course("a.example"), course("b.example", names=("Exams", "Homework"))])
    assert (again.model.free_ == typer.model.free_).all()
    assert all(0.0 < item.chance <= 1.0 for item in again.typed(course("z.example").pages)[0])


def test_nothing_to_learn_from() -> None:
    with pytest.raises(InputError, match="two types"):
        learnt_typer([])


LINE = '{"course": "http://a/", "web": "w", "items": [{"page": "http://a/", "url": "http://a/x", "text": "HW", "heading": null, "type": "assignment", "case": 1}, {"page": "http://a/", "url": null, "text": "t", "type": "exam"}]}'


def test_a_file_of_typed_courses() -> None:
    (found,) = written_courses([LINE, ""], "f.jsonl")
    assert found.pages == ("http://a/",)
    assert labelled(found, {}).kinds == (("assignment",),)


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        LINE.replace("assignment", "homework"),
        LINE.replace('"http://a/x"', "7"),
        LINE.replace('"case": 1', '"case": 3'),
        "[" * 9999,
    ],
)
def test_a_line_that_is_no_course_is_named(line: str) -> None:
    with pytest.raises(InputError, match=r"f\.jsonl:2: "):
        written_courses([LINE, line], "f.jsonl")


def test_a_file_without_courses() -> None:
    with pytest.raises(InputError, match="holds no course"):
        written_courses([""], "f.jsonl")
