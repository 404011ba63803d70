"""A page has one verdict: in the log, where it is explained, and in the questions; an answer about it settles its run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import trailmark
from trailmark.datatypes import Page, Step, Trail
from trailmark.learn.askable import is_askable, wanted_endings
from trailmark.store.run_table import RunTable
from trailmark.store.run_view import RunView, WalkedPage
from trailmark.verbs.answer import answer
from trailmark.verbs.explain import explain, judge_url
from trailmark.verbs.run_questions import keep_run_answer, nearest_to_even
from trailmark.verbs.suggest import suggest
from trailmark.workspace import Workspace

SITE = "http://dept.example/"


@pytest.fixture
def walked(workspace: Path, small_web: Any) -> Iterator[tuple[Workspace, list[dict[str, Any]]]]:
    """A workspace that was taught, learnt, and walked the small web; and the lines of its log."""
    log = workspace / "log.jsonl"
    with Workspace.open(workspace) as opened:
        trailmark.teach(opened, [small_web.file(*small_web.good())], [small_web.archive])
        trailmark.learn(opened, choose_recipe=False)
        trailmark.forage(opened, SITE, archives=[small_web.archive], log=log)
        yield opened, [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def doubt(workspace: Workspace, chances: dict[str, float]) -> None:
    """As if the walk had judged some pages with these chances."""
    with workspace.database.transaction() as connection:
        connection.executemany(
            "UPDATE fetches SET walk_goal = NULL, walk_probability = ?1, goal = NULL, goal_probability = ?1, evidence = 0, "
            "content_hash = 'ff' WHERE final_url = ?2",
            [(chance, url) for url, chance in chances.items()],
        )


def test_a_page_that_a_run_read_has_the_verdict_of_the_run(
    walked: tuple[Workspace, list[dict[str, Any]]], small_web: Any
) -> None:
    workspace, lines = walked
    read = [line for line in lines if line["status"] == 200 and line["goal_probability"]]
    assert len(read) > 3
    for line in read:
        page = explain(workspace, line["url"], [small_web.archive]).page
        assert (page.run, page.goal, page.goal_probability) == (1, line["goal"], line["goal_probability"])
        assert judge_url(workspace, line["url"], [small_web.archive]).page == page
        assert len(page.path) == line["depth"]
        assert sum(part.value for part in page.why) == pytest.approx(page.log_odds)
    assert any(line["depth"] > 1 for line in read)


def test_a_page_that_no_run_read_says_so(walked: tuple[Workspace, list[dict[str, Any]]], small_web: Any) -> None:
    workspace, _ = walked
    with workspace.database.transaction() as connection:
        connection.execute("DELETE FROM fetches")
    page = explain(workspace, SITE + "contact/", [small_web.archive]).page
    assert (page.run, page.path) == (None, ())


def test_questions_are_about_what_the_last_run_left_unsure(
    walked: tuple[Workspace, list[dict[str, Any]]], small_web: Any
) -> None:
    workspace, lines = walked
    taught = {trail.steps[-1].url for trail in workspace.database.trails()}
    fresh = [
        line["url"]
        for line in lines
        if line["status"] == 200 and line["url"] not in {*taught, SITE + "go?7"} and line["depth"]
    ][:3]
    doubt(workspace, dict(zip(fresh, (0.35, 0.48, 0.4), strict=False)))
    families = {page.url: page.family for page in RunView(workspace.database).unsure(1)}
    report = suggest(workspace, 10, [small_web.archive])
    about = [question for question in report.questions if question.run is not None]
    assert about == list(report.questions[: len(about)]), "before all others"
    assert {question.url for question in about} == set(fresh)
    assert about[0].url == fresh[1], "nearest to even"
    assert (about[0].run, about[0].goal_probability) == (1, 0.48)
    assert about[0].steps[0].url == SITE
    assert len({families[question.url] for question in about[: len(set(families.values()))]}) == len(
        set(families.values())
    )


def test_an_answer_is_a_trail_and_an_answer_of_the_run(
    walked: tuple[Workspace, list[dict[str, Any]]], small_web: Any
) -> None:
    workspace, lines = walked
    taught = {trail.steps[-1].url for trail in workspace.database.trails()}
    yes, no = [
        line["url"]
        for line in lines
        if line["status"] == 200 and line["url"] not in {*taught, SITE + "go?7"} and line["depth"]
    ][:2]
    doubt(workspace, {yes: 0.48, no: 0.45})
    trails = len(list(workspace.database.trails()))
    suggest(workspace, 2, [small_web.archive])
    answer(workspace, yes, "goal", [small_web.archive])
    answer(workspace, no, "fail", [small_web.archive])
    assert RunTable(workspace.database).answers(1) == {yes: True, no: False}
    verdicts = {
        fetch.final_url: (fetch.goal, fetch.goal_probability) for _, fetch in RunTable(workspace.database).fetches(1)
    }
    assert (verdicts[yes], verdicts[no]) == ((True, 1.0), (False, 0.0))
    assert len(list(workspace.database.trails())) == trails + 2
    assert explain(workspace, yes, [small_web.archive]).page.goal is True
    assert suggest(workspace, 1, [small_web.archive]).questions[0].url not in (yes, no)
    assert keep_run_answer(workspace, "http://elsewhere.test/", goal=None, wanted=True, asked_by="test") is None


def page(n: int, chance: float, family: str) -> WalkedPage:
    return WalkedPage(1, n, f"http://h.test/{n}", "http://h.test/", "", None, chance, family)


def test_one_family_is_not_asked_about_again_and_again() -> None:
    pages = [page(1, 0.5, "a"), page(2, 0.49, "a"), page(3, 0.35, "b"), page(4, 0.4, "c"), page(5, 0.41, "c")]
    assert [each.n for each in nearest_to_even(pages)] == [1, 5, 3, 2, 4]
    assert [each.n for each in nearest_to_even(pages, ["a", "a"])] == [5, 3, 4, 1, 2]
    assert list(nearest_to_even([])) == []


def test_files_are_not_asked_about_unless_the_goals_are_files() -> None:
    pages = Trail(SITE, "goal", (Step(SITE), Step(SITE + "~ada/pubs.html")))
    papers = Trail(SITE, "goal", (Step(SITE), Step(SITE + "~ada/paper.ps")))
    wrong = Trail(SITE, "fail", (Step(SITE), Step(SITE + "~ada/paper.pdf")))
    paper, pdf, html = Page(SITE + "x.ps"), Page(SITE + "x.pdf"), Page(SITE + "x/", content_type="text/html")
    assert [is_askable(each, wanted_endings([pages, wrong])) for each in (paper, pdf, html)] == [False, False, True]
    assert [is_askable(each, wanted_endings([papers, wrong])) for each in (paper, pdf, html)] == [True, False, True]
    hidden = Page(SITE + "get/7", content_type="application/pdf")
    assert not is_askable(hidden, wanted_endings([pages]))
