"""Parts begin with what was learnt as it was when the run began, whatever was walked before them; and only those at work are looked at."""

from __future__ import annotations

import json
import pickle
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.scale.served_web import fetched
from trailmark.cli.main import run
from trailmark.errors import InputError
from trailmark.forage.breadth import Breadth
from trailmark.forage.scope import Seed
from trailmark.settings import Settings
from trailmark.store.run_part import RunPart, part_of
from trailmark.verbs.dealt_forage import dealt_forage
from trailmark.verbs.forage import forage
from trailmark.verbs.run_parts import RunParts
from trailmark.verbs.walk_part import PartErrand, PartWalker
from trailmark.workspace import Workspace, change_setting


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace that learnt the way on one site of the generated web; the archive has others."""
    folder = tmp_path_factory.mktemp("learnt")
    assert run(["demo", "--web-only", "--out", str(folder / "demo"), "--sites", "4"]) == 0
    web = folder / "demo" / "web"
    (known,) = json.loads((web / "webs.json").read_text(encoding="utf-8"))
    lines = (web / "demo.trails.publications.jsonl").read_text(encoding="utf-8").splitlines()
    trails = [line for line in lines if json.loads(line)["site"] == known["roots"][0]][:6]
    (folder / "taught.jsonl").write_text("\n".join(trails) + "\n", encoding="utf-8")
    (folder / "roots.json").write_text(json.dumps(known["roots"][1:]), encoding="utf-8")
    words = ["-w", str(folder / "w")]
    assert run(["init", str(folder / "w")]) == 0
    assert run([*words, "teach", str(folder / "taught.jsonl"), "--replay", str(web / "demo.warc.gz")]) == 0
    assert run([*words, "learn", "--quick"]) == 0
    change_setting(folder / "w", "scale", "part_sites", 1)
    return folder


def goals_of(folder: Path) -> set[str]:
    from trailmark.store.run_table import RunTable

    with Workspace.open(folder) as workspace:
        return {fetch.url for _, fetch in RunTable(workspace.database).fetches(1) if fetch.goal}


@pytest.mark.slow
def test_parts_of_a_strategy_that_learns_are_together_the_run_as_a_whole(
    learnt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, roots = learnt / "demo" / "web" / "demo.warc.gz", json.loads((learnt / "roots.json").read_text())
    made: list[str] = []
    known = pickle.dumps

    def counted(value: Any, *more: Any, **options: Any) -> bytes:
        made.append(type(value).__name__)
        return known(value, *more, **options)

    for name in ("whole", "parts"):
        shutil.copytree(learnt / "w", tmp_path / name)
    with Workspace.open(tmp_path / "whole") as workspace:
        one = forage(workspace, roots, archives=[archive], site_budget=25)
    with Workspace.open(tmp_path / "parts") as workspace, monkeypatch.context() as patch:
        patch.setattr("trailmark.verbs.walk_part.pickle.dumps", counted)
        patch.setattr("trailmark.verbs.walk_part.chosen_strategy", None)  # nobody makes it again
        dealt = dealt_forage(workspace, roots, archives=[archive], site_budget=25)
    assert made == ["LearningWalk"]
    assert set(fetched(tmp_path / "parts")) == set(fetched(tmp_path / "whole"))
    assert goals_of(tmp_path / "parts") == goals_of(tmp_path / "whole")
    assert (dealt.pages, len(dealt.goals)) == (one.pages, len(one.goals))
    assert one.goals


class Stubborn(Breadth):
    """A strategy of one's own that can't travel."""

    def __init__(self) -> None:
        super().__init__(None)
        self.name = "stubborn"
        self.key = lambda: 1


def test_a_strategy_that_can_not_travel_is_made_where_it_is_needed(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    walker = PartWalker.of(Stubborn(), "", (), Settings())
    assert walker.strategy is None
    errand = PartErrand(workspace, part_of(workspace, 0, ()), (), Settings().forage, strategy="its:name")
    monkeypatch.setattr(
        "trailmark.verbs.walk_part.chosen_strategy",
        lambda opened, name, *_, **__: (f"{name} of {opened.folder}", "", ()),
    )
    assert str(walker._fresh(errand)) == f"its:name of {workspace}"
    travels = PartWalker.of(Breadth(None), "", (), Settings())
    assert travels._fresh(errand) is not travels._fresh(errand), "each part has one of its own"


def test_a_walker_that_does_not_see_the_workspace_says_so(tmp_path: Path) -> None:
    errand = PartErrand(tmp_path / "away", part_of(tmp_path, 0, ()), (), Settings().forage)
    with pytest.raises(InputError, match="does not see"):
        PartWalker.of(Breadth(None), "", (), Settings())(errand)


def test_only_parts_that_are_at_work_are_opened_at_a_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten thousand parts nearly all rest."""
    seeds = [Seed(f"http://site-{number}.test/") for number in range(40)]

    settings = replace(Settings(), scale=replace(Settings().scale, part_sites=1))
    parts = RunParts(tmp_path, seeds, settings)
    for number in range(20):
        part_of(tmp_path, number, (number,)).opened(timeout=1.0).close()
    opened: list[int] = []
    known = RunPart.opened

    def counted(part: RunPart, *, timeout: float) -> Any:
        opened.append(part.number)
        return known(part, timeout=timeout)

    monkeypatch.setattr(RunPart, "opened", counted)
    assert parts.standing().parts == 40
    assert sorted(opened) == list(range(20))
    for number in range(18):
        parts.rest(part_of(tmp_path, number, (number,)))
    opened.clear()
    parts.standing()
    assert sorted(opened) == [18, 19], "those at rest are known, those not begun have nothing to say"
