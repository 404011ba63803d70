"""`python -m evals.settle_weights --data DIR`: the weights by which verdicts are settled, and what they are worth on kinds left out.

Every case of every kind of web is walked with `path`. The pages of each walk, as `trailmark.forage.settling` sees them, and the labels of the web
are one logistic regression over all cases, each case counting alike. What is told of a kind of web is measured with the weights that
the *other* kinds chose; the weights of the last line, over all kinds, are those that stand in the product.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # small matrices: threads only get in the way

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from evals.forage import case_results, walks_of
from evals.forage_cases import Selection
from evals.forage_report import Walked, runs_of
from evals.verdicts import calibration_error, judged_page
from trailmark.forage.settling import ROOT, placing_features
from trailmark.learn.regression import fit_regression
from trailmark.progress import silent
from trailmark.sequence import chance_of

Floats = npt.NDArray[np.float64]
NAMES = ("BIAS", "ALONE", "BEST", "MIDDLE", "COMMON")
PAGES_A_CASE = 20.0
"""What a case counts, in pages: those of one walk are too alike to count one by one."""
L2 = 1.0


@dataclass(frozen=True)
class SettledCase:
    """The pages of one case as they are settled, and which of them are goals."""

    kind: str
    unit: str
    rows: Floats
    roots: npt.NDArray[np.bool_]
    truth: npt.NDArray[np.bool_]


def settled_case(run: Sequence[Walked]) -> SettledCase:
    """All walks of a case -> its pages."""
    pages = [judged_page(fetch) for walked in run for fetch in walked.judged]
    first = run[0].row
    return SettledCase(
        kind=first["kind"],
        unit=f"{first['web']} {first['goal']}",
        rows=placing_features(pages),
        roots=np.array([not page.family for page in pages]),
        truth=np.array([page.url in run[0].goals for page in pages]),
    )


def chosen_weights(cases: Sequence[SettledCase]) -> Floats:
    """Cases -> `NAMES`; features are brought to one scale for the L2, and the weights back to theirs."""
    inside = [(case, ~case.roots) for case in cases]
    rows = np.vstack([case.rows[keep] for case, keep in inside])
    truth = np.concatenate([case.truth[keep] for case, keep in inside])
    shares = np.concatenate([np.full(int(keep.sum()), PAGES_A_CASE / max(1, int(keep.sum()))) for _, keep in inside])
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    fitted = fit_regression(csr_array((rows - middle) / spread), truth, shares, np.full(rows.shape[1], L2))
    slopes = fitted[:-1] / spread
    return np.concatenate([[fitted[-1] - slopes @ middle], slopes])


def figures(cases: Sequence[SettledCase], weights: Floats) -> tuple[float, float]:
    """Mean F1 over webs and goals, folds of one pooled; mean calibration error over cases."""
    pooled: dict[str, list[tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]]] = {}
    errors = []
    for case in cases:
        odds = weights[0] + case.rows @ weights[1:] + ROOT * case.roots
        pooled.setdefault(case.unit, []).append((odds >= 0.0, case.truth))
        errors.append(calibration_error(chance_of(odds), case.truth))
    scores = []
    for parts in pooled.values():
        called, truth = (np.concatenate(each) for each in zip(*parts, strict=True))
        scores.append(2.0 * int((called & truth).sum()) / max(1, int(called.sum()) + int(truth.sum())))
    return float(np.mean(scores)), float(np.mean(errors))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.settle_weights", description="How verdicts are settled.")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder of benchmark webs")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    arguments = parser.parse_args()
    results = case_results(arguments.data, Selection(), ("path",), jobs=arguments.jobs, progress=silent)
    cases = [settled_case(run) for run in runs_of(walks_of(results))]
    kinds = list(dict.fromkeys(case.kind for case in cases))
    print(f"{'left out':14}{'F1':>7}{'error':>7}  " + "".join(f"{name:>9}" for name in NAMES))
    for kind in kinds:
        weights = chosen_weights([case for case in cases if case.kind != kind])
        print(_line(kind, figures([case for case in cases if case.kind == kind], weights), weights))
    weights = chosen_weights(cases)
    print(_line("nothing", figures(cases, weights), weights))
    return 0


def _line(name: str, measured: tuple[float, float], weights: Floats) -> str:
    return f"{name:14}{measured[0]:7.3f}{measured[1]:7.3f}  " + "".join(f"{value:9.3f}" for value in weights)


if __name__ == "__main__":
    sys.exit(main())
