"""Floors: what is compared with what, and a task done in parts that gives the same report as in one piece."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from evals.__main__ import FLOORS, PARTED, TASKS, forage_part, forage_parts, held, main
from evals.forage import evaluate_forage
from trailmark.demo import DemoWeb
from trailmark.store.benchmark_web import write_web

REPORT = {"groups": {"lab": {"path": {"area": 0.9}, "plain": {"area": 0.91}, "breadth": {"area": 0.5}}}}


def test_floors_and_orders() -> None:
    settings = {
        "floors": {"groups / lab / path / area": 0.85},
        "orders": {"groups / lab / path / area": ["groups / lab / plain / area", "groups / lab / breadth / area"]},
        "slack": 0.02,
    }
    rows = held("forage", settings, REPORT)
    assert [(measured, round(floor, 3)) for _, measured, floor in rows] == [(0.9, 0.85), (0.9, 0.89), (0.9, 0.48)]
    strict = held("forage", {"orders": {"groups / lab / path / area": "groups / lab / plain / area"}}, REPORT)
    assert [(measured, floor) for _, measured, floor in strict] == [(0.9, 0.91)]


def test_every_task_with_floors_exists_and_forage_has_them_for_every_kind() -> None:
    settings = tomllib.loads(FLOORS.read_text(encoding="utf-8"))
    assert all(entry.get("task", name) in {*TASKS, *PARTED} for name, entry in settings.items())
    named = {(path.split(" / ")[1], path.split(" / ")[3]) for path in settings["forage"]["floors"]}
    for kind in ("old labs", "contact", "pycon", "lab", "conf", "course", "shop"):
        assert {(kind, "area_of_pages"), (kind, "f1")} <= named
    assert ("universities", "f1") in named


def _write_webs(folder: Path) -> None:
    """Two webs of one site, and a web of two."""
    for name, numbers in (("one", (0,)), ("two", (1,)), ("many", (2, 3))):
        sites = [DemoWeb(sites=6, pages=60).site(number) for number in numbers]
        write_web(
            folder,
            name=name,
            roots=[site.root for site in sites],
            responses=[response for site in sites for response in site.responses()],
            labels={url: label for site in sites for url, label in site.labels.items()},
            trails_by_goal={"course": [trail for site in sites for trail in site.trails("course", 6)]},
            source="generated",
        )


@pytest.mark.slow
def test_forage_in_parts_is_forage_as_a_whole(tmp_path: Path) -> None:
    _write_webs(tmp_path)
    parts = forage_parts(tmp_path)
    assert [len(part) for part in parts] == [1, 1, 2]
    settings = {"strategies": ["path", "breadth"]}
    in_parts = PARTED["forage"].whole(tmp_path, [forage_part(tmp_path, settings, part) for part in parts])
    whole = evaluate_forage(tmp_path, strategies=("path", "breadth"), jobs=2)
    for report in (in_parts, whole):
        for means in (*report["walks"], *(each for group in report["groups"].values() for each in group.values())):
            means.pop("seconds_per_page")
    assert in_parts["walks"] == whole["walks"]
    assert in_parts["groups"] == whole["groups"]


@pytest.mark.slow
def test_a_floor_that_is_missed_is_named_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _write_webs(tmp_path / "webs")
    floors = tmp_path / "floors.toml"
    floors.write_text(
        """
[forage]
folder = "webs"
corpus = "another"

[forage.floors]
"groups / many / path / area" = 0.0
"groups / universities / path / area" = 1.1

[elsewhere]
task = "wrap"
folder = "nowhere"
"""
    )
    monkeypatch.setattr("evals.__main__.FLOORS", floors)
    monkeypatch.setattr("sys.argv", ["evals", "--data", str(tmp_path)])
    assert main() == 1
    said = capsys.readouterr().out
    assert "not what the floors were measured on" in said
    assert "nowhere is not there" in said
    assert "MISSED" in said
    assert "1 passed, 1 failed" in said
