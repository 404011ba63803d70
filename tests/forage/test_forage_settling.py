"""Verdicts: goal, unsure or not, settled together when a run ends, and the same wherever they are read."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import replace
from pathlib import Path

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
from trailmark.forage.fetch_log import log_line, rewrite_log, write_log
from trailmark.forage.settled_run import judged_page, log_odds, settle_run
from trailmark.forage.settling import DOUBTFUL, SURE, JudgedPage, SettledVerdict, settle
from trailmark.settings import ForageSettings
from trailmark.store.run_table import RunTable
from trailmark.strategy import FollowedLink, Judgement, Visit
from trailmark.workspace import Workspace

BUDGET = ForageSettings(budget=60)


def judged(chance: float, answer: bool | None = None, *, number: int = 0) -> JudgedPage:
    return JudgedPage(f"http://h.test/{number}", "http://h.test/", "http://h.test/ 1", log_odds(chance), chance, answer)


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


@given(st.floats(0, 1), st.floats(0, 1))
def test_log_odds_are_finite_and_in_order(chance: float, other: float) -> None:
    assert abs(log_odds(chance)) <= 12
    assert (log_odds(chance) < log_odds(other)) <= (chance < other)


def test_what_was_not_judged_is_not_settled_unless_somebody_was_asked() -> None:
    fetch = Fetch(
        1, "http://h.test/", 200, 0.0, "", False, 0.0, None, 0, "http://h.test/", "http://h.test/a", content_hash="ff"
    )
    assert judged_page(fetch) is None
    assert judged_page(replace(fetch, goal_probability=0.5, content_hash="")) is None
    page = judged_page(replace(fetch, goal_probability=0.75))
    assert page is not None
    assert page.url == "http://h.test/a"
    assert page.evidence == pytest.approx(np.log(3))
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
        assert sum(site.goals for site in table.sites(1)) == sum(site.goals for site in sites) - 1


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
