"""`trailmark curate`: what it says, what it does, and what it can't."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.serve.portal_world import library
from trailmark.store.item_shelf import Shelf, read_shelf
from trailmark.store.organised import Organised


@pytest.fixture
def shelves(tmp_path: Path) -> Path:
    return library(tmp_path / "w")


def shelf(folder: Path) -> Shelf:
    with Organised.open(folder) as organised:
        return read_shelf(organised.connection)


def test_items_are_hidden_merged_listed_and_taken_back(trailmark: Any, shelves: Path) -> None:
    before = shelf(shelves)
    assert "Nothing was curated yet" in trailmark("-w", shelves, "curate").out
    done = trailmark(
        "-w", shelves, "curate", "--hide", f"https://x.test/library/item/{before.addresses[2]}", "--why", "not ours"
    )
    assert done.code == 0, done.err
    assert "undo 1" in done.out
    assert before.addresses[2] in shelf(shelves).hidden
    merged = trailmark("-w", shelves, "curate", "--merge", before.addresses[4], before.keys[5], "--json")
    assert [act["how"] for act in json.loads(merged.out)["acts"]] == ["together", "hide"]
    assert json.loads(merged.out)["due"] is False
    assert len(shelf(shelves)) == len(before) - 2
    listed = trailmark("-w", shelves, "curate").out
    assert "hidden" in listed
    assert "not ours" in listed
    url = "http://site0.example/papers/5.html"
    assert trailmark("-w", shelves, "curate", "--split", before.addresses[4], url).code == 0
    assert len(shelf(shelves)) == len(before) - 1
    undone = trailmark("-w", shelves, "undo", "1", "--yes")
    assert "organise" in undone.out
    assert trailmark("-w", shelves, "organise").code == 0
    assert len(shelf(shelves)) == len(before)


def test_what_is_not_there_is_a_sentence_and_exit_code_2(trailmark: Any, shelves: Path) -> None:
    for words in (("--hide", "000000000000"), ("--merge", "x", "y"), ("--split", "x", "http://y.example/")):
        wrong = trailmark("-w", shelves, "curate", *words)
        assert wrong.code == 2
        assert "There is no item" in wrong.err
