"""Verdicts: goal, unsure or not, settled together when a run ends, and the same wherever they are read."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trailmark.forage.forage_run as foraging
from tests.forage.forage_deaths import KNOWN, SITES, Served, errand, forage, small_commits
from tests.forage.forage_strategies import Hashed, share
from tests.forage.test_forage_run import forage as forage_pages
from tests.forage.test_forage_run import paths
from trailmark.datatypes import Fetch, Page, Response
from trailmark.forage import settled_run
from trailmark.forage.fetch_log import log_line, rewrite_log, write_log
from trailmark.forage.settled_run import judged_page, settle_run
from trailmark.forage.settling import (
    ALONE,
    BEST,
    BIAS,
    COMMON,
    DOUBTFUL,
    MIDDLE,
    SURE,
    JudgedPage,
    SettledVerdict,
    placed_log_odds,
    settle,
)
from trailmark.sequence import log_odds
from trailmark.settings import ForageSettings
from trailmark.store.run_table import RunTable
from trailmark.strategy import FollowedLink, Judgement, Visit
from trailmark.workspace import Workspace

BUDGET = ForageSettings(budget=60)


def judged(chance: float, answer: bool | None = None, *, number: int = 0) -> JudgedPage:
    return JudgedPage(f"http://h.test/{number}", "http://h.test/", "http://h.test/ 1", 0.0, chance, answer)


def test_three_answers() -> None:
    verdicts = settle([judged(chance) for chance in (0.0, DOUBTFUL - 0.01, DOUBTFUL, SURE - 0.01, SURE, 1.0)])
    assert [verdict.goal for verdict in verdicts] == [False, False, None, None, True, True]


def test_what_a_person_said_is_the_verdict() -> None:
    assert settle([judged(0.9, False), judged(0.1, True)]) == [SettledVerdict(False, 0.0), SettledVerdict(True, 1.0)]


_pages = st.lists(st.builds(judged, st.floats(0, 1), st.none() | st.booleans()), max_size=20)


@given(_pages)
def test_no_page_is_called_a_goal_that_is_more_likely_not_one(pages: list[JudgedPage]) -> None:
    verdicts = settle(pages)
    assert len(verdicts) == len(pages)
    assert verdicts == settle(pages)
    for page, verdict in zip(pages, verdicts, strict=True):
        assert 0.0 <= verdict.goal_probability <= 1.0
        assert verdict.goal is not True or verdict.goal_probability >= 0.5
        assert verdict.goal is not False or verdict.goal_probability < 0.5
        assert page.answer is None or verdict.goal is page.answer


_evidence = st.lists(st.floats(-12, 12).filter(bool), min_size=1, max_size=30)


def of_site(
    values: list[float], *, site: str = "a", goals: float = 0.0, answers: dict[int, bool] | None = None
) -> list[JudgedPage]:
    known = answers or {}
    return [
        JudgedPage(f"http://{site}.test/{n}", site, f"list {n % 3}", value, 0.5, known.get(n), goals)
        for n, value in enumerate(values)
    ]


def chances(pages: list[JudgedPage]) -> list[float]:
    return [verdict.goal_probability for verdict in settle(pages)]


@given(_evidence)
def test_stronger_pages_of_a_site_are_likelier(values: list[float]) -> None:
    ranked = [chance for _, chance in sorted(zip(values, chances(of_site(values)), strict=True))]
    assert ranked == sorted(ranked)


@given(_evidence, st.floats(-8, 8))
def test_what_shifts_all_pages_of_a_site_alike_counts_little(values: list[float], shift: float) -> None:
    moved = [value + shift or 1e-9 for value in values]
    odds, shifted = (placed_log_odds(of_site(each), (BIAS, ALONE, BEST, MIDDLE, COMMON)) for each in (values, moved))
    assert shifted - odds == pytest.approx(np.full(len(values), ALONE * shift), abs=1e-6)


@given(_evidence, _evidence)
def test_sites_and_goals_are_settled_each_by_itself(values: list[float], others: list[float]) -> None:
    alone, beside = of_site(values), of_site(others, site="b")
    assert chances(alone + beside) == pytest.approx(chances(alone) + chances(beside))
    named = [replace(page, goal_name="other") for page in of_site(others)]
    assert chances(alone + named)[: len(alone)] == pytest.approx(chances(alone))


@given(_evidence)
def test_where_goals_are_common_more_pages_are_goals(values: list[float]) -> None:
    rare, common = chances(of_site(values)), chances(of_site(values, goals=np.log(6.0)))
    assert all(high > low for low, high in zip(rare, common, strict=True))


def test_answers_move_their_family_most_and_the_rest_a_little() -> None:
    values = [3.0, 2.5, 2.0, 1.5, 1.0, 0.5, -4.0, -4.5, -5.0]
    before, after = (chances(of_site(values, goals=1.0, answers=said)) for said in ({}, {0: False, 3: False}))
    assert after[0] == after[3] == 0.0
    falls = [low - high for low, high in zip(before, after, strict=True)]
    assert falls[6] > 0
    assert falls[1] > 0.02
    assert log_odds(np.array(after[6])) - log_odds(np.array(before[6])) < -1.0


def test_ten_answers_settle_a_run_that_was_placed_wrongly() -> None:
    """All pages of a site look alike to the teaching and are goals: the threshold follows what a person says."""
    values = [float(value) for value in np.linspace(-3, 3, 40)]
    truth = [value > -1.5 for value in values]
    asked = {n: truth[n] for n in range(5, 25, 2)}
    wrong = [
        sum(
            (chance >= SURE) != is_goal
            for chance, is_goal in zip(chances(of_site(values, answers=said)), truth, strict=True)
        )
        for said in ({}, asked)
    ]
    assert wrong[1] <= wrong[0] // 4


def test_where_a_walk_begins_is_seldom_what_is_looked_for() -> None:
    pages = of_site([2.0, 2.0, -1.0])
    root = replace(pages[0], family="")
    assert chances([root, *pages[1:]])[0] < chances(pages)[0] / 3


def test_what_was_not_judged_is_not_settled_unless_somebody_was_asked() -> None:
    fetch = Fetch(
        1, "http://h.test/", 200, 0.0, "", False, 0.0, None, 0, "http://h.test/", "http://h.test/a", content_hash="ff"
    )
    assert judged_page(fetch) is None
    assert judged_page(replace(fetch, goal_probability=0.5, content_hash="")) is None
    page = judged_page(replace(fetch, goal_probability=0.75))
    assert page is not None
    assert page.url == "http://h.test/a"
    assert page.evidence == 0.0
    assert judged_page(replace(fetch, goal_probability=0.75, evidence=-2.0)) == replace(page, evidence=-2.0)
    asked = judged_page(fetch, True)
    assert asked is not None
    assert asked.answer is True


class Doubting(Hashed):
    """Never sure itself of a goal: what it takes for one is unsure."""

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        visit = super().visit(page, link)
        return replace(
            visit, judgement=replace(visit.judgement, goal=None if visit.judgement.goal else False, evidence=0.25)
        )


def test_an_unsure_page_is_no_goal_for_the_rules_that_end_a_site() -> None:
    web = {"/": "/a /b", "/a": "/c", "/b": "", "/c": "/d", "/d": ""}

    class Unsure:
        name, judges, learns = "unsure", True, False

        def visit(self, page: Page, link: FollowedLink, /) -> Visit:
            del link
            return Visit(Judgement("x", None, 0.45), np.full(len(page.links), 0.2))

    fetches, forager = forage_pages(web, Unsure(), single_goal=True)
    assert (len(fetches), forager.sites[0].ended) == (5, "empty")
    assert (forager.totals.goals, forager.totals.unsure, forager.sites[0].unsure) == (0, 5, 5)
    fetches, forager = forage_pages(web, Unsure(), dry=3)
    assert (paths(fetches), forager.sites[0].ended) == (["/", "/a", "/b"], "dry")
    numbered = {"/": " ".join(f"/n{n}" for n in range(20)), **{f"/n{n}": "" for n in range(20)}}
    fetches, forager = forage_pages(numbered, Unsure(), shape_cap=5)
    assert len(fetches) == 6, "a shape of addresses that only ever was unsure is fruitless"
    assert json.loads(log_line(fetches[1]))["goal"] is None


def test_evidence_and_family_are_kept_with_a_fetch() -> None:
    items = "".join(f"<li><a href='/item{n}'>item {n}</a></li>" for n in range(6))
    html = f"<h1>List</h1><ul>{items}</ul><p><a href='/alone'>alone</a></p>".encode()

    def answer(url: str) -> Response:
        body = html if url == "http://h.test/" else url.encode()
        return Response(url, 200, (("Content-Type", "text/html"),), body)

    fetches, _ = forage_pages(answer, Doubting())
    families = {fetch.url.removeprefix("http://h.test"): fetch.family for fetch in fetches}
    listed = {families[f"/item{n}"] for n in range(6)}
    assert len(listed) == 1
    assert listed.pop().startswith("http://h.test/ ")
    assert families["/"] == ""
    assert families["/alone"] not in (families["/item0"], "")
    assert {fetch.evidence for fetch in fetches} == {0.25}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Workspace.create(tmp_path / "w").close()
    return tmp_path / "w"


def expected(chance: float) -> bool | None:
    return True if chance >= SURE else None if chance >= DOUBTFUL else False


def test_the_log_the_report_and_the_books_have_the_settled_verdicts(folder: Path) -> None:
    report = forage(folder, BUDGET, errand(log=folder / "log.jsonl"))
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    read = [line for line in lines if line["label"]]
    assert [line["goal"] for line in read] == [expected(share(f"goal {line['url']}")) for line in read]
    assert {line["goal"] for line in read} == {True, False, None}
    counts = [sum(line["goal"] is each for line in lines) for each in (True, None)]
    assert [report.goals_found, report.unsure] == counts
    assert [sum(site.goals for site in report.sites), sum(site.unsure for site in report.sites)] == counts
    assert [goal.url for goal in report.goals] == [line["url"] for line in lines if line["goal"]]
    assert all(goal.goal_probability >= 0.5 for goal in report.goals)


def test_settling_again_changes_nothing_and_an_answer_counts(folder: Path) -> None:
    forage(folder, BUDGET, errand())
    with Workspace.open(folder) as workspace:
        table = RunTable(workspace.database)
        before, sites = list(table.fetches(1)), table.sites(1)
        settle_run(table, 1)
        assert (list(table.fetches(1)), table.sites(1)) == (before, sites)
        goal = next(fetch for _, fetch in before if fetch.goal)
        table.add_answer(1, goal.final_url, answer=False, asked_by="test")
        settle_run(table, 1)
        after = {fetch.n: fetch for _, fetch in table.fetches(1)}
        assert (after[goal.n].goal, after[goal.n].goal_probability) == (False, 0.0)
        assert sum(site.goals for site in table.sites(1)) < sum(site.goals for site in sites)


def test_sites_are_settled_lot_by_lot_as_all_at_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forage(folder, BUDGET, errand())
    with Workspace.open(folder) as workspace:
        table = RunTable(workspace.database)
        before, sites = list(table.fetches(1)), table.sites(1)
        assert len(sites) > 1
        asked: list[range | None] = []
        whole = RunTable.fetches

        def noted(self: RunTable, run: int, **options: Any) -> Any:
            asked.append(options.get("sites"))
            return whole(self, run, **options)

        monkeypatch.setattr(RunTable, "fetches", noted)
        monkeypatch.setattr(settled_run, "LOT", 1)
        settle_run(table, 1)
        assert asked == [range(number, number + 1) for number in range(len(sites))]
        assert (list(table.fetches(1)), table.sites(1)) == (before, sites)


def test_an_interrupted_run_is_settled_and_goes_on_as_if_it_were_not(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "plain"
    Workspace.create(plain).close()
    forage(plain, BUDGET, errand(log=plain / "log.jsonl"))
    fetches = 0

    def interrupting(_: Served, url: str) -> Response:
        nonlocal fetches
        fetches += 1
        if fetches == 25:
            os.kill(os.getpid(), signal.SIGINT)
        return KNOWN.get(url) or Response(url, 404)

    monkeypatch.setattr(Served, "fetch", interrupting)
    with small_commits(), pytest.raises(KeyboardInterrupt):
        forage(folder, BUDGET, errand(log=folder / "log.jsonl"))
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    assert len(lines) == 25
    assert any(line["goal"] is None for line in lines), "as settled"
    with Workspace.open(folder) as workspace:
        assert [fetch.goal for _, fetch in RunTable(workspace.database).fetches(1)] == [line["goal"] for line in lines]
    with small_commits():
        forage(folder, BUDGET, errand(log=folder / "log.jsonl"))
    assert (folder / "log.jsonl").read_text() == (plain / "log.jsonl").read_text()
    with Workspace.open(folder) as one, Workspace.open(plain) as other:
        assert RunTable(one.database).sites(1) == RunTable(other.database).sites(1)


def test_a_log_that_could_not_be_written_anew_is_whole_after_the_same_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(foraging, "rewrite_log", lambda *_: None)  # as if killed before
        forage(folder, BUDGET, errand(log=folder / "log.jsonl"))
    walked = (folder / "log.jsonl").read_text()
    assert len(walked.splitlines()) == 60
    assert forage(folder, BUDGET, errand(log=folder / "log.jsonl")).already_done
    settled = (folder / "log.jsonl").read_text()
    assert [json.loads(line)["url"] for line in settled.splitlines()] == [
        json.loads(line)["url"] for line in walked.splitlines()
    ]
    assert settled != walked


def _fetches() -> list[Fetch]:
    return [Fetch(n, f"{SITES[0].root}{n}", 200, 0.5, "", None, 0.4, None, 0, SITES[0].root) for n in (1, 2)]


def test_a_log_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    file, link = tmp_path / "log.jsonl", tmp_path / "link.jsonl"
    file.write_text("before\n")
    file.chmod(0o640)
    link.symlink_to(file)

    def broken() -> object:
        yield _fetches()[0]
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="disk is full"):
        write_log(link, broken())  # type: ignore[arg-type]
    assert file.read_text() == "before\n"
    write_log(link, _fetches())
    assert file.read_text() == "".join(map(log_line, _fetches()))
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.jsonl", "log.jsonl"]


def test_a_pipe_gets_each_line_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_log(pipe, _fetches())
        rewrite_log(pipe, _fetches())
        assert os.read(reader, 10_000).decode() == "".join(map(log_line, _fetches()))
    finally:
        os.close(reader)
