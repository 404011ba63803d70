"""How common words are: counted by the index, remembered, and counted anew when somebody wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from trailmark.store import word_standing
from trailmark.store.full_text import refresh_index
from trailmark.store.library import Library
from trailmark.store.organised import Organised, StoredItem, put_items


def put(folder: Path, titles: list[str]) -> None:
    items = [
        StoredItem(f"{n:016x}", "paper", title, "", None, f"http://a.example/{n}", "", {}, "", f"{n:016x}", ())
        for n, title in enumerate(titles)
    ]
    with Organised.open(folder) as organised, organised.transaction() as connection:
        put_items(connection, items)
        refresh_index(connection)


@pytest.mark.parametrize("most", [50_000, 1])
def test_counts_are_those_of_the_index_and_follow_what_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(word_standing, "MOST_KEPT", most)
    put(tmp_path, ["Ranking trees", "Ranking boats"])
    with Library.of(tmp_path) as library:
        for _ in range(2):  # asked of the index, then remembered
            assert library.standing.of(["ranking", "trees", "nowhere", "  "]) == ({"ranking": 2, "trees": 1}, 2)
        put(tmp_path, ["Ranking trees", "Ranking boats", "Ranking nowhere"])
        assert library.standing.of(["nowhere", "ranking"]) == ({"nowhere": 1, "ranking": 3}, 3)


def test_one_reading_after_the_other(tmp_path: Path) -> None:
    put(tmp_path, ["Ranking trees"])
    with Library.of(tmp_path) as library:
        for word in ("ranking", "trees"):
            with library.reading(60.0):
                assert library.standing.of([word]) == ({word: 1}, 1)


def test_a_word_is_asked_of_the_index_once(tmp_path: Path) -> None:
    put(tmp_path, ["Ranking trees"])
    with Library.of(tmp_path) as library:
        library.standing.of(["ranking"])
        asked: list[str] = []
        library.connection.set_trace_callback(asked.append)
        library.standing.of(["ranking", "trees"])
    assert sum("ranking" in each for each in asked) == 0
    assert sum("trees" in each for each in asked) == 1
