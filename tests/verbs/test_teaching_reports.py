"""Teaching from Python: names as text or paths, typed reports, and kept files that are old, torn or hostile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import trailmark
from trailmark.errors import InputError
from trailmark.teach.trail_draft import TrailDraft, begin, draft_from_json, draft_to_json, follow
from trailmark.verbs.ask import AskReport
from trailmark.verbs.named_paths import named_paths
from trailmark.verbs.question_rounds import Answer
from trailmark.verbs.teach import teach_annotations
from trailmark.verbs.teach_report import TeachReport, joined
from trailmark.verbs.waiting_questions import all_waiting, questions_file, waiting_questions

SITE = "http://dept.example/"
QUESTION = {
    "url": SITE + "people/",
    "title": "People",
    "site": SITE,
    "steps": [{"url": SITE, "label": None, "anchor": None}, {"url": SITE + "people/", "label": None, "anchor": "People"}],
    "label": "other",
    "chance": 0.5,
    "goal_probability": 0.25,
}  # fmt: skip
OLD = {"goal": "publications", "labels": ["people"], "questions": [QUESTION], "guesses": {}}
"""As the first version wrote it: without titles of steps, and without figures."""


@pytest.fixture
def workspace(tmp_path: Path) -> Any:
    with trailmark.create(tmp_path / "w") as made:
        yield made


def test_one_name_is_one_file() -> None:
    assert named_paths("trails.jsonl") == [Path("trails.jsonl")]
    assert named_paths(Path("a")) == named_paths(["a"]) == named_paths(iter((Path("a"),))) == [Path("a")]
    assert named_paths(()) == []


@pytest.mark.slow
def test_a_person_teaches_from_python(workspace: trailmark.Workspace, small_web: Any) -> None:
    file = small_web.file(*small_web.good(), "{")
    report = trailmark.teach(workspace, [str(file)], str(small_web.archive))
    assert isinstance(report, TeachReport)
    assert (report.kind, report.new, report.good, report.sites) == ("trails", 2, 2, (SITE,))
    assert str(report) == report.summary == "Imported 2 trails. 1 left out."
    [problem] = report.problems
    assert str(problem).startswith(f"{file}, line 3: not valid JSON")
    written = report.to_json()
    assert list(written) == ["trails", "known_already", "good", "problems", "summary", "sites", "contradictions"]
    assert written["problems"] == [{"file": str(file), "line": 3, "reason": problem.reason}]
    assert (
        str(trailmark.teach(workspace, file, [small_web.archive])) == "Imported 0 trails. 2 known already. 1 left out."
    )


def test_marked_values_have_no_sites(workspace: trailmark.Workspace, tmp_path: Path) -> None:
    file = tmp_path / "marks.jsonl"
    file.write_text(json.dumps({"url": SITE, "field": "title", "value": "Dept"}), encoding="utf-8")
    report = teach_annotations(workspace, str(file)).to_json()
    assert report == {"annotations": 1, "known_already": 0, "good": 1, "problems": [], "summary": "Imported 1 annotation."}  # fmt: skip


def test_reports_are_joined_as_if_taught_together() -> None:
    one, other = TeachReport("trails", 1, 2, (), ("b",)), TeachReport("trails", 3, 0, (), ("a", "b"))
    assert joined([one, other]) == TeachReport("trails", 4, 2, (), ("a", "b"))
    assert joined([]).summary == "Imported 0 trails."


def test_answers_are_counted() -> None:
    report = AskReport((Answer("a", "goal"), Answer("b", None), Answer("c", "list")), goals=1)
    assert report.to_json() == {
        "asked": 3,
        "trails": 2,
        "goals": 1,
        "skipped": 1,
        "answers": [{"url": "a", "answer": "goal"}, {"url": "b", "answer": None}, {"url": "c", "answer": "list"}],
        "summary": "Kept 2 answers as trails (1 to goals). 1 skipped. Next: trailmark learn.",
    }
    assert str(AskReport((), 0)) == "No answers."


def test_a_question_that_an_older_version_chose_is_answered(workspace: trailmark.Workspace, small_web: Any) -> None:
    questions_file(workspace).write_text(json.dumps(OLD), encoding="utf-8")
    waiting = waiting_questions(workspace, "publications")
    assert waiting is not None
    assert (waiting.pages, waiting.judged_otherwise, waiting.answered) == (0, 0, 0)
    report = trailmark.answer(workspace, SITE + "people/", "goal", small_web.archive)
    assert report.to_json() == {
        "url": SITE + "people/",
        "answer": "goal",
        "left": 0,
        "answered": 1,
        "goal": "publications",
    }
    [trail] = workspace.database.trails()
    assert (trail.outcome, trail.steps[-1].url, trail.steps[-1].label) == ("goal", SITE + "people/", "publications")
    with pytest.raises(InputError, match="answered already"):
        trailmark.answer(workspace, SITE + "people/", "goal", small_web.archive)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "{", "[]", '"x"', "9" * 5000, "{}", json.dumps({**OLD, "questions": [1]}), json.dumps({**OLD, "questions": 3}), json.dumps({**OLD, "guesses": []}), json.dumps({**OLD, "answered": "many"})],
)  # fmt: skip
def test_a_file_that_holds_no_questions_counts_as_none(workspace: trailmark.Workspace, text: str) -> None:
    questions_file(workspace).write_text(text, encoding="utf-8")
    assert waiting_questions(workspace, "publications") is None
    assert all_waiting(workspace) == {}


def test_a_draft_survives_being_kept_and_later_versions() -> None:
    draft = follow(begin(SITE, "Dept", live=False), SITE + "people/", "People", "Staff")
    kept = json.loads(json.dumps(draft_to_json(draft)))
    assert draft_from_json(kept) == draft
    kept["steps"][0]["colour"] = kept["mood"] = "of a later version"
    assert draft_from_json(kept) == draft
    assert isinstance(draft_from_json({"site": SITE, "steps": [{"url": SITE}]}), TrailDraft)


@pytest.mark.parametrize("kept", [None, [], {}, {"site": SITE, "steps": []}, {"site": SITE, "steps": [1]}, {"steps": [{"url": SITE}]}, {"site": SITE, "steps": 1}])  # fmt: skip
def test_what_is_no_draft_is_refused(kept: object) -> None:
    with pytest.raises(ValueError, match="not a draft of a trail"):
        draft_from_json(kept)
