"""How right a walk is in what it says of the pages it fetched: verdicts against labels.

Every page that was fetched counts, the root too; a page with the goal's label is a goal, any other is not. A page that the strategy is unsure
about is called neither: it is missed where it is a goal, and no mistake where it is none. Recall is over the goals that were *fetched*; how many
were found at all is what the areas tell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from trailmark.forage.settling import JudgedPage, settle
from trailmark.strategy import Judgement

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
BINS = 10
"""Bins of the calibration error, each with as many pages as the others."""
FIGURES = ("precision", "recall", "f1", "average_precision", "unsure", "calibration_error")


@dataclass(frozen=True, slots=True)
class JudgedFetch:
    """A page as it was judged when it was fetched."""

    url: str
    site: str
    """Root of the site that was walked."""
    family: str
    """The page whose link led here and the place of that link on it: members of a list, entries of a menu. Empty for a root."""
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class PageVerdict:
    """What is said of a page in the end, and what it is."""

    url: str
    truth: bool
    goal: bool | None
    """None where it is unsure."""
    goal_probability: float


def settled(
    fetches: Sequence[JudgedFetch], answers: Mapping[str, bool] | None = None
) -> list[tuple[bool | None, float]]:
    """The pages of one run, which may walk several sites, and what a person said of some, by URL -> verdict and goal probability of each.

    This is where the verdicts of a run are made final, as the product does it when a run ends.
    """
    known = answers or {}
    pages = [judged_page(each, known.get(each.url)) for each in fetches]
    return [(verdict.goal, verdict.goal_probability) for verdict in settle(pages)]


def judged_page(fetch: JudgedFetch, answer: bool | None = None) -> JudgedPage:
    """A page as it was judged, and what a person said of it -> the page for settling."""
    judged = fetch.judgement
    return JudgedPage(
        url=fetch.url,
        site=fetch.site,
        family=fetch.family,
        evidence=judged.evidence,
        goal_probability=judged.goal_probability,
        answer=answer,
        commonness=judged.commonness,
        goal_name=judged.goal_name,
    )


def page_verdicts(
    fetches: Sequence[JudgedFetch], goals: Collection[str], answers: Mapping[str, bool] | None = None
) -> list[PageVerdict]:
    """The pages of one run -> what is said of each in the end, beside the truth."""
    final = settled(fetches, answers)
    return [PageVerdict(each.url, each.url in goals, *verdict) for each, verdict in zip(fetches, final, strict=True)]


def verdict_figures(verdicts: Iterable[PageVerdict]) -> dict[str, float | None]:
    """Verdicts, of one walk or pooled over several -> `FIGURES`; None where there was nothing to be right about."""
    pages = list(verdicts)
    if not pages:
        return dict.fromkeys(FIGURES)
    truth = np.array([page.truth for page in pages])
    called = np.array([page.goal is True for page in pages])
    chances = np.array([page.goal_probability for page in pages])
    right, said, there = int((truth & called).sum()), int(called.sum()), int(truth.sum())
    return {
        "precision": _share(right, said) if said else (0.0 if there else None),
        "recall": _share(right, there) if there else None,
        "f1": _share(2 * right, said + there) if said + there else None,
        "average_precision": round(mean_precision(chances, truth), 4) if there else None,
        "unsure": _share(sum(page.goal is None for page in pages), len(pages)),
        "calibration_error": round(calibration_error(chances, truth), 4),
    }


def mean_precision(ranked_by: Floats, truth: Bools) -> float:
    """The mean, over true ones, of the precision down to each in the ranking (average precision)."""
    hits = truth[np.argsort(-ranked_by, kind="stable")]
    precision = np.cumsum(hits) / np.arange(1, hits.size + 1)
    return float(precision[hits].mean()) if hits.any() else 0.0


def calibration_error(chances: Floats, truth: Bools, *, bins: int = BINS) -> float:
    """Expected calibration error: what was promised against what came, over bins of equally many pages."""
    parts = reliability(chances, truth, bins=bins)
    total = sum(part["pages"] for part in parts)
    return float(sum(part["pages"] * abs(part["predicted"] - part["observed"]) for part in parts) / max(1, total))


def reliability(chances: Floats, truth: Bools, *, bins: int = BINS) -> list[dict[str, Any]]:
    """Mean probability, share of goals and number of pages of each bin, from the least to the most probable."""
    order = np.argsort(chances, kind="stable")
    return [
        {"predicted": float(chances[part].mean()), "observed": float(truth[part].mean()), "pages": int(part.size)}
        for part in np.array_split(order, bins)
        if part.size
    ]


def _share(part: float, whole: float) -> float:
    return round(part / whole, 4)
