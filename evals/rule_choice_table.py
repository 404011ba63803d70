"""Runs of rules with one constant changed -> which value is best, and what it is worth on sites left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from evals.choice_table import Choice, Constant, Runs, choice_of, figures

MARKED = (1, 2, 3)
WRONG = 2.0
"""What a page that is surely and wrongly answered costs, beside the points of F1 that it costs anyhow: nobody looks at it again."""
ASKED = 0.1
"""What a value costs that is told as unsure: a person has to look."""


def score(run: Mapping[str, float]) -> float:
    """One number to choose by: the mean of F1 and set F1, less what is surely wrong and what a person has to look at."""
    return float(np.mean([_points(run, count) for count in MARKED]))


def _points(run: Mapping[str, float], count: int) -> float:
    f1 = (run[f"f1 {count}"] + run[f"set_f1 {count}"]) / 2
    return f1 - WRONG * run[f"sure_and_wrong {count}"] - ASKED * run[f"unsure {count}"]


def rule_choice(constant: Constant, sites: Sequence[str], runs: Runs) -> Choice:
    """A constant -> what the runs say of it, each site left out in turn."""
    return choice_of(constant, sites, runs, score)


def rule_choice_text(constants: Sequence[Constant], sites: Sequence[str], runs: Runs) -> str:
    """The tables, for a terminal."""
    return "\n\n".join(_table(constant, sites, runs) for constant in constants)


def rule_choice_page(constants: Sequence[Constant], sites: Sequence[str], runs: Runs) -> str:
    """The tables as a page of the documents; sites have no names there."""
    lines = [
        "# What the constants of rules are worth",
        "",
        f"Written by `python -m evals.choose_rules --write docs/why/rule-constants.md` over {len(sites)} sites: every value with all others as they are,",
        "rules learnt from 1, 2 and 3 marked pages and tested on other pages of the site. The score is the mean of F1 (first value) and set F1 (all",
        f"values), less {WRONG:g} times the share of pages that were surely and wrongly answered, less {ASKED:g} times the share of values told as unsure.",
        "*Others choose* has the values that are best on all sites but one, for each site left out, with how many sites get each; *unseen* is what a site",
        "gains on the mean when the others choose for it, against the value as it is. *Over worst* is the best value less the worst, *over off* the",
        "present value less none of it. A constant whose best value gains less than .0005 on sites left out is left as it is.",
        "",
        "| constant | what it says | is | best | others choose | unseen | over worst | over off |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for constant in constants:
        choice = rule_choice(constant, sites, runs)
        values = list(choice.by_others.values())
        others = ", ".join(f"{value} ({values.count(value)})" for value in sorted(set(values)))
        off = "" if choice.over_off is None else _signed(choice.over_off)
        lines.append(
            f"| `{_short(constant.name)}` | {constant.says} | {constant.present} | {choice.best} | {others} | {_signed(choice.unseen)} "
            f"| {_signed(choice.over_worst)} | {off} |"
        )
    lines += ["", "## Figures by value, for 1 / 2 / 3 marked pages"]
    for constant in constants:
        lines += ["", _table(constant, sites, runs)]
    return "\n".join(lines) + "\n"


def _table(constant: Constant, sites: Sequence[str], runs: Runs) -> str:
    """One constant: a line a value, each figure for 1, 2 and 3 marked pages."""
    choice = rule_choice(constant, sites, runs)
    lines = [
        f"| `{_short(constant.name)}` | F1 | set F1 | sure and wrong | left out | unsure | score |",
        "|---" * 7 + "|",
    ]
    for value in constant.values:
        every = [figures(constant, value, site, runs) for site in sites]
        marks = "".join(
            [" (is)"] * (value == constant.present)
            + [" (best)"] * (value == choice.best)
            + [" (off)"] * (value == constant.off)
        )
        cells = [
            " / ".join(f"{np.mean([run[f'{name} {count}'] for run in every]):.4f}" for count in MARKED)
            for name in ("f1", "set_f1", "sure_and_wrong", "left_out", "unsure")
        ]
        mean = float(np.mean(list(choice.scores[value].values())))
        lines.append(f"| {value}{marks} | {' | '.join(cells)} | {mean:.5f} |")
    return "\n".join(lines)


def _signed(value: float) -> str:
    return f"{value:+.4f}"


def _short(name: str) -> str:
    """Without the package, which is the same for all."""
    return name.removeprefix("trailmark.wrap.rules.")
