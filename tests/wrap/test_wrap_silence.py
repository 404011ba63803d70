"""Rules that speak where they can: what made them keep silent though the value's place was plain."""

from __future__ import annotations

from collections.abc import Sequence

from tests.wrap.wrap_pages import table_of
from trailmark.datatypes import Annotation
from trailmark.wrap import AnnotatedPage, FieldRules, Rule, RuleSet, learn_rules
from trailmark.wrap.rules.rule import Feature


def learnt(pages: Sequence[str], marks: dict[int, dict[str, list[str]]]) -> RuleSet:
    """Rules from pages of which some are marked: page -> field -> values."""
    annotated = [
        AnnotatedPage(
            table_of(page),
            tuple(
                Annotation(f"http://site.example/{number}", field, value)
                for field, values in marks.get(number, {}).items()
                for value in values
            ),
        )
        for number, page in enumerate(pages)
    ]
    return learn_rules("site.example/1", annotated)


def found(rules: RuleSet, page: str) -> dict[str, tuple[str, ...]]:
    return dict(rules.record("", table_of(page)).fields)


def second_link(label: str, support: float) -> FieldRules:
    """The second link of a line; a lesser rule says that it stands behind a label."""
    place = Rule((Feature("index", 0, ("a[2]",)),), 1.0, 1.0)
    return FieldRules("region", (place, Rule((Feature("left-2", 0, (label,)),), 0.1, support)))


def test_what_stands_beside_the_value_on_one_page_is_no_label_of_the_template() -> None:
    table = table_of("<p><a>private</a> , <a>small town</a> , <a>Norland</a></p>")
    assert second_link("small town", 0.2).values(table) == ["small town"]
    assert second_link("small town", 0.9).values(table) == []


TOWNS = ("Norwick", "Estham", "Westing", "Sudbury", "Middleby")


def phones_of(number: int) -> list[str]:
    """Two or three numbers of a school."""
    return [f"(555) {100 + number}-{1000 + 37 * (number + at)}" for at in range(2 + number % 2)]


def contact_page(number: int) -> str:
    """Two addresses spread over lines: the telephone numbers are some of the lines, and what stands beside is each page's own."""
    first, *others = phones_of(number)
    town = f"{TOWNS[number % 5]}, {10000 + 7 * number}"
    fax = f"Fax: (555) {100 + number}-9999" if number % 4 else f"Contact: Ms {TOWNS[number * 3 % 5]}"
    lines = "<br>".join((f"{number} Mill Lane", town, *others, fax, f"office@school{number}.example"))
    return (
        f"<html><body><h1>School {number}</h1><table class='contact'><tr><td>{number} High Street<br>{town}<br>{first}<br>"
        f"www.school{number}.example</td><td><b>Office</b><br>{lines}</td></tr></table><p>Imprint</p></body></html>"
    )


def test_values_among_the_lines_of_an_address_are_found_after_one_page() -> None:
    rules = learnt(
        [contact_page(number) for number in range(1, 20)], {0: {"name": ["School 1"], "phone": phones_of(1)}}
    )
    for number in range(30, 50):
        assert found(rules, contact_page(number)).get("phone") == tuple(phones_of(number))
