"""`trailmark evaluate` of tagged text: the shape of its report, what counts as right, and data that is not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.plots import tagging_curve
from evals.tagging import coarse_address, evaluate_tagging, paper_header
from evals.tagging_scores import Filler, fillers, slot_scores, word_scores
from trailmark.errors import InputError
from trailmark.tag import Tag, TaggedDocument, Word, parse_tagged
from trailmark.verbs.hands import OwnHands

NAMES = ("title", "author", "date")
WORDS = {"title": "Learning to Walk", "author": "Ada B. Lovelace,", "date": "May 1999."}


def reference(number: int) -> dict[str, Any]:
    pairs = [(word, name) for name in NAMES for word in WORDS[name].split()][number % 2 :]
    return {"id": number, "tokens": [word for word, _ in pairs], "labels": [name for _, name in pairs]}


def header(number: int) -> dict[str, Any]:
    lines = [[[word, name] for word in WORDS[name].split()] for name in NAMES]
    return {"id": number, "lines": [*lines, [["Abstract", "abstract"]], [["We", "abstract"], ["walk", "abstract"]]]}


def talk(number: int) -> dict[str, Any]:
    text = f"Type: talk {number}\nTime: 3:30 PM\nWho: Ada Lovelace\n"
    start = text.index("3:30")
    who = text.index("Ada")
    return {"id": number, "text": text, "spans": [[start, start + 7, "stime"], [who, who + 12, "speaker"]]}


def put(file: Path, entries: list[dict[str, Any]]) -> None:
    file.write_text("\n".join(map(json.dumps, entries)), encoding="utf-8")


@pytest.mark.parametrize(("task", "name", "make"), [
    ("references", "references", reference), ("headers", "headers", header), ("talks", "seminars", talk), ("addresses", "addresses", reference),
])  # fmt: skip
def test_the_shape_of_a_report(tmp_path: Path, task: str, name: str, make: Any) -> None:
    put(tmp_path / f"{name}.train.jsonl", [make(number) for number in range(10)])
    report = evaluate_tagging(task, tmp_path)
    assert list(report["tests"]) == [f"{name}.train.jsonl"]
    put(tmp_path / f"{name}.test.jsonl", [make(number) for number in range(3)])
    put(tmp_path / f"{name}.other.test.jsonl", [make(number) for number in range(3)])
    report = evaluate_tagging(task, tmp_path)
    assert report["task"] == task
    assert sorted(report["tests"]) == [f"{name}.other.test.jsonl", f"{name}.test.jsonl"]
    for models in report["tests"].values():
        assert list(models) == ["hmm", "crf"]
        for scores in models.values():
            keys = {"word_error", "word_error_scored", "micro_f1", "macro_f1", "field_f1", "whole_right"}
            assert keys <= scores.keys()
        assert models["crf"]["word_error"] == 0.0
        assert models["crf"]["whole_right"] == 1.0
    json.dumps(report)


@pytest.mark.parametrize("tests", [(), ("", ".other")])
def test_whoever_does_the_parts_the_report_is_the_same(tmp_path: Path, tests: tuple[str, ...]) -> None:
    put(tmp_path / "addresses.train.jsonl", [reference(number) for number in range(12)])
    for test in tests:
        put(tmp_path / f"addresses{test}.test.jsonl", [reference(number) for number in range(3)])
    here = evaluate_tagging("addresses", tmp_path)
    assert evaluate_tagging("addresses", tmp_path, jobs=2) == here
    assert evaluate_tagging("addresses", tmp_path, hands=OwnHands()) == here


def test_the_curve_and_the_tables(tmp_path: Path) -> None:
    put(tmp_path / "headers.train.jsonl", [header(number) for number in range(40)])
    report = evaluate_tagging("headers", tmp_path, models=("hmm",), curve=True, tables=True)
    learnt_from = list(report["curve"]["hmm"])
    assert learnt_from[:2] == [10, 30]
    assert learnt_from == sorted(set(learnt_from))
    assert [len(axes.lines) for axes in tagging_curve(report).axes] == [1, 1]
    assert [len(rows) > 0 for rows in report["tables"].values()] == [
        False,
        True,
        True,
        True,
    ]  # no bibliography: no mixture


def test_word_scores() -> None:
    scores = word_scores([(["a", "a", "b", "x"], ["a", "b", "b", "a"]), (["b"], ["b"])], frozenset({"x"}))
    assert scores["word_error"] == pytest.approx(2 / 5)
    assert scores["word_error_scored"] == pytest.approx(1 / 4)
    assert scores["field_f1"] == pytest.approx({"a": 0.5, "b": 4 / 5, "x": 0.0})
    assert scores["whole_right"] == 0.5


def test_a_slot_is_right_where_its_surest_filler_is_a_true_one() -> None:
    documents, _ = parse_tagged([json.dumps(talk(1))], "t")
    (start, end, label), (first, last, other) = documents[0].spans[0], documents[0].spans[1]
    said = [[Filler(start, end, label, 0.9), Filler(0, 3, label, 0.5), Filler(first, last - 1, other, 0.9)]]
    scores = slot_scores(documents, said)
    assert scores["field_f1"] == {label: 1.0, other: 0.0}
    assert scores["micro_f1"] == pytest.approx(0.5)


def test_a_begun_label_opens_a_new_filler() -> None:
    documents, _ = parse_tagged([json.dumps({"text": "a b c d", "spans": []})], "t")
    tags = [[Tag("B-x", 0.9), Tag("x", 0.8), Tag("B-x", 0.7), Tag("O", 1.0)]]
    assert fillers(documents[0], tags, begin="B-") == [Filler(0, 3, "x", 0.8), Filler(4, 5, "x", 0.7)]


def test_the_papers_preparation() -> None:
    words = ((Word("On"), Word("--"), Word("Paths")), (Word("Abstract"),), (Word("We"), Word("walk")))
    document = TaggedDocument(words, (("title",) * 3, ("abstract",), ("abstract",) * 2))
    prepared = paper_header(document)
    assert [[word.text for word in line] for line in prepared.lines] == [["On", "Paths"], ["<abstract>"], []]
    assert prepared.labels == (("title", "title"), ("abstract",), ())


def test_coarse_addresses() -> None:
    found = [
        coarse_address(label) for label in ("StreetNamePostType", "StreetNamePreDirectional", "StreetName", "ZipCode")
    ]
    assert found == ["StreetName", "StreetName", "StreetName", "ZipCode"]


def test_data_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"references\.train\.jsonl"):
        evaluate_tagging("references", tmp_path)
    put(tmp_path / "references.train.jsonl", [{"tokens": ["a"], "labels": []}])
    with pytest.raises(InputError, match="line 1"):
        evaluate_tagging("references", tmp_path)
