"""Labelling paths: PathLearner's tables 2 and 3 (and Intinno's table 2), a learning curve, and outcomes only.

Row A is the mean over all labels, each counting once; row G is the goal label; row B is the goal where the teacher gave no
milestones but only said which pages are goals. A split that has a goal page in no test trail is left out of G's mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from evals.taught_web import Split, make_splits
from trailmark.datatypes import Step, Trail
from trailmark.learn.choice import LabelPairs, labelled_pairs
from trailmark.learn.example import Example
from trailmark.learn.label_space import GOAL
from trailmark.learn.learner import Labeller, fit, fit_baseline
from trailmark.learn.recipe import Recipe
from trailmark.learn.scores import LabelScore, accuracy, label_scores, mean_score
from trailmark.progress import Progress

MODELS = ("naive-bayes", "max-ent", "crf")
TOKENS = (0, 10, 100)
CURVE = (2, 4, 8, 16)
PARTS = ("models", "binary", "tokens", "outcomes", "curve")
DRAWS = 3

PAPERS: dict[str, dict[str, tuple[float, float, float]]] = {
    "naive-bayes": {"all": (49.6, 46.4, 48.0), "goal": (100.0, 11.1, 20.0), "binary": (100.0, 18.5, 31.3)},
    "max-ent": {"all": (67.2, 61.6, 64.3), "goal": (81.8, 66.7, 73.5), "binary": (91.3, 77.8, 84.0)},
    "crf": {"all": (87.0, 87.7, 87.3), "goal": (83.3, 92.6, 87.7), "binary": (91.3, 77.8, 84.0)},
}
"""PathLearner, table 3, publications: precision, recall, F1 in per cent, on its own data."""
PAPER_TOKENS = {100: (84.7, 94.8), 10: (87.3, 87.7), 0: (73.9, 78.8)}
"""PathLearner, table 2, publications: F1 over all states and of the goal."""


def evaluate_paths(
    folder: Path,
    *,
    train: Sequence[str] = (),
    test: Sequence[str] = (),
    goals: Sequence[str] = (),
    parts: Sequence[str] = PARTS,
    curve_counts: Sequence[int] = CURVE,
    progress: Progress,
) -> dict[str, Any]:
    """The report; `parts` may leave tables out, `curve_counts` are the numbers of trails of the learning curve."""
    splits = make_splits(folder, train=train, test=test, goals=goals)
    rows = [row for split in progress(splits, "labelling paths") for row in _split_rows(split, parts, curve_counts)]
    folds = [row for row in rows if ", fold" in row["split"]]
    groups = {"webs apart": [row for row in rows if ", fold" not in row["split"]], "sites left out": folds}
    groups |= {web: [row for row in folds if row["split"].startswith(f"{web}, fold")] for web in _folded(splits)}
    tables = {name: _tables(members) for name, members in groups.items() if members}
    return {"task": "paths", "tables": tables, "rows": rows, "papers": {"table 3": PAPERS, "table 2": PAPER_TOKENS}}


def _folded(splits: Iterable[Split]) -> list[str]:
    return list(dict.fromkeys(split.name.partition(", fold")[0] for split in splits if ", fold" in split.name))


def _split_rows(split: Split, parts: Sequence[str], curve_counts: Sequence[int]) -> Iterator[dict[str, Any]]:
    for model, setting, pairs in _trials(split, parts, curve_counts):
        yield {"split": split.name, "goal": split.goal, "model": model, "setting": setting, **_figures(pairs)}


def _trials(split: Split, parts: Sequence[str], curve_counts: Sequence[int]) -> Iterator[tuple[str, str, LabelPairs]]:
    """(model, setting, pairs of true and predicted labels) of everything that is tried on a split."""
    recipe = Recipe()
    train, test = split.train(recipe.page_tokens, recipe.window), split.test(recipe.page_tokens, recipe.window)
    plain_train, plain_test = _without_milestones(train), _without_milestones(test)
    for model in MODELS:
        if "models" in parts:
            yield model, "multi-class", labelled_pairs(_learn(model, train, recipe), test)
        if "binary" in parts:
            yield model, "binary", labelled_pairs(_learn(model, plain_train, recipe), plain_test)
    for tokens in TOKENS[:-1] if "tokens" in parts else ():
        learnt = fit(split.train(tokens, recipe.window), replace(recipe, page_tokens=tokens))
        yield "crf", f"{tokens} tokens", labelled_pairs(learnt, split.test(tokens, recipe.window))
    if "outcomes" in parts:
        yield "crf", "outcomes only", labelled_pairs(fit(train, replace(recipe, scheme="distance")), test)
    for count in curve_counts if "curve" in parts else ():
        for draw in range(DRAWS):
            some = draw_examples(train, count, seed=draw)
            yield "crf", f"{count} trails", labelled_pairs(fit(some, recipe), test)


def _learn(model: str, examples: Sequence[Example], recipe: Recipe) -> Labeller:
    return fit(examples, recipe) if model == "crf" else fit_baseline(examples, recipe, model)  # type: ignore[arg-type]


def draw_examples(examples: Sequence[Example], count: int, *, seed: int) -> list[Example]:
    """So many examples at random, half of them to goals (at least one)."""
    rng = np.random.default_rng(seed)
    order = [examples[n] for n in rng.permutation(len(examples))]
    goals = [example for example in order if example.trail.outcome == GOAL]
    fails = [example for example in order if example.trail.outcome != GOAL]
    wanted = max(1, (count + 1) // 2)
    return goals[: max(wanted, count - len(fails))] + fails[: count - wanted]


def _without_milestones(examples: Sequence[Example]) -> list[Example]:
    """Row B: every page that is not a goal is just another page."""
    return [replace(example, trail=_plain(example.trail)) for example in examples]


def _plain(trail: Trail) -> Trail:
    return replace(trail, steps=tuple(Step(step.url, "other", step.anchor) for step in trail.steps))


def _figures(pairs: LabelPairs) -> dict[str, Any]:
    scores = label_scores(pairs)
    goal, all_states = scores.get(GOAL), mean_score(scores)
    return {
        "goal_scores": _score(goal) if goal else None,
        "all_scores": _score(all_states),
        "accuracy": accuracy(pairs),
        "labels": {label: _score(score) for label, score in sorted(scores.items())},
    }


def _score(score: LabelScore) -> dict[str, float]:
    return {"precision": score.precision, "recall": score.recall, "f1": score.f1, "support": score.support}


def _tables(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Means over the splits of a group."""

    def mean(model: str, setting: str, key: str) -> dict[str, float] | None:
        found = [r[key] for r in rows if r["model"] == model and r["setting"] == setting and r[key]]
        if not found:
            return None
        return {name: float(np.mean([each[name] for each in found])) for name in ("precision", "recall", "f1")}

    table3 = {
        model: {
            "all": mean(model, "multi-class", "all_scores"),
            "goal": mean(model, "multi-class", "goal_scores"),
            "binary": mean(model, "binary", "goal_scores"),
        }
        for model in MODELS
    }
    settings = {tokens: "multi-class" if tokens == TOKENS[-1] else f"{tokens} tokens" for tokens in TOKENS}
    table2 = {
        tokens: {"all": mean("crf", setting, "all_scores"), "goal": mean("crf", setting, "goal_scores")}
        for tokens, setting in settings.items()
    }
    points = {count: mean("crf", f"{count} trails", "goal_scores") for count in CURVE}
    return {
        "table 3": table3,
        "table 2": table2,
        "outcomes only": mean("crf", "outcomes only", "goal_scores"),
        "learning curve": {count: point for count, point in points.items() if point},
    }
