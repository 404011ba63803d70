"""A run as it is watched, and what Prometheus reads of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.scale.served_web import new_workspace, served
from trailmark.forage.stragglers import LEAST_SECONDS, TIMES, stragglers, usual_time
from trailmark.store.parts_standing import PartsStanding, parts_folder, read_standing, write_standing
from trailmark.verbs.dealt_forage import dealt_forage
from trailmark.verbs.forage import forage
from trailmark.verbs.metrics import metrics
from trailmark.verbs.watch import WatchReport, watch
from trailmark.workspace import Workspace


def parsed(text: str) -> dict[str, list[tuple[dict[str, str], float]]]:
    """Metrics as Prometheus' own reader takes them: samples by name."""
    parser: Any = pytest.importorskip("prometheus_client.parser", reason="prometheus_client is not installed")
    families = list(parser.text_string_to_metric_families(text))
    assert all(family.documentation for family in families)
    return {
        sample.name: [(each.labels, each.value) for each in family.samples]
        for family in families
        for sample in family.samples
    }


@pytest.mark.slow
@pytest.mark.parametrize("parts", [True, False], ids=["dealt", "whole"])
def test_a_run_is_watched_while_it_goes_on_and_when_it_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trailmark: Callable[..., Any], parts: bool
) -> None:
    monkeypatch.setattr("trailmark.verbs.dealt_forage.TELL_SECONDS", 0.0)
    monkeypatch.setattr("trailmark.verbs.dealt_forage.TELL_SHARE", 1e9)  # looks cost more than pages of a web so small
    monkeypatch.setattr("trailmark.forage.forage_run.COMMIT_SECONDS", 0.0)
    folder = new_workspace(tmp_path / "w", part_sites=1)
    seen: list[WatchReport] = []

    def look(_: object) -> None:
        with Workspace.open(folder) as other:
            report = watch(other, seen[0] if seen else None)
            if report is not None and report.pages:
                seen.append(report)
                assert parsed(metrics(other))["trailmark_run_walking"][0][1] == 1

    with served(4) as server, Workspace.open(folder) as workspace:
        seeds = [server.root(number) for number in range(4)]
        walk: Callable[..., Any] = dealt_forage if parts else forage
        report = walk(workspace, seeds, strategy="breadth", site_budget=8, watch=look)
    assert seen
    assert {each.state for each in seen} == {"walking"}
    assert [each.pages for each in seen] == sorted(each.pages for each in seen)
    assert all(each.sites == 4 and each.sites_done <= 4 for each in seen)
    assert any(each.pages_per_second for each in seen)
    if parts:
        assert max(each.parts_done for each in seen) >= 3
        assert {each.parts for each in seen} == {4}
    with Workspace.open(folder) as workspace:
        ended = watch(workspace)
        assert ended is not None
        assert (ended.state, ended.pages, ended.sites_done) == ("ended", report.pages, 4)
        numbers = parsed(metrics(workspace))
    assert numbers["trailmark_run_pages_total"][0] == ({"run": "1", "strategy": "breadth"}, report.pages)
    assert ({"what": "pages"}, float(report.pages)) in numbers["trailmark_workspace_items"]
    assert "trailmark_run_pages_per_second" not in numbers, "no number that was not measured"
    # On the command line: a line for each look, and it ends with the run.
    told = trailmark("-w", folder, "status", "--watch", "--metrics", tmp_path / "trailmark.prom")
    assert (told.code, told.out.count("\n")) == (0, 1)
    assert "run 1 ended: 4 of 4 sites done" in told.out
    assert parsed((tmp_path / "trailmark.prom").read_text()) == numbers
    assert trailmark("-w", folder, "status", "--watch", "--json").report["state"] == "ended"


def begun(folder: Path, standing: PartsStanding) -> None:
    """A run that was dealt and stands so."""
    from trailmark.store.run_table import RunTable

    with Workspace.open(folder) as workspace:
        run = RunTable(workspace.database).begin({"seeds": [["http://a.test/", "host"]], "strategy": "path"}, [])
    at = parts_folder(folder, run.id)
    write_standing(at, standing)
    assert read_standing(at) == standing


def standing_now(**more: Any) -> PartsStanding:
    import time

    return replace(PartsStanding(sites=9, ended=4, pages=100, parts=3, parts_done=1, errors=2, at=time.time()), **more)


def test_ctrl_c_ends_the_watching_alone(
    workspace: Path, trailmark: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(workspace, standing_now())
    looks: list[float] = []

    def pressed(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr("trailmark.cli.status_watch.time.sleep", pressed)
    told = trailmark("-w", workspace, "status", "--watch", "--json", "--every", "0.5")
    assert told.code == 0
    assert looks == [0.5, 0.5, 0.5]
    lines = [json.loads(line) for line in told.out.splitlines()]
    assert [line["pages"] for line in lines] == [100, 100, 100]
    assert [line["state"] for line in lines] == ["walking"] * 3
    assert lines[-1]["pages_per_second"] == 0.0


def test_one_who_deals_and_is_gone_has_stopped(workspace: Path, trailmark: Callable[..., Any]) -> None:
    begun(workspace, standing_now(at=1.0))
    told = trailmark("-w", workspace, "status", "--watch", "--json")
    assert (told.code, told.report["state"], told.report["workers"]) == (0, "stopped", 0)


def test_a_file_that_can_not_be_read_is_as_if_there_were_none(workspace: Path, trailmark: Callable[..., Any]) -> None:
    begun(workspace, standing_now())
    (parts_folder(workspace, 1) / "standing.json").write_text("{")
    assert trailmark("-w", workspace, "status", "--watch", "--json").report["state"] == "stopped"


def test_without_a_run_it_says_what_to_do(workspace: Path, trailmark: Callable[..., Any], tmp_path: Path) -> None:
    told = trailmark("-w", workspace, "status", "--watch")
    assert told.code == 0
    assert "There is no run yet" in told.out
    assert trailmark("-w", workspace, "status", "--metrics", tmp_path / "m.prom").code == 0
    assert set(parsed((tmp_path / "m.prom").read_text())) == {"trailmark_workspace_items"}


def test_a_strategy_may_be_called_anything(workspace: Path) -> None:
    from trailmark.store.run_table import RunTable

    name = 'a "b"\\ \n c'
    with Workspace.open(workspace) as opened:
        RunTable(opened.database).begin({"seeds": [["http://a.test/", "host"]], "strategy": name}, [])
        assert parsed(metrics(opened))["trailmark_run_sites"] == [({"run": "1", "strategy": name}, 0.0)]


def test_watching_loads_nothing_of_ray() -> None:
    words = "import sys, trailmark.cli.status, trailmark.verbs.watch; sys.exit('ray' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", words], check=False).returncode == 0


@given(st.dictionaries(st.text(max_size=3), st.floats(0, 1e6), max_size=8), st.lists(st.floats(0, 1e6), max_size=8))
def test_what_lags_behind_takes_longer_than_the_others(under_way: dict[str, float], done: list[float]) -> None:
    usual = usual_time(done)
    late = stragglers(under_way, usual)
    if usual is None:
        assert len(done) < 3
        assert not late
        return
    assert {each.name for each in late} == {
        name for name, seconds in under_way.items() if seconds > TIMES * usual and seconds > LEAST_SECONDS
    }
    assert [each.seconds for each in late] == sorted((each.seconds for each in late), reverse=True)
