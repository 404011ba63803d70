"""Files that verbs keep beside the database: names of their own, and contents that somebody spoilt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.verbs.learn import learnt
from trailmark.verbs.propose import proposals_file
from trailmark.workspace import Workspace


class Anywhere:
    folder = Path("w")


IDS = [
    "a/1",
    "a-1",
    "a//1",
    "a?/1",
    "a*/1",
    "",
    ".",
    "..",
    "../x",
    "é/1",
    "è/1",
    "x" * 5000,
    "x" * 5001,
    "\ud800/1",
    "a\0/1",
]


def test_clusters_have_files_of_their_own() -> None:
    names = [proposals_file(Anywhere, each) for each in IDS]  # type: ignore[arg-type]
    assert len(set(names)) == len(IDS)
    assert {name.parent for name in names} == {Path("w/proposals")}
    assert max(len(name.name) for name in names) < 120


def test_a_usual_cluster_has_a_plain_name() -> None:
    assert proposals_file(Anywhere, "shop.example/1").name == "shop.example-1.jsonl"  # type: ignore[arg-type]


@given(st.text(), st.text())
def test_no_two_clusters_share_a_file(one: str, other: str) -> None:
    same = proposals_file(Anywhere, one) == proposals_file(Anywhere, other)  # type: ignore[arg-type]
    assert same == (one == other)


ROW = {"label": "goal", "precision": 0.5, "recall": 0.5, "f1": 0.5, "pages": 9, "few": False}
GOOD = {"goal": "x", "states": [ROW], "labels": {"x": 1}, "trails": 3}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace.create(tmp_path / "w")
    made.goal_files.file("x").write_bytes(b"")
    return made


def test_a_kept_report_is_told(workspace: Workspace) -> None:
    for ending in (".json", ".before.json"):
        workspace.goal_files.file("x", ending).write_text(json.dumps(GOOD))
    [report] = learnt(workspace)
    assert report.changed == ("Nothing that counts has changed.",)


@pytest.mark.parametrize("ending", [".json", ".before.json"])
@pytest.mark.parametrize(
    "spoilt",
    [
        "[" * 100_000,
        "9" * 5000,
        "NaN",
        "null",
        json.dumps({**GOOD, "states": 7}),
        json.dumps({**GOOD, "states": [1]}),
        json.dumps({**GOOD, "states": [{"label": "goal"}]}),
        json.dumps({**GOOD, "states": [{**ROW, "recall": float("nan")}]}),
        json.dumps({**GOOD, "states": [{**ROW, "recall": float("inf")}]}),
        json.dumps({**GOOD, "states": [{**ROW, "recall": "x"}]}),
        json.dumps({**GOOD, "states": [{**ROW, "label": []}]}),
        json.dumps({**GOOD, "labels": 3}),
        json.dumps({**GOOD, "trails": "x"}),
        json.dumps({**GOOD, "trails": float("nan")}),
        json.dumps({**GOOD, "goal": {}}),
    ],
    ids=range(15),
)
def test_a_spoilt_report_is_as_if_there_was_none(workspace: Workspace, ending: str, spoilt: str) -> None:
    workspace.goal_files.file("x", ".json").write_text(json.dumps(GOOD))
    workspace.goal_files.file("x", ending).write_text(spoilt)
    reports = learnt(workspace)
    assert [report.changed for report in reports] == ([] if ending == ".json" else [()])
