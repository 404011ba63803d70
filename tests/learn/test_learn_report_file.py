"""The report beside a navigator: read back as it was, as far as an older file has it, and not at all where it is damaged."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from trailmark.learn.promise import LeftOutSite, Promise
from trailmark.learn.recipe import Recipe
from trailmark.learn.report import LearnReport, StateFigures, TellingWords, TrialFigures
from trailmark.learn.report_file import report_from_text
from trailmark.quoting import json_text

WHOLE = LearnReport(
    goal="course",
    sites=2,
    trails=9,
    goal_trails=6,
    fail_trails=3,
    labels={"goal": 6, "fail": 3},
    features=120,
    recipe=Recipe(scheme="page", window=3, marginalise=True),
    reasons=("the defaults",),
    trials=(TrialFigures("the defaults", 0.5, 0.75),),
    states=(StateFigures("goal", 1.0, 0.5, 0.6667, 6, False),),
    rewards={"goal": 1.0, "fail": 0.0},
    words={"goal": TellingWords(("title: course",), ("anchor: courses",)), "fail": TellingWords(("title: news",))},
    advice=("Nothing is urgent.",),
    promise=Promise((LeftOutSite("http://a.test/", 118, 17, 16, 14, 2, 9, 1, 60, 4),), one_domain=True),
)
OLD: dict[str, Any] = {"goal": "course", "states": [], "labels": {"goal": 2}, "trails": 2}


def test_what_was_kept_is_read_back() -> None:
    assert report_from_text(json_text(WHOLE.to_json(), indent=1)) == WHOLE


def test_why_nothing_was_counted_is_read_back() -> None:
    for promise in (None, Promise(obstacle="one site")):
        report = replace(WHOLE, promise=promise)
        assert report_from_text(json_text(report.to_json())) == report


def test_a_part_that_the_model_does_not_look_at_is_not_written() -> None:
    words: Any = WHOLE.to_json()["words"]
    assert words == {
        "goal": {"pages": ["title: course"], "links": ["anchor: courses"]},
        "fail": {"pages": ["title: news"]},
    }


def test_an_older_file_lacks_some_things_and_a_newer_one_has_more() -> None:
    report = report_from_text(json.dumps({**OLD, "new": 1, "recipe": {"window": 4, "scheme": 7, "what": 2}}))
    assert report is not None
    assert (report.trails, report.advice, report.words, report.goal_figures) == (2, (), {}, None)
    assert report.promise is None
    assert report.recipe == Recipe(window=4)


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "7", '"goal"', "{}", "[" * 100_000,
        *(json.dumps({key: value for key, value in OLD.items() if key != name}) for name in OLD),
        json.dumps({**OLD, "trails": "many"}),
        json.dumps({**OLD, "trails": float("nan")}),
        json.dumps({**OLD, "labels": ["goal"]}),
        json.dumps({**OLD, "states": [{"label": "goal"}]}),
        json.dumps({**OLD, "words": {"goal": {"pages": "title"}}}),
        json.dumps({**OLD, "words": {"goal": {"pages": 3}}}),
        json.dumps({**OLD, "promise": {"obstacle": "rain", "left_out": []}}),
        json.dumps({**OLD, "promise": {"obstacle": "", "left_out": [{"site": "http://a.test/"}]}}),
        json.dumps({**OLD, "promise": []}),
    ],
)  # fmt: skip
def test_what_is_no_report_is_none(text: str) -> None:
    assert report_from_text(text) is None
