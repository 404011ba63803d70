"""The three forms of tagged text: good lines are read, each bad one is named with its file, its number and the remedy."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hostile_text import HOSTILE
from trailmark.tag import NO_FIELD, parse_tagged
from trailmark.tag.tagged_text import words_of

LINES = {"id": 7, "lines": [[["Protocols", "title"], ["for", "title"]], [["Ada", "author"]]]}
TOKENS = {"id": 7, "tokens": ["A.", "Lovelace,"], "labels": ["author", "author"]}
TEXT = {"id": 7, "text": "Talk at 3 pm\nin 5409.", "spans": [[8, 12, "stime"]]}


def parsed(*entries: Any) -> tuple[list[Any], list[str]]:
    documents, problems = parse_tagged([json.dumps(entry) for entry in entries], "tagged.jsonl")
    return documents, [str(problem) for problem in problems]


def test_the_three_forms() -> None:
    (lines, tokens, text), problems = parsed(LINES, TOKENS, TEXT)
    assert problems == []
    assert [[word.text for word in line] for line in lines.lines] == [["Protocols", "for"], ["Ada"]]
    assert lines.labels == (("title", "title"), ("author",))
    assert tokens.labels == (("author", "author"),)
    assert [[word.text for word in line] for line in text.lines] == [["Talk", "at", "3", "pm"], ["in", "5409", "."]]
    assert text.labels == ((NO_FIELD, NO_FIELD, "stime", "stime"), (NO_FIELD,) * 3)
    assert text.places[0][2:] == ((8, 9), (10, 12))


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ([], "must be a JSON object"),
        ({"id": 1}, "give either 'lines'"),
        ({**LINES, **TOKENS}, "give either 'lines'"),
        ({"lines": 3}, "'lines' must be a list"),
        ({"lines": [[["a"]]]}, "must be a pair"),
        ({"lines": [[["a", ""]]]}, "a label must be a name"),
        ({"tokens": ["a"], "labels": []}, "1 tokens, but 0 labels"),
        ({"tokens": ["a"]}, "'labels' must be a list"),
        ({"tokens": [None], "labels": ["x"]}, "a token must be a string"),
        ({"text": "abc", "spans": [[0, 4, "x"]]}, "within the text of 3 characters"),
        ({"text": "abc", "spans": [[True, 2, "x"]]}, "within the text"),
        ({"text": "abc", "spans": [[0, 2, "x"], [1, 3, "y"]]}, "overlap at character 1"),
        ({"tokens": ["a"] * 200_001, "labels": ["x"] * 200_001}, "cut it into several"),
    ],
)
def test_a_bad_line_is_named_and_the_rest_is_read(entry: Any, reason: str) -> None:
    documents, problems = parsed(LINES, entry, TOKENS)
    assert len(documents) == 2
    assert len(problems) == 1
    assert problems[0].startswith("tagged.jsonl, line 2: ")
    assert reason in problems[0]


@given(HOSTILE)
def test_words_are_the_text_without_its_blanks(text: str) -> None:
    lines, places = words_of(text)
    for words, spots in zip(lines, places, strict=True):
        assert [word.text for word in words] == [text[start:end] for start, end in spots]
    flat = [place for spots in places for place in spots]
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(flat))


@given(st.lists(st.tuples(HOSTILE, st.sampled_from(["title", "author"])), max_size=5))
def test_any_word_comes_back_as_it_was(pairs: list[tuple[str, str]]) -> None:
    (document,), problems = parsed({"lines": [pairs]})
    assert problems == []
    assert [word.text for word in document.lines[0]] == [text for text, _ in pairs]
    assert list(document.labels[0]) == [label for _, label in pairs]
