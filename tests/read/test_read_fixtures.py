"""Pages that parsers read differently: what the reader makes of each is written beside it (see page_fixtures.py)."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.read.page_fixtures import FOLDER, expected, names, output, response, shown_words
from trailmark.read import parse_html, read_page
from trailmark.settings import ReadSettings


@pytest.mark.parametrize("name", names())
def test_a_page_is_read_as_it_was_written_down(name: str) -> None:
    assert output(name) == expected(name)


@pytest.mark.parametrize("name", names())
def test_the_tree_and_the_forager_see_the_same_page(name: str) -> None:
    page = response(name)
    root = parse_html(page.body, page.header("content-type"))[0]
    assert root is not None
    read = read_page(page, ReadSettings(page_tokens=-1))
    words = Counter(shown_words(root)) - Counter(word for title in root.iter("title") for word in shown_words(title))
    assert Counter(read.body_tokens) == words
    hrefs = [element.get("href") for element in root.iter("a", "area") if element.get("href") is not None]
    followed = [link for link in read.links if link.kind in ("a", "area")]
    assert len(followed) == sum(not str(href).startswith("mailto:") for href in hrefs)


def test_every_kind_of_page_is_there() -> None:
    assert len(names()) >= 18
    assert all((FOLDER / name / "inputs" / "headers.json").exists() for name in names())
