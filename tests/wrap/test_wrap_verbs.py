"""The whole way: cluster, teach, wrap, extract; and the evaluation."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from evals.wrapping import evaluate_wrap
from tests.wrap.wrap_pages import facts_of, marks_of, page_html
from trailmark.cli.main import run
from trailmark.datatypes import Response
from trailmark.errors import InputError
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.extract import extract
from trailmark.verbs.wrap import wrap
from trailmark.workspace import Workspace

HTML = (("Content-Type", "text/html; charset=utf-8"),)
OTHER = (
    "<html><head><title>About</title></head><body><form><input><select><option>a<option>b</select></form></body></html>"
)


def archive(path: Path, numbers: Iterable[int]) -> Path:
    with ArchiveWriter(path) as writer:
        for number in numbers:
            writer.write(Response(f"http://shop.example/{number}", 200, HTML, page_html(number).encode()))
        writer.write(Response("http://shop.example/about", 200, HTML, OTHER.encode()))
        writer.write(Response("http://shop.example/gone", 404, HTML, page_html(1).encode()))
    return path


def marks_file(path: Path, numbers: Iterable[int]) -> Path:
    lines = [{"url": m.url, "field": m.field, "value": m.value} for n in numbers for m in marks_of(n)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    capsys.readouterr()
    assert run([str(each) for each in (*arguments, "--json")]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A workspace with clusters and annotations; its archive stands outside."""
    made = tmp_path / "work"
    Workspace.create(made).close()
    printed(capsys, "-w", made, "cluster", "--archive", archive(tmp_path / "a.warc.gz", range(16)))
    printed(capsys, "-w", made, "teach", "--annotations", marks_file(tmp_path / "marks.jsonl", (0, 1, 3)))
    return made


@pytest.mark.slow
def test_from_annotations_to_records(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learnt = printed(capsys, "-w", folder, "wrap")
    assert learnt["problems"] == []
    assert [field["field"] for field in learnt["clusters"][0]["fields"]] == ["title", "price", "maker", "year"]
    out = tmp_path / "records.jsonl"
    report = printed(capsys, "-w", folder, "extract", "--out", out)
    assert report["records"] == report["pages"] == 16
    assert report["fields"]["year"] == 12
    records = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    for record in records:
        number = int(record["url"].rpartition("/")[2])
        assert record["fields"] == {field: values for field, values in facts_of(number).items() if values}
        assert record["kind"] == "item"
        assert record["made_by"] == "rule:shop.example/1"
    with Workspace.open(folder) as workspace:
        assert len(list(workspace.database.records())) == 16


@pytest.mark.slow
def test_records_made_again_take_the_place_of_the_old(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys, "-w", folder, "wrap")
    for _ in range(2):
        printed(capsys, "-w", folder, "extract")
    with Workspace.open(folder) as workspace:
        assert len(list(workspace.database.records())) == 16


@pytest.mark.slow
def test_new_pages_get_the_rules_of_their_template(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "-w", folder, "wrap")
    new = archive(tmp_path / "b.warc.gz", range(50, 60))
    report = printed(capsys, "-w", folder, "extract", "--archive", new)
    assert report["records"] == 10


@pytest.mark.slow
def test_a_template_without_rules_borrows_those_of_its_site(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same facts in a page with a frame of its own; the page without any of them gives nothing."""
    printed(capsys, "-w", folder, "wrap")
    body = page_html(70).replace("<body>", "<body><main><article>").encode()
    path = tmp_path / "c.warc.gz"
    with ArchiveWriter(path) as writer:
        writer.write(Response("http://shop.example/special", 200, HTML, body))
        writer.write(Response("http://shop.example/about", 200, HTML, OTHER.encode()))
    report = printed(capsys, "-w", folder, "extract", "--archive", path)
    assert (report["records"], report["borrowed"]) == (0, 1)
    (folder / "trailmark.toml").write_text("[wrap]\nborrow = false\n", encoding="utf-8")
    assert printed(capsys, "-w", folder, "extract", "--archive", path)["borrowed"] == 0


@pytest.mark.slow
def test_the_tables_are_for_people(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-w", str(folder), "wrap"]) == 0
    assert run(["-w", str(folder), "extract"]) == 0
    said = capsys.readouterr().out
    assert "16 records from 16 pages" in said
    assert "rules.json" in said


@pytest.mark.slow
def test_a_field_that_is_seldom_filled_raises_a_hint(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """“Found on 100 % of pages” was what a rule finds, not what comes out: `year` is on 12 of the 16 pages."""
    learnt = printed(capsys, "-w", folder, "wrap")
    year = next(field for field in learnt["clusters"][0]["fields"] if field["field"] == "year")
    assert (year["filled"], year["records"]) == (12, 16)
    assert not any("found on" in field["says"] for field in learnt["clusters"][0]["fields"])
    assert run(["-w", str(folder), "wrap"]) == 0
    said = capsys.readouterr().out
    assert "'year' is filled on 12 of 16 records of the sample only" in said
    assert "'title' is filled on" not in said


def test_what_is_missing_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "work"
    Workspace.create(folder).close()
    for verb, sentence in (("wrap", "no annotations"), ("extract", "No rules were learnt yet")):
        assert run(["-w", str(folder), verb]) == 2
        assert sentence in capsys.readouterr().err
    printed(capsys, "-w", folder, "teach", "--annotations", marks_file(tmp_path / "m.jsonl", (0,)))
    assert run(["-w", str(folder), "wrap"]) == 2
    assert "no clusters yet" in capsys.readouterr().err


@pytest.mark.slow
def test_a_page_that_is_nowhere_is_reported(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys, "-w", folder, "teach", "--annotations", marks_file(tmp_path / "more.jsonl", (99,)))
    report = printed(capsys, "-w", folder, "wrap")
    assert [problem.split(" is annotated")[0] for problem in report["problems"]] == ["The page http://shop.example/99"]
    assert report["clusters"]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["", "[]", '{"rules": [7]}', "{", '{"rules": {"a": 1}}'])
def test_rules_that_are_damaged_are_refused(folder: Path, text: str) -> None:
    with Workspace.open(folder) as workspace:
        wrap(workspace)
        assert list(workspace.rules()) == ["shop.example/1"]
        workspace.rules_file.write_text(text, encoding="utf-8")
        with pytest.raises(InputError, match="learn again"):
            extract(workspace)


@pytest.mark.slow
def test_the_evaluation_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive(tmp_path / "shop.warc.gz", range(24))
    truth = [{"id": str(n), "url": f"http://shop.example/{n}", "values": facts_of(n)} for n in range(24)]
    (tmp_path / "shop.truth.jsonl").write_text("".join(json.dumps(each) + "\n" for each in truth), encoding="utf-8")
    report = evaluate_wrap(tmp_path, pages=(1, 3))
    assert len(report["sites"]) == 4 * 2 * 2
    totals = {(each["annotated"], each["learner"]): each for each in report["totals"]}
    assert totals[3, "rules"]["macro"]["f1"] > 0.98
    assert totals[1, "rules"]["macro"]["f1"] > totals[1, "absolute path"]["macro"]["f1"]
    row = next(row for row in report["sites"] if row["field"] == "price" and row["annotated"] == 3)
    assert row["right"] == 21
    assert row["findable"] == 1.0
    assert printed(capsys, "evaluate", "wrap", "--data", tmp_path)["task"] == "wrap"


def test_a_folder_without_truth_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a folder"):
        evaluate_wrap(tmp_path / "none")
    archive(tmp_path / "shop.warc.gz", range(2))
    with pytest.raises(InputError, match="truth"):
        evaluate_wrap(tmp_path)
