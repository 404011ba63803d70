"""The whole way for lists and for pages that describe themselves: cluster, teach, wrap, extract."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from evals.record_lists import evaluate_lists
from tests.wrap.wrap_pages import WORDS, facts_of
from trailmark.cli.main import run
from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.workspace import Workspace

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def archive(path: Path, numbers: Iterable[int], html: Callable[[int], str]) -> Path:
    with ArchiveWriter(path) as writer:
        for number in numbers:
            writer.write(Response(f"http://lab.example/papers/{number}", 200, HTML, html(number).encode()))
    return path


def entries(number: int) -> list[dict[str, str]]:
    """All papers of a page are of one of two years, so that values stand many times."""
    return [{"title": f"{word} of {number}", "year": str(1990 + number % 7 + at % 2)} for at, word in enumerate(WORDS)]


def list_html(number: int) -> str:
    lines = "".join(f"<li><b>{each['title']}</b>, <i>{each['year']}</i></li>" for each in entries(number))
    return f"<html><head><title>Papers</title></head><body><h1>Papers {number}</h1><ul>{lines}</ul></body></html>"


def described_html(number: int) -> str:
    facts = facts_of(number)
    data = json.dumps({"@type": "Product", "name": facts["title"][0], "offers": {"price": facts["price"][0]}})
    return (
        f"<html><head><title>Lamp</title><script type='application/ld+json'>{data}</script></head>"
        f"<body><h1>{facts['title'][0]}</h1><p>Order today</p></body></html>"
    )


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    capsys.readouterr()
    assert run([str(each) for each in (*arguments, "--json")]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
def test_a_list_gives_one_record_an_entry(count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, out, marks = tmp_path / "work", tmp_path / "records.jsonl", tmp_path / "marks.jsonl"
    Workspace.create(made).close()
    printed(capsys, "-w", made, "cluster", "--archive", archive(tmp_path / "a.warc.gz", range(8), list_html))
    said = [
        {"url": "http://lab.example/papers/3", "field": f, "value": v}
        for e in entries(3)[1::2][:count]
        for f, v in e.items()
    ]
    marks.write_text("".join(json.dumps(each) + "\n" for each in said), encoding="utf-8")
    printed(capsys, "-w", made, "teach", "--annotations", marks)
    report = printed(capsys, "-w", made, "wrap")
    assert "li" in report["clusters"][0]["entries"]["xpath"]
    printed(capsys, "-w", made, "extract", "--out", out)
    found = [(each["url"], each["fields"]) for each in lines_of(out)]
    wanted = [
        (f"http://lab.example/papers/{number}", {name: [value] for name, value in each.items()})
        for number in range(8)
        for each in entries(number)
    ]
    assert sorted(found, key=str) == sorted(wanted, key=str)


@pytest.mark.slow
def test_pages_that_describe_themselves_need_no_annotation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made, out = tmp_path / "work", tmp_path / "records.jsonl"
    Workspace.create(made).close()
    printed(capsys, "-w", made, "cluster", "--archive", archive(tmp_path / "a.warc.gz", range(8), described_html))
    report = printed(capsys, "-w", made, "wrap")
    assert [each["field"] for each in report["clusters"][0]["structured"]] == ["name", "price"]
    assert any("Nobody confirmed" in note for note in report["clusters"][0]["notes"])
    printed(capsys, "-w", made, "extract", "--out", out)
    found = {each["url"].rpartition("/")[2]: each["fields"] for each in lines_of(out)}
    assert found == {str(n): {"name": facts_of(n)["title"], "price": facts_of(n)["price"]} for n in range(8)}
    # Rules that nobody confirmed are made anew, and give way to what a person marks.
    assert printed(capsys, "-w", made, "wrap")["clusters"][0]["structured"]
    marks = tmp_path / "marks.jsonl"
    marks.write_text(
        json.dumps({"url": "http://lab.example/papers/3", "field": "called", "value": facts_of(3)["title"][0]}) + "\n"
    )
    printed(capsys, "-w", made, "teach", "--annotations", marks)
    again = printed(capsys, "-w", made, "wrap")["clusters"]
    assert [[each["field"] for each in cluster["fields"]] for cluster in again] == [["called"]]
    assert again[0]["notes"] == []


def test_structured_data_is_left_alone_where_that_was_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "work"
    Workspace.create(made).close()
    (made / "trailmark.toml").write_text("[wrap]\nstructured = false\n", encoding="utf-8")
    printed(capsys, "-w", made, "cluster", "--archive", archive(tmp_path / "a.warc.gz", range(8), described_html))
    assert run(["-w", str(made), "wrap"]) == 2
    assert "no annotations" in capsys.readouterr().err


@pytest.mark.slow
def test_lists_are_measured() -> None:
    report = evaluate_lists(sites=2, seed=5)
    assert report["lists"] > 4
    assert all(each["record"]["f1"] > 0.95 for each in report["totals"])
