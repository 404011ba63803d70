"""Cora's tables 2 to 6 on headers in the paper's preparation: mixture weights, structures, errors by class, Baum-Welch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from evals.tagging import TASKS, Known, Part, paper_header
from evals.tagging_scores import word_scores
from trailmark.progress import Progress
from trailmark.tag import TaggedDocument
from trailmark.tag.hmm_distant import DISTANT, distant_counts
from trailmark.tag.hmm_emissions import Counts, emissions
from trailmark.tag.hmm_tagger import HmmTagger, class_counts, learnt_hmm, merged_hmm, searched_hmm
from trailmark.tag.hmm_unlabelled import Smoothing, perplexity, taught_further

WAYS = ("L", "L+D", "L*D")
PAPER_MIXTURE = {
    "address": 0.861, "affiliation": 0.858, "author": 0.446, "date": 0.909, "email": 0.657, "keyword": 0.470, "note": 0.808,
    "title": 0.329, "web": 0.629,
}  # fmt: skip
"""Table 2: the weight of labelled text."""
PAPER_ERRORS = {
    "full": (0.373, 0.427, 0.356),
    "self": (0.144, 0.171, 0.107),
    "ml": (0.099, 0.108, 0.079),
    "smooth": (0.104, 0.115, 0.082),
    "M-merged": (0.090, 0.097, 0.073),
    "V-merged": (0.097, 0.105, 0.076),
}
"""Tables 3 and 4: word error by L, L+D, L*D."""

PAPER_BAUM_WELCH = {
    "ml": ((0.079, 0.100, 0.106), (475, 374, 369)),
    "M-merged": ((0.073, 0.109, 0.119), (486, 363, 357)),
}
"""Table 6: word errors and perplexities by structure; initial, BW-uniform, BW-varied."""


def header_tables(parts: Sequence[Part], known: Known, *, progress: Progress) -> dict[str, list[dict[str, Any]]]:
    """The first part alone: every table is of one training set and one test set, as in the paper."""
    train = [paper_header(document) for document in parts[0].train]
    test = [paper_header(document) for document in parts[0].test]
    distant = distant_counts(known.entries, DISTANT["headers"])
    runs = [(kind, way) for kind in PAPER_ERRORS for way in WAYS]
    scores = {run: _errors(_model(train, distant, *run), test) for run in progress(runs, "headers: the paper's models")}
    return {
        "mixture weights (table 2)": _mixtures(train, distant),
        "word error by structure (tables 3 and 4)": [_structure_row(kind, scores) for kind in PAPER_ERRORS],
        "word error by class (table 5)": _class_rows(scores),
        "Baum-Welch on half of the training headers without their labels (table 6)": _unlabelled(train, test, distant),
    }


def _model(train: Sequence[TaggedDocument], distant: Counts, kind: Any, way: Any) -> HmmTagger:
    if kind == "M-merged":
        return searched_hmm(train, name="headers", distant=distant, way=way, tries=30)
    if kind == "V-merged":
        return merged_hmm(train, name="headers", distant=distant, way=way)
    return learnt_hmm(train, name="headers", distant=distant, way=way, kind=kind)


def _unlabelled(
    train: Sequence[TaggedDocument], test: Sequence[TaggedDocument], distant: Counts
) -> list[dict[str, Any]]:
    """The first half is labelled, of the second the words alone are taken: the paper's 5,000 headers without labels are not at hand."""
    half = len(train) // 2
    words = [document.lines for document in train[half:]]
    rows: list[dict[str, Any]] = []
    smoothings: tuple[Smoothing, ...] = ("initial", "uniform", "varied")
    for kind, (errors, perplexities) in PAPER_BAUM_WELCH.items():
        first = _model(train[:half], distant, kind, "L*D")
        for smoothing, error, perplexed in zip(smoothings, errors, perplexities, strict=True):
            model = taught_further(first, words, smoothing)
            row = {"model": kind, "smoothing": smoothing, "error": _errors(model, test)["error"]}
            row["perplexity"] = perplexity(model, [document.lines for document in test])
            rows.append({**row, "paper's error": error, "paper's perplexity": perplexed})
    return rows


def _mixtures(train: Sequence[TaggedDocument], distant: Counts) -> list[dict[str, Any]]:
    counts = class_counts(train)
    found = emissions(counts, distant, tuple(sorted(counts)), "L*D").mixture
    return [
        {"class": label, "L": share, "D": 1 - share, "paper's L": PAPER_MIXTURE.get(label, "")}
        for label, share in found.items()
    ]


def _errors(model: HmmTagger, test: Sequence[TaggedDocument]) -> dict[str, Any]:
    said = model.tag([document.lines for document in test])
    pairs = [
        ([label for line in document.labels for label in line], [tag.label for line in tags for tag in line])
        for document, tags in zip(test, said, strict=True)
    ]
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for truth, answer in pairs:
        for label, found in zip(truth, answer, strict=True):
            total[label] += 1
            right[label] += label == found
    return {
        "error": word_scores(pairs, TASKS["headers"].unscored)["word_error"],
        "states": len(model.states) + 1,
        "steps": int((np.exp(model.model.edges_) > 1e-200).sum() + (np.exp(model.model.weights_.start) > 1e-200).sum()),
        "classes": {label: 1 - right[label] / count for label, count in sorted(total.items())},
        "words": total,
    }


def _structure_row(kind: str, scores: Mapping[tuple[str, str], dict[str, Any]]) -> dict[str, Any]:
    first = scores[kind, "L"]
    row: dict[str, Any] = {"model": kind, "states": first["states"], "steps": first["steps"]}
    row |= {way: scores[kind, way]["error"] for way in WAYS}
    return row | {f"paper's {way}": figure for way, figure in zip(WAYS, PAPER_ERRORS[kind], strict=True)}


def _class_rows(scores: Mapping[tuple[str, str], dict[str, Any]]) -> list[dict[str, Any]]:
    columns = {
        f"{kind} {way}": scores[kind, way]["classes"] for kind in ("ml", "M-merged", "V-merged") for way in ("L", "L*D")
    }
    words = scores["ml", "L"]["words"]
    return [
        {"class": label, "words": words[label], **{name: column[label] for name, column in columns.items()}}
        for label in sorted(words)
    ]
