"""An exported program reads a damaged page as we do; a stylesheet says that it can't."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from tests.read.page_fixtures import names, response
from tests.wrap.wrap_pages import facts_of, page_html, sample, table_of
from trailmark.read import parse_html
from trailmark.read.charset import decode
from trailmark.wrap import RuleSet, learn_rules
from trailmark.wrap.writing.rules_program import rules_to_program
from trailmark.wrap.writing.rules_stylesheet import rules_to_stylesheet


@pytest.fixture(scope="module")
def rules() -> RuleSet:
    return learn_rules("shop/1", sample((0, 1, 3)))


@pytest.fixture(scope="module")
def program(rules: RuleSet) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(rules_to_program([rules]), names)
    return names


def ended_early(number: int) -> str:
    return "<html lang='en'></html>" + page_html(number).replace("<html>", "", 1)


@pytest.mark.slow
@pytest.mark.parametrize("number", [31, 32, 40])
def test_a_page_that_ends_early_gives_what_the_rules_give(rules: RuleSet, program: dict[str, Any], number: int) -> None:
    html = ended_early(number)
    wanted = {name: values for name, values in facts_of(number).items() if values}
    fields = rules.record("http://shop.example/", table_of(html)).fields
    assert {name: list(values) for name, values in fields.items()} == wanted
    assert program["extract"](program["read"](html), rules.id) == wanted


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_its_tree_is_ours(program: dict[str, Any], name: str) -> None:
    page = response(name)
    text, _ = decode(page.body, page.header("content-type"))
    ours = parse_html(page.body.strip(), page.header("content-type"))[0]  # parsel strips every page
    assert ours is not None
    theirs = program["read"](text).root
    assert etree.tostring(theirs, encoding="unicode").strip() == etree.tostring(ours, encoding="unicode").strip()


@pytest.mark.slow
def test_without_the_parser_it_says_so(rules: RuleSet, tmp_path: Path) -> None:
    """Sound pages are read all the same."""
    (tmp_path / "turbohtml.py").write_text("raise ImportError\n", encoding="utf-8")
    (tmp_path / "rules.py").write_text(rules_to_program([rules]), encoding="utf-8")
    script = f"import rules; print(rules.extract(rules.read({page_html(31)!r}), 'shop/1')['price']); rules.read({ended_early(31)!r})"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == str(facts_of(31)["price"])
    assert "Install turbohtml" in done.stderr.splitlines()[-1]


def test_a_stylesheet_says_that_it_can_not(rules: RuleSet) -> None:
    text = rules_to_stylesheet([rules])
    assert "can't mend the tree" in text
    etree.XSLT(etree.fromstring(text.encode()))
