"""What was learnt, said to a person: from what, which recipe and why, how good, the telling words, what to teach next.

The report is kept beside the navigator, so that the app can show it and say what changed since the one before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from trailmark.learn.choice import Choice
from trailmark.learn.example import Example
from trailmark.learn.label_space import FAIL, GOAL, PREFIX, trail_labels
from trailmark.learn.navigator import Navigator
from trailmark.learn.promise import Promise, changed_promise, promise_words
from trailmark.learn.recipe import Recipe
from trailmark.quoting import count_of
from trailmark.report import Json, Report

ENOUGH = 5
"""Examples of a label below which its figures are not to be trusted."""
TELLING = 6


@dataclass(frozen=True)
class StateFigures(Report):
    """How well one kind of page is known again: pages of trails, left out in turn."""

    label: str
    precision: float
    recall: float
    f1: float
    pages: int
    few: bool
    """Whether it rests on so few pages that it is not to be trusted."""


@dataclass(frozen=True)
class TrialFigures(Report):
    """One recipe that was tried."""

    what: str
    goal_f1: float
    accuracy: float


@dataclass(frozen=True)
class TellingWords(Report):
    """Features that speak most for one kind of page."""

    pages: tuple[str, ...] = ()
    links: tuple[str, ...] | None = None
    """None where the model does not look at links."""

    def to_json(self) -> dict[str, Json]:
        """A part that the model does not look at is left out."""
        return {name: value for name, value in super().to_json().items() if value is not None}


@dataclass(frozen=True)
class LearnReport(Report):
    """What `trailmark learn` prints, and prints as JSON."""

    goal: str
    sites: int
    trails: int
    goal_trails: int
    fail_trails: int
    labels: Mapping[str, int]
    """How many pages of the trails bear each label."""
    features: int
    recipe: Recipe
    reasons: tuple[str, ...]
    """Why this recipe."""
    trials: tuple[TrialFigures, ...]
    states: tuple[StateFigures, ...]
    """Empty where nothing was cross-validated."""
    rewards: Mapping[str, float]
    words: Mapping[str, TellingWords]
    advice: tuple[str, ...]
    """What to teach next, the most helpful first."""
    promise: Promise | None = None
    """What was counted on taught sites left out in turn; None where that was not measured."""

    @property
    def goal_figures(self) -> StateFigures | None:
        """How well the goal itself is known again."""
        return next((state for state in self.states if state.label == GOAL), None)


def learn_report(
    navigator: Navigator, examples: Sequence[Example], choice: Choice | None, promise: Promise | None = None
) -> LearnReport:
    """A navigator, what it was learnt from, how its recipe was chosen and what it may promise -> the report."""
    sites = {example.site for example in examples}
    outcomes = Counter[str](example.trail.outcome for example in examples)
    labels = Counter(label for example in examples for label in trail_labels(example.trail))
    trials = choice.trials if choice else ()
    return LearnReport(
        goal=navigator.goal_name,
        sites=len(sites),
        trails=len(examples),
        goal_trails=outcomes[GOAL],
        fail_trails=outcomes[FAIL],
        labels=dict(labels.most_common()),
        features=navigator.encoding.vocabulary.size,
        recipe=navigator.recipe,
        reasons=choice.reasons if choice else ("nothing was tried: there was too little to compare",),
        trials=tuple(TrialFigures(trial.what, trial.goal.f1, trial.accuracy) for trial in trials),
        states=_state_figures(choice),
        rewards={label: float(reward) for label, reward in zip(navigator.labels, navigator.rewards, strict=True)},
        words=telling_words(navigator),
        advice=tuple(advice(examples, len(sites))),
        promise=promise,
    )


def _state_figures(choice: Choice | None) -> tuple[StateFigures, ...]:
    if choice is None:
        return ()
    figures = [
        StateFigures(label, score.precision, score.recall, score.f1, score.support, score.support < ENOUGH)
        for label, score in choice.best.states.items()
    ]
    return tuple(sorted(figures, key=lambda state: (-state.pages, state.label)))


def plain_words(report: LearnReport) -> list[str]:
    """A report -> how well it does on sites that it was not shown, as far as that was measured, as a person would say it."""
    return promise_words(report.promise)


def figures_words(report: LearnReport) -> str:
    """A report -> what its figures for each kind of page were measured on."""
    held = "its site" if report.sites > 1 else "its trail (all are from one site)"
    return (
        f"Pages of trails, left out in turn: each was labelled by a model that had not seen {held}. "
        "They are pages that you chose to show; a site has many more."
    )


def changed_words(before: LearnReport, now: LearnReport) -> list[str]:
    """Two reports -> what the second says otherwise: more trails, other counts on sites left out, other figures on trails."""
    sentences = []
    if (more := now.trails - before.trails) != 0:
        sentences.append(f"{count_of(abs(more), 'more trail' if more > 0 else 'fewer trail')} than before.")
    sentences += changed_promise(before.promise, now.promise)
    if before.goal_figures is not None and now.goal_figures is not None:
        pairs = (
            ("pages you want that it knows", before.goal_figures.recall, now.goal_figures.recall),
            ("of what it takes for one that is", before.goal_figures.precision, now.goal_figures.precision),
        )
        sentences += [
            f"On pages of trails, {'more' if new > old else 'less'} {what}: {old:.0%} before, {new:.0%} now."
            for what, old, new in pairs
            if abs(new - old) >= 0.005
        ]
    new_labels = sorted(set(now.labels) - set(before.labels))
    if new_labels:
        sentences.append(f"New kinds of page: {', '.join(new_labels[:TELLING])}.")
    return sentences or ["Nothing that counts has changed."]


def telling_words(navigator: Navigator, *, most: int = TELLING) -> dict[str, TellingWords]:
    """For each label, the features of pages and of links that speak for it most, against the mean of all labels."""
    weights, size = navigator.model.state_weights_, len(navigator.labels)
    pages = _best_names(navigator, weights[:, :size], most)
    if not navigator.encoding.with_links:
        return {label: TellingWords(names) for label, names in pages.items()}
    links = _best_names(navigator, weights[:, size:], most)
    return {label: TellingWords(pages[label], links[label]) for label in navigator.labels}


def _best_names(navigator: Navigator, weights: Any, most: int) -> dict[str, tuple[str, ...]]:
    names = navigator.encoding.vocabulary.names()
    contrast = weights - weights.mean(axis=1, keepdims=True)
    best = {
        label: np.argsort(-contrast[:, number], kind="stable")[:most] for number, label in enumerate(navigator.labels)
    }
    return {
        label: tuple(f"{names[n][0]}: {names[n][1]}" for n in best[label] if contrast[n, number] > 0)
        for number, label in enumerate(navigator.labels)
    }


def advice(examples: Sequence[Example], sites: int) -> list[str]:
    """What to teach next, the most helpful first."""
    outcomes = Counter[str](example.trail.outcome for example in examples)
    labels = Counter(label for example in examples for label in set(trail_labels(example.trail)))
    sentences = []
    if outcomes[FAIL] == 0:
        sentences.append(
            "Teach some trails that end in pages you do not want: without any, every page looks like a goal."
        )
    if sites == 1:
        sentences.append("Teach the way on a second site: one site alone can't show which of its habits others share.")
    if outcomes[GOAL] < ENOUGH:
        sentences.append(f"Teach more trails to goals: {outcomes[GOAL]} is few, {2 * ENOUGH} is comfortable.")
    rare = sorted(label for label, count in labels.items() if count < 3 and not label.startswith(PREFIX))
    if rare:
        sentences.append(f"Show more pages labelled {', '.join(rare[:6])}: each was seen on fewer than three trails.")
    return sentences or ["Nothing is urgent: try it with trailmark forage."]
