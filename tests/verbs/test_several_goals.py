"""Several goals in one workspace, from trails to a walk for all of them, over the archive of the generated web."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from trailmark.cli.main import run
from trailmark.errors import InputError
from trailmark.learn.navigator_file import navigator_to_bytes
from trailmark.workspace import Workspace

ODD = ("../../CON/👩 " + "x" * 60, "-w")
"""Names that the goals of a workspace get: a path out of it, of a device, as long as may be; and one that looks like an option."""


class Web(NamedTuple):
    archive: Path
    folder: Path
    roots: tuple[str, ...]

    def trails(self, goal: str) -> list[dict[str, Any]]:
        """On the first three sites."""
        lines = (self.archive.parent / f"demo.trails.{goal}.jsonl").read_text(encoding="utf-8").splitlines()
        return [trail for trail in map(json.loads, lines) if trail["site"] in self.roots[:3]]


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Web:
    folder = tmp_path_factory.mktemp("several")
    assert run(["demo", "--web-only", "--out", str(folder / "demo"), "--sites", "4"]) == 0
    archive = folder / "demo" / "web" / "demo.warc.gz"
    (known,) = json.loads((archive.parent / "webs.json").read_text(encoding="utf-8"))
    return Web(archive, folder, tuple(known["roots"]))


def write(file: Path, trails: Iterable[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(trail) + "\n" for trail in trails), encoding="utf-8")
    return file


def called(trails: Iterable[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """The same trails to a goal of another name."""
    made = json.loads(json.dumps(list(trails)))
    for trail in made:
        if trail["outcome"] == "goal":
            trail["steps"][-1]["label"] = name
    return list(made)


def taught_workspace(folder: Path, web: Web, lessons: dict[str, list[dict[str, Any]]]) -> Path:
    assert run(["init", str(folder)]) == 0
    files = [
        str(write(folder.parent / f"{folder.name}-{n}.jsonl", trails)) for n, trails in enumerate(lessons.values())
    ]
    assert run(["-w", str(folder), "teach", *files, "--replay", str(web.archive)]) == 0
    assert run(["-w", str(folder), "learn", "--quick"]) == 0
    return folder


@pytest.fixture(scope="module")
def both(web: Web) -> Path:
    lessons = {goal: web.trails(goal) for goal in ("course", "publications")}
    return taught_workspace(web.folder / "both", web, lessons)


@pytest.fixture(scope="module")
def alone(web: Web) -> Path:
    return taught_workspace(web.folder / "alone", web, {"course": web.trails("course")})


def forage(folder: Path, web: Web, log: Path, *words: str) -> list[dict[str, Any]]:
    root = web.roots[3]
    assert run(["-w", str(folder), "forage", root, "--replay", str(web.archive), "--log", str(log), *words]) == 0
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
def test_a_goal_is_learnt_beside_others_as_it_is_alone(both: Path, alone: Path) -> None:
    with Workspace.open(both) as several, Workspace.open(alone) as one:
        assert several.goals() == ["course", "publications"]
        assert [navigator.goal_name for navigator in several.navigators()] == ["course", "publications"]
        assert navigator_to_bytes(several.navigator("course")) == navigator_to_bytes(one.navigator())
        with pytest.raises(InputError, match=r"'course', 'publications'; say which with --goal NAME"):
            several.navigator()
        with pytest.raises(InputError, match="'talk' was not learnt"):
            several.navigator("talk")


@pytest.mark.slow
def test_a_walk_for_one_of_several_goals_is_that_of_the_goal_alone(
    both: Path, alone: Path, web: Web, tmp_path: Path
) -> None:
    """Pages of the other goal are contrast for the verdicts; where the walk goes, and what it logs, is as it was."""
    beside = forage(both, web, tmp_path / "both.jsonl", "--goal", "course", "--budget", "40")
    by_itself = forage(alone, web, tmp_path / "alone.jsonl", "--budget", "40")
    found, before = ({line["url"] for line in lines if line["goal"]} for lines in (beside, by_itself))
    assert len(found & before) >= 0.9 * len(before) > 0
    assert [line.keys() for line in beside] == [line.keys() for line in by_itself]
    assert not any("goal_name" in line for line in beside)


@pytest.mark.slow
def test_one_walk_finds_pages_of_all_goals_and_names_them(trailmark: Any, both: Path, web: Web, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    words = ("forage", web.roots[3], "--replay", web.archive, "--budget", 120, "--log", log, "--json")
    report = trailmark("-w", both, *words).report
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    found = [line["goal_name"] for line in lines if line["goal"]]
    assert {name: found.count(name) for name in ("course", "publications")} == report["goals_by_name"]
    assert min(report["goals_by_name"].values()) > 0
    assert [goal["goal_name"] for goal in report["goals"]] == found
    labels = dict(
        line.split(",")[:2]
        for line in (web.archive.parent / "demo.labels.csv").read_text(encoding="utf-8").splitlines()
    )
    named = [(line["goal_name"], labels.get(line["url"])) for line in lines if line["goal"]]
    either = [(name, label) for name, label in named if label in ("course", "publications")]
    assert len(either) >= 10
    assert sum(name == label for name, label in either) >= 0.9 * len(either)


@pytest.mark.slow
def test_a_run_for_several_goals_is_taken_up_where_it_stopped(both: Path, web: Web, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(both, copy)
    whole = forage(copy, web, tmp_path / "whole.jsonl", "--again", "--budget", "70")
    forage(copy, web, tmp_path / "part.jsonl", "--again", "--budget", "23")
    resumed = forage(copy, web, tmp_path / "resumed.jsonl", "--budget", "70")
    assert len(resumed) == 70
    assert (tmp_path / "resumed.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert resumed == whole


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["path-plain", "focused", "breadth"])
def test_other_strategies_look_for_several_goals_too(both: Path, web: Web, tmp_path: Path, strategy: str) -> None:
    lines = forage(both, web, tmp_path / "log.jsonl", "--strategy", strategy, "--budget", "30")
    assert {line.get("goal_name") for line in lines if line["status"] == 200} <= {"course", "publications"}


@pytest.mark.slow
def test_verbs_that_need_one_goal_ask_which(trailmark: Any, both: Path, web: Web) -> None:
    unclear: list[tuple[object, ...]] = [
        ("show", web.roots[0], "--why"),
        ("teach", "--ask", 1),
        ("teach", "--suggest", 1),
    ]
    for words in unclear:
        ended = trailmark("-w", both, *words)
        assert ended.code == 2
        assert "course" in ended.err
        assert "publications" in ended.err
        assert "--goal NAME" in ended.err
    assert trailmark("-w", both, "show", web.roots[0], "--why", "--goal", "course").code == 0
    unknown: list[tuple[object, ...]] = [
        ("learn", "--goal", "talk"),
        ("forage", web.roots[3], "--goal", "talk"),
        ("teach", "--goal", "course"),
    ]
    for words in unknown:
        ended = trailmark("-w", both, *words)
        assert (ended.code, ended.out) == (2, "")
        assert len(ended.err.strip().splitlines()) == 1 or "Usage" in ended.err


@pytest.mark.slow
def test_goals_may_be_called_anything(trailmark: Any, web: Web, tmp_path: Path) -> None:
    lessons = {name: called(web.trails(goal), name) for name, goal in zip(ODD, ("course", "publications"), strict=True)}
    folder = taught_workspace(tmp_path / "odd", web, lessons)
    with Workspace.open(folder) as workspace:
        assert workspace.goals() == sorted(ODD)
        assert {navigator.goal_name for navigator in workspace.navigators()} == set(ODD)
    names = [path.name for path in (folder / "models").iterdir()]
    assert all(name.isascii() and len(name) < 150 for name in names)
    lines = forage(
        folder, web, tmp_path / "log.jsonl", "--budget", "60", *(word for name in ODD for word in ("--goal", name))
    )
    assert {line["goal_name"] for line in lines if line["goal"]} <= set(ODD)
    ended = trailmark("-w", folder, "show", web.roots[0], "--why")
    assert ended.code == 2


@pytest.mark.slow
def test_what_is_taught_no_more_is_forgotten_and_an_old_workspace_opens(alone: Path, tmp_path: Path) -> None:
    folder = tmp_path / "old"
    shutil.copytree(alone, folder)
    models = folder / "models"
    for path in list(models.glob("navigator-course*")):
        path.rename(models / path.name.replace("-course", ""))
    with Workspace.open(folder) as workspace:
        assert workspace.goals() == ["course"]
        assert workspace.navigator().goal_name == workspace.navigator("course").goal_name == "course"
    (models / "navigator-talk.npz").write_bytes((models / "navigator.npz").read_bytes())
    assert run(["-w", str(folder), "learn", "--quick", "--goal", "course"]) == 0
    with Workspace.open(folder) as workspace:
        assert workspace.goals() == ["course", "talk"]
    assert run(["-w", str(folder), "learn", "--quick"]) == 0
    with Workspace.open(folder) as workspace:
        assert workspace.goals() == ["course"]
    assert not (models / "navigator.npz").exists()
