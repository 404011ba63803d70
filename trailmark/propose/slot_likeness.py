"""How like a field of known sites each slot of a new site is, in figures that mean the same for every field and site.

Texts are compared by their words, shapes, letters and as a whole; so are the words before them and the names of their elements.
`likely` is how much likelier a slot's marks are in the field than anywhere (naive Bayes), `likest` the cosine to the likest
of the known sites, `like` the mean over them, `best` the same against the best slot of the site. `apart` and `beyond` say how far the
slot's traits are from the field's, the latter against how much the known sites differ among themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack

from trailmark.propose.site_kind import SiteView
from trailmark.propose.slot_traits import BAGS, TEXT_BAGS, TRAITS, code_of, mean_row, name_words

Floats = NDArray[np.float64]

RANKED = (*(f"likely {name}" for name in TEXT_BAGS), *(f"likest {name}" for name in BAGS))
FEATURES = (
    *RANKED,
    *(f"like {name}" for name in BAGS),
    "named by label", "label is name", "named by class", "named by outer class",
    "shared values", "shared by field",
    *(f"apart {name}" for name in TRAITS),
    *(f"own {name}" for name in TRAITS),
    *(f"beyond {name}" for name in TRAITS),
    *(f"best {name}" for name in RANKED),
    "weakest likely", "label and shapes", "label and letters", "title and words", "far",
)  # fmt: skip
SMOOTHING = 0.02
LEAST = 1e-5
STEEPEST = 4.0
SPREAD = 0.2
"""How far sites of a kind are apart in a trait before anything was seen."""


def compare(seeds: Sequence[SiteView], new: SiteView) -> tuple[list[str], Floats]:
    """Fields of the seeds, and an array: field by slot of the new site by FEATURES."""
    names = list(dict.fromkeys(name for seed in seeds for name in seed.fields))
    sites = (*seeds, new)
    weights = {bag: _rarity([(len(site.slots), site.traits.having[bag]) for site in sites]) for bag in BAGS}
    scaled = {bag: _unit(new.traits.bags[bag], weights[bag]) for bag in BAGS}
    usual = {bag: np.mean([site.traits.usual[bag] for site in sites], axis=0) for bag in TEXT_BAGS}
    figures = np.zeros((len(names), len(new.slots), len(FEATURES)))
    for number, name in enumerate(names) if new.slots else ():
        rows = _rows_of(name, seeds)
        likeness = {bag: (scaled[bag] @ _unit(rows[bag], weights[bag]).T).toarray() for bag in BAGS}
        ranked = [_likelihood(mean_row(rows[bag]), usual[bag], new.traits.bags[bag]) for bag in TEXT_BAGS]
        ranked += [likeness[bag].max(axis=1) for bag in BAGS]
        columns = [*ranked, *(likeness[bag].mean(axis=1) for bag in BAGS), *_named(name, new), *_shared(rows, new)]
        columns += [*_traits(name, seeds, new), *map(_against_best, ranked)]
        figures[number] = np.array([*columns, *_together(dict(zip(FEATURES, columns, strict=False)))]).T
    return names, figures


def _rows_of(name: str, seeds: Sequence[SiteView]) -> dict[str, csr_matrix]:
    having = [(seed, seed.fields.index(name)) for seed in seeds if name in seed.fields]
    return {bag: vstack([seed.field_traits.bags[bag][at] for seed, at in having], format="csr") for bag in BAGS}


def _likelihood(of_field: Floats, usual: Floats, bag: csr_matrix) -> Floats:
    """The mean, over a slot's marks, of how much likelier each is in the field than anywhere."""
    ratio = np.log((of_field + SMOOTHING * usual + LEAST) / (usual * (1 + SMOOTHING) + LEAST))
    sizes = np.asarray(bag.sum(axis=1)).ravel()
    mean: Floats = (bag @ np.clip(ratio, -STEEPEST, STEEPEST)) / np.maximum(sizes, 1e-9) / STEEPEST
    return mean


def _named(name: str, new: SiteView) -> list[Floats]:
    """Whether words of the field's name stand in the label or in names of elements."""
    words = sorted({code_of(word) for word in name_words(name)})
    labels = new.traits.bags["label words"]
    inside = _count(labels, words)
    others = [_count(new.traits.bags[bag], words) for bag in ("names", "outer names")]
    size = max(len(words), 1)
    return [inside / size, inside / np.maximum(np.diff(labels.indptr), 1), *(count / size for count in others)]


def _count(bag: csr_matrix, columns: Sequence[int]) -> Floats:
    counts: Floats = np.asarray((bag[:, columns] > 0).sum(axis=1), dtype=np.float64).ravel()
    return counts


def _shared(rows: dict[str, csr_matrix], new: SiteView) -> list[Floats]:
    """Share of the slot's texts that the field has elsewhere, and of the field's texts that the slot has."""
    known = sorted(set(rows["whole"].indices.tolist()))
    texts = new.traits.bags["whole"]
    shares: Floats = np.asarray(texts[:, known].sum(axis=1), dtype=np.float64).ravel()
    return [shares, 3 * _count(texts, known) / max(len(known), 1)]


def _traits(name: str, seeds: Sequence[SiteView], new: SiteView) -> list[Floats]:
    theirs = np.array([seed.field_traits.numbers[seed.fields.index(name)] for seed in seeds if name in seed.fields])
    own = new.traits.numbers
    apart = np.abs(own - theirs.mean(axis=0))
    spread = np.sqrt(theirs.var(axis=0) + SPREAD**2 / len(theirs))
    return [*apart.T, *own.T, *(np.minimum(apart / spread, STEEPEST) / STEEPEST).T]


def _together(by_name: dict[str, Floats]) -> list[Floats]:
    """What must hold at once: a label that fits says little where the text under it does not."""
    label = np.maximum(by_name["likest label words"], by_name["likest label chars"])
    likely = np.minimum(by_name["likely shapes"], np.minimum(by_name["likely words"], by_name["likely chars"]))
    shapes, letters = np.maximum(by_name["likely shapes"], 0.0), np.maximum(by_name["likely chars"], 0.0)
    title = (1 - by_name["beyond in title"]) * np.maximum(by_name["likely words"], 0.0)
    far = np.sqrt(np.mean([by_name[f"beyond {name}"] ** 2 for name in TRAITS], axis=0))
    return [likely, label * shapes, label * letters, title, far]


def _against_best(column: Floats) -> Floats:
    best = float(column.max(initial=0.0))
    against: Floats = np.maximum(column, 0.0) / best if best > 1e-9 else np.zeros(len(column))
    return against


def _rarity(having: Sequence[tuple[int, Floats]]) -> Floats:
    """Marks that few slots have weigh more."""
    rarity: Floats = np.log(
        (sum(count for count, _ in having) + 1) / (np.sum([counts for _, counts in having], axis=0) + 1)
    )
    return rarity


def _unit(bag: csr_matrix, weights: Floats) -> csr_matrix:
    """Rows weighted and of length 1."""
    scaled = bag.copy()
    scaled.data = scaled.data * weights[scaled.indices]
    norms = np.sqrt(np.asarray(scaled.multiply(scaled).sum(axis=1)).ravel())
    scaled.data = scaled.data / np.repeat(np.maximum(norms, 1e-9), np.diff(scaled.indptr))
    return scaled
