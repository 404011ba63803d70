"""What was learnt, said to a person: from what, which recipe and why, how good, the telling words, what to teach next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from trailmark.learn.choice import Choice
from trailmark.learn.example import Example
from trailmark.learn.label_space import FAIL, GOAL, PREFIX, trail_labels
from trailmark.learn.navigator import Navigator

ENOUGH = 5
"""Examples of a label below which its figures are not to be trusted."""
TELLING = 6


def learn_report(navigator: Navigator, examples: Sequence[Example], choice: Choice | None) -> dict[str, Any]:
    """Everything that `trailmark learn` prints, and prints as JSON."""
    sites = sorted({example.site for example in examples})
    outcomes = Counter[str](example.trail.outcome for example in examples)
    labels = Counter(label for example in examples for label in trail_labels(example.trail))
    return {
        "goal": navigator.goal_name,
        "sites": len(sites),
        "trails": len(examples),
        "goal_trails": outcomes[GOAL],
        "fail_trails": outcomes[FAIL],
        "labels": dict(labels.most_common()),
        "features": navigator.encoding.vocabulary.size,
        "recipe": asdict(navigator.recipe),
        "reasons": list(choice.reasons) if choice else ["nothing was tried: there was too little to compare"],
        "trials": [
            {"what": t.what, "goal_f1": t.goal.f1, "accuracy": t.accuracy} for t in (choice.trials if choice else ())
        ],
        "states": _state_rows(choice),
        "rewards": {label: float(reward) for label, reward in zip(navigator.labels, navigator.rewards, strict=True)},
        "words": telling_words(navigator),
        "advice": advice(examples, len(sites)),
    }


def _state_rows(choice: Choice | None) -> list[dict[str, Any]]:
    if choice is None:
        return []
    rows = [
        {
            "label": label,
            "precision": s.precision,
            "recall": s.recall,
            "f1": s.f1,
            "pages": s.support,
            "few": s.support < ENOUGH,
        }
        for label, s in choice.best.states.items()
    ]
    return sorted(rows, key=lambda row: (-int(row["pages"]), str(row["label"])))


def plain_words(report: dict[str, Any]) -> list[str]:
    """The cross-validated figures of a report as a person would say them."""
    row = next((row for row in report["states"] if row["label"] == GOAL), None)
    if row is None:
        return ["How good it is can't be told yet: that takes trails on at least two sites."]
    said = [
        f"On a site that it was not shown, it would know {_of_ten(row['recall'])} pages you want for what they are.",
        f"Of the pages that it takes for one, {_of_ten(row['precision'])} are.",
    ]
    if row["few"]:
        said.append(f"These figures rest on {row['pages']} pages only; teach a few more before you trust them.")
    return said


def changed_words(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """What another report than the last one says: more trails, better or worse figures."""
    said = []
    if (more := now["trails"] - before["trails"]) != 0:
        said.append(f"{abs(more)} {'more' if more > 0 else 'fewer'} trails than before.")
    pair = [next((row for row in report["states"] if row["label"] == GOAL), None) for report in (before, now)]
    for name, what in (("recall", "pages you want that it knows"), ("precision", "of what it takes for one that is")):
        old, new = (row and row[name] for row in pair)
        if old is not None and new is not None and abs(new - old) >= 0.005:
            said.append(f"{'More' if new > old else 'Less'} {what}: {old:.0%} before, {new:.0%} now.")
    new_labels = sorted(set(now["labels"]) - set(before["labels"]))
    if new_labels:
        said.append(f"New kinds of page: {', '.join(new_labels[:TELLING])}.")
    return said or ["Nothing that counts has changed."]


def _of_ten(share: float) -> str:
    if share >= 0.995:
        return "all"
    return f"about {round(10 * share)} of 10" if share >= 0.05 else "hardly any"


def telling_words(navigator: Navigator, *, most: int = TELLING) -> dict[str, dict[str, list[str]]]:
    """For each label, the features of pages and of links that speak for it most, against the mean of all labels."""
    names = navigator.encoding.vocabulary.names()
    weights = navigator.model.state_weights_
    size = len(navigator.labels)
    parts = {"pages": weights[:, :size]} | ({"links": weights[:, size:]} if navigator.encoding.with_links else {})
    told: dict[str, dict[str, list[str]]] = {label: {} for label in navigator.labels}
    for part, matrix in parts.items():
        contrast = matrix - matrix.mean(axis=1, keepdims=True)
        for number, label in enumerate(navigator.labels):
            best = np.argsort(-contrast[:, number], kind="stable")[:most]
            told[label][part] = [f"{names[n][0]}: {names[n][1]}" for n in best if contrast[n, number] > 0]
    return told


def advice(examples: Sequence[Example], sites: int) -> list[str]:
    """What to teach next, the most helpful first."""
    outcomes = Counter[str](example.trail.outcome for example in examples)
    labels = Counter(label for example in examples for label in set(trail_labels(example.trail)))
    told = []
    if outcomes[FAIL] == 0:
        told.append("Teach some trails that end in pages you do not want: without any, every page looks like a goal.")
    if sites == 1:
        told.append("Teach the way on a second site: one site alone can't show which of its habits others share.")
    if outcomes[GOAL] < ENOUGH:
        told.append(f"Teach more trails to goals: {outcomes[GOAL]} is few, {2 * ENOUGH} is comfortable.")
    rare = sorted(label for label, count in labels.items() if count < 3 and not label.startswith(PREFIX))
    if rare:
        told.append(f"Show more pages labelled {', '.join(rare[:6])}: each was seen on fewer than three trails.")
    return told or ["Nothing is urgent: try it with trailmark forage."]
