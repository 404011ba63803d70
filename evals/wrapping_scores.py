"""Scores of wrapping: of a field's values on many pages, and over fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from evals.value_scores import compared, f1

FINDABLE = 0.9

Pair = tuple[Sequence[str], Sequence[str]]
"""Values that were found on a page, and the true ones."""


def field_scores(pairs: Sequence[Pair]) -> dict[str, Any]:
    """Precision, recall and F1 of the first value, and F1 of the pages whose values are all right.

    `missed` counts pages that have the field and were not answered rightly; on the `silent` of them nothing was said.
    """
    right = wrong = missed = whole = silent = 0
    for found, wanted in pairs:
        got, true, hit = compared(found, wanted)
        right += hit
        wrong += bool(got) and not hit
        missed += bool(true) and not hit
        whole += hit and set(got) == true
        silent += bool(true) and not got
    counts = {"pages": len(pairs), "right": right, "wrong": wrong, "missed": missed, "whole": whole, "silent": silent}
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


def occurs(row: dict[str, Any]) -> bool:
    """Whether any page that was tested has the field: where none has, there is nothing to be right about."""
    return bool(row["right"] + row["missed"])


def sure_scores(pairs: Sequence[Pair], sure: Sequence[bool]) -> dict[str, Any]:
    """Of values told as sure: how many are right and wrong, and the share of all pages that were surely and wrongly answered.

    Beside it the share of pages that have the field and on which nothing was said.
    """
    told = field_scores([pair for pair, is_sure in zip(pairs, sure, strict=True) if is_sure])
    having = sum(bool(wanted) for _, wanted in pairs)
    return {
        "sure_right": told["right"],
        "sure_wrong": told["wrong"],
        "sure_and_wrong": told["wrong"] / len(pairs) if pairs else 0.0,
        "left_out": field_scores(pairs)["silent"] / having if having else 0.0,
    }


def total_of(rows: Sequence[dict[str, Any]], count: int, learner: str) -> dict[str, Any]:
    """Over all fields that occur; a field that was never found counts as missed, whatever the reason."""
    mine = [row for row in rows if row["annotated"] == count and row["learner"] == learner and occurs(row)]
    sound = [row for row in mine if row["findable"] >= FINDABLE]
    return {
        "annotated": count,
        "learner": learner,
        "macro": macro_of(mine),
        "micro": _micro(mine),
        "macro_of_sound_truth": macro_of(sound),
        "micro_of_sound_truth": _micro(sound),
        **_sureness(mine),
        **_shares(mine),
        "fields": len(mine),
        "fields_of_sound_truth": len(sound),
    }


def _sureness(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Precision of what most rules agree on, and its share of all that was said."""
    right, wrong = (sum(row[name] for row in rows) for name in ("sure_right", "sure_wrong"))
    said = sum(row["right"] + row["wrong"] for row in rows)
    return {"sure": figures_of(right, wrong, 0)["precision"], "share_of_sure": (right + wrong) / said if said else 0.0}


def _shares(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Of all pages and fields: answered surely and wrongly; of those that have the field: not answered, not answered rightly."""
    having = sum(row["right"] + row["missed"] for row in rows)
    pages = sum(row["pages"] for row in rows)
    return {
        "sure_and_wrong": sum(row["sure_wrong"] for row in rows) / pages if pages else 0.0,
        "left_out": sum(row["silent"] for row in rows) / having if having else 0.0,
        "missed": sum(row["missed"] for row in rows) / having if having else 0.0,
    }


def macro_of(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    names = ("precision", "recall", "f1", "set_f1")
    return {name: sum(row[name] for row in rows) / len(rows) if rows else 0.0 for name in names}


def _micro(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    return figures_of(*(sum(row[name] for row in rows) for name in ("right", "wrong", "missed")))
