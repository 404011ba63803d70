"""The pipeline: seven stages, each done by what the workspace holds, one next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.serve.test_serve_runs import long_run
from trailmark.datatypes import Annotation, Record
from trailmark.store.record_table import add_records
from trailmark.verbs.pipeline import STAGES, pipeline
from trailmark.verbs.teach import teach
from trailmark.workspace import Workspace


def states(workspace: Workspace) -> dict[str, str]:
    return {stage.name: stage.state for stage in pipeline(workspace).stages}


def test_an_empty_workspace_begins_with_teaching(tmp_path: Path) -> None:
    with Workspace.create(tmp_path / "w") as workspace:
        report = pipeline(workspace)
    assert tuple(stage.name for stage in report.stages) == STAGES
    assert [stage.state for stage in report.stages] == ["next", *["later"] * 6]
    assert report.goals == ()


def test_what_is_there_is_done_and_the_first_gap_is_next(small_archive: Path, small_web: Any, tmp_path: Path) -> None:
    with Workspace.create(tmp_path / "w") as workspace:
        teach(workspace, [small_web.file(*small_web.good())], [small_archive])
        assert states(workspace)["teach"] == "done"
        assert states(workspace)["model"] == "next"
        workspace.database.add_annotations([Annotation("http://a.example/", "name", "A")], "test")
        record = Record("http://a.example/", "item", {"name": ("A",)}, "test", {})
        add_records(workspace.database.connection, [record], at="2026-01-01")
        report = pipeline(workspace)
    assert report.next is not None
    assert report.next.name == "model", "a later stage that is done does not hide an earlier one that is not"
    told = {stage.name: stage.says for stage in report.stages}
    assert "2 trails on " in told["teach"]
    assert told["data"] == "1 record"
    assert "1 value marked, no rules yet" in told["fields"]
    assert [row.goal for row in report.goals] == sorted({row.goal for row in report.goals})
    assert sum(row.trails for row in report.goals) >= 1


def test_a_run_that_found_something_is_to_be_checked_after_the_walk(tmp_path: Path) -> None:
    Workspace.create(tmp_path / "w").close()
    long_run(tmp_path / "w", 3, 30)
    with Workspace.open(tmp_path / "w") as workspace:
        told = {stage.name: stage for stage in pipeline(workspace).stages}
    assert told["crawl"].state == "done"
    assert "1 run; the last one called" in told["crawl"].says
    assert told["check"].state == "later"
    assert "not measured yet" in told["check"].says or "Nothing was found" in told["check"].says
