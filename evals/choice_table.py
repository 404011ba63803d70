"""Runs with one constant changed -> which value is best, on which kinds of webs, and what it is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Runs = Mapping[tuple[str, Any, str], Mapping[str, float]]
"""(Constant, value, kind of webs) -> figures; the constant is empty where everything is as it is."""


@dataclass(frozen=True)
class Constant:
    """A constant of the model, and the values that are tried."""

    name: str
    says: str
    present: Any
    values: tuple[Any, ...]
    off: Any = None
    """The value that leaves it out; None where there is none."""


@dataclass(frozen=True)
class Choice:
    """What the runs say of a constant."""

    scores: Mapping[Any, Mapping[str, float]]
    """Value -> kind of webs -> score."""
    best: Any
    """Over all kinds."""
    by_others: Mapping[str, Any]
    """Kind -> the value that is best on all other kinds."""
    unseen: float
    """Mean over kinds of what each gets with the value that the others choose, less what it gets with the present one."""
    over_worst: float
    """Mean score with the best value, less that with the worst."""
    over_off: float | None
    """Mean score as it is, less that with the thing left out."""


def choice_of(
    constant: Constant,
    kinds: Sequence[str],
    runs: Runs,
    score_of: Callable[[Mapping[str, float]], float] | None = None,
) -> Choice:
    """A constant -> what the runs say of it, by the score of walks unless another is given."""
    points = score_of or score
    scores = {
        value: {kind: points(figures(constant, value, kind, runs)) for kind in kinds} for value in constant.values
    }

    def best_on(some: Sequence[str]) -> Any:
        """Ties are for what is there now."""
        order = sorted(constant.values, key=lambda value: value != constant.present)
        return max(order, key=lambda value: round(_mean(scores[value], some), 6))

    means = {value: _mean(scores[value], kinds) for value in constant.values}
    by_others = {kind: best_on([other for other in kinds if other != kind] or kinds) for kind in kinds}
    gained = [scores[by_others[kind]][kind] - scores[constant.present][kind] for kind in kinds]
    best = best_on(kinds)
    return Choice(
        scores,
        best,
        by_others,
        float(np.mean(gained)),
        means[best] - min(means.values()),
        None if constant.off is None else means[constant.present] - means[constant.off],
    )


def figures(constant: Constant, value: Any, kind: str, runs: Runs) -> Mapping[str, float]:
    """The figures of one value on one kind of webs."""
    return runs[("", None, kind) if value == constant.present else (constant.name, value, kind)]


def score(run: Mapping[str, float]) -> float:
    """One number to choose by: area and F1 count alike."""
    return (run["area"] + run["f1"]) / 2


def choice_text(constants: Sequence[Constant], kinds: Sequence[str], runs: Runs) -> str:
    """The tables, for a terminal."""
    return "\n\n".join(_table(constant, kinds, runs) for constant in constants)


def choice_page(constants: Sequence[Constant], kinds: Sequence[str], runs: Runs) -> str:
    """The tables as a page of the documents."""
    lines = [
        "# What the constants are worth",
        "",
        "Written by `python -m evals.choose --write docs/why/constants.md`: every value with all others as they are, over a sample of walks of each",
        "kind of web, each on sites that were not taught. Scores are the mean of area (pages only) and of F1 of the verdicts.",
        "*Others choose* has the values that are best on all kinds of webs but one, for each kind left out; *unseen* is what a kind gains on the mean",
        "when the others choose for it, against the value as it is. *Over worst* is the best value less the worst, *over off* the present value less none of it.",
        "",
        "| constant | what it says | is | best | others choose | unseen | over worst | over off |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for constant in constants:
        choice = choice_of(constant, kinds, runs)
        others = ", ".join(str(value) for value in sorted(set(choice.by_others.values())))
        off = "" if choice.over_off is None else _signed(choice.over_off)
        lines.append(
            f"| `{_short(constant.name)}` | {constant.says} | {constant.present} | {choice.best} | {others} | {_signed(choice.unseen)} "
            f"| {_signed(choice.over_worst)} | {off} |"
        )
    lines += ["", "## Area and F1 by kind of web"]
    for constant in constants:
        lines += ["", _table(constant, kinds, runs)]
    return "\n".join(lines) + "\n"


def _table(constant: Constant, kinds: Sequence[str], runs: Runs) -> str:
    """One constant: a line a value, area and F1 of each kind of webs."""
    choice = choice_of(constant, kinds, runs)
    lines = [f"| `{_short(constant.name)}` | {' | '.join(kinds)} | mean |", "|---" * (len(kinds) + 2) + "|"]
    for value in constant.values:
        cells = [figures(constant, value, kind, runs) for kind in kinds]
        marks = "".join(
            [" (is)"] * (value == constant.present)
            + [" (best)"] * (value == choice.best)
            + [" (off)"] * (value == constant.off)
        )
        told = " | ".join(f"{cell['area']:.3f} {cell['f1']:.3f}" for cell in cells)
        lines.append(f"| {value}{marks} | {told} | {_mean(choice.scores[value], kinds):.4f} |")
    return "\n".join(lines)


def _mean(scores: Mapping[str, float], kinds: Sequence[str]) -> float:
    return float(np.mean([scores[kind] for kind in kinds]))


def _signed(value: float) -> str:
    return f"{value:+.3f}"


def _short(name: str) -> str:
    """Without the package, which is the same for all."""
    return name.removeprefix("trailmark.")
