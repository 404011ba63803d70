"""The flow from Python: a workspace, the verbs, and reports that a person reads at a prompt and a program takes apart."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest

import trailmark
from trailmark.errors import InputError
from trailmark.report import Report

pytestmark = pytest.mark.slow

SITE = "http://dept.example/"
ADA = SITE + "~ada/"


@pytest.fixture
def taught(small_web: Any, tmp_path: Path) -> Any:
    """A workspace that learnt the way on the small web of all tests."""
    with trailmark.create(tmp_path / "w") as workspace:
        trailmark.teach(workspace, [small_web.file(*small_web.good())], [small_web.archive])
        trailmark.learn(workspace, goal="publications", choose_recipe=False)
        yield workspace


def test_from_trails_to_goals(taught: Any, small_web: Any) -> None:
    run = trailmark.forage(taught, SITE, archives=[str(small_web.archive)])
    assert (run.run, run.strategy, run.already_done, run.resumed) == (1, "path", False, False)
    assert [site.site for site in run.sites] == [SITE]
    assert run.pages == sum(site.pages for site in run.sites) > 3
    assert run.goals_found == len(run.goals)
    assert all(goal.trail[0] == SITE for goal in run.goals)
    assert trailmark.forage(taught, [SITE], archives=[small_web.archive]).already_done
    assert trailmark.status(taught).counts["trails"] == 2


@pytest.mark.slow
def test_seeds_are_urls_or_files(taught: Any, small_web: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "roots.txt"
    file.write_text(f"{SITE} host\nnot a url\n", encoding="utf-8")
    options: dict[str, Any] = {"archives": [small_web.archive], "budget": 3}
    for seeds in (file, "roots.txt", [file], [str(file)]):
        run = trailmark.forage(taught, seeds, **options, again=True)
        assert ([site.site for site in run.sites], [bad.line for bad in run.bad_seeds]) == ([SITE], [2])
    assert trailmark.forage(taught, "dept.example", **options).sites[0].site == SITE
    with pytest.raises(InputError, match="does not exist"):
        trailmark.forage(taught, Path("nowhere.txt"), **options)
    with pytest.raises(InputError, match="not an http or https URL"):
        trailmark.forage(taught, "no file " * 1000, **options)


def test_each_strategy_has_runs_of_its_own(taught: Any, small_web: Any) -> None:
    for name in ("path", "path-plain"):
        run = trailmark.forage(taught, SITE, archives=[small_web.archive], strategy=name)
        assert (run.strategy, run.already_done) == (name, False)


def test_a_page_is_shown_and_explained(taught: Any, small_web: Any) -> None:
    seen = trailmark.show(taught, ADA)
    assert (seen.page.title, seen.status) == ("Ada Ångström", 200)
    assert trailmark.show(taught, ADA, [str(small_web.archive)]) == seen
    why = trailmark.explain(taught, ADA, [str(small_web.archive)])
    assert why.page.path == (SITE, SITE + "people/")
    assert sum(part.value for part in why.page.why) == pytest.approx(why.page.log_odds)
    assert [link.anchor for link in why.links] == ["Publications"]


def test_reports_are_one_line_at_a_prompt_and_json_for_programs(taught: Any, small_web: Any) -> None:
    reports: list[Report] = [
        trailmark.learn(taught, choose_recipe=False),
        trailmark.forage(taught, SITE, archives=[small_web.archive]),
        trailmark.status(taught),
        trailmark.show(taught, ADA),
        trailmark.explain(taught, ADA),
    ]
    for report in reports:
        assert type(report).__name__ in repr(report) == str(report)
        assert "\n" not in repr(report)
        assert len(repr(report)) < 500
        assert json.loads(json.dumps(report.to_json())) == report.to_json()
    assert "goals: 1" in repr(reports[0])
    with pytest.raises(FrozenInstanceError):
        reports[0].trails = 3  # type: ignore[attr-defined]
