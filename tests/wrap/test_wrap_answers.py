"""Answers that are no HTML, each an editable folder (see answer_fixtures.py): the same records by rules, by the program and by the stylesheet."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree

from tests.wrap.answer_fixtures import CLUSTER, bodies, content_type, expected, learnt, names, output, table
from trailmark.wrap.writing.rules_program import rules_to_program
from trailmark.wrap.writing.rules_stylesheet import rules_to_stylesheet

EMBEDDED = ("json_ld", "next_data", "variable_among_others", "window_variable")
"""JSON within a page: its rules leave as JSON only."""
TREES = [name for name in names() if name not in EMBEDDED]


def test_every_form_is_there() -> None:
    assert {"json", "json_list", "xml", "rss", "atom", "sitemap", "plain_text", *EMBEDDED} <= set(names())


@pytest.mark.parametrize("name", names())
def test_records_are_as_they_were_written_down(name: str) -> None:
    assert output(name, learnt(name)) == expected(name)


@pytest.mark.parametrize("name", EMBEDDED)
def test_json_that_a_page_carries_is_a_place_of_a_value(name: str) -> None:
    assert {rule.field for rule in learnt(name).structured} == {"name", "price", "maker"}


@pytest.mark.parametrize("name", TREES)
def test_an_exported_program_gives_the_same(name: str) -> None:
    rules, names_of_program = learnt(name), dict[str, Any]()
    exec(rules_to_program([rules]), names_of_program)
    for url, body in bodies(name).items():
        page = names_of_program["read"](body.decode(), content_type(name))
        assert names_of_program["records"](page, CLUSTER) == expected(name)[url]


@pytest.mark.parametrize("name", TREES)
def test_an_exported_stylesheet_gives_the_same_of_the_tree_that_the_program_reads(name: str) -> None:
    transform = etree.XSLT(etree.fromstring(rules_to_stylesheet([learnt(name)]).encode()))
    for url, body in bodies(name).items():
        made = transform(table(body, content_type(name)).elements[0]).getroot()
        records = made if made.tag == "records" else [made]
        found = [
            {str(field.get("name")): [value.text or "" for value in field] for field in record} for record in records
        ]
        assert found == expected(name)[url]
