"""Answers that are no HTML through the verbs; what rules make of each form is in test_wrap_answers.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.wrap.answer_fixtures import bodies, learnt, table
from tests.wrap.test_wrap_verbs import printed
from tests.wrap.wrap_pages import WORDS
from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.workspace import Workspace
from trailmark.wrap.structured.structured_data_rule import free_annotations
from trailmark.wrap.writing.rule_text import rule_sentence

Facts = dict[str, list[str]]


def facts(number: int) -> Facts:
    return {
        "name": [f"{WORDS[number % 10].title()} {number}"],
        "price": [f"{number + 3}.50"],
        "maker": [WORDS[-number % 10]],
    }


def as_json(number: int) -> str:
    said = facts(number)
    extra = [{"label": word, "n": number} for word in WORDS[: number % 3]]
    offer = {"currency": "EUR", "amount": float(said["price"][0]), "per unit": said["maker"][0]}
    return (
        json.dumps({"id": number, "tags": extra, "product": {"title": said["name"][0], "offer": offer}})
        .replace(".5}", ".50}")
        .replace(".5,", ".50,")
    )


@pytest.mark.slow
def test_from_an_archive_of_answers_to_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A place is named by its JSON path; a drift is seen as on pages."""
    folder, archive, marks = tmp_path / "work", tmp_path / "a.warc.gz", tmp_path / "marks.jsonl"
    Workspace.create(folder).close()
    with ArchiveWriter(archive) as writer:
        for number in range(12):
            headers = (("Content-Type", "application/json"),)
            writer.write(Response(f"http://a.example/thing/{number}", 200, headers, as_json(number).encode()))
    paths = {"name": "$.product.title", "price": "$.product.offer.amount", "maker": "$.product.offer['per unit']"}
    lines = [
        {"url": f"http://a.example/thing/{number}", "field": name, "value": values[0], "xpath": paths[name]}
        for number in (0, 1)
        for name, values in facts(number).items()
    ]
    marks.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    printed(capsys, "-w", folder, "teach", "--annotations", marks)
    assert len(printed(capsys, "-w", folder, "cluster", "--archive", archive)["clusters"]) == 1
    printed(capsys, "-w", folder, "wrap")
    out = tmp_path / "records.jsonl"
    printed(capsys, "-w", folder, "extract", "--out", out)
    found = {line["url"]: line["fields"] for line in map(json.loads, out.read_text(encoding="utf-8").splitlines())}
    assert found == {f"http://a.example/thing/{number}": facts(number) for number in range(12)}
    same = printed(capsys, "-w", folder, "monitor", "--replay", archive)
    assert (same["watched"], same["broken"], same["changed"]) == (1, 0, 0)
    later = tmp_path / "later.warc.gz"
    with ArchiveWriter(later) as writer:
        for number in range(12):
            body = as_json(number).replace('"product"', '"article"').replace('"title"', '"called"')
            writer.write(Response(f"http://a.example/thing/{number}", 200, headers, body.encode()))
    changed = printed(capsys, "-w", folder, "monitor", "--replay", later)
    assert (changed["changed"], changed["clusters"][0]["template_changed"]) == (1, True)


def test_ways_through_json_are_said_as_json_paths() -> None:
    said = " ".join(
        rule_sentence(rule, field.layer)
        for field in learnt("json").fields
        for rule in field.rules
        if field.name == "price"
    )
    assert "“$.product.offer.amount”" in said
    assert "json/product" not in said


@pytest.mark.parametrize("name", ["next_data", "window_variable", "variable_among_others"])
def test_json_that_a_page_carries_is_no_free_annotation(name: str) -> None:
    pages = [(url, table(body, "text/html").elements[0]) for url, body in bodies(name).items()]
    assert {rule.path for rule in learnt(name).structured} == {
        "product.title",
        "product.offer.amount",
        "product.offer.per unit",
    }
    assert free_annotations(pages) == []
