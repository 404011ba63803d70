"""`trailmark search`: what a person and a program see of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.store.organised_items import SHELF, SomeItem, open_items, put_items
from trailmark.store.full_text import refresh_index


@pytest.fixture
def organised(workspace: Path) -> Path:
    connection = open_items(workspace / "organised.db")
    put_items(connection, SHELF)
    refresh_index(connection)
    connection.close()
    return workspace


def test_where_nothing_was_organised_it_says_what_to_do(trailmark: Any, workspace: Path) -> None:
    ended = trailmark("-w", workspace, "search", "garbage")
    assert ended.code == 2
    assert "Nothing was organised yet" in ended.err
    assert "trailmark organise" in ended.err.replace(f"-w {workspace} ", "")
    open_items(workspace / "organised.db").close()
    assert trailmark("-w", workspace, "search", "garbage").code == 2


def test_a_person_sees_title_authors_year_topic_address_and_the_words(trailmark: Any, organised: Path) -> None:
    ended = trailmark("-w", organised, "search", "+garbage collector -java")
    assert ended.code == 0
    lines = ended.out.splitlines()
    at = lines.index("1. Garbage collection by mark and sweep")
    assert lines[at + 1] == "   John McCarthy · 1960 · CS/Languages · cited 9 times"
    assert lines[at + 2] == "   http://a.test/a"
    assert lines[at + 3] == "   A collector for Lisp. It marks, then it sweeps."
    assert lines[-1] == "2 items found."


def test_a_program_gets_hits_with_marks_as_structure(trailmark: Any, organised: Path) -> None:
    report = trailmark("-w", organised, "search", "lisp", "--json", "--facets").report
    assert (report["total"], report["understood"], report["did_you_mean"]) == (1, "lisp", None)
    (hit,) = report["hits"]
    assert (hit["key"], hit["year"], hit["topic"], hit["site"]) == ("a", 1960, "CS/Languages", "a.test")
    assert [part["text"] for part in hit["snippet"] if part["marked"]] == ["Lisp"]
    assert report["facets"]["kind"] == {"paper": 1}


def test_sort_limit_and_topic_choose(trailmark: Any, organised: Path) -> None:
    def keys(*words: str) -> str:
        return "".join(hit["key"] for hit in trailmark("-w", organised, "search", "--json", *words).report["hits"])

    assert keys("--sort", "year") == "ebcad"
    assert keys("--sort", "cited", "--limit", "2") == "ac"
    assert keys("--sort", "cited", "--limit", "2", "--skip", "2") == "be"
    assert keys("garbage", "--topic", "CS/Languages/Java") == "b"
    assert keys("--", "-garbage") == "ce"


def test_a_topic_that_is_not_there_is_told_with_those_that_are(trailmark: Any, organised: Path) -> None:
    ended = trailmark("-w", organised, "search", "x", "--topic", "Botany")
    assert ended.code == 2
    assert "No item is in a topic 'Botany'; the largest are 'CS/Learning', 'CS/Languages'" in ended.err


def test_slips_are_mended_only_where_that_finds_something(trailmark: Any, organised: Path) -> None:
    ended = trailmark("-w", organised, "search", "garbge collector")
    assert "Did you mean 'garbage collector'?" in ended.out
    assert trailmark("-w", organised, "search", "garbge 2005..", "--json").report["did_you_mean"] is None
    assert trailmark("-w", organised, "search", "garbage", "--json").report["did_you_mean"] is None


def test_how_the_query_was_understood_is_told(trailmark: Any, organised: Path) -> None:
    ended = trailmark("-w", organised, "search", '"garbage + heap:collector')
    assert "A quote that is not closed was left out." in ended.out
    assert "No item has a field 'heap'" in ended.out
    assert "Read as: garbage heap:collector" in ended.out
    assert ended.code == 0


def test_what_an_item_says_does_not_drive_the_terminal(trailmark: Any, workspace: Path) -> None:
    connection = open_items(workspace / "organised.db")
    put_items(connection, [SomeItem("h", "Red \x1b[31m[bold]hat[/bold]\u202e", "\x1b]0;owned\x07 hat", "\x1b[2J")])
    refresh_index(connection)
    connection.close()
    ended = trailmark("-w", workspace, "search", "hat")
    assert "[bold]hat[/bold]" in ended.out
    assert not set("\x1b\x07\u202e") & set(ended.out)


def test_a_file_that_is_no_database_is_told_in_one_sentence(trailmark: Any, workspace: Path) -> None:
    (workspace / "organised.db").write_bytes(b"no database at all" * 100)
    ended = trailmark("-w", workspace, "search", "x")
    assert ended.code == 2
    assert "delete it and run: trailmark" in ended.err
