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
