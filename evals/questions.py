"""How many questions does choosing them save? A simulated teacher answers from the labels of a web; the learner never sees them.

Few trails of one web are taught; then pages at hand of that web (those on its trails, and those they link to) are asked about, chosen or at
random, and what was learnt is tested on the other web: on its trails (F1 of the goal as in `paths`), and on its pages at hand, where goals are
as rare as a crawl finds them (F1 of the goal, and the mean precision down the ranking by goal probability, which needs no threshold).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evals.taught_web import TaughtWeb
from evals.verdicts import Bools, mean_precision
from trailmark.datatypes import Page
from trailmark.errors import InputError
from trailmark.learn.choice import labelled_pairs
from trailmark.learn.example import Example
from trailmark.learn.label_space import FAIL, GOAL
from trailmark.learn.learner import fit
from trailmark.learn.navigator import Navigator
from trailmark.learn.questions import answer_trail, choose_questions, family, path_chances, paths_to_ask
from trailmark.learn.recipe import Recipe
from trailmark.learn.scores import LabelScore, label_scores
from trailmark.progress import Progress
from trailmark.store.benchmark_web import read_webs

FIGURES = ("trails_f1", "pages_f1", "pages_precision")
MOST_TESTED = 350
WAYS = ("chosen", "random")


@dataclass(frozen=True)
class Plan:
    """What is simulated."""

    start: int = 4
    """Trails taught before the first question, half of them to goals."""
    batch: int = 4
    rounds: int = 4
    seeds: int = 2
    at_hand: int = 400
    """Pages that questions are chosen from."""
    recipe: Recipe = Recipe(max_iterations=60)  # noqa: RUF009 - frozen


def simulate_questions(
    folder: Path, *, webs: Sequence[str] = (), goals: Sequence[str] = (), plan: Plan | None = None, progress: Progress
) -> dict[str, Any]:
    """Learning curves over webs of one site each, taught on one and tested on another; means over goals and seeds."""
    plan = plan or Plan()
    taught = [TaughtWeb.open(web) for web in read_webs(folder) if len(web.roots) == 1 and web.goals]
    taught = [web for web in taught if not webs or web.web.name in webs]
    runs = [
        (here, there, goal, seed)
        for here in taught
        for there in taught
        for goal in here.web.goals
        if here is not there and goal in there.web.goals and (not goals or goal in goals)
        for seed in range(plan.seeds)
    ]
    if not runs:
        raise InputError(f"{folder} has no two webs of one site each with a goal in common.")
    rows = [
        _row(here, there, goal, seed, way, plan) for here, there, goal, seed in progress(runs, "asking") for way in WAYS
    ]
    return {"task": "questions", "questions": _counts(plan), "curves": _curves(rows), "rows": rows}


def questions_saved(curve: Sequence[float], against: Sequence[float], counts: Sequence[int]) -> float | None:
    """Questions fewer than at the end of the other curve until its last figure is reached; None where it never is."""
    for before, after, low, high in zip(counts, counts[1:], curve, curve[1:], strict=False):
        if high >= against[-1]:
            share = 0.0 if high == low or low >= against[-1] else (against[-1] - low) / (high - low)
            return counts[-1] - (before + share * (after - before))
    return None


def _counts(plan: Plan) -> list[int]:
    return [number * plan.batch for number in range(plan.rounds + 1)]


def _row(here: TaughtWeb, there: TaughtWeb, goal: str, seed: int, way: str, plan: Plan) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    trails = _first(here.examples(goal), plan.start, rng)
    ends = {example.trail.steps[-1].url for example in trails}
    pool = [example for example in _at_hand(here, goal) if example.trail.steps[-1].url not in ends]
    pool = [pool[n] for n in rng.permutation(len(pool))[: plan.at_hand]]
    labels, test = here.web.labels(), _Test(there, goal)
    asked: list[Example] = []
    figures = []
    for round_number in range(plan.rounds + 1):
        learnt = fit(trails, plan.recipe)
        figures.append(test.figures(learnt, plan.recipe))
        if round_number < plan.rounds:
            navigator = Navigator(
                plan.recipe, learnt.encoding, learnt.model, np.zeros(learnt.encoding.space.size), goal
            )
            left = [example for example in pool if example not in asked]
            new = _chosen(navigator, left, asked, plan.batch) if way == "chosen" else _random(left, plan.batch, rng)
            asked += new
            answers = [answer_trail(e.trail, labels.get(e.trail.steps[-1].url, FAIL), goal=goal) for e in new]
            trails = trails + here.examples_of(answers)
    goals = sum(labels.get(example.trail.steps[-1].url) == goal for example in asked)
    name = f"{here.web.name} -> {there.web.name}"
    return {"split": name, "goal": goal, "seed": seed, "way": way, "goals_found": goals, "figures": figures}


def _chosen(navigator: Navigator, left: list[Example], asked: list[Example], count: int) -> list[Example]:
    return [q.example for q in choose_questions(navigator, left, count, asked=[family(each) for each in asked])]


def _random(left: list[Example], count: int, rng: np.random.Generator) -> list[Example]:
    return [left[n] for n in rng.choice(len(left), min(count, len(left)), replace=False)]


def _first(examples: list[Example], count: int, rng: np.random.Generator) -> list[Example]:
    """A few trails, half of them to goals."""
    order = [examples[n] for n in rng.permutation(len(examples))]
    goals = [example for example in order if example.trail.outcome == GOAL]
    fails = [example for example in order if example.trail.outcome == FAIL]
    return goals[: (count + 1) // 2] + fails[: count // 2]


def _at_hand(web: TaughtWeb, goal: str) -> list[Example]:
    """Paths to the pages on a goal's trails and to those that they link to."""
    trails = web.web.trails(goal)
    fetched = {step.url for trail in trails for step in trail.steps}
    seen: dict[str, Page | None] = {}

    def page_at(url: str) -> Page | None:
        if url not in seen:
            found = web.replay.fetch(url)
            seen[url] = web.page(found.url) if found.status == 200 else None
        return seen[url]

    paths = paths_to_ask(web.web.roots, page_at, most=10_000)
    near = [path for path in paths if {path.steps[-1].url, path.steps[-2].url} & fetched]
    return web.examples_of(near)


