"""Keywords in the app: a run is begun with them, and what it found says which stand on it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor, running, way_in
from tests.serve.test_serve_runs import roots_of
from trailmark.serve.jobs import Job, Jobs

EVIL = "<img src=x onerror=alert(1)>"


@pytest.mark.parametrize(
    ("keywords", "said"),
    [("good\n!!!", "Keywords, line 2"), ("a\tmany", "Keywords, line 1"), ("x" * 5000, "Keywords, line 1")],
)
def test_what_is_no_keyword_is_said_and_stays_in_the_form(demo_visitor: Visitor, keywords: str, said: str) -> None:
    answer = demo_visitor.post("/runs", seeds="http://a.example/", keywords=keywords, **{"from": "archive"})
    assert said in demo_visitor.said(answer)
    assert keywords.splitlines()[0] in answer.text
    assert demo_visitor.get("/api/jobs").json() == []


def test_keywords_go_to_the_job_in_place_of_strategy_and_goal(
    demo_visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[tuple[str, ...]] = []

    def start(_jobs: Jobs, verb: str, *words: str, **_more: Any) -> Job:
        begun.append(words)
        return Job("0001", verb, words, "", 0.0)

    monkeypatch.setattr(Jobs, "start", start)
    fields = {"seeds": "http://a.example/", "keywords": f"publications\n{EVIL}\t2", "goal": "course", "from": "archive"}
    demo_visitor.http.post("/runs", data={"csrf": demo_visitor.csrf, **fields}, follow_redirects=False)
    (words,) = begun
    assert "--strategy" not in words
    assert "--goal" not in words
    file = Path(words[words.index("--keywords") + 1])
    assert file.read_text(encoding="utf-8") == f"publications\n{EVIL}\t2.0\n"


def test_a_person_begins_a_run_by_keywords_and_sees_which_found_what(demo_folder: Path, browser_page: Any) -> None:
    page, root = browser_page, roots_of(demo_folder)[0]
    dialogs: list[str] = []

    def dismiss(dialog: Any) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    with running(demo_folder) as address:
        page.goto(address + way_in(demo_folder))
        page.goto(f"{address}/runs")
        page.fill("#seeds", root)
        page.get_by_text("Look for keywords, without anything taught").click()
        page.fill("#keywords", f"publications\npapers\n{EVIL}")
        page.fill("#budget", "30")
        page.get_by_role("button", name="Walk").click()
        page.wait_for_url("**/runs/1")
        page.get_by_text("its budget is used up").first.wait_for()
        page = page.context.new_page()  # the page of a run loads itself anew when it ends
        page.on("dialog", dismiss)
        page.goto(f"{address}/check?run=1")
        page.locator("[data-keywords]").first.wait_for()
        shown = page.locator("[data-keywords]").all_inner_texts()
        assert all({*text.split(", ")} <= {"publications", "papers"} for text in shown)
        page.get_by_role("heading", name="Keywords on it").wait_for()
        page.screenshot(path=str(demo_folder / "check.png"), full_page=True)
    assert dialogs == []
