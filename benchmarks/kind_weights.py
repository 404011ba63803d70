"""Learns what likenesses of slots are worth (`trailmark/propose/kind_weights.py`), and measures it on kinds left out.

python -m benchmarks.kind_weights --data DIR [--write]

DIR holds sites with their truth as for `trailmark evaluate wrap`. For each site as the new one and each choice of one, three or four others
as the known ones, the right slot of each field is made likely among all slots of the site and "absent" (conditional
logit with an L2 penalty). To be alike can only speak for a slot, to be apart only against it. Copies of a case with its right slots taken away
teach, with little weight, what absence looks like. First every kind is left out in turn and measured through the whole way, rules included.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from evals import cold_start
from evals.value_scores import plain
from evals.wrapping import plain_name, true_pages
from trailmark.propose import kind_weights
from trailmark.propose.site_kind import SiteView
from trailmark.propose.slot_likeness import FEATURES, compare
from trailmark.store.archive import archives_in

PENALTY, ABSENT_WEIGHT, GOOD, ROUNDS = 30.0, 0.03, 0.3, 60
LIKELIEST, OTHERS = 70, 30
"""Wrong slots that are kept of each case: those that look right, and any."""
CRUDE = [
    FEATURES.index(name)
    for name in ("likely words", "likely shapes", "likely chars", "likest label chars", "like whole")
]


class Case(NamedTuple):
    """A field to be found on a site."""

    kind: str
    features: Any
    right: Any
    """Which slots are right; none where the field is absent."""
    weight: float


def site_cases(kind: str, new: cold_start.Site, others: Sequence[cold_start.Site]) -> list[Case]:
    truth = {field: slot_scores(new, field) for field in new.pages[0].values}
    cases = []
    for count in (1, 3, 4):
        for seeds in combinations(others, count) if count <= len(others) else ():
            names, features = compare([seed.view for seed in seeds], new.view)
            weight = 4.0 if count == 4 else 1.0
            for name, rows in zip(names, features, strict=True):
                cases += cases_of(kind, rows, truth[name], weight)
    return cases


def slot_scores(site: cold_start.Site, field: str) -> Any:
    """F1 of each slot against the truth, on the pages of the view."""
    view: SiteView = site.view
    of_table = {id(table): page for table, page in zip(site.tables, site.pages, strict=True)}
    wanted = [{plain(each) for each in of_table[id(table)].values[field]} for table in view.texts.tables]
    having = sum(map(bool, wanted))
    right = [sum(view.texts.tables[n].texts[row] in wanted[n] for n, row in slot.places) for slot in view.slots]
    return np.array([2 * hits / (having + len(slot.places)) for hits, slot in zip(right, view.slots, strict=True)])


def cases_of(kind: str, rows: Any, scores: Any, weight: float) -> list[Case]:
    best = scores.max(initial=0.0)
    right = scores >= 0.95 * best if best >= GOOD else np.zeros(len(scores), dtype=bool)
    some = np.random.default_rng(0).choice(len(rows), min(OTHERS, len(rows)), replace=False)
    likeliest = np.argsort(-rows[:, CRUDE].sum(axis=1))[:LIKELIEST]
    kept = np.unique(np.concatenate([some, likeliest, np.flatnonzero(right)]))
    found = [Case(kind, rows[kept], right[kept], weight)]
    wrong = kept[scores[kept] <= 0.2 * max(best, GOOD)]
    if right.any() and len(wrong):
        found.append(Case(kind, rows[wrong], np.zeros(len(wrong), dtype=bool), weight * ABSENT_WEIGHT))
    return found


def learn(cases: Sequence[Case]) -> tuple[Any, float]:
    """Weights of FEATURES and what a slot must outweigh."""
    rows = np.concatenate([case.features for case in cases])
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    rows = (rows - mean) / scale
    right = np.concatenate([case.right for case in cases])
    sizes = [len(case.right) for case in cases]
    starts, group = np.cumsum([0, *sizes[:-1]]), np.repeat(np.arange(len(cases)), sizes)
    absent = np.array([not case.right.any() for case in cases], dtype=float)
    weight = np.array([case.weight for case in cases])
    weight /= weight.mean()

    def loss(point: Any) -> tuple[float, Any]:
        weights, none = point[:-1], point[-1]
        scores = rows @ weights
        top = np.maximum(np.maximum.reduceat(scores, starts), none)
        odds, odds_none = np.exp(scores - top[group]), np.exp(none - top)
        everything = np.add.reduceat(odds, starts) + odds_none
        good = np.add.reduceat(odds * right, starts) + absent * odds_none
        slope = (odds / everything[group] - odds * right / good[group]) * weight[group]
        slope_none = (weight * (odds_none / everything - absent * odds_none / good)).sum()
        value = -(weight * np.log(good / everything)).sum() + PENALTY * weights @ weights
        gradient = np.append(rows.T @ slope + 2 * PENALTY * weights, slope_none)
        return value / len(cases), gradient / len(cases)

    bounds = [*map(bound, FEATURES), (None, None)]
    found = minimize(
        loss, np.zeros(len(FEATURES) + 1), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": ROUNDS}
    ).x
    weights = found[:-1] / scale
    return weights, float(found[-1] + mean @ weights)


def bound(name: str) -> tuple[float | None, float | None]:
    if name.startswith("own"):
        return None, None
    return (None, 0.0) if name.startswith(("apart", "beyond", "far")) else (0.0, None)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kind_weights")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true", help="write trailmark/propose/kind_weights.py anew")
    arguments = parser.parse_args()
    archives = {plain_name(each): each for each in archives_in(arguments.data)}
    kinds = cold_start.kinds_of(archives)
    cases: list[Case] = []
    for kind, names in kinds.items():
        read = [cold_start.read_known_site(name, true_pages(archives[name], name)) for name in names]
        sites = [site for site in read if site is not None]
        for site in sites:
            cases += site_cases(kind, site, [other for other in sites if other is not site])
        print(kind, len(cases), "cases", flush=True)
    for kind, names in kinds.items() if len(kinds) > 1 else ():
        use(*learn([case for case in cases if case.kind != kind]))
        for total in cold_start.evaluate_cold_start(arguments.data, sites=names, progress=lambda items, _: iter(items)):
            print(f"{kind} left out, {total['seeds']} known sites: F1 {total['macro_f1']:.4f}", flush=True)
    if arguments.write:
        write(Path(str(kind_weights.__file__)), *learn(cases))


def use(weights: Any, absent: float) -> None:
    kind_weights.WEIGHTS, kind_weights.ABSENT = dict(zip(FEATURES, weights, strict=True)), absent


def write(path: Path, weights: Any, absent: float) -> None:
    head = path.read_text(encoding="utf-8").partition("ABSENT = ")[0]
    lines = [
        f'    "{name}": {weight:.3f},' for name, weight in zip(FEATURES, weights, strict=True) if abs(weight) > 1e-3
    ]
    says = '"""What a slot must outweigh, else the field is taken to be absent."""'
    path.write_text(
        "\n".join([f"{head}ABSENT = {absent:.3f}", says, "", "WEIGHTS = {", *lines, "}", ""]), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
