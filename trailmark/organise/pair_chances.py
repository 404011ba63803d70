"""Many pairs of references -> how probable it is of each that they mean the same paper: the same numbers as `same_paper`, the titles compared all at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trailmark.organise.reference_comparison import highest_chance, same_paper, same_paper_by, titled
from trailmark.organise.reference_parts import ReferenceParts
from trailmark.organise.title_likeness import TitleLikeness

Pair = tuple[int, int]


class PairChances:
    """References that are compared in pairs, by their places."""

    def __init__(self, references: Sequence[ReferenceParts]) -> None:
        self._references = references
        self._titled = [titled(each) for each in references]
        self._titles = TitleLikeness(references)

    def of(self, pairs: Sequence[Pair]) -> list[float]:
        """Pairs -> `same_paper` of each."""
        return [self.exact(pair, title) for pair, title in zip(pairs, self.title_likeness(pairs), strict=True)]

    def title_likeness(self, pairs: Sequence[Pair]) -> list[float]:
        """Pairs -> how alike the titles of each are; it says nothing where one has none."""
        places = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        alike: list[float] = self._titles.of(places[:, 0], places[:, 1]).tolist()
        return alike

    def exact(self, pair: Pair, title: float) -> float:
        """A pair with how alike its titles are -> `same_paper` of it."""
        one, other = pair
        if self._titled[one] and self._titled[other]:
            return same_paper_by(title, self._references[one], self._references[other])
        return same_paper(self._references[one], self._references[other])

    def highest(self, pair: Pair, title: float) -> float:
        """The same -> what `same_paper` of it is at most, without a look at the rest."""
        return highest_chance(title) if self._titled[pair[0]] and self._titled[pair[1]] else 1.0
