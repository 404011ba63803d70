"""The wiring of `trailmark teach --suggest N`: questions chosen beforehand and kept, to be answered one by one elsewhere.

Choosing takes a model and every page at hand, which is too slow while a person waits. So it is done in one go; what was chosen rests in
`models/questions.json`, and an answer is kept as a trail at once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trailmark.datatypes import Step, Trail
from trailmark.errors import InputError
from trailmark.learn.questions import Question
from trailmark.progress import Progress, silent
from trailmark.quoting import json_text
from trailmark.store.json_lines import written_whole
from trailmark.verbs.ask import Asking, choose_round, goal_and_labels, keep_answer
from trailmark.verbs.taught_pages import TaughtPages
from trailmark.workspace import Workspace


def questions_file(workspace: Workspace) -> Path:
    """Where questions wait for an answer."""
    return workspace.folder / "models" / "questions.json"


def suggest_questions(
    workspace: Workspace, count: int, archives: Sequence[Path] = (), *, progress: Progress = silent
) -> dict[str, Any]:
    """Choose the pages whose answers help most and keep them; says how many pages are judged otherwise than last time."""
    goal, labels = goal_and_labels(workspace)
    asking = Asking(goal, labels, count)
    with TaughtPages(workspace, archives, [], progress) as pages:
        chosen, guesses = choose_round(workspace, pages.replay, asking, count, progress)
    before = kept_questions(workspace)
    judged_before = before["guesses"] if before else {}
    both = guesses.keys() & judged_before.keys()
    kept = {
        "goal": goal,
        "labels": labels,
        "questions": [_question(each, asking) for each in chosen],
        "guesses": guesses,
        "pages": len(both),
        "judged_otherwise": sum(guesses[url] != judged_before[url] for url in both),
    }
    _write(workspace, kept)
    summary = f"{len(chosen)} questions chosen from {len(guesses)} pages."
    return {**{name: kept[name] for name in ("goal", "labels", "questions", "judged_otherwise")}, "summary": summary}


def kept_questions(workspace: Workspace) -> dict[str, Any] | None:
    """Questions that wait, and what was thought when they were chosen; None where none were chosen."""
    try:
        kept = json.loads(questions_file(workspace).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        kept = None
    if not isinstance(kept, dict) or not {"goal", "labels", "questions", "guesses"} <= kept.keys():
        return None
    return kept


def answer_question(workspace: Workspace, url: str, answer: str, archives: Sequence[Path] = ()) -> dict[str, Any]:
    """Keep an answer (`goal`, `fail`, a name; "" to skip) as a trail, and take the question off the list."""
    kept = kept_questions(workspace)
    found = next((each for each in kept["questions"] if each["url"] == url), None) if kept else None
    if kept is None or found is None:
        raise InputError("That question was answered already, or is not one of those that wait.")
    if answer:
        steps = tuple(Step(step["url"], step["label"], step["anchor"]) for step in found["steps"])
        with TaughtPages(workspace, archives, [], silent) as pages:
            keep_answer(workspace, pages, Trail(found["site"], "fail", steps), answer, goal=kept["goal"])
    left = [each for each in kept["questions"] if each["url"] != url]
    answered = int(kept.get("answered", 0)) + bool(answer)
    _write(workspace, {**kept, "questions": left, "answered": answered})
    return {"url": url, "answer": answer or None, "left": len(left), "answered": answered}


def _question(question: Question, asking: Asking) -> dict[str, Any]:
    trail = question.example.trail
    return {
        "url": question.url,
        "title": asking.titles.get(question.url, ""),
        "site": trail.site,
        "steps": [
            {"url": step.url, "label": step.label, "anchor": step.anchor, "title": asking.titles.get(step.url, "")}
            for step in trail.steps
        ],
        "label": question.label,
        "chance": question.chance,
        "goal_probability": question.goal_probability,
    }


def _write(workspace: Workspace, kept: dict[str, Any]) -> None:
    with written_whole(questions_file(workspace)) as file:
        file.write(json_text(kept).encode())
