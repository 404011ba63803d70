"""A simulated teacher after a walk: what a few answers about pages near the threshold are worth.

The pages of a run are asked about one by one, as the product would choose them; the labels answer, and the verdicts are settled anew after
each. Told are the figures after 0, 5, 10 and 20 answers over all pages, and F1 over those that nobody was asked about: the answers
themselves are right for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evals.forage_report import Verdicts, Walked, run_verdicts, runs_of, split, verdict_report
from evals.verdicts import JudgedFetch, PageVerdict

COUNTS = (0, 5, 10, 20)
APART = 3
"""Of so many questions in a row at most one is about one family, as long as others are left."""

Choice = Callable[[Sequence[JudgedFetch], Sequence[PageVerdict], Mapping[str, bool]], str | None]
"""(Pages of a run, what is said of each now, answers so far in their order) -> the next page to ask about; None where all were asked."""


def nearest_to_even(
    fetches: Sequence[JudgedFetch], verdicts: Sequence[PageVerdict], answers: Mapping[str, bool]
) -> str | None:
    """The page whose probability is nearest to even; families take turns."""
    family = {fetch.url: fetch.family for fetch in fetches}
    recent = {family[url] for url in list(answers)[-(APART - 1) :]}
    left = [page for page in verdicts if page.url not in answers]
    fresh = [page for page in left if family[page.url] not in recent] or left
    return min(fresh, key=lambda page: abs(page.goal_probability - 0.5)).url if fresh else None


def answers_report(walks: Sequence[Walked], *, choice: Choice = nearest_to_even) -> dict[str, Any]:
    """All walks -> verdicts by number of answers, for each case and each kind of web; strategies that do not judge are left out."""
    runs = [run for run in runs_of(walks) if any(walked.judged for walked in run)]
    rows = [walked.row for run in runs for walked in run]
    asked = [_asked(run, choice) for run in runs]
    report: dict[str, Any] = {"counts": list(COUNTS), "cases": {}, "groups": {}}
    for count in COUNTS:
        pages: Verdicts = []
        others: Verdicts = []
        for run, answers in zip(runs, asked, strict=True):
            known = dict(list(answers.items())[:count])
            each = split(run, run_verdicts(run, known))
            pages += each
            others += [[page for page in verdicts if page.url not in known] for verdicts in each]
        _enter(report, count, verdict_report(rows, pages), verdict_report(rows, others))
    return report


def _asked(run: Sequence[Walked], choice: Choice) -> dict[str, bool]:
    """The answers of a run, in the order in which they were asked for."""
    fetches = [fetch for walked in run for fetch in walked.judged]
    answers: dict[str, bool] = {}
    while len(answers) < COUNTS[-1]:
        url = choice(fetches, run_verdicts(run, answers), answers)
        if url is None:
            break
        answers[url] = url in run[0].goals
    return answers


def _enter(report: dict[str, Any], count: int, all_pages: dict[str, Any], others: dict[str, Any]) -> None:
    """Figures after so many answers, under case or group, strategy and count."""
    for key in ("cases", "groups"):
        for name, strategies in all_pages[key].items():
            for strategy, figures in strategies.items():
                lines = report[key].setdefault(name, {}).setdefault(strategy, {})
                lines[str(count)] = {
                    **{figure: figures[figure] for figure in ("precision", "recall", "f1", "unsure")},
                    "f1_of_unasked": others[key][name][strategy]["f1"],
                }
