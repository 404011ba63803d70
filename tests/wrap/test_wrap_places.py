"""Fields whose values stand at several places of a page, and places that only one of is meant."""

from __future__ import annotations

import json

from tests.wrap.test_wrap_silence import found, learnt
from tests.wrap.wrap_pages import WORDS, table_of
from trailmark.wrap import RuleSet, rules_from_json, rules_to_json


def camera_page(number: int) -> str:
    """A name in the heading, and a shorter one in a table; the maker once or twice."""
    name, maker = f"{WORDS[number % 10].title()} {number}", WORDS[number % 7].title()
    full = f"<tr><th>Manufacturer</th><td>{maker} Works Ltd</td></tr>" if number % 3 else ""
    return (
        f"<html><body><h1>{maker} {name} camera, black</h1><p class='price'>${number}.00</p><table>"
        f"<tr><th>Brand</th><td>{maker}</td></tr>{full}<tr><th>Model</th><td>{name}</td></tr>"
        f"<tr><th>Weight</th><td>{number * 7} g</td></tr></table></body></html>"
    )


def camera_facts(number: int) -> dict[str, list[str]]:
    name, maker = f"{WORDS[number % 10].title()} {number}", WORDS[number % 7].title()
    return {
        "model": [f"{maker} {name} camera, black", name],
        "maker": [maker, f"{maker} Works Ltd"] if number % 3 else [maker],
        "price": [f"${number}.00"],
    }


def test_a_field_has_the_values_of_all_its_places() -> None:
    rules = learnt([camera_page(number) for number in range(10, 30)], {0: camera_facts(10)})
    for number in range(40, 60):
        assert found(rules, camera_page(number)) == {name: tuple(v) for name, v in camera_facts(number).items()}


def test_rules_of_further_places_are_kept() -> None:
    rules = learnt([camera_page(number) for number in range(10, 30)], {0: camera_facts(10)})
    assert any(field.more for field in rules.fields)
    assert read_again(rules) == rules


def read_again(rules: RuleSet) -> RuleSet:
    return rules_from_json(json.loads(json.dumps(rules_to_json(rules))), source="rules.json")


def test_where_the_first_place_is_silent_another_speaks() -> None:
    rules = learnt([camera_page(number) for number in range(10, 30)], {0: camera_facts(10)})
    page = camera_page(44)
    without = page.replace(page[page.index("<h1>") : page.index("</h1>") + 5], "")
    assert dict(rules.record("", table_of(without)).fields)["model"] == (camera_facts(44)["model"][1],)
