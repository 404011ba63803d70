"""A syllabus becomes weeks, weeks get items that fit, and a draft is a file that a person may edit, badly too."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.course.map_world import AUTOMATON, GRAMMAR, LIFE, PUSHDOWN, TURING, course
from tests.hostile_text import HOSTILE
from trailmark.course.draft.draft import Draft, DraftItem, DraftWeek, draft_course, draft_text, parse_draft
from trailmark.course.draft.proposal import fits, week_keys
from trailmark.course.draft.syllabus import LONGEST_SYLLABUS, MOST_WEEKS, Week, weeks_of
from trailmark.course.knowledge.material import CourseTexts
from trailmark.course.knowledge.shelf import Shelf, shelf
from trailmark.course.type_word import TYPES
from trailmark.datatypes import Course, CourseItem
from trailmark.errors import InputError

COURSES = (
    course("a", ("Grammars", (GRAMMAR,) * 4), ("Machines", (TURING,) * 4)),
    course("b", ("Turing", (TURING, TURING, PUSHDOWN, LIFE)), ("Grammar", (GRAMMAR, GRAMMAR, AUTOMATON, LIFE))),
)


def weeks(*titles: str) -> tuple[Week, ...]:
    return tuple(Week(number, title) for number, title in enumerate(titles, start=1))


def shelved(found: tuple[Week, ...], courses: tuple[CourseTexts, ...] = COURSES) -> Shelf:
    return shelf(courses, week_keys(found))


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("Week 1: Trees\nread about them\nWeek 2: Graphs\n", ["Trees", "Graphs"]),
        ("Welcome!\n\n1. Trees\n2) Graphs and 3 colours\n", ["Trees", "Graphs and 3 colours"]),
        ("Trees\nGraphs\n3D graphics", ["Trees", "Graphs", "3D graphics"]),
        ("Trees\nsearch trees\n\nGraphs\nbreadth first", ["Trees", "Graphs"]),
        ("Week 1\nSorting\nWeek 2\nHeaps", ["Sorting", "Heaps"]),
        ("Tue 9/3: Trees\nThu 9/5: Graphs", ["Trees", "Graphs"]),
        ("\u7b2c1\u5468 \u56fe\u8bba\n\u7b2c2\u5468 \u6811", ["\u56fe\u8bba", "\u6811"]),
        ("\u0627\u0644\u0623\u0633\u0628\u0648\u0639 1: \u0627\u0644\u0623\u0634\u062c\u0627\u0631\n\u0627\u0644\u0623\u0633\u0628\u0648\u0639 2: \u0627\u0644\u0631\u0633\u0648\u0645", ["\u0627\u0644\u0623\u0634\u062c\u0627\u0631", "\u0627\u0644\u0631\u0633\u0648\u0645"]),
        ("- Trees\n- Graphs", ["Trees", "Graphs"]),
        ("CS 101: Data\nWeek 1 (Sep 3): Trees\nChapter 1-2\nHW 1 out\nWeek 2 (9/10 - 9/14) Graphs\nCh. 5\nHW 1 due", ["Trees", "Graphs"]),
        ("Week 1-2: Trees\nWeek 3-4: Graphs\nExam 1\nWeek 5: Heaps", ["Trees", "Graphs", "Heaps"]),
        ("Week 1: Trees\n1. Red\n2. Black\nWeek 2: Graphs\n1. Paths", ["Trees", "Graphs"]),
        ("Unit 1\nWeek 1: Trees\nWeek 2: Graphs\nUnit 2\nWeek 3: Heaps", ["Trees", "Graphs", "Heaps"]),
        ("Week 1\nSorting\nHW 1 due\nWeek 2\nHeaps\nHW 2 due", ["Sorting", "Heaps"]),
        ("Tue 1: Trees\nThu 3: Graphs\nTue 8: Heaps\nThu 10: Sorting", ["Trees", "Graphs", "Heaps", "Sorting"]),
        ("\u7b2c1\u5468 \u56fe\u8bba\n\u4f5c\u4e1a 1\n\u7b2c2\u5468 \u6811\n\u4f5c\u4e1a 2", ["\u56fe\u8bba", "\u6811"]),
        ("| Week | Topic |\n| 1 | Trees |\n| 2 | (2,4)-trees |", ["Trees", "(2,4)-trees"]),
        ("1990s history\n2000s history", ["1990s history", "2000s history"]),
    ],
)  # fmt: skip
def test_a_syllabus_becomes_weeks(text: str, titles: list[str]) -> None:
    found = weeks_of(text)
    assert [week.title for week in found] == titles
    assert [week.number for week in found] == list(range(1, len(titles) + 1))


def test_what_else_a_week_says_is_kept_with_it() -> None:
    assert [week.text for week in weeks_of("1. Trees\nred and black\n2. Graphs")] == ["red and black", ""]


@pytest.mark.parametrize(
    ("text", "words"),
    [("", "is empty"), (" \n\t\n", "is empty"), ("x" * (LONGEST_SYLLABUS + 1), "letters"), ("a line\n" * (MOST_WEEKS + 1), "at most")],
)  # fmt: skip
def test_what_is_no_syllabus_is_told(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        weeks_of(text)


@given(st.lists(HOSTILE, max_size=8))
def test_any_text_becomes_weeks_or_a_sentence(lines: list[str]) -> None:
    try:
        found = weeks_of("\n".join(lines))
    except InputError:
        return
    assert all(week.title for week in found)
    assert len({week.number for week in found}) == len(found)


def test_each_week_gets_what_speaks_of_it_with_the_reason() -> None:
    found = weeks("Regular grammars", "Turing machines", "Onion soup")
    shelf_ = shelved(found)
    chosen = fits(shelf_, found)
    by_week = {week.number: [fit for fit in chosen if fit.week == week.number] for week in found}
    assert {shelf_.items[fit.item].url for fit in by_week[1]} == {
        "http://a.example/l1.html",
        "http://b.example/l2.html",
    }
    assert {shelf_.items[fit.item].url for fit in by_week[2]} == {
        "http://a.example/l2.html",
        "http://b.example/l1.html",
    }
    assert by_week[3] == [], "nothing fits, and nothing is made to"
    assert by_week[2][0].shared[0] == "turing machine"


def test_words_of_course_life_fit_nothing() -> None:
    found = weeks("Midterm exam", "Homework due on Friday")
    assert fits(shelved(found), found) == []


def test_one_item_is_proposed_once_whatever_the_weeks_say() -> None:
    found = weeks("Turing machines", "More on Turing machines", "Turing machines again")
    items = [fit.item for fit in fits(shelved(found), found, limit=5)]
    assert len(items) == len(set(items)) == 2


def test_another_term_of_a_course_is_not_proposed_beside_it() -> None:
    last = replace(
        COURSES[0],
        id="a2",
        materials=tuple(
            replace(each, url=f"{each.url}?1995", passages=(*each.passages, *COURSES[1].materials[0].passages))
            for each in COURSES[0].materials
        ),
    )
    found = weeks("Regular grammars")
    runs = (replace(COURSES[0], family="f"), replace(last, family="f"))
    shelf_ = shelved(found, runs)
    titles = [shelf_.items[fit.item].title for fit in fits(shelf_, found, limit=5)]
    assert titles.count("Grammars") == 1


def test_one_text_at_two_addresses_is_proposed_once() -> None:
    copy = replace(COURSES[0], id="c", materials=tuple(replace(each, url=f"{each.url}?c", title=f"{each.title}, a copy") for each in COURSES[0].materials))  # fmt: skip
    found = weeks("Turing machines")
    shelf_ = shelved(found, (COURSES[0], copy))
    assert len(fits(shelf_, found, limit=5)) == 1


@given(st.lists(HOSTILE, min_size=1, max_size=4))
def test_any_weeks_can_be_matched(titles: list[str]) -> None:
    found = weeks(*titles)
    assert all(fit.score > 0 for fit in fits(shelved(found), found))


ITEM = DraftItem("lecture", "Trees", "http://x.example/t.html", True, "0123456789ab", "CS 1", ("binary tree",))
DRAFT = Draft("Trees", (DraftWeek(1, "Roots", (ITEM, replace(ITEM, url="http://x.example/u.html", is_used=False))),))


def test_a_draft_is_read_as_it_was_written() -> None:
    assert parse_draft(draft_text(DRAFT), "d.json") == DRAFT
    assert DRAFT.with_used({1: {0}}) == DRAFT
    assert DRAFT.with_used({1: {1}}).used == 1
    assert DRAFT.with_used({}).used == 0


_PLAIN = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=20)
_ITEMS = st.builds(DraftItem, st.sampled_from(sorted(set(TYPES) - {"other"})), _PLAIN, st.just("http://x.example/a"), st.booleans(), _PLAIN, _PLAIN, st.tuples(_PLAIN))  # fmt: skip


@given(_PLAIN, st.lists(st.tuples(_PLAIN, st.lists(_ITEMS, max_size=3)), max_size=4))
def test_any_draft_is_read_as_it_was_written(title: str, parts: list[tuple[str, list[DraftItem]]]) -> None:
    made = Draft(title, tuple(DraftWeek(n, name, tuple(items)) for n, (name, items) in enumerate(parts, start=1)))
    assert parse_draft(draft_text(made), "d.json") == made


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", '{"draft": 2}', '{"draft": 1, "title": 3}', '{"draft": 1, "title": "x", "weeks": 3}', '{"draft": 1, "title": "x", "weeks": [{"week": "1"}]}',
        '{"draft": 1, "title": "x", "weeks": [{"week": 1, "title": "y"}, {"week": 1, "title": "z"}]}', "[" * 100_000,
        '{"draft": 1, "title": "x", "weeks": [{"week": 1, "title": "y", "items": [{"type": "lecture", "url": "javascript:alert(1)"}]}]}',
        '{"draft": 1, "title": "x", "weeks": [{"week": 1, "title": "y", "items": [{"type": "nothing", "url": "http://x.example/"}]}]}',
        '{"draft": 1, "title": "x", "weeks": [{"week": 1, "title": "y", "items": [{"type": "lecture", "url": "http://x.example/", "use": "yes"}]}]}',
    ],
)  # fmt: skip
def test_what_is_no_draft_is_told_with_the_file(text: str) -> None:
    with pytest.raises(InputError, match=r"^d\.json"):
        parse_draft(text, "d.json")


def test_a_course_of_a_draft_has_what_is_in_with_what_is_known_of_it() -> None:
    known = CourseItem("reading", "T", ITEM.url, 9, "page", "http://x.example/", 0.5, 7)
    made = draft_course(DRAFT, {ITEM.course: Course("http://x.example/", "X", items=(known,))})
    (item,) = made.items
    assert (item.kind, item.title, item.position, item.page) == ("lecture", "Trees", 1, "http://x.example/")
