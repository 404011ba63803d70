"""`trailmark demo`: makes what it says, the same every time, and leaves foreign folders alone."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from trailmark.cli.demo import _fresh_folder
from trailmark.cli.demo_walk import served
from trailmark.cli.printing import Printer
from trailmark.demo import DemoWeb
from trailmark.store.benchmark_web import read_webs

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any, str]:
    """The folder, the report, and what was said."""
    out = tmp_path_factory.mktemp("made") / "demo"
    command = [sys.executable, "-m", "trailmark.cli.main", "demo", "--out", str(out), "--sites", "6", "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return out, json.loads(ended.stdout), ended.stderr


def test_it_makes_what_it_says(made: tuple[Path, Any, str], trailmark: Any) -> None:
    out, report, said = made
    assert (report["out"], report["sites"], report["seed"]) == (str(out), 6, 1)
    (web,) = read_webs(out / "web")
    assert web.pages == report["pages"] > 400
    assert len(web.roots) == 6
    assert set(web.goals) == {"publications", "course", "contact", "faculty"}
    found = report["compared"]["found"]
    assert 0 <= found["breadth"] < found["path"] <= 1, "the way matters"
    assert found["path"] >= max(found.values()) > 0.3
    assert not list(out.glob("compare*")), "what was only compared leaves nothing behind"
    assert report["live"]["goal_pages_fetched"] > 0
    lifted = report["lifted"]
    assert lifted["marked"] * 3 < lifted["right"] <= lifted["papers"], "most papers were never marked"
    assert lifted["right"] > 0.8 * lifted["papers"]
    rows = (out / "records.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "url,kind,paper,year,made_by"
    assert len(rows) == lifted["records"] + 1
    department = report["department"]
    assert 0 < department["packages"] <= department["courses_there"] + 1
    assert department["copies"] > 0
    assert department["faults"] == 0
    assert len(list((out / "department-packages").glob("*.zip"))) == department["packages"]
    for picture in report["pictures"]:
        assert Path(picture).read_bytes().startswith((b"\x89PNG", b"<svg"))
    status = trailmark("-w", out / "workspace", "status", "--json").report
    assert 0 < report["taught"] < status["counts"]["trails"] <= report["taught"] + 10, "what was checked is taught, too"
    assert "publications" in status["labels"]
    # The commands it suggests at its end work as printed.
    suggested = [shlex.split(line) for line in said.splitlines() if line.startswith("  trailmark ")]
    assert len(suggested) == 3
    for words in suggested:
        assert trailmark(*words[1:]).code == 0


def test_every_trail_of_the_web_can_be_taught(made: tuple[Path, Any, str], trailmark: Any, workspace: Path) -> None:
    (web,) = read_webs(made[0] / "web")
    ended = trailmark("-w", workspace, "teach", *web.goals.values(), "--replay", web.archive, "--json")
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in web.goals.values())
    assert (ended.code, ended.report["problems"]) == (0, [])
    assert ended.report["good"] == lines > 50


def rounded(report: Any) -> Any:
    """Figures to six digits: sums over several threads differ in the last ones."""
    if isinstance(report, dict):
        return {name: rounded(value) for name, value in report.items()}
    if isinstance(report, list):
        return [rounded(value) for value in report]
    return float(f"{report:.6g}") if isinstance(report, float) else report


def test_a_second_run_takes_the_place_of_the_first_and_makes_the_same(
    made: tuple[Path, Any, str], trailmark: Any
) -> None:
    out, report, _ = made
    archive = (out / "web" / "demo.warc.gz").read_bytes()
    (out / "stale").mkdir()
    again = trailmark("demo", "--out", out, "--sites", 6, "--json").report
    for name, value in rounded(report).items():
        assert rounded(again)[name] == value, name
    assert again.keys() == report.keys()
    assert (out / "web" / "demo.warc.gz").read_bytes() == archive
    assert not (out / "stale").exists()


def test_two_at_once_serve_one_after_the_other_on_the_usual_port() -> None:
    web, said = DemoWeb(sites=4, pages=20), list[str]()
    printer = cast(Printer, SimpleNamespace(say=lambda text, style="": said.append(text)))
    with served(web, printer, wait=60) as first, ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(served, web, printer, 60)
        while not said:
            time.sleep(0.01)
        assert "waiting for it" in said[0]
        assert not waiting.done()
        first.close()
        with waiting.result(timeout=60) as second:
            assert second.root(0) == first.root(0)
            with served(web, printer, wait=0) as third:
                assert third.root(0) != first.root(0)
    assert "can't be had" in said[-1]


def test_foreign_folders_are_left_alone(trailmark: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    ended = trailmark("demo", "--out", tmp_path, "--sites", 4)
    assert ended.code == 2
    assert "is not a demo's" in ended.err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert trailmark("demo", "--out", tmp_path / "mine.txt").code == 2
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_what_a_link_leads_to_is_left_alone(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "mine.txt").write_text("mine")
    out = tmp_path / "demo"
    out.mkdir()
    (out / ".trailmark-demo").touch()
    (out / "link").symlink_to(precious)
    _fresh_folder(out)
    assert (precious / "mine.txt").read_text() == "mine"
    assert [path.name for path in out.iterdir()] == [".trailmark-demo"]


def test_bad_usage(trailmark: Any, tmp_path: Path) -> None:
    for option in (["--sites", "3"], ["--sites", "10001"], ["--sites", "many"], ["--seed", "x"]):
        ended = trailmark("demo", "--out", tmp_path / "demo", *option)
        assert ended.code == 2
        assert option[0] in ended.err
    assert not (tmp_path / "demo").exists()


def test_it_says_how_many_of_the_pages_it_called_goals_are_goals(made: tuple[Path, Any, str]) -> None:
    out, report, said = made
    live = report["live"]
    lines = [json.loads(line) for line in (out / "forage.jsonl").read_text(encoding="utf-8").splitlines()]
    assert live["called_goals"] == sum(line["goal"] is True for line in lines) > 0
    assert live["unsure"] == sum(line["goal"] is None for line in lines)
    assert 0 < live["called_right"] <= min(live["called_goals"], live["goal_pages_fetched"])
    assert 0 <= live["unsure_goals"] <= live["unsure"]
    words = " ".join(said.split())
    assert f"Of the {live['called_goals']} pages it called goals, {live['called_right']} are;" in words
    assert f"it left {live['unsure']} unsure" in words


def test_ten_checks_leave_fewer_wrong_ones(made: tuple[Path, Any, str]) -> None:
    _, report, said = made
    live, checked = report["live"], report["checked"]
    assert checked["pages"] == live["called_goals"]
    assert checked["answers"] == min(10, checked["pages"])
    wrong = live["called_goals"] - live["called_right"], checked["called_goals"] - checked["called_right"]
    assert wrong[1] <= wrong[0] - (checked["answers"] - checked["right"]), (
        "what was said to be wrong is called a goal no more"
    )
    words = " ".join(said.split())
    assert f"Of the {checked['called_goals']} pages it calls goals now, {checked['called_right']} are." in words
