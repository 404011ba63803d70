"""Lines of a trails file: the good ones are kept, each bad one is named with its file, its number and the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Step, Trail
from trailmark.teach import parse_trails

SITE = "http://www.example.edu/"
GOOD: dict[str, Any] = {
    "site": SITE,
    "outcome": "goal",
    "steps": [{"url": SITE, "label": "department"}, {"url": SITE + "people/", "label": None, "anchor": "People"}],
}


def line(**changes: Any) -> str:
    return json.dumps({**GOOD, **changes})


def reason_for(text: str) -> str:
    """Why a line is refused; good lines around it must be kept."""
    good, problems = parse_trails([line(), text, line()], "my.jsonl")
    assert [number for number, _ in good] == [1, 3]
    assert [(problem.source, problem.line) for problem in problems] == [("my.jsonl", 2)]
    assert str(problems[0]) == f"my.jsonl, line 2: {problems[0].reason}"
    assert "\n" not in problems[0].reason
    return problems[0].reason


def test_a_good_line() -> None:
    good, problems = parse_trails([line()], "my.jsonl")
    steps = (Step(SITE, "department"), Step(SITE + "people/", None, "People"))
    assert good == [(1, Trail(SITE, "goal", steps))]
    assert problems == []


def test_blank_lines_are_passed_over_and_numbers_still_count_them() -> None:
    good, problems = parse_trails(["", line(), "   ", "\t", line(outcome="fail"), "\r", ""], "my.jsonl")
    assert [number for number, _ in good] == [2, 5]
    assert problems == []


def test_byte_order_mark_and_carriage_returns_do_no_harm() -> None:
    good, problems = parse_trails(["\ufeff" + line() + "\r", line() + "\r"], "my.jsonl")
    assert len(good) == 2
    assert problems == []


def test_urls_are_normalised_as_links_are() -> None:
    steps = [{"url": "HTTP://WWW.Example.EDU:80/a/../b#top"}]
    good, _ = parse_trails([line(site="http://WWW.example.edu", steps=steps)], "my.jsonl")
    assert good[0][1] == Trail(SITE, "goal", (Step(SITE + "b"),))


def test_a_label_of_blanks_is_no_label() -> None:
    steps = [{"url": SITE, "label": "  "}, {"url": SITE, "label": ""}, {"url": SITE, "label": " faculty "}]
    good, _ = parse_trails([line(steps=steps)], "my.jsonl")
    assert [step.label for step in good[0][1].steps] == [None, None, "faculty"]


def test_a_label_has_letters_that_are_seen_and_not_too_many() -> None:
    steps = [{"url": SITE, "label": "a\u202egnp.exe\n\u200b"}]
    good, _ = parse_trails([line(steps=steps)], "t.jsonl")
    assert good[0][1].steps[0].label == "a gnp.exe"
    good, bad = parse_trails([line(steps=[{"url": SITE, "label": "A" * 1000}])], "t.jsonl")
    assert not good
    assert bad[0].reason == "step 1: 'label' has 1,000 letters; up to 80 name a page"


def test_keys_of_other_tools_are_left_alone() -> None:
    good, problems = parse_trails([line(recorded_by="a tool", steps=[{"url": SITE, "time": 3}])], "my.jsonl")
    assert len(good) == 1
    assert not problems


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not valid JSON (Expecting property name"),
        ("nonsense", "not valid JSON (Expecting value at column 1)"),
        (line() + line(), "not valid JSON (Extra data"),
        (line()[:40], "not valid JSON"),
        ("\x00", "not valid JSON"),
        ("[]", "must be a JSON object"),
        ("null", "must be a JSON object"),
        ("17", "must be a JSON object"),
        ("9" * 5000, "not usable JSON"),
        ("[" * 100_000, "nested too deeply"),
        (line(outcome="success"), '\'outcome\' must be "goal" or "fail", not "success"'),
        (line(outcome="Goal"), 'not "Goal"'),
        (line(outcome=None), "not null"),
        (line(outcome=["goal"]), 'not ["goal"]'),
        (line(outcome="x" * 10_000), '"xxxx'),
        (json.dumps({key: GOOD[key] for key in ("site", "steps")}), "'outcome' must be \"goal\" or \"fail\"; it is missing"),
        (json.dumps({key: GOOD[key] for key in ("outcome", "steps")}), "'site' is missing"),
        (json.dumps({key: GOOD[key] for key in ("outcome", "site")}), "'steps' must be a list"),
        (line(site=7), "'site' must be a string, not 7"),
        (line(site="www.example.edu"), "'site' must be an absolute http or https URL, not 'www.example.edu'"),
        (line(site="ftp://example.edu/"), "absolute http or https URL"),
        (line(site=""), "absolute http or https URL"),
        (line(site="http://exa\x00mple.edu/"), "'site' holds a character that is not text"),
        (line(steps=[]), "at least one step"),
        (line(steps={"url": SITE}), "'steps' must be a list"),
        (line(steps="all"), "'steps' must be a list"),
        (line(steps=[SITE]), "step 1 must be an object"),
        (line(steps=[{"url": SITE}, None]), "step 2 must be an object"),
        (line(steps=[{"url": SITE}, {"label": "x"}]), "step 2: 'url' is missing"),
        (line(steps=[{"url": None}]), "step 1: 'url' must be a string, not null"),
        (line(steps=[{"url": "/people/"}]), "step 1: 'url' must be an absolute http or https URL, not '/people/'"),
        (line(steps=[{"url": "mailto:me@example.edu"}]), "step 1: 'url' must be an absolute"),
        (line(steps=[{"url": SITE, "label": 3}]), "step 1: 'label' must be a string, not 3"),
        (line(steps=[{"url": SITE, "label": "a\x00b"}]), "step 1: 'label' holds a character that is not text"),
        (line(steps=[{"url": SITE, "label": "\ud800"}]), "step 1: 'label' holds a character that is not text"),
        (line(steps=[{"url": SITE + "\udfff"}]), "step 1: 'url' holds a character that is not text"),
        (line(steps=[{"url": SITE, "anchor": ["People"]}]), "step 1: 'anchor' must be a string"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named_and_the_others_are_kept(text: str, words: str) -> None:
    reason = reason_for(text)
    assert words in reason
    assert len(reason) < 200


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
entries = st.fixed_dictionaries(
    {},
    optional={
        "site": st.just(SITE) | json_values,
        "outcome": st.sampled_from(["goal", "fail"]) | json_values,
        "steps": st.lists(st.fixed_dictionaries({"url": st.just(SITE) | json_values}, optional={"label": json_values}))
        | json_values,
    },
)


@pytest.mark.slow
@given(st.lists(entries.map(json.dumps) | st.text(max_size=40)))
def test_every_line_is_kept_or_named_once(lines: list[str]) -> None:
    good, problems = parse_trails(lines, "any.jsonl")
    told = sorted([number for number, _ in good] + [problem.line for problem in problems])
    assert told == [number for number, text in enumerate(lines, 1) if text.strip()]
    for _, trail in good:
        assert trail.outcome in ("goal", "fail")
        assert trail.steps
