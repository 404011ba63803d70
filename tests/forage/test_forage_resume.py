"""`kill -9` at any moment: the same command goes on, nothing is fetched twice but what was in flight, nothing is lost.

The process is killed at chosen steps rather than at chosen times: before and after a page is fetched, archived, noted in
the journal, counted, or committed.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.forage.forage_deaths import BUDGET, KNOWN, SITES, Served, errand, fetched, forage, killed, small_commits
from tests.forage.forage_strategies import Hashed
from trailmark.datatypes import Response
from trailmark.forage.breadth import Breadth
from trailmark.forage.forage_run import Errand
from trailmark.forage.scope import Seed
from trailmark.settings import ForageSettings
from trailmark.store import read_archive
from trailmark.store.run_table import RunTable
from trailmark.workspace import Workspace


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_killed_many_times_it_fetches_the_same_pages_in_the_same_order(tmp_path: Path, seed: int) -> None:
    settings = ForageSettings(budget=BUDGET, links_in_memory=100)
    plain, torn = tmp_path / "plain", tmp_path / "torn"
    for folder in (plain, torn):
        Workspace.create(folder).close()
    with small_commits():
        expected = forage(plain, settings, errand(log=plain / "log.jsonl"))
        rng = Random(seed)
        deaths = 0
        while killed(torn, settings, errand(log=torn / "log.jsonl"), rng.randint(1, 400)):
            deaths += 1
        report = forage(torn, settings, errand(log=torn / "log.jsonl"))
    assert deaths > 3
    assert (torn / "log.jsonl").read_text() == (plain / "log.jsonl").read_text()
    assert report.already_done
    for name in ("pages", "goals_found", "sites", "goals"):
        assert getattr(report, name) == getattr(expected, name), name
    times = Counter(fetched(torn))
    assert len(times) == len(set(fetched(plain))) == BUDGET
    assert sum(times.values()) - BUDGET <= deaths
    archived = {response.url for path in (torn / "archive").glob("*.warc.gz") for response in read_archive(path)}
    assert {url for url in times if url in KNOWN} <= archived
    assert not list((torn / "logs").iterdir())


def test_a_finished_run_is_not_run_again_unless_wanted(tmp_path: Path) -> None:
    Workspace.create(tmp_path / "w").close()
    folder, settings = tmp_path / "w", ForageSettings(budget=20)
    first = forage(folder, settings, errand())
    second = forage(folder, settings, errand(log=folder / "log.jsonl"))
    assert not first.already_done
    assert second.already_done
    assert len((folder / "log.jsonl").read_text().splitlines()) == 20
    assert len(fetched(folder)) == 20
    third = forage(folder, settings, errand(again=True))
    assert len(fetched(folder)) == 40
    assert (third.run, third.pages, third.goals) == (first.run + 1, 20, first.goals)


@pytest.mark.slow
def test_another_strategy_or_seed_is_another_run(tmp_path: Path) -> None:
    Workspace.create(tmp_path / "w").close()
    folder, settings = tmp_path / "w", ForageSettings(budget=5)
    forage(folder, settings, errand())
    other = forage(folder, settings, errand(Breadth()))
    fewer = forage(folder, settings, Errand([Seed(SITES[0].root)], Hashed(), archives=[Path("some.warc.gz")]))
    assert not other.already_done
    assert not fewer.already_done


@pytest.mark.slow
def test_a_larger_budget_takes_a_run_up_where_it_ended(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for folder in (whole, parts):
        Workspace.create(folder).close()
    forage(whole, ForageSettings(budget=60), errand(log=whole / "log.jsonl"))
    for budget in (7, 30, 60):
        report = forage(parts, ForageSettings(budget=budget), errand(log=parts / "log.jsonl"))
        assert report.pages == budget
    assert (parts / "log.jsonl").read_text() == (whole / "log.jsonl").read_text()
    assert len(fetched(parts)) == 60


def test_ctrl_c_stops_politely_and_the_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Workspace.create(tmp_path / "w").close()
    folder, settings = tmp_path / "w", ForageSettings(budget=40)
    plain_fetch, count = Served.fetch, Counter[str]()

    def interrupting(self: Served, url: str) -> Response:
        count["all"] += 1
        if count["all"] == 15:
            os.kill(os.getpid(), signal.SIGINT)
        return plain_fetch(self, url)

    monkeypatch.setattr(Served, "fetch", interrupting)
    with pytest.raises(KeyboardInterrupt):
        forage(folder, settings, errand())
    assert len(fetched(folder)) == 15
    report = forage(folder, settings, errand())
    assert report.resumed
    assert report.pages == len(set(fetched(folder))) == len(fetched(folder)) == 40


@pytest.mark.slow
def test_an_error_of_ours_is_raised_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Workspace.create(tmp_path / "w").close()
    folder, settings = tmp_path / "w", ForageSettings(budget=40)
    plain_add, count = RunTable.add_fetch, Counter[str]()

    def failing(self: RunTable, *args: Any) -> None:
        count["all"] += 1
        if count["all"] == 25:
            raise OSError("the disk is full")
        plain_add(self, *args)

    monkeypatch.setattr(RunTable, "add_fetch", failing)
    with pytest.raises(OSError, match="disk is full"):
        forage(folder, settings, errand())
    report = forage(folder, settings, errand())
    assert report.pages == len(set(fetched(folder))) == len(fetched(folder)) == 40