class _Test:
    """The web that is tested on: its trails, and a sample of its pages at hand with their truth."""

    def __init__(self, web: TaughtWeb, goal: str) -> None:
        labels, pages = web.web.labels(), _at_hand(web, goal)
        order = np.random.default_rng(7).permutation(len(pages))[:MOST_TESTED]
        self.trails = web.examples(goal)
        self.pages = [pages[n] for n in order]
        self.truth: Bools = np.array([labels.get(e.trail.steps[-1].url) == goal for e in self.pages])
        self.goal = goal

    def figures(self, learnt: Any, recipe: Recipe) -> dict[str, float]:
        scores = label_scores(labelled_pairs(learnt, self.trails))
        navigator = Navigator(recipe, learnt.encoding, learnt.model, np.zeros(learnt.encoding.space.size), self.goal)
        chances = path_chances(navigator, self.pages)
        column = learnt.encoding.space.index[GOAL]
        taken: Bools = chances.argmax(axis=1) == column
        return {
            "trails_f1": scores[GOAL].f1,
            "pages_f1": _f1(taken, self.truth),
            "pages_precision": mean_precision(chances[:, column], self.truth),
        }


def _f1(taken: Bools, truth: Bools) -> float:
    right = float((taken & truth).sum())
    return LabelScore(right / max(1, int(taken.sum())), right / max(1, int(truth.sum())), int(truth.sum())).f1


def _curves(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, list[float]]]:
    """Way -> figure -> mean after each batch of questions."""
    curves: dict[str, dict[str, list[float]]] = {}
    for way in WAYS:
        own = [row["figures"] for row in rows if row["way"] == way]
        curves[way] = {
            name: [float(np.mean([run[n][name] for run in own])) for n in range(len(own[0]))] for name in FIGURES
        }
        curves[way]["goals_found"] = [float(np.mean([row["goals_found"] for row in rows if row["way"] == way]))]
    return curves


def curve_text(report: dict[str, Any]) -> str:
    """The curves as a small table, with the questions that choosing saves."""
    counts = report["questions"]
    lines = ["figure           way     " + "".join(f"{count:>8}" for count in counts) + "  questions saved"]
    for name in FIGURES:
        chosen, random = (report["curves"][way][name] for way in WAYS)
        saved = questions_saved(chosen, random, counts)
        for way, curve, said in (("chosen", chosen, _saved_text(saved, counts[-1])), ("random", random, "")):
            lines.append(f"{name:<17}{way:<8}" + "".join(f"{value:8.3f}" for value in curve) + f"  {said}".rstrip())
    return "\n".join(lines)


def _saved_text(saved: float | None, count: int) -> str:
    return "none" if saved is None else f"{saved:.0f} of {count}"


if __name__ == "__main__":  # python -m evals.questions DIR [GOAL...]
    import sys

    def _plainly(items: Iterable[Any], label: str) -> Iterator[Any]:
        del label
        yield from items

    print(curve_text(simulate_questions(Path(sys.argv[1]), goals=sys.argv[2:], progress=_plainly)))
