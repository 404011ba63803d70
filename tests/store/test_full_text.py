"""The index follows the items, finds what readers type, and never fails on it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.store.organised_items import SHELF, SomeItem, open_items, put_items
from trailmark.datatypes import Query, QueryTerm
from trailmark.organise.query import read_query
from trailmark.store.full_text import make_index, refresh_index
from trailmark.store.search_match import plan_query, with_condition, within_topic
from trailmark.store.search_results import Found, count_facets, find_items
from trailmark.store.search_vocabulary import complete_word, distance, first_slips, meant_query
from trailmark.store.search_words import placed_words, words_of
from trailmark.store.snippets import Pattern, marked_text, snippet_of


@pytest.fixture
def shelf() -> sqlite3.Connection:
    connection = open_items()
    put_items(connection, SHELF)
    refresh_index(connection)
    return connection


def found(connection: sqlite3.Connection, text: str, **options: Any) -> Found:
    return find_items(connection, plan_query(connection, read_query(text).query), **options)


def keys(connection: sqlite3.Connection, text: str, **options: Any) -> str:
    return "".join(hit.key for hit in found(connection, text, **options).hits)


# --- what is found -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("garbage collector", "ab"),
        ("+garbage collector", "abd"),
        ("+garbage collector -java", "ad"),
        ('"mark and sweep"', "a"),
        ('"sweep and mark"', ""),
        ("author:lee", "cd"),
        ("author:mccarthy garbage", "a"),
        ("title:garbage", "ab"),
        ("venue:letters", "c"),
        ('venue:"computation letters"', "c"),
        ("venue:propagation", ""),
        ("venue:comp*", "c"),
        ("1990..", "bce"),
        ("..1990", "a"),
        ("garbage -1990..", "ad"),
        ("site:b.test", "b"),
        ("kind:page", "d"),
        ("topic:languages", "ab"),
        ('topic:"CS/Languages/Java"', "b"),
        ("-topic:languages", "cde"),
        ("-garbage", "ce"),
        ("neur*", "c"),
        ("erdos", "b"),
        ("ERDŐS", "b"),
        ("神经网络", "e"),
        ("学习", "e"),
        ("习学", ""),
        ("方法 2001..", "e"),
        ("王小明", "e"),
        ("", "acbed"),
    ],
)
def test_a_query_finds(shelf: sqlite3.Connection, text: str, expected: str) -> None:
    assert sorted(keys(shelf, text)) == sorted(expected)


def test_words_in_title_and_authors_count_more_than_in_the_text(shelf: sqlite3.Connection) -> None:
    items = [SomeItem(f"x{n}", text="of other things") for n in range(9)]
    put_items(shelf, [SomeItem("t", "Zebras", "of horses"), SomeItem("x", "Horses", "of zebras"), *items])
    refresh_index(shelf)
    assert keys(shelf, "zebras") == "tx"
    assert keys(shelf, "horses") == "xt"


def test_where_no_item_has_all_words_those_with_some_are_found_and_it_is_told(shelf: sqlite3.Connection) -> None:
    some = found(shelf, "garbage propagation")
    assert some.some_words
    assert sorted(hit.key for hit in some.hits) == ["a", "b", "c", "d"]
    assert not found(shelf, "garbage collector").some_words
    assert not found(shelf, "zebra unicorn").some_words


def test_items_are_sorted_by_times_cited_or_year_and_undated_ones_come_last(shelf: sqlite3.Connection) -> None:
    assert keys(shelf, "", sort="cited") == "acbed"
    assert keys(shelf, "", sort="year") == "ebcad"
    assert keys(shelf, "+garbage", sort="year") == "bad"


@pytest.mark.parametrize("sort", ["rank", "cited", "year"])
@pytest.mark.parametrize("ranking", ["bm25", "log-frequency"])
def test_pages_follow_one_another_without_gap_or_double(shelf: sqlite3.Connection, sort: str, ranking: str) -> None:
    whole = keys(shelf, "+garbage collector", sort=sort, ranking=ranking)
    pages = [keys(shelf, "+garbage collector", sort=sort, ranking=ranking, limit=1, skip=n) for n in range(4)]
    assert "".join(pages) == whole
    assert found(shelf, "+garbage collector", limit=1).total == 3


@pytest.mark.parametrize(
    "query", ["garbage", "+garbage collector", "garbage propagation", "title:garbage", "garbage -1999.."]
)
def test_of_very_many_items_those_with_the_words_in_front_come_first_and_none_is_lost(
    shelf: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    monkeypatch.setattr("trailmark.store.search_results.LARGE", 0)
    whole = found(shelf, query)
    pages = [keys(shelf, query, limit=1, skip=n) for n in range(5)]
    assert "".join(pages) == "".join(hit.key for hit in whole.hits)
    assert len(whole.hits) == whole.total
    if "d" in pages:
        assert pages.index("d") > pages.index("a")


def test_the_ranking_of_the_paper_sums_logs_of_frequencies_over_what_is_rare(shelf: sqlite3.Connection) -> None:
    items = [SomeItem("x", text="rare common"), SomeItem("y", text="common " * 9), SomeItem("z", text="common")]
    put_items(shelf, items)
    refresh_index(shelf)
    assert keys(shelf, "+common rare", ranking="log-frequency") == "xyz"
    (hit,) = found(shelf, '"mark and sweep"', ranking="log-frequency").hits
    assert hit.score == pytest.approx(0.6931, abs=1e-4)


def test_facets_count_all_that_was_found(shelf: sqlite3.Connection) -> None:
    facets = count_facets(shelf, plan_query(shelf, read_query("+garbage").query))
    assert facets["topic"] == {"": 1, "CS/Languages": 1, "CS/Languages/Java": 1}
    assert facets["year"] == {"": 1, "1960": 1, "1999": 1}
    assert facets["kind"] == {"paper": 2, "page": 1}
    assert list(facets["site"]) == ["a.test", "d.test", "www.b.test"]


def test_a_topic_holds_those_below_it(shelf: sqlite3.Connection) -> None:
    plan = plan_query(shelf, Query())
    within = within_topic(shelf, "CS/Languages")
    assert within is not None
    assert find_items(shelf, with_condition(plan, within)).total == 2
    assert within_topic(shelf, "Botany") is None


def test_a_field_that_no_item_has_is_read_as_words_and_it_is_told(shelf: sqlite3.Connection) -> None:
    plan = plan_query(shelf, read_query("heap:virtual").query)
    assert plan.remarks == ("No item has a field 'heap': 'heap:virtual' was read as words.",)
    assert plan_query(shelf, read_query("topic:botany").query).remarks == ("No topic is called 'botany'.",)


# --- hostile text --------------------------------------------------------------------------------------------------

HOSTILE = st.one_of(
    st.text(),
    st.lists(
        st.sampled_from(
            ["NEAR", "AND", "OR", "NOT", "(", ")", '"', "'", "*", "^", ":", "{", "}", "\0", "+", "-", " ", "title", "a", "%", "_", "\ue000", "\ud800", "1999..", ";", "--", "学", "rowid", "topic", "site", "kind"]
        )
    ).map("".join),
)  # fmt: skip


@settings(max_examples=300)
@given(HOSTILE, HOSTILE)
@example("NEAR(a b, 2)", "{title} : a")
@example('"\0"', 'x" OR "y')
@example("-a -b", "ͺ +ͺ -ͺ")
@example("topic:% site:_ kind:'", "author:\ud800 title:\0")
def test_no_query_is_an_error_of_sqlite(one: str, other: str) -> None:
    connection = open_items()
    put_items(connection, [*SHELF, SomeItem("z", one.encode("utf-8", "replace").decode().replace("\0", " "))])
    refresh_index(connection)
    for text in (one, other, f"{one} {other}", f"+{one} -{other}", f'author:"{one}"', f"{other}*"):
        query = read_query(text).query
        plan = plan_query(connection, query)
        for ranking in ("bm25", "log-frequency"):
            result = find_items(connection, plan, ranking=ranking, facets=True)
            assert len(result.hits) == min(result.total, 10)
        meant_query(connection, query)
    complete_word(connection, one)
    connection.close()


def test_signs_of_fts5_are_words_like_others(shelf: sqlite3.Connection) -> None:
    put_items(shelf, [SomeItem("n", "Near and not or", "x")])
    refresh_index(shelf)
    assert keys(shelf, "NEAR NOT OR") == "n"
    assert keys(shelf, "OR") == "n"


# --- following the items -------------------------------------------------------------------------------------------

WRITTEN = st.lists(
    st.tuples(
        st.sampled_from("abcdef"),
        st.sampled_from(["upsert", "replace", "remove", "refresh", "topic", "again"]),
        st.sampled_from(["garbage", "collector of garbage", "学习", "x y z", ""]),
    ),
    max_size=25,
)


@settings(max_examples=150)
@given(WRITTEN)
def test_an_index_that_followed_is_one_made_from_scratch(acts: list[tuple[str, str, str]]) -> None:
    connection = open_items()
    refresh_index(connection)
    for key, act, text in acts:
        if act == "remove":
            connection.execute("DELETE FROM items WHERE key = ?", (key,))
        elif act == "topic":
            connection.execute("UPDATE items SET topic = ?, cited = cited + 1 WHERE key = ?", (f"T/{key}", key))
        elif act == "refresh":
            refresh_index(connection)
        else:
            put_items(connection, [SomeItem(key, text, text * 2, fields={"venue": [text]}, body=text[::-1])], act)
    refresh_index(connection)
    connection.execute("INSERT INTO search (search) VALUES ('integrity-check')")
    fresh = open_items()
    rows = connection.execute("SELECT * FROM items").fetchall()
    fresh.executemany(f"INSERT INTO items VALUES ({', '.join('?' * 15)})", rows)
    refresh_index(fresh)
    assert _whole(connection) == _whole(fresh)


def _whole(connection: sqlite3.Connection) -> list[list[tuple[Any, ...]]]:
    connection.execute("CREATE VIRTUAL TABLE temp.w USING fts5vocab('main', 'search', 'instance')")
    questions = [
        "SELECT * FROM temp.w ORDER BY 1, 2, 3, 4",
        "SELECT * FROM item_facts ORDER BY 1",
        "SELECT * FROM changed_items",
        "SELECT rowid, bm25(search) FROM search WHERE search MATCH 'garbage' ORDER BY 1",
    ]
    return [connection.execute(question).fetchall() for question in questions]


def test_only_what_changed_is_indexed_again(shelf: sqlite3.Connection) -> None:
    put_items(shelf, SHELF)
    shelf.execute("UPDATE items SET topic = 'X', topic_chance = 0.5")
    done = refresh_index(shelf)
    assert (done.added, done.changed, done.removed) == (0, 0, 0)
    assert keys(shelf, "topic:x garbage", limit=9) == keys(shelf, "garbage", limit=9)
    put_items(shelf, [SomeItem("a", "Other words"), SomeItem("q", "New")])
    shelf.execute("DELETE FROM items WHERE key = 'd'")
    done = refresh_index(shelf)
    assert (done.added, done.changed, done.removed) == (1, 1, 1)
    assert keys(shelf, "lisp") == ""
    assert keys(shelf, "other") == "a"


def test_words_of_a_document_are_found_below_those_of_title_and_text_and_shown(shelf: sqlite3.Connection) -> None:
    body = "First words. " * 400 + "Every cell is coloured by the wavefront before it moves."
    put_items(shelf, [SomeItem("p", "Of cells", "An abstract.", body=body), SomeItem("q", "A wavefront", "Short.")])
    refresh_index(shelf)
    assert keys(shelf, "wavefront", limit=9) == "qp"
    assert keys(shelf, '"coloured by the wavefront"') == "p"
    assert keys(shelf, "text:wavefront") == "p"
    (_, hit) = find_items(shelf, plan_query(shelf, read_query("wavefront").query)).hits
    assert "".join(part.text for part in hit.snippet if part.marked) == "wavefront"
    put_items(shelf, [SomeItem("p", "Of cells", "An abstract.")])
    refresh_index(shelf)
    assert keys(shelf, "wavefront", limit=9) == "q"


def test_a_damaged_body_is_none(shelf: sqlite3.Connection) -> None:
    shelf.execute("UPDATE items SET body = ? WHERE key = 'a'", (b"no zlib",))
    refresh_index(shelf)
    assert "a" in keys(shelf, "lisp")


def test_an_index_of_another_form_is_made_anew(shelf: sqlite3.Connection) -> None:
    shelf.execute("UPDATE index_form SET form = 'older'")
    make_index(shelf)
    assert refresh_index(shelf).added == len(SHELF)
    assert keys(shelf, "garbage collector", limit=9)


READER = """
import sys
from pathlib import Path
from tests.store.test_full_text import read_while_written
read_while_written(Path(sys.argv[1]))
"""


def read_while_written(folder: Path) -> None:
    """Search until the writer says that it is done: whatever is found is whole."""
    from trailmark.store.search_file import open_to_search

    rounds = 0
    while not (folder / "done").exists() or rounds < 3:
        with open_to_search(folder) as index:
            assert index is not None
            result = found(index.connection, "garbage", limit=1000, facets=True)
            assert len(result.hits) == result.total == sum((result.facets or {})["kind"].values())
            assert result.total % 10 == 3, "a transaction writes ten"
            assert all(any(part.marked for part in (*hit.title_parts, *hit.snippet)) for hit in result.hits)
        rounds += 1


@pytest.mark.slow
def test_two_processes_read_while_one_writes(tmp_path: Path) -> None:
    connection = open_items(tmp_path / "organised.db")
    put_items(connection, SHELF)
    refresh_index(connection)
    command = [sys.executable, "-c", READER, str(tmp_path)]
    readers = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    ends = time.monotonic() + 3
    number = 0
    while time.monotonic() < ends:
        connection.execute("BEGIN IMMEDIATE")
        put_items(connection, [SomeItem(f"n{number}-{n}", "garbage again") for n in range(10)])
        refresh_index(connection)
        connection.execute("COMMIT")
        number = (number + 1) % 20
    (tmp_path / "done").touch()
    errors = [reader.communicate(timeout=120)[1] for reader in readers]
    assert [reader.returncode for reader in readers] == [0, 0], errors


# --- words, marks, proposals ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Garbage-Collection, 2nd ed.", ["garbage", "collection", "2nd", "ed"]),
        ("Erdős Łukasiewicz straße Ørsted", ["erdos", "lukasiewicz", "strasse", "orsted"]),
        ("e\u0301tude", ["etude"]),
        ("ﬁeld eﬃcient ＡＢＣ", ["field", "efficient", "abc"]),
        ("机器学习 and 한국어", ["机", "器", "学", "习", "and", "한", "국", "어"]),
        ("हिन्दी", ["हिन्दी"]),
        ("½", ["1", "2"]),
        ("snake_case\0x", ["snake", "case", "x"]),
        ("a" * 70, ["a" * 64, "a" * 6]),
        ("\ud800 \ue000 \0", []),
    ],
)
def test_words_are_folded_to_one_spelling(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@given(st.text())
def test_folded_words_stay_what_they_are(text: str) -> None:
    words = words_of(text)
    assert words_of(" ".join(words)) == words
    assert [word for run in placed_words(text) for word in run.words] == words


@given(st.text(), st.text())
def test_marks_leave_the_text_as_it_is(text: str, looked_for: str) -> None:
    patterns = [Pattern((word,), prefix=True) for word in words_of(looked_for)]
    assert "".join(part.text for part in marked_text(text, patterns)) == text
    assert sum(len(list(placed_words(part.text))) for part in snippet_of(text, patterns)) <= 41


def test_a_snippet_shows_the_stretch_with_most_of_the_words() -> None:
    text = "alpha " + "x " * 100 + "the Álpha of a  beta\nphrase " + "y " * 100
    shown = snippet_of(text, [Pattern(("alpha",)), Pattern(("beta", "phrase"))], most=12)
    assert [part.text for part in shown if part.marked] == ["Álpha", "beta phrase"]
    assert shown[0].text == shown[-1].text.strip() + " " == "… "


def test_a_long_text_is_shown_where_the_words_are() -> None:
    words = [Pattern(("ﬁnd".replace("ﬁ", "fi"),)), Pattern(("me",))]
    for text in ("x " * 9000 + "find here me " + "y " * 9000, "x " * 9000 + "ﬁnd here mé " + "ÿ " * 900):
        shown = snippet_of(text, words)
        assert len([part for part in shown if part.marked]) == 2
        assert len("".join(part.text for part in shown)) < 200
    assert snippet_of("z " * 9000, words)[0].text.startswith("z z")


def test_a_word_that_is_not_there_is_proposed_by_one_that_is(shelf: sqlite3.Connection) -> None:
    def meant(text: str) -> str:
        query = meant_query(shelf, read_query(text).query)
        return " ".join(term.words for term in query.terms) if query else ""

    assert meant("garbge collektor") == "garbage collector"
    assert meant("nueral") == "neural"
    assert meant("prapogation") == "propagation"
    assert meant("harbage") == meant("arbage") == meant("xgarbage") == meant("agrbage") == "garbage"
    assert meant("author:mccarty") == "mccarthy"
    assert meant("garbage") == ""
    assert meant("qqqqqqqq") == ""
    assert meant_query(shelf, Query((QueryTerm("garbge", sign="-"),))) is None


def test_a_word_is_completed_by_the_most_frequent_first(shelf: sqlite3.Connection) -> None:
    assert complete_word(shelf, "Coll") == ["collector", "collect", "collection"]
    assert complete_word(shelf, "c") == []
    assert complete_word(shelf, "venue") == []


@settings(max_examples=30)
@given(st.text("abc", max_size=4), st.text("abc", max_size=4))
def test_the_distance_counts_slips(one: str, other: str) -> None:
    assert all(distance(one, slip, 2) <= 1 for slip in first_slips(one)) or not one
    assert distance(one, other, 2) == distance(other, one, 2)
    assert (distance(one, other, 2) == 0) == (one == other)
