"""Values that make careless code fall over: numbers without end, nesting without end, signs that are no text."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from trailmark.datatypes import Annotation
from trailmark.errors import InputError, SettingsError
from trailmark.read import parse_html
from trailmark.settings import parse_settings
from trailmark.store import read_webs
from trailmark.teach import parse_annotations, parse_recording, parse_trails
from trailmark.wrap import (
    AnnotatedPage,
    NodeTable,
    RuleSet,
    learn_rules,
    rules_from_json,
    rules_to_json,
    structured_items,
)
from trailmark.wrap.page.picked_value import element_number

FIGURES = "9" * 5_000
DEEP = "[" * 100_000
URL = "https://a.example/"
PAGE = b"<html><body><h1>Title</h1><p>one</p><p>two</p></body></html>"


def rules_for(mark: Annotation) -> RuleSet:
    return learn_rules("a", [AnnotatedPage(NodeTable(parse_html(PAGE)[0]), (mark,))])


@pytest.mark.parametrize("text", [f"a = {DEEP}", f"a = {FIGURES}", "a = 1e999", "a = 9999-99-99", "a = '\x00'"])
def test_settings_refuse_in_a_sentence(text: str) -> None:
    with pytest.raises(SettingsError):
        parse_settings(text)


@pytest.mark.parametrize(
    "line", [DEEP, f'{{"site": {FIGURES}}}', '{"site": 1e999}', '{"site": ' + "[" * 900 + "]" * 900 + "}"]
)
def test_lines_of_trails_and_annotations_become_problems(line: str) -> None:
    for parse in (parse_trails, parse_annotations):
        good, problems = parse([line], "file")
        assert not good
        assert len(problems) == 1


@pytest.mark.parametrize("xpath", ["\x01", "//a\x1b", "(" * 5_000, "//a[" * 3_000, "a" * 10**6])
def test_an_xpath_that_is_none_becomes_a_problem(xpath: str) -> None:
    line = json.dumps({"url": URL, "field": "f", "value": "v", "xpath": xpath})
    good, problems = parse_annotations([line], "file")
    assert not good
    assert "XPath" in problems[0].reason


@pytest.mark.parametrize(
    "text", [DEEP, '{"log": {"entries": ' + "[" * 900 + "]" * 900 + "}}", '{"steps": ' + FIGURES + "}"]
)
def test_recordings_never_raise(text: str) -> None:
    found = parse_recording(text, "file")
    assert found is None or "no page was visited" in str(found)


@pytest.mark.parametrize("value", [f"&#{FIGURES};", f"&#x{FIGURES};", "one &#99999999;"])
def test_a_mark_with_a_character_beyond_all_numbers_is_not_found(value: str) -> None:
    assert rules_for(Annotation(URL, "f", value)).unlearnt == ("f",)


def test_a_mark_whose_xpath_is_none_is_found_by_its_value() -> None:
    assert rules_for(Annotation(URL, "f", "one", "\x01")).record(URL, NodeTable(parse_html(PAGE)[0])).fields == {
        "f": ("one",)
    }
    assert element_number(parse_html(PAGE)[0], "\x01") is None


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf"), int(FIGURES[:400])])
@pytest.mark.parametrize("name", ["weight", "support"])
def test_rules_with_numbers_that_are_none_are_refused(number: float, name: str) -> None:
    kept: Any = copy.deepcopy(rules_to_json(rules_for(Annotation(URL, "f", "one"))))
    kept["fields"][0]["rules"][0][name] = number
    with pytest.raises(InputError, match="learn again"):
        rules_from_json(kept, source="rules.json")


def test_a_list_of_webs_that_nests_without_end_is_refused(tmp_path: Any) -> None:
    (tmp_path / "webs.json").write_text(DEEP)
    with pytest.raises(InputError, match=r"webs\.json"):
        read_webs(tmp_path)


@pytest.mark.parametrize("data", [f'{{"a": {FIGURES}}}', '{"a":' * 5_000, '{"a": 1e999}', '{"a": ' + DEEP])
def test_structured_data_is_read_or_passed_over(data: str) -> None:
    page = f"<html><head><script type='application/ld+json'>{data}</script></head><body>x</body></html>"
    items = structured_items(parse_html(page.encode())[0])
    assert all(len(each.value) <= 2_000 for item in items for each in item.properties)


def test_items_within_items_end_somewhere() -> None:
    page = "<div itemscope itemprop=x>" * 500 + "<b itemprop=y>deep</b>"
    near = "<div itemscope><div itemscope itemprop=x><b itemprop=y>near</b></div></div>"
    items = structured_items(parse_html(f"<html><body>{near}{page}</body></html>".encode())[0])
    assert [(each.path, each.value) for item in items for each in item.properties] == [("x.y", "near")]
