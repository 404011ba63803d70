"""A run that is dealt in parts is the run that it would have been, whoever walks the parts."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.scale.served_web import fetched, new_workspace, served, site_rows
from trailmark.errors import InputError
from trailmark.store.archive import read_archive
from trailmark.store.parts_standing import PartsStanding
from trailmark.verbs.dealt_forage import dealt_forage
from trailmark.verbs.forage import forage
from trailmark.verbs.hands import OwnHands
from trailmark.workspace import Workspace

pytestmark = pytest.mark.slow


def dealt(folder: Path, seeds: Sequence[str], **more: Any) -> Any:
    with Workspace.open(folder) as workspace:
        return dealt_forage(workspace, seeds, strategy="breadth", **more)


def test_parts_together_are_the_run_as_a_whole(tmp_path: Path) -> None:
    with served(5) as server:
        seeds = [server.root(number) for number in range(5)]
        whole = new_workspace(tmp_path / "whole")
        with Workspace.open(whole) as workspace:
            one = forage(workspace, seeds, strategy="breadth", site_budget=12)
        server.asked.clear()
        parts = new_workspace(tmp_path / "parts")
        log = tmp_path / "log.jsonl"
        report = dealt(parts, seeds, site_budget=12, log=log)
        assert set(fetched(parts)) == set(fetched(whole))
        assert [site.site for site in report.sites] == seeds
        assert [(site.pages, site.ended) for site in report.sites] == [(site.pages, site.ended) for site in one.sites]
        assert (report.pages, report.resumed, report.already_done) == (60, False, False)
        assert len(log.read_text().splitlines()) == 60
        asked = [each for each in server.asked if each[1] != "/robots.txt"]
        assert len(asked) == len(set(asked)), "nothing was asked twice"
        # Everything is where a run that was not dealt has it: trails, pages in the archive of the workspace.
        with Workspace.open(parts) as workspace:
            kept = {page.url for file in workspace.archives() for page in read_archive(file)}
            assert {url for url, status, *_ in fetched(parts) if status == 200} <= kept
            for url, *_ in fetched(parts)[:20]:
                page = workspace.database.page(url)
                assert page is not None
                assert (workspace.archive_folder / page.archive).is_file()
        assert dealt(parts, seeds, site_budget=12).already_done


def test_a_budget_is_used_up_and_never_exceeded_and_more_of_it_goes_on(tmp_path: Path) -> None:
    with served(5) as server:
        seeds = [server.root(number) for number in range(5)]
        folder = new_workspace(tmp_path / "w")
        first = dealt(folder, seeds, budget=37)
        assert first.pages == 37
        assert {site.ended for site in first.sites} == {"budget"}
        more = dealt(folder, seeds, budget=90)
        assert (more.pages, more.resumed, more.run) == (90, True, first.run)
        asked = [each for each in server.asked if each[1] != "/robots.txt"]
        assert len(asked) == len(set(asked)) == 90
        numbers = [n for n, _ in enumerate(fetched(folder), 1)]
        assert numbers == list(range(1, 91))


def test_a_budget_smaller_than_the_sites(tmp_path: Path) -> None:
    with served(5) as server:
        folder = new_workspace(tmp_path / "w", part_sites=1)
        report = dealt(folder, [server.root(number) for number in range(5)], budget=3)
        assert [site.pages for site in report.sites] == [1, 1, 1, 0, 0]
        assert {site.ended for site in report.sites} == {"budget"}


def test_what_parts_leave_over_is_dealt_again(tmp_path: Path) -> None:
    """A site that is gone leaves its share to the others."""
    with served(3) as server:
        folder = new_workspace(tmp_path / "w", part_sites=1)
        gone = server.root(2).replace("://", "://nobody-")
        report = dealt(folder, [server.root(0), gone, server.root(1)], budget=60)
        assert report.pages == 60


def test_sites_that_lead_to_anothers_are_the_same_and_to_one_place_are_walked_by_one_at_a_time(tmp_path: Path) -> None:
    # 1 leads to 0, which is a seed; 3 and 4 lead to 5, which is none.
    with served(6, moved={1: 0, 3: 5, 4: 5}) as server:
        seeds = [server.root(number) for number in range(5)]
        folder = new_workspace(tmp_path / "w", part_sites=1)
        holding = _Holding([server.root(0), server.root(5)], folder)
        report = dealt(folder, seeds, hands=holding, site_budget=6)
        by_root = {site.site: site for site in report.sites}
        assert by_root[seeds[1]].ended == "same"
        assert by_root[seeds[1]].same_as == seeds[0]
        # Whichever of the two was answered first is the site that is there.
        first, second = sorted((by_root[seeds[3]], by_root[seeds[4]]), key=lambda site: site.ended == "same")
        assert first.pages == 7, "one that was dealt again asked for its root twice"
        assert (second.ended, second.same_as) == ("same", first.site)
        assert not holding.clashes


class _Holding(OwnHands):
    """In its first round others hold some domains, as walkers elsewhere would."""

    def __init__(self, roots: Sequence[str], folder: Path) -> None:
        self._roots, self._folder = roots, folder
        self._rounds = 0
        self.clashes: list[str] = []

    def answers(self, work: Callable[[Any], Any], tasks: Sequence[Any], **more: Any) -> Iterator[tuple[int, Any]]:
        from trailmark.forage.scope import domain_of, host_of
        from trailmark.store.lease import Leases

        self._rounds += 1
        own = {domain_of(host_of(seed.url)) for task in tasks for seed in task.seeds}
        names = {domain_of(host_of(root)) for root in self._roots}
        for place, task in enumerate(tasks):
            with Leases(task.leases) as others:
                mine = {domain_of(host_of(seed.url)) for seed in task.seeds}
                if self._rounds == 1:
                    self.clashes += [name for name in (names | own) - mine if not others.take(name)]
                yield place, work(task)


class _Stopping(OwnHands):
    """The driver dies when two parts are done."""

    def answers(self, work: Callable[[Any], Any], tasks: Sequence[Any], **more: Any) -> Iterator[tuple[int, Any]]:
        for place, answer in super().answers(work, tasks, **more):
            if place == 2:
                raise KeyboardInterrupt
            yield place, answer


def test_a_budget_is_dealt_as_it_was_when_the_driver_died(tmp_path: Path) -> None:
    with served(5) as server:
        seeds = [server.root(number) for number in range(5)]
        folder = new_workspace(tmp_path / "w", part_sites=1)
        with pytest.raises(KeyboardInterrupt):
            dealt(folder, seeds, budget=37, hands=_Stopping())
        report = dealt(folder, seeds, budget=37)
        assert [site.pages for site in report.sites] == [8, 8, 7, 7, 7]
        assert dealt(folder, seeds, budget=50).pages == 50


def test_a_site_that_reaches_anywhere_is_not_dealt(tmp_path: Path) -> None:
    folder = new_workspace(tmp_path / "w")
    with pytest.raises(InputError, match="scope 'any'"):
        dealt(folder, ["http://a.test/"], scope="any")
    assert not (folder / "parts").exists()


def test_a_driver_that_dies_in_the_middle_goes_on_with_what_the_parts_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("trailmark.verbs.dealt_forage.TELL_SECONDS", 0.0)
    monkeypatch.setattr("trailmark.verbs.dealt_forage.TELL_SHARE", 1e9)
    with served(5) as server:
        seeds = [server.root(number) for number in range(5)]
        folder = new_workspace(tmp_path / "w", part_sites=1)

        def stop_after_two(standing: PartsStanding) -> None:
            if standing.parts_done >= 2:
                os._exit(9)

        if not (child := os.fork()):
            try:
                dealt(folder, seeds, site_budget=8, watch=stop_after_two)
            finally:
                os._exit(1)  # the child of a test must not go on with it
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
        report = dealt(folder, seeds, site_budget=8)
        assert report.resumed
        assert [site.pages for site in report.sites] == [8] * 5
        asked = [each for each in server.asked if each[1] != "/robots.txt"]
        assert len(asked) == len(set(asked)) == 40
        assert not (folder / "parts" / "run-00001").exists() or site_rows(folder)[0].ended == "budget"
