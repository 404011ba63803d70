"""Rules for a field with many values a page, where no rule gives just the marked ones.

A page that documents a library names dozens of functions; a list of them by hand forgets some, and some are printed in another
place than the others. Algorithm 3 of Vertex asks for rules without a fault on annotated pages, and here there are none. So pairs of
features are ranked by F1: how many of the distinct marked values a pair selects, and how much of what it selects is marked. The best
pair and those nearly as good vote; where a second kind of place gives values that the best leaves out, those two are taken instead, and
either suffices. Work is bounded: features are counted on the rows of marked values first, and all pairs of the best are looked at in one
matrix product a page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trailmark.wrap.page.node_columns import LEVEL_KINDS, TEXT_KINDS, column, value
from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.annotation_match import MarkedPage
from trailmark.wrap.rules.range_pruner import Pruner
from trailmark.wrap.rules.rule import Feature, FieldRules, Rule
from trailmark.wrap.rules.value_type import fits, types_of

FEWEST = 3
"""Values that a page must have on average."""
LEAST_F1 = 0.6
LEVELS = 6
CONSIDERED = 100
"""Features whose pairs are looked at."""
EXACTLY = 60
"""Pairs whose values are counted one by one."""
VOTERS = 8
GENERAL = 0.3
"""Share of the pages not annotated that must have a feature."""
NEARLY = 0.02
_SLIP = 1e-6
MAJORITY = 0.6
EITHER = 0.3
"""Share of the votes that a text must have: of rules that say nearly the same, and of two that look at different places."""
SECOND_PRECISION = 0.9
SECOND_SHARE = 0.05
"""What a second kind of place must be and add: this precise, and this share of all marked values."""
_PLACES = [(kind, level) for kind in LEVEL_KINDS for level in range(LEVELS) if kind not in ("index", "opens")]
_PLACES += [(kind, 0) for kind in TEXT_KINDS if kind not in ("path", "nth")]

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _MarkedTable:
    table: NodeTable
    wanted: frozenset[str]
    """The marked values that are whole texts; others can't be told by these rules."""
    rows: NDArray[np.intp]


def learn_value_list(field: str, pages: Sequence[MarkedPage]) -> FieldRules | None:
    """Rules that give most marked values and little else; None where the field has few values or no such rules."""
    marked = [_marked(page) for page in pages if page.marks]
    if not marked or sum(len(page.wanted) for page in marked) < FEWEST * len(marked):
        return None
    others = [page.table for page in pages if page.marks is None and len(page.table)]
    features = [feature for feature in _features(marked) if _is_general(feature, others)][:CONSIDERED]
    if not features:
        return None
    pruner = _typed(marked)
    masks = [_masks(features, page, pruner) for page in marked]
    pairs = _ranked(masks, marked)
    chosen = _voters(pairs, masks, marked)
    if not chosen:
        return None
    second = _second(pairs, chosen[0][0], masks, marked)
    if second is not None:
        both = tuple(_rule(features, pair, 1.0, pages) for pair in (chosen[0][0], second))
        return FieldRules(field, both, several=True, least=EITHER, pruner=pruner)
    rules = tuple(_rule(features, pair, score, pages) for pair, score in chosen)
    together = FieldRules(field, rules, several=True, least=MAJORITY, pruner=pruner)
    alone = replace(together, rules=rules[:1])
    return together if list_f1(together, pages) >= chosen[0][1] - _SLIP else alone


def list_f1(rules: FieldRules, pages: Sequence[MarkedPage]) -> float:
    """How well rules give the values of the annotated pages; see `value_f1`."""
    marked = [_marked(page) for page in pages if page.marks]
    return value_f1([rules.values(page.table) for page in marked], [page.wanted for page in marked]) if marked else 0.0


def value_f1(values: Sequence[Sequence[str]], wanted: Sequence[frozenset[str]]) -> float:
    """F1 of distinct values: half that of all pages together, half the mean of the pages, so that no long page drowns the others."""
    pairs = [(len(true & set(got)), len(true) + len(set(got))) for got, true in zip(values, wanted, strict=True)]
    whole = sum(size for _, size in pairs)
    if not whole:
        return 0.0
    mean = sum(2 * hits / size if size else 1.0 for hits, size in pairs) / len(pairs)
    return sum(hits for hits, _ in pairs) / whole + mean / 2


def _marked(page: MarkedPage) -> _MarkedTable:
    wanted = frozenset(" ".join(mark.value.split()) for mark in page.marks or ())
    rows = [row for row, text in enumerate(page.table.texts) if text in wanted]
    texts = page.table.texts
    return _MarkedTable(page.table, frozenset(texts[row] for row in rows), np.array(rows, dtype=np.intp))


def _typed(marked: Sequence[_MarkedTable]) -> Pruner:
    """Where all values are of one type, others are refused: of the lines of an address, those that are telephone numbers."""
    values = sorted(value for page in marked for value in page.wanted)
    common = [name for name in types_of(values[0]) if all(fits(name, value) for value in values)] if values else []
    return Pruner("whole", common[0] if common else "")


def _masks(features: Sequence[Feature], page: _MarkedTable, pruner: Pruner) -> Mask:
    """A line a feature; rows whose text is none of the type are left out."""
    masks: Mask = np.array([feature.mask(page.table)[: len(page.table.texts)] for feature in features])
    if pruner.type:
        masks &= np.array([bool(pruner.value(text)) for text in page.table.texts])
    return masks


