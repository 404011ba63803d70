"""Many pairs of references -> how probable it is of each that they mean the same paper: the same numbers as `same_paper`, all compared at once."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from trailmark.organise.name_likeness import NameLikeness, Places, Shares, common, rows_of
from trailmark.organise.reference_comparison import FARTHEST, LIMIT, UNLIKE, same_paper, titled, weighed, years_apart
from trailmark.organise.reference_parts import ReferenceParts
from trailmark.organise.title_likeness import TitleLikeness

AT_ONCE = 65_536
"""Pairs that are compared at a time."""


class PairChances:
    """References that are compared in pairs, by their places."""

    def __init__(self, references: Sequence[ReferenceParts]) -> None:
        self._references = references
        self._titled = np.array([titled(each) for each in references], dtype=np.bool_)
        self._titles, self._names = TitleLikeness(references), NameLikeness(references)
        self._numbers, _ = rows_of([sorted(each.numbers) for each in references])
        self._how_many = np.diff(self._numbers.indptr)
        self._years = np.array([next(iter(each.years), 0) for each in references], dtype=np.int64)
        self._how_many_years = np.array([len(each.years) for each in references], dtype=np.int64)

    def of(self, ones: Places, others: Places) -> Shares:
        """Pairs by the places of both -> `same_paper` of each."""
        parts = [self._of(ones[at : at + AT_ONCE], others[at : at + AT_ONCE]) for at in range(0, len(ones), AT_ONCE)]
        return np.concatenate(parts) if parts else np.zeros(0)

    def _of(self, ones: Places, others: Places) -> Shares:
        chances = np.zeros(len(ones))
        both = self._titled[ones] & self._titled[others]
        chances[both] = self._with_titles(ones[both], others[both])
        for place in np.flatnonzero(~both).tolist():
            chances[place] = same_paper(self._references[ones[place]], self._references[others[place]])
        return chances

    def _with_titles(self, ones: Places, others: Places) -> Shares:
        titles = self._titles.of(ones, others)
        scores = np.full(len(ones), -LIMIT)
        near = np.flatnonzero(titles >= UNLIKE)
        ones, others = ones[near], others[near]
        least, most = self._names.of(ones, others)
        years = np.minimum(self._apart(ones, others), FARTHEST) / FARTHEST
        score = weighed(titles[near], least, most, years, self._numbers_in_common(ones, others))
        scores[near] = np.clip(score, -LIMIT, LIMIT)
        # NumPy's own `exp` differs from Python's in the last bit, and from one processor to the next.
        powers = np.fromiter(map(math.exp, (-scores).tolist()), np.float64, len(scores))
        chances: Shares = 1 / (1 + powers)
        return chances

    def _apart(self, ones: Places, others: Places) -> Places:
        """How many years lie between the nearest of both; nothing where one has none."""
        counts = np.minimum(self._how_many_years[ones], self._how_many_years[others])
        apart = np.where(counts > 0, np.abs(self._years[ones] - self._years[others]), 0)
        several = np.maximum(self._how_many_years[ones], self._how_many_years[others]) > 1
        for place in np.flatnonzero(several & (counts > 0)).tolist():
            apart[place] = years_apart(self._references[ones[place]], self._references[others[place]])
        return apart

    def _numbers_in_common(self, ones: Places, others: Places) -> Shares:
        """Volumes and pages in common, as a share of the fewer; a half where one has none."""
        fewer = np.minimum(self._how_many[ones], self._how_many[others])
        shares = common(self._numbers[ones], self._numbers[others]) / np.maximum(1, fewer)
        return np.where(fewer > 0, shares, 0.5)
