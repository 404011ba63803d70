"""The report beside a navigator, read back: a file that an older version wrote lacks some things, and one that was damaged is none."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, get_args

from trailmark.learn.promise import LeftOutSite, Obstacle, Promise
from trailmark.learn.recipe import Recipe
from trailmark.learn.report import LearnReport, StateFigures, TellingWords, TrialFigures


def report_from_text(text: str) -> LearnReport | None:
    """JSON as `trailmark learn --json` prints it -> the report, what it lacks left empty; None where it is no such report."""
    try:
        return _report(json.loads(text))
    except (AttributeError, KeyError, OverflowError, RecursionError, TypeError, ValueError):
        return None


def _report(values: Mapping[str, Any]) -> LearnReport:
    return LearnReport(
        goal=_text(values["goal"]),
        sites=_count(values.get("sites", 0)),
        trails=_count(values["trails"]),
        goal_trails=_count(values.get("goal_trails", 0)),
        fail_trails=_count(values.get("fail_trails", 0)),
        labels={label: _count(number) for label, number in values["labels"].items()},
        features=_count(values.get("features", 0)),
        recipe=_recipe(values.get("recipe", {})),
        reasons=_texts(values.get("reasons", ())),
        trials=tuple(_trial(trial) for trial in values.get("trials", ())),
        states=tuple(_state(state) for state in values["states"]),
        rewards={label: _number(reward) for label, reward in values.get("rewards", {}).items()},
        words={label: _words(words) for label, words in values.get("words", {}).items()},
        advice=_texts(values.get("advice", ())),
        promise=_promise(values.get("promise")),
    )


def _promise(values: Mapping[str, Any] | None) -> Promise | None:
    if values is None:
        return None
    if (obstacle := values["obstacle"]) not in get_args(Obstacle):
        raise ValueError(f"{obstacle!r} is no reason that this version knows")
    return Promise(tuple(_left_out(row) for row in values["left_out"]), obstacle, bool(values["one_domain"]))


def _left_out(values: Mapping[str, Any]) -> LeftOutSite:
    counts = {item.name: _count(values[item.name]) for item in fields(LeftOutSite) if item.name != "site"}
    return LeftOutSite(_text(values["site"]), **counts)


def _state(values: Mapping[str, Any]) -> StateFigures:
    precision, recall, f1 = (_number(values[name]) for name in ("precision", "recall", "f1"))
    return StateFigures(
        _text(values["label"]), precision, recall, f1, _count(values["pages"]), bool(values.get("few", False))
    )


def _trial(values: Mapping[str, Any]) -> TrialFigures:
    return TrialFigures(_text(values["what"]), _number(values["goal_f1"]), _number(values["accuracy"]))


def _words(values: Mapping[str, Any]) -> TellingWords:
    return TellingWords(_texts(values.get("pages", ())), _texts(values["links"]) if "links" in values else None)


def _recipe(values: Mapping[str, Any]) -> Recipe:
    """What is known of it by its type; a choice that this version does not know is left out."""
    usual = {item.name: item.default for item in fields(Recipe)}
    return Recipe(**{name: values[name] for name in usual if isinstance(values.get(name), type(usual[name]))})


def _count(value: Any) -> int:
    return int(_number(value))


def _number(value: Any) -> float:
    if isinstance(value, str) or not math.isfinite(value):
        raise ValueError(f"{value!r} is no figure")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} stands where a text is meant")
    return value


def _texts(values: Iterable[Any]) -> tuple[str, ...]:
    if isinstance(values, str):
        raise TypeError("a list of texts was expected")
    return tuple(str(value) for value in values)