def _features(marked: Sequence[_MarkedTable]) -> list[Feature]:
    """Features of the rows of marked values, those that single them out best."""
    hits: Counter[tuple[str, int, int]] = Counter()
    every: Counter[tuple[str, int, int]] = Counter()
    shown: dict[tuple[str, int, int], str] = {}
    for page in marked:
        for kind, level in _PLACES:
            numbers = column(page.table, kind, level)
            codes, first, counts = np.unique(numbers[page.rows], return_index=True, return_counts=True)
            for code, at, count in zip(codes.tolist(), first.tolist(), counts.tolist(), strict=True):
                if code and count > 1:
                    key = (kind, level, code)
                    hits[key] += count
                    every[key] += int(np.count_nonzero(numbers == code))
                    shown.setdefault(key, value(page.table, kind, level, int(page.rows[at])))
    total = sum(len(page.wanted) for page in marked)
    best = sorted(hits, key=lambda key: (-_f1(hits[key], every[key], total), key))[: 3 * CONSIDERED]
    return [Feature(kind, level, (shown[kind, level, code],)) for kind, level, code in best if shown[kind, level, code]]


def _is_general(feature: Feature, pages: Sequence[NodeTable]) -> bool:
    """Whether pages that nobody annotated have it too: a text that stands beside the values of one page tells nothing of others."""
    having = sum(bool(feature.mask(page).any()) for page in pages)
    return having >= GENERAL * len(pages)


def _f1(hits: float, selected: float, total: float) -> float:
    """A guess from rows, in which a value may stand more than once."""
    precision, recall = hits / selected if selected else 0.0, min(hits / total, 1.0)
    return 2 * precision * recall / (precision + recall) if hits else 0.0


def _ranked(masks: Sequence[Mask], marked: Sequence[_MarkedTable]) -> list[tuple[int, int]]:
    """Pairs of features, the most promising first."""
    count = len(masks[0])
    hits, selected = np.zeros((count, count)), np.zeros((count, count))
    for mask, page in zip(masks, marked, strict=True):
        numbers = mask.astype(np.float32)
        right = numbers[:, page.rows]
        selected += numbers @ numbers.T
        hits += right @ right.T
    precision, recall = hits / np.maximum(selected, 1), np.minimum(hits / sum(len(page.wanted) for page in marked), 1.0)
    score = np.triu(np.where(hits > 0, 2 * precision * recall / np.maximum(precision + recall, 1e-9), 0.0))
    order = np.argsort(-score, axis=None, kind="stable")[:EXACTLY]
    return [(int(at) // count, int(at) % count) for at in order if score.flat[at] > 0]


def _values(pair: tuple[int, int], mask: Mask, page: _MarkedTable) -> set[str]:
    return {page.table.texts[row] for row in np.flatnonzero(mask[pair[0]] & mask[pair[1]])}


def _exactly(pair: tuple[int, int], masks: Sequence[Mask], marked: Sequence[_MarkedTable]) -> float:
    values = [tuple(_values(pair, mask, page)) for mask, page in zip(masks, marked, strict=True)]
    return value_f1(values, [page.wanted for page in marked])


def _voters(
    pairs: Sequence[tuple[int, int]], masks: Sequence[Mask], marked: Sequence[_MarkedTable]
) -> list[tuple[tuple[int, int], float]]:
    """The best pair and others that are nearly as good, with their F1."""
    scored = sorted(
        ((_exactly(pair, masks, marked), pair) for pair in pairs),
        key=lambda score_and_pair: (-score_and_pair[0], score_and_pair[1]),
    )
    if not scored or scored[0][0] < LEAST_F1:
        return []
    return [(pair, score) for score, pair in scored if score >= scored[0][0] - NEARLY][:VOTERS]


def _second(
    pairs: Sequence[tuple[int, int]], best: tuple[int, int], masks: Sequence[Mask], marked: Sequence[_MarkedTable]
) -> tuple[int, int] | None:
    """A pair that adds values which the best one leaves out, and hardly anything else."""
    chosen, most = None, SECOND_SHARE * sum(len(page.wanted) for page in marked)
    count = len(masks[0])
    for pair in [*pairs, *((single, single) for single in range(count))]:
        added = [_values(pair, m, page) - _values(best, m, page) for m, page in zip(masks, marked, strict=True)]
        right = [len(more & page.wanted) for more, page in zip(added, marked, strict=True)]
        precise = sum(right) >= SECOND_PRECISION * sum(map(len, added))
        if sum(right) > most and precise and all(2 * r >= len(more) for r, more in zip(right, added, strict=True)):
            chosen, most = pair, sum(right)
    return chosen


def _rule(features: Sequence[Feature], pair: tuple[int, int], weight: float, pages: Sequence[MarkedPage]) -> Rule:
    conjunction = tuple(features[at] for at in dict.fromkeys(pair))
    others = [page.table for page in pages if page.marks is None and len(page.table)]
    speaking = sum(
        bool(np.logical_and.reduce([feature.mask(table) for feature in conjunction]).any()) for table in others
    )
    return Rule(conjunction, round(weight, 5), round(speaking / len(others), 4) if others else 0.0)
