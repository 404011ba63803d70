"""Lines of an annotations file: the good ones are kept, each bad one is named with its file, its number and the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from trailmark.datatypes import Annotation
from trailmark.teach import parse_annotations

URL = "http://shop.example/item/7"
GOOD: dict[str, Any] = {"url": URL, "field": "price", "value": "$25.99", "xpath": "/html/body/div[2]/span[1]"}


def line(**changes: Any) -> str:
    return json.dumps({**GOOD, **changes})


def test_a_good_line() -> None:
    good, problems = parse_annotations(["\ufeff" + line() + "\r", "", line(field=" title ")], "marks.jsonl")
    assert good == [
        (1, Annotation(URL, "price", "$25.99", "/html/body/div[2]/span[1]")),
        (3, Annotation(URL, "title", "$25.99", "/html/body/div[2]/span[1]")),
    ]
    assert problems == []


@pytest.mark.parametrize("field", ["A" * 101, "pri\u202ece", "a\nb", "a\u200bb", "\x1b[2J"])
def test_a_field_is_named_by_letters_that_are_seen(field: str) -> None:
    good, problems = parse_annotations([line(field=field)], "marks.jsonl")
    assert not good
    assert len(problems) == 1
    assert problems[0].reason.startswith("'field' ")


def test_xpath_may_be_left_out_and_a_lacking_field_is_null() -> None:
    entry = json.dumps({"url": URL, "field": "price", "value": None})
    good, problems = parse_annotations([entry, line(xpath=None, value="")], "marks.jsonl")
    assert [annotation for _, annotation in good] == [
        Annotation(URL, "price", None),
        Annotation(URL, "price", "", None),
    ]
    assert problems == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not valid JSON"),
        ("[]", "must be a JSON object"),
        (line(url="item/7"), "'url' must be an absolute http or https URL"),
        (line(url=None), "'url' must be a string, not null"),
        (json.dumps({"field": "price", "value": "1"}), "'url' is missing"),
        (json.dumps({"url": URL, "value": "1"}), "'field' is missing"),
        (line(field=""), "'field' must be the name of a field"),
        (line(field=" \t"), "'field' must be the name of a field"),
        (line(field=["price"]), "'field' must be a string"),
        (json.dumps({"url": URL, "field": "price"}), "'value' is missing (write null where the page lacks the field)"),
        (line(value=25.99), "'value' must be a string, not 25.99"),
        (line(value="a\x00"), "'value' holds a character that is not text"),
        (line(value="\udc80"), "'value' holds a character that is not text"),
        (line(xpath="//div["), "'xpath' is not valid XPath 1.0: '//div['"),
        (line(xpath=""), "'xpath' is not valid XPath 1.0"),
        (line(xpath="//h:p"), "'xpath' is not valid XPath 1.0"),
        (line(xpath="count(//p)"), "'xpath' must lead to a place in the page"),
        (line(xpath="'$25.99'"), "'xpath' must lead to a place in the page"),
        (line(xpath=3), "'xpath' must be a string"),
        (line(xpath="(" * 50_000), "'xpath' is not valid XPath 1.0"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_kept(text: str, words: str) -> None:
    good, problems = parse_annotations([line(), text, line()], "marks.jsonl")
    assert [number for number, _ in good] == [1, 3]
    assert [(problem.source, problem.line) for problem in problems] == [("marks.jsonl", 2)]
    assert words in problems[0].reason
    assert len(problems[0].reason) < 200
