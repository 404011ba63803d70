"""Rows and which of them are wanted -> the weights of a logistic regression, the constant last."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from trailmark.sequence import chance_of
from trailmark.sequence.sequences import Sparse

Floats = npt.NDArray[np.float64]
MOST_STEPS = 200


def fit_regression(
    rows: Sparse, wanted: npt.NDArray[np.bool_], weights: Floats, l2: Floats, *, start: Floats | None = None
) -> Floats:
    """The most likely weights, each drawn to 0 by its L2 and the constant by none; `weights` is how much each row counts.

    Without a wanted row, or with nothing but wanted ones, there is nothing to compare: the start is the answer.
    """
    begin = np.zeros(rows.shape[1] + 1) if start is None else start
    if not wanted.any() or wanted.all():
        return begin
    target = wanted.astype(np.float64)

    def loss(point: Floats) -> tuple[float, Floats]:
        odds = rows @ point[:-1] + point[-1]
        value = weights @ (np.logaddexp(0.0, odds) - target * odds) + 0.5 * float(l2 @ point[:-1] ** 2)
        slope = weights * (chance_of(odds) - target)
        return float(value), np.append(rows.T @ slope + l2 * point[:-1], slope.sum())

    optimum = minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": MOST_STEPS})
    fitted: Floats = optimum.x
    return fitted
