"""What it learnt and what it asks: the pages say what the command line says, crawled words stay words, answers are kept."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor, running, wait_for, way_in
from trailmark.learn.promise import LeftOutSite, Promise
from trailmark.learn.report import StateFigures, changed_words, figures_words
from trailmark.learn.report_file import report_from_text
from trailmark.quoting import json_text
from trailmark.serve.learnt_pages import shade_of
from trailmark.store.goal_files import REPORT
from trailmark.verbs.learn import learn
from trailmark.verbs.suggest import suggest
from trailmark.verbs.teach import teach
from trailmark.verbs.waiting_questions import WaitingQuestion, questions_file, waiting_questions
from trailmark.workspace import Workspace

SITE = "http://www.hostile.example/"
EVIL = "</title><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture
def learnt(demo_folder: Path) -> Path:
    """A workspace with some trails of the generated web, learnt quickly."""
    trails = demo_folder / "demo" / "web" / "demo.trails.publications.jsonl"
    archive = demo_folder / "demo" / "web" / "demo.warc.gz"
    with Workspace.open(demo_folder) as workspace:
        some = trails.with_name("some.jsonl")
        some.write_text("\n".join(trails.read_text().splitlines()[:24]), encoding="utf-8")
        teach(workspace, [some], [archive])
        learn(workspace, choose_recipe=False)
    return demo_folder


def root_of(folder: Path) -> str:
    with Workspace.open(folder) as workspace:
        return next(iter(workspace.database.trails())).site


def test_before_anything_was_learnt_the_pages_lead_on(visitor: Visitor) -> None:
    assert "show it the way" in visitor.get("/learnt").text
    assert "teach a first trail" in visitor.get("/questions").text
    assert visitor.get("/learnt/picture.svg").status_code == 404
    assert visitor.get("/api/learnt").json() == {}
    assert visitor.get("/api/questions").json() == {"questions": []}


@pytest.mark.slow
def test_the_page_says_what_was_learnt(learnt: Path) -> None:
    visitor = Visitor(learnt)
    text = visitor.get("/learnt").text
    report = visitor.get("/api/learnt").json()
    assert report["goal"] == "publications"
    assert "what you want" in text
    assert "was not measured: learn without --quick" in text
    assert report["promise"] is None
    assert all(label in text for label in report["labels"] if label not in ("goal", "fail"))
    picture = visitor.get("/learnt/picture.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in picture.headers["content-security-policy"]


@pytest.mark.slow
def test_links_are_coloured_by_score_and_say_why(learnt: Path) -> None:
    visitor, root = Visitor(learnt), root_of(learnt)
    answer = visitor.get("/learnt/page", params={"url": root})
    judged = visitor.get("/api/judge", params={"url": root}).json()
    scores = [link["score"] for link in judged["links"]]
    assert scores == sorted(scores, reverse=True)
    frame = visitor.frame(answer)
    best = judged["links"][0]
    assert f'data-trailmark-score="{shade_of(best["score"])}" title="score {best["score"]:.3f}"' in frame.text
    assert "What the colours mean" in answer.text
    why = visitor.get("/learnt/page", params={"url": root, "link": best["url"]}).text
    assert "Why the link" in why
    assert f"{best['score']:.3f}" in why


@pytest.mark.slow
def test_a_page_that_is_not_there_is_said_so(learnt: Path) -> None:
    visitor = Visitor(learnt)
    answer = visitor.get("/learnt/page", params={"url": root_of(learnt) + "nowhere"})
    assert "not in" in visitor.said(answer) or "contact" in visitor.said(answer)
    assert "Enter the address" in visitor.said(visitor.get("/learnt/page", params={"url": " "}))


@pytest.mark.slow
def test_another_site_can_not_make_it_fetch(learnt: Path) -> None:
    visitor = Visitor(learnt)
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    answer = visitor.get("/learnt/page", params={"url": "http://elsewhere.example/"}, headers=headers)
    assert "not in the archive" in visitor.said(answer)
    assert visitor.get("/view/scores", params={"url": root_of(learnt), "k": "x"}).status_code == 403
    assert visitor.get("/view/question", params={"url": root_of(learnt), "k": "x"}).status_code == 403


@pytest.mark.slow
def test_words_of_a_hostile_page_stay_words(learnt: Path) -> None:
    with Workspace.open(learnt) as workspace:
        goal = suggest(workspace, 1, [learnt / "demo" / "web" / "demo.warc.gz"]).goal
        path = questions_file(workspace, goal)
        kept = json.loads(path.read_text(encoding="utf-8"))
        kept["questions"][0] |= {"title": EVIL, "label": EVIL}
        kept["questions"][0]["steps"][-1]["anchor"] = EVIL
        path.write_text(json.dumps(kept), encoding="utf-8")
    text = Visitor(learnt).get("/questions").text
    assert "<script>alert" not in text
    assert "onerror=alert(2)>" not in text
    assert "&lt;script&gt;alert(1)" in text


# --- questions ---------------------------------------------------------------------------------------------------


def ask(folder: Path, count: int) -> tuple[WaitingQuestion, ...]:
    with Workspace.open(folder) as workspace:
        report = suggest(workspace, count, [folder / "demo" / "web" / "demo.warc.gz"])
        waiting = waiting_questions(workspace, report.goal)
    assert waiting is not None
    assert waiting.questions == report.questions, "what was kept is what was reported"
    return waiting.questions


@pytest.mark.slow
def test_answers_are_kept_as_trails_one_by_one(learnt: Path) -> None:
    visitor, (first, second, third, fourth) = Visitor(learnt), ask(learnt, 4)
    with Workspace.open(learnt) as workspace:
        before = sum(1 for _ in workspace.database.trails())
    assert first.url in visitor.get("/questions").text
    assert visitor.post("/questions", url=first.url, answer="goal").status_code == 200
    visitor.post("/questions", url=second.url, answer="skip")
    visitor.post("/questions", url=third.url, answer="label", label="some list")
    assert "name for this kind" in visitor.said(visitor.post("/questions", url=fourth.url, answer="label", label=" "))
    with Workspace.open(learnt) as workspace:
        added = list(workspace.database.trails())[before:]
    assert [(trail.outcome, trail.steps[-1].url, trail.steps[-1].label) for trail in added] == [
        ("goal", first.url, "publications"),
        ("fail", third.url, "some list"),
    ]
    again = visitor.post("/questions", url=first.url, answer="goal")
    assert "answered already" in visitor.said(again)
    assert [each["url"] for each in visitor.get("/api/questions").json()["questions"]] == [fourth.url]


@pytest.mark.slow
def test_after_the_last_answer_it_learns_and_chooses_anew(learnt: Path) -> None:
    visitor, (question,) = Visitor(learnt), ask(learnt, 1)
    visitor.post("/questions", url=question.url, answer="fail")
    jobs = visitor.get("/api/jobs").json()
    assert {job["verb"] for job in jobs} == {"learn", "teach"}
    for job in jobs:
        assert visitor.wait(job["id"])["state"] == "done"
    assert "What the answers changed" in visitor.get("/questions").text


def test_what_changed_is_said_of_what_it_was_measured_on() -> None:
    figures = StateFigures("goal", precision=1.0, recall=0.9, f1=0.95, pages=3, few=True)
    values = {"goal": "a", "states": [figures.to_json()], "trails": 4, "labels": {"a": 1}, "sites": 2}
    report = report_from_text(json.dumps(values))
    assert report is not None
    assert report.states == (figures,)
    assert figures_words(report).startswith(
        "Pages of trails, left out in turn: each was labelled by a model that had not seen its site."
    )
    assert "its trail (all are from one site)" in figures_words(replace(report, sites=1))
    better = replace(report, states=(replace(figures, recall=1.0),), trails=6, labels={"a": 1, "b": 2})
    sentences = " ".join(changed_words(report, better))
    assert re.search(r"2 more trails.*On pages of trails, more .*90% before, 100% now.*New kinds of page: b", sentences)
    assert changed_words(report, report) == ["Nothing that counts has changed."]


@pytest.mark.slow
def test_the_page_shows_what_was_counted_on_sites_left_out(learnt: Path) -> None:
    visitor = Visitor(learnt)
    with Workspace.open(learnt) as workspace:
        promise = Promise((LeftOutSite("http://a.test/<b>", 118, 17, 16, 14, 2, 9, 1, 60, 4),))
        file = workspace.goal_files.file("publications", REPORT)
        report = report_from_text(file.read_text(encoding="utf-8"))
        assert report is not None
        file.write_text(json_text(replace(report, promise=promise).to_json()), encoding="utf-8")
    text = visitor.get("/learnt").text
    assert "it called 14 of the 17 pages you want goals, left 2 unsure and did not come to 1." in text
    assert "http://a.test/&lt;b&gt;" in text
    told = visitor.get("/api/learnt").json()
    assert told["promise"]["unnamed_called"] == 4
    assert told["says"][0].startswith("On sites left out in turn (1 of them, 118 pages walked)")


# --- in a browser ------------------------------------------------------------------------------------------------


def test_a_person_looks_at_a_page_and_answers_by_key(learnt: Path, browser_page: Any) -> None:
    root, questions = root_of(learnt), ask(learnt, 3)
    with running(learnt) as address:
        browser_page.goto(address + way_in(learnt))
        page = browser_page
        page.goto(f"{address}/learnt")
        page.fill("#url", root)
        page.press("#url", "Enter")
        page.frame_locator("iframe").locator("a[data-trailmark-score]").first.click()
        page.wait_for_selector("text=Why the link")
        page.goto(f"{address}/questions")
        page.wait_for_selector("[data-question]:not([data-waiting])")
        page.keyboard.press("y")
        page.wait_for_selector(f"text={questions[1].url}")
        page.wait_for_selector("[data-question]:not([data-waiting])")  # keys count once the page is in sight
        page.keyboard.press("l")
        page.wait_for_selector("#label:focus")
        page.keyboard.type("yellow pages")
        page.keyboard.press("Escape")
        page.click("text=Name it >> visible=true")
        page.wait_for_selector(f"text={questions[2].url}")

    def kept() -> bool:
        with Workspace.open(learnt) as workspace:
            return any(trail.steps[-1].label == "yellow pages" for trail in workspace.database.trails())

    assert wait_for(kept)
