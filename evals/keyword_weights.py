"""`python -m evals.keyword_weights --data DIR`: the weights of `trailmark.learn.keyword_guide`, and what they are worth on kinds of webs left out.

Sites are walked breadth first, so that what is measured does not depend on the weights, with the names of goal pages of other sites as keywords. Pages
against "is a goal" and links against "leads to a goal" are two logistic regressions, each case counting alike. What is
told of a kind of web is measured with the weights that the *other* kinds chose; the last weights, over all kinds, stand in the product.
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

from evals.forage_cases import Case, Selection, cases_at_hand, sampled_cases
from evals.forage_walk import WalkedSite, walk
from evals.keyword_names import goal_names
from evals.verdicts import calibration_error
from trailmark.datatypes import Page
from trailmark.learn.keyword_guide import KeywordGuide
from trailmark.learn.regression import fit_regression
from trailmark.sequence import chance_of
from trailmark.strategy import UNJUDGED, FollowedLink, Visit

Floats = npt.NDArray[np.float64]
PARTS = ("PAGE_WEIGHTS", "LINK_WEIGHTS")
PAGES_A_SITE, ROWS_A_CASE, L2 = 150, 20.0, 1.0


@dataclass(frozen=True)
class KeywordCase:
    """Rows of features and what they turned out to be, for each of `PARTS`."""

    kind: str
    parts: tuple[tuple[Floats, npt.NDArray[np.bool_]], ...]


class _Noting:
    """Breadth first, noting what the guide makes of each page and each link."""

    name, judges, learns = "noting", False, True

    def __init__(self, guide: KeywordGuide) -> None:
        self._guide = guide
        self.pages: list[tuple[str, Floats]] = []
        self.links: list[tuple[str, Floats]] = []

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        outlook = self._guide.outlook(page, link)
        features, rows = self._guide.noted
        if link.depth:
            self.pages.append((page.url, features))
        self.links += [(target.url, row) for target, row in zip(page.links, rows, strict=True)]
        return Visit(UNJUDGED, np.zeros(len(page.links)), outlook.memories)


def noted_case(case: Case) -> KeywordCase:
    """A case -> the pages and links of its sites."""
    goals = case.goal_pages()
    noted = [_noted_site(case, site, goals) for site in case.sites]
    parts = [
        (np.vstack([rows for rows, _ in each]), np.concatenate([truth for _, truth in each]))
        for each in zip(*noted, strict=True)
    ]
    return KeywordCase(case.kind, tuple(parts))


def _noted_site(case: Case, site: WalkedSite, goals: frozenset[str]) -> list[tuple[Floats, npt.NDArray[np.bool_]]]:
    noting = _Noting(KeywordGuide(goal_names(case)))
    walk(site, noting, limit=4 * PAGES_A_SITE, pages=PAGES_A_SITE)
    last = {url: (site.final(url), row) for url, row in noting.links if site.admits(url)}
    links = [(final, row) for final, row in last.values() if final is not None]
    return [_rows(noting.pages, goals), _rows(links, goals)]


def _rows(noted: Sequence[tuple[str, Floats]], goals: frozenset[str]) -> tuple[Floats, npt.NDArray[np.bool_]]:
    rows = np.array([row[1:] for _, row in noted])
    return rows, np.array([url in goals for url, _ in noted], dtype=bool)


def chosen_weights(cases: Sequence[KeywordCase], part: int) -> Floats:
    """Cases -> a constant and the weights of the features."""
    some = [case.parts[part] for case in cases if len(case.parts[part][1])]
    rows = np.vstack([rows for rows, _ in some])
    truth = np.concatenate([truth for _, truth in some])
    shares = np.concatenate([np.full(each.size, ROWS_A_CASE / each.size) for _, each in some])
    fitted = fit_regression(csr_array(rows), truth, shares, np.full(rows.shape[1], L2))
    return np.concatenate([fitted[-1:], fitted[:-1]])


def figures(cases: Sequence[KeywordCase], part: int, weights: Floats) -> tuple[float, float, float]:
    """Mean area under the curve of right against wrong, mean calibration error, and the mean share that is right."""
    areas, errors, shares = [], [], []
    for case in cases:
        rows, truth = case.parts[part]
        if not 0 < truth.sum() < truth.size:
            continue
        odds = weights[0] + rows @ weights[1:]
        above = (odds[truth][:, None] > odds[~truth]).mean() + 0.5 * (odds[truth][:, None] == odds[~truth]).mean()
        areas.append(float(above))
        errors.append(calibration_error(chance_of(odds), truth))
        shares.append(float(truth.mean()))
    return float(np.mean(areas)), float(np.mean(errors)), float(np.mean(shares))


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    folder = parser.parse_args().data
    every = cases_at_hand(folder, Selection())
    cases = [noted_case(every[number]) for number in sampled_cases(every, 2)]
    for part, name in enumerate(PARTS):
        for kind in dict.fromkeys(case.kind for case in cases):
            others, own = ([c for c in cases if (c.kind == kind) is same] for same in (False, True))
            area, error, share = figures(own, part, chosen_weights(others, part))
            print(f"{name:13} {kind:13} area {area:.3f}  calibration error {error:.3f}  right {share:.3f}")
        print(name, "=", tuple(round(float(weight), 2) for weight in chosen_weights(cases, part)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
