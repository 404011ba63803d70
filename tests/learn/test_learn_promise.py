"""What is said of the next site: what was counted on sites left out, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trailmark.learn.promise import LeftOutSite, Obstacle, Promise, changed_promise, promise_words

ONE = LeftOutSite(
    "http://a.test/", pages=70, wanted=10, met=9, called=8, unsure=1, others=5, others_called=1, unnamed=56, unnamed_called=3
)  # fmt: skip
OTHER = LeftOutSite(
    "http://b.test/", pages=48, wanted=7, met=7, called=6, unsure=1, others=4, others_called=0, unnamed=37, unnamed_called=1
)  # fmt: skip


def said(*rows: LeftOutSite) -> str:
    return " ".join(promise_words(Promise(rows)))


def test_the_counts_of_all_sites_are_said_and_no_share_of_right_ones() -> None:
    text = said(ONE, OTHER)
    assert text == (
        "On sites left out in turn (2 of them, 118 pages walked) it called 14 of the 17 pages you want goals, left 2 unsure and did not come to 1. "
        "Of the 19 pages that it called goals, 14 are among those you want, 1 you showed as something else and of 4 nobody has said what they are. "
        "How many of all are right takes answers: walk a site (trailmark forage), then trailmark check."
    )
    assert "%" not in text


def test_where_only_shown_pages_were_at_hand_it_says_so() -> None:
    text = said(replace(ONE, pages=14, unnamed=0, unnamed_called=0))
    assert "nobody" not in text
    assert "Only pages that you showed were at hand" in text


def test_where_every_page_called_a_goal_is_named_no_answers_are_asked_for() -> None:
    assert "trailmark" not in said(replace(ONE, unnamed_called=0))


def test_sites_of_one_domain_are_said_to_be_so() -> None:
    assert "All of them are of one domain: sites elsewhere may be less alike." in promise_words(
        Promise((ONE,), one_domain=True)
    )


def test_no_page_called_a_goal_and_one_page() -> None:
    none = LeftOutSite("http://a.test/", 1, 1, 1, 0, 0, 0, 0, 0, 0)
    assert "called 0 of the 1 page you want goals and took 1 for something else. It called no page a goal." in said(
        none
    )
    one = replace(none, called=0, unnamed=1, unnamed_called=1, met=0)
    assert (
        "Of the 1 page that it called a goal, 0 are among those you want and of 1 nobody has said what it is."
        in said(one)
    )


@pytest.mark.parametrize(
    ("obstacle", "words"), [("one site", "from one site"), ("one host", "from one host"), ("no pages", "no page of the taught")]
)  # fmt: skip
def test_where_nothing_can_be_known_it_says_why_and_what_to_do(obstacle: Obstacle, words: str) -> None:
    text = " ".join(promise_words(Promise(obstacle=obstacle)))
    assert words in text
    assert "trailmark check" in text
    assert not any(letter.isdigit() for letter in text)


def test_what_was_not_measured_is_not_promised() -> None:
    assert promise_words(None) == [
        "How well it does on a site that it was not shown was not measured: learn without --quick measures it."
    ]


def test_the_report_has_the_counts_of_all_and_of_each() -> None:
    values = Promise((ONE, OTHER)).to_json()
    assert (values["sites"], values["pages"], values["unnamed_called"], values["obstacle"]) == (2, 118, 4, "")
    assert values["left_out"] == [ONE.to_json(), OTHER.to_json()]
    assert "site" not in values


def test_what_changed_is_said_only_where_both_were_measured() -> None:
    before, now = Promise((ONE,)), Promise((replace(ONE, called=9, unsure=0, unnamed_called=0),))
    assert changed_promise(before, now) == [
        "On sites left out, pages you want that it called goals: 8 of 10 before, 9 of 10 now.",
        "On sites left out, pages it called goals that nobody has named: 3 before, 0 now.",
    ]
    assert changed_promise(before, before) == []
    assert changed_promise(None, now) == changed_promise(Promise(obstacle="one site"), now) == []
