"""The simulated teacher: curves for questions chosen and at random, on two made-up webs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from evals.questions import FIGURES, Plan, curve_text, questions_saved, simulate_questions
from evals.verdicts import mean_precision
from trailmark.datatypes import Response, Step, Trail
from trailmark.errors import InputError
from trailmark.learn.recipe import Recipe
from trailmark.progress import silent
from trailmark.store.benchmark_web import write_web

HTML = (("Content-Type", "text/html"),)
PLAN = Plan(start=2, batch=2, rounds=2, seeds=1, recipe=Recipe(max_iterations=15))


def write(folder: Path, name: str) -> None:
    site = f"http://{name}.example/"
    people = "".join(f'<li><a href="/p/{n}">Person {n}</a>' for n in range(5))
    news = "".join(f'<li><a href="/n/{n}">Story {n}</a>' for n in range(5))
    pages = {
        "": "<title>Department</title><a href='people'>People</a> <a href='news'>News</a>",
        "people": f"<title>People</title><ul>{people}</ul>",
        "news": f"<title>News</title><ul>{news}</ul>",
        **{f"p/{n}": f"<title>Home page of person {n}</title>professor" for n in range(5)},
        **{f"n/{n}": f"<title>Story {n}</title>party" for n in range(5)},
    }
    labels = {site: "department", **{f"{site}p/{n}": "faculty" for n in range(5)}}

    def trail(outcome: str, *paths: str) -> Trail:
        steps = tuple(Step(site + path, labels.get(site + path)) for path in ("", *paths))
        return Trail(site, "goal" if outcome == "goal" else "fail", steps)

    trails = [trail("goal", "people", f"p/{n}") for n in range(3)] + [trail("fail", "news", f"n/{n}") for n in range(3)]
    responses = [Response(site + path, 200, HTML, text.encode()) for path, text in pages.items()]
    write_web(
        folder,
        name=name,
        roots=[site],
        responses=responses,
        labels=labels,
        trails_by_goal={"faculty": trails},
        source="made up",
    )


@pytest.mark.slow
def test_curves_of_both_ways(tmp_path: Path) -> None:
    write(tmp_path, "one")
    write(tmp_path, "two")
    report = simulate_questions(tmp_path, plan=PLAN, progress=silent)
    assert report["questions"] == [0, 2, 4]
    assert {row["split"] for row in report["rows"]} == {"one -> two", "two -> one"}
    assert len(report["rows"]) == 4
    chosen, random = (report["curves"][way] for way in ("chosen", "random"))
    for name in FIGURES:
        assert len(chosen[name]) == 3
        assert all(0 <= value <= 1 for value in (*chosen[name], *random[name]))
        assert chosen[name][0] == random[name][0], "both start from the same trails"
    assert simulate_questions(tmp_path, plan=PLAN, progress=silent) == report
    text = curve_text(report).splitlines()
    assert len(text) == 1 + 2 * len(FIGURES)
    assert text[1].startswith("trails_f1        chosen")


def test_one_web_is_not_enough(tmp_path: Path) -> None:
    write(tmp_path, "one")
    with pytest.raises(InputError, match="no two webs"):
        simulate_questions(tmp_path, plan=PLAN, progress=silent)


def test_mean_precision() -> None:
    truth = np.array([True, False, True, False])
    assert mean_precision(np.array([4.0, 3.0, 2.0, 1.0]), truth) == pytest.approx((1 + 2 / 3) / 2)
    assert mean_precision(np.array([4.0, 1.0, 3.0, 2.0]), truth) == 1.0
    assert mean_precision(np.zeros(2), np.array([False, False])) == 0.0


def test_questions_saved() -> None:
    counts = [0, 4, 8]
    assert questions_saved([0.5, 0.7, 0.9], [0.5, 0.5, 0.6], counts) == pytest.approx(6)
    assert questions_saved([0.5, 0.5, 0.6], [0.5, 0.6, 0.7], counts) is None
    assert questions_saved([0.5, 0.5, 0.7], [0.5, 0.6, 0.7], counts) == pytest.approx(0)
