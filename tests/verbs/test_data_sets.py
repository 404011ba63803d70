"""Data sets beside a workspace: written, looked at, taken over, compacted; by the command line and in the app."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SmallWeb
from trailmark.datatypes import Record
from trailmark.store.data_set import DataSet
from trailmark.store.data_set_view import DataSetView
from trailmark.verbs.data_sets import export_data_sets, take_records
from trailmark.workspace import Workspace, change_setting

pytest.importorskip("pyarrow", reason="pyarrow is not installed: make test")
RECORDS = [
    *(Record(f"http://a.test/{n}", "item", {"title": (f"Lamp {n}",)}, "rule:a.test/1") for n in range(70)),
    Record("http://a.test/p", "paper", {"title": ("On <b>lamps</b>",), "author": ("Ada", "Bob")}, "rule:a.test/2"),
]


@pytest.fixture
def full(tmp_path: Path) -> Path:
    with Workspace.create(tmp_path / "w") as workspace, workspace.database.transaction():
        for record in RECORDS:
            workspace.database.add_lifted([record])
    return tmp_path / "w"


def test_a_workspace_is_written_and_taken_over_by_another(full: Path, tmp_path: Path) -> None:
    with Workspace.open(full) as workspace:
        report = export_data_sets(workspace, tmp_path / "lake")
        assert (report.records, report.fetches, report.clusters) == (71, 0, 0)
        assert export_data_sets(workspace, tmp_path / "lake").records == 71
    assert list(DataSetView(DataSet(tmp_path / "lake" / "records")).records()) == RECORDS
    with Workspace.create(tmp_path / "other") as other:
        taken = take_records(other, tmp_path / "lake" / "records")
        assert (taken.records, taken.new) == (71, 71)
        assert take_records(other, tmp_path / "lake" / "records").new == 0
        assert list(other.database.records()) == RECORDS
    with Workspace.create(tmp_path / "third") as third:
        assert take_records(third, tmp_path / "lake" / "records", kind="paper").new == 1


def test_fetches_and_clusters_are_written_too(
    tmp_path: Path, small_web: SmallWeb, trailmark: Callable[..., Any]
) -> None:
    folder = tmp_path / "w"
    trailmark("init", folder)
    walked = ("forage", "http://dept.example/", "--replay", small_web.archive, "--strategy", "breadth")
    assert trailmark("-w", folder, *walked).code == 0
    assert trailmark("-w", folder, "cluster", "--archive", small_web.archive).code == 0
    ended = trailmark("-w", folder, "export", f"{tmp_path}/lake/", "--json")
    with Workspace.open(folder) as workspace:
        counts = workspace.database.counts()
        fetched = workspace.database.connection.execute("SELECT COUNT(*) FROM fetches").fetchone()[0]
    assert ended.report["fetches"] == fetched > 0
    assert (ended.report["clusters"] > 0) == (counts["clusters"] > 0)


def test_by_the_command_line(full: Path, tmp_path: Path, trailmark: Callable[..., Any]) -> None:
    lake = f"{tmp_path}/lake/"
    assert trailmark("-w", full, "export", lake).code == 0
    ended = trailmark("show", "--data-set", f"{lake}records", "--kind", "item", "--skip", "60", "--json")
    assert (ended.report["count"], len(ended.report["records"])) == (70, 10)
    assert "Lamp 7" in trailmark("show", "--data-set", f"{lake}records", "--containing", "lamp 7").out
    compacted = trailmark("export", "--compact", lake, "--json").report
    assert (compacted["files"], compacted["rows"]) == (2, 71)
    trailmark("init", tmp_path / "other")
    taken = trailmark("-w", tmp_path / "other", "extract", "--from", f"{lake}records/", "--kind", "paper", "--json")
    assert (taken.report["records"], taken.report["new"]) == (1, 1)
    change_setting(full, "scale", "records", f"{lake}records/")
    assert trailmark("-w", full, "status", "--json").report["data_set"] == {f"{lake}records/": 71}
    assert "holds 71 records beside" in trailmark("-w", full, "status").out
    change_setting(full, "scale", "records", f"{tmp_path}/nothing/")
    assert trailmark("-w", full, "status", "--json").report["data_set"] == {}


@pytest.mark.parametrize(
    "words",
    [
        ("show", "--data-set", "{tmp}/nothing/"),
        ("show", "--data-set", "http://a.test/records/"),
        ("show", "--kind", "item", "http://a.test/"),
        ("export", "--compact", "{tmp}/nothing/"),
        ("export", "{tmp}/lake/", "--kind", "item"),
        ("extract", "--from", "{tmp}/nothing/"),
        ("extract", "--from", "{tmp}/lake/", "--all"),
        ("extract", "--kind", "item"),
    ],
)
def test_what_can_not_be_is_told(
    words: tuple[str, ...], full: Path, tmp_path: Path, trailmark: Callable[..., Any]
) -> None:
    ended = trailmark("-w", full, *(word.format(tmp=tmp_path) for word in words))
    assert ended.code == 2
    assert "Traceback" not in ended.err


def test_without_pyarrow_one_sentence_names_the_command(
    full: Path, tmp_path: Path, trailmark: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib

    load = importlib.import_module

    def without(name: str, package: str | None = None) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return load(name, package)

    monkeypatch.setattr(importlib, "import_module", without)
    for words in (("export", f"{tmp_path}/lake/"), ("extract", "--all", "--out", f"{tmp_path}/lake/")):
        ended = trailmark("-w", full, *words)
        assert (ended.code, ended.err.count("\n")) == (2, 1)
        assert "pip install 'trailmark[scale]'" in ended.err


def test_report_of_a_page_is_json(full: Path, tmp_path: Path, trailmark: Callable[..., Any]) -> None:
    trailmark("-w", full, "export", f"{tmp_path}/lake/")
    report = trailmark("show", "--data-set", f"{tmp_path}/lake/records/", "--kind", "paper", "--json").report
    assert (
        json.dumps(report["records"][0]["fields"], sort_keys=True)
        == '{"author": ["Ada", "Bob"], "title": ["On <b>lamps</b>"]}'
    )


def test_a_data_set_of_something_else_than_records_is_told(
    full: Path, tmp_path: Path, small_web: SmallWeb, trailmark: Callable[..., Any]
) -> None:
    assert trailmark("-w", full, "cluster", "--archive", small_web.archive).code == 0
    assert trailmark("-w", full, "export", f"{tmp_path}/lake/").code == 0
    for command in (("show", "--data-set"), ("extract", "--from")):
        ended = trailmark("-w", full, *command, f"{tmp_path}/lake/clusters/")
        assert ended.code == 2
        assert "holds no records" in ended.err
        assert "Traceback" not in ended.err
