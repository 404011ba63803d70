"""`trailmark evaluate courses`: the shape of its report, files that teach and test, and webs that are not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.courses import evaluate_courses
from trailmark.datatypes import Response
from trailmark.errors import InputError
from trailmark.store.archive_writer import ArchiveWriter

KINDS = {"Homework": "assignment", "Lectures": "lecture", "Exams": "exam"}


def course(web: str, number: int) -> tuple[dict[str, Any], Response]:
    home = f"http://{web}.example/c{number}/"
    items = []
    body = ""
    for name, kind in KINDS.items():
        body += f"<h2>{name}</h2>"
        for n in range(3):
            body += f'<p><a href="{kind}{n}.ps">{n}</a>'
            items.append(
                {"page": home, "url": f"{home}{kind}{n}.ps", "text": str(n), "heading": name, "type": kind, "case": 1}
            )
    body += '<p><a href="/">Department</a>'
    items.append(
        {
            "page": home,
            "url": f"http://{web}.example/",
            "text": "Department",
            "heading": None,
            "type": "other",
            "case": 2,
        }
    )
    return {"course": home, "web": web, "items": items}, Response(
        home, 200, (("Content-Type", "text/html"),), body.encode()
    )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two webs of two courses, one file each."""
    folder = tmp_path / "courses"
    (tmp_path / "webs").mkdir()
    folder.mkdir()
    for web in ("east", "west"):
        made = [course(web, number) for number in range(2)]
        (folder / f"{web}.jsonl").write_text("\n".join(json.dumps(line) for line, _ in made), encoding="utf-8")
        with ArchiveWriter(tmp_path / "webs" / f"{web}.warc.gz", date="2000-01-01T00:00:00Z") as writer:
            for _, response in made:
                writer.write(response)
    return folder


def test_the_shape_of_a_report(data: Path) -> None:
    report = evaluate_courses(data)
    assert report["task"] == "courses"
    assert list(report["tests"]) == ["east.jsonl", "west.jsonl"]
    for test in report["tests"].values():
        assert test["links"] == 20
        for method in ("anchor", "heading", "anchor-else-heading", "ours"):
            assert {"accuracy", "accuracy_all", "cases"} <= test[method].keys()
        assert test["anchor"] == {"accuracy": 0.0, "accuracy_all": 0.1, "cases": {"1": 0.0, "2": 1.0}}
        assert test["ours"]["accuracy_all"] == 1.0
        assert test["ours"]["types"] == {"assignment": 1.0, "exam": 1.0, "lecture": 1.0, "other": 1.0}
    json.dumps(report)


def test_files_that_teach_and_that_test(data: Path) -> None:
    assert list(evaluate_courses(data, train=["east.jsonl"])["tests"]) == ["west.jsonl"]
    assert list(evaluate_courses(data, train=["east.jsonl"], test=["west.jsonl"])["tests"]) == ["west.jsonl"]
    assert list(evaluate_courses(data, test=["east.jsonl"])["tests"]) == ["east.jsonl"]


def test_a_page_that_no_archive_holds_is_counted(data: Path) -> None:
    lines = (data / "east.jsonl").read_text().replace("/c1/", "/c9/")
    (data / "east.jsonl").write_text(lines, encoding="utf-8")
    test = evaluate_courses(data)["tests"]["east.jsonl"]
    assert test["pages_missing"] == 1
    assert test["links"] == 20


def test_what_is_not_there_is_named(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no file x\.jsonl: choose of east\.jsonl, west\.jsonl"):
        evaluate_courses(data, test=["x.jsonl"])
    with pytest.raises(InputError, match=r"The web 'east' of the courses is not in .*--webs"):
        evaluate_courses(data, webs=tmp_path)
    with pytest.raises(InputError, match=r"holds no \.jsonl file"):
        evaluate_courses(tmp_path)
    (data / "west.jsonl").unlink()
    with pytest.raises(InputError, match="no course to learn from"):
        evaluate_courses(data)
