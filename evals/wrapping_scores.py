"""Scores of wrapping: of a field's values on many pages, and over fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evals.value_scores import compared, f1

FINDABLE = 0.9


def field_scores(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> dict[str, Any]:
    """Precision, recall and F1 of the first value, and F1 of the pages whose values are all right."""
    right = wrong = missed = whole = 0
    for found, wanted in pairs:
        got, true, hit = compared(found, wanted)
        right += hit
        wrong += bool(got) and not hit
        missed += bool(true) and not hit
        whole += hit and set(got) == true
    counts = {"right": right, "wrong": wrong, "missed": missed, "whole": whole}
    return {
        **counts,
        **figures_of(right, wrong, missed),
        "set_f1": figures_of(whole, right + wrong - whole, right + missed - whole)["f1"],
    }


def figures_of(right: int, wrong: int, missed: int) -> dict[str, float]:
    """A field that no page has and that is never found is perfect."""
    if right + wrong + missed == 0:
        return {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    return {
        "precision": right / (right + wrong) if right + wrong else 0.0,
        "recall": right / (right + missed) if right + missed else 0.0,
        "f1": f1(right, wrong, missed),
    }


def total_of(rows: Sequence[dict[str, Any]], count: int, learner: str) -> dict[str, Any]:
    mine = [row for row in rows if row["annotated"] == count and row["learner"] == learner]
    sound = [row for row in mine if row["findable"] >= FINDABLE]
    return {
        "annotated": count,
        "learner": learner,
        "macro": macro_of(mine),
        "micro": _micro(mine),
        "macro_of_sound_truth": macro_of(sound),
        "micro_of_sound_truth": _micro(sound),
        **_sureness(mine),
        "fields": len(mine),
        "fields_of_sound_truth": len(sound),
    }


def _sureness(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Precision of what most rules agree on, and its share of all that was said."""
    right, wrong = (sum(row[name] for row in rows) for name in ("sure_right", "sure_wrong"))
    said = sum(row["right"] + row["wrong"] for row in rows)
    return {"sure": figures_of(right, wrong, 0)["precision"], "share_of_sure": (right + wrong) / said if said else 0.0}


def macro_of(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    names = ("precision", "recall", "f1", "set_f1")
    return {name: sum(row[name] for row in rows) / len(rows) if rows else 0.0 for name in names}


def _micro(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    return figures_of(*(sum(row[name] for row in rows) for name in ("right", "wrong", "missed")))
