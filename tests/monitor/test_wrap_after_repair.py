"""`trailmark wrap` run again after a repair: the annotations tell of pages as they were, so repaired rules are not thrown away unsaid."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.monitor.shop_versions import CLUSTER, archive, facts_of, first_design, marks, second_design

Run = Callable[..., Any]


@pytest.fixture
def repaired(trailmark: Run, workspace: Path, tmp_path: Path) -> Path:
    """A workspace whose rules were repaired after a redesign."""
    first = archive(tmp_path / "first.warc.gz", first_design)
    new = archive(tmp_path / "new.warc.gz", second_design, range(40), season=1)
    assert trailmark("-w", workspace, "cluster", "--archive", first).code == 0
    assert trailmark("-w", workspace, "teach", "--annotations", marks(tmp_path / "marks.jsonl", (2, 7))).code == 0
    assert trailmark("-w", workspace, "wrap").code == 0
    ended = trailmark("-w", workspace, "monitor", "--replay", new, "--repair", "--json")
    assert ended.report["clusters"][0]["repaired"]
    return workspace


def rules_of(workspace: Path) -> bytes:
    return (workspace / "models" / "rules.json").read_bytes()


@pytest.mark.slow
def test_repaired_rules_are_kept_and_it_is_said(trailmark: Run, repaired: Path) -> None:
    before = rules_of(repaired)
    ended = trailmark("-w", repaired, "wrap")
    assert ended.code == 0
    assert "wrap --again" in ended.out
    assert CLUSTER in ended.out
    assert rules_of(repaired) == before
    report = trailmark("-w", repaired, "wrap", "--json").report
    assert [each["id"] for each in report["kept"]] == [CLUSTER]
    assert report["clusters"] == []


@pytest.mark.slow
def test_again_learns_them_anew(trailmark: Run, repaired: Path) -> None:
    report = trailmark("-w", repaired, "wrap", "--again", "--json").report
    assert report["kept"] == []
    (cluster,) = report["clusters"]
    assert any("gave way" in note for note in cluster["notes"])
    assert json.loads(rules_of(repaired))["rules"][0]["repaired"] == ""


@pytest.mark.slow
def test_what_was_marked_since_is_learnt_from(trailmark: Run, repaired: Path, tmp_path: Path) -> None:
    line = {"url": "http://shop.example/item/9", "field": "title", "value": facts_of(9)["title"]}
    (tmp_path / "more.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert trailmark("-w", repaired, "teach", "--annotations", tmp_path / "more.jsonl").code == 0
    report = trailmark("-w", repaired, "wrap", "--json").report
    assert report["kept"] == []
    assert any("gave way" in note for note in report["clusters"][0]["notes"])
