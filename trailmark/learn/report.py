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
