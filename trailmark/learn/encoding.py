"""Examples -> `Sequences` for the chain models, in each of the schemes of states (PathLearner 2.4).

`page-and-link` (2.4.2): a path alternates page, link, page ...; state i < L is label i of a page, state L + i of the link to it.
`page` (2.4.1): a path is its pages; the words of links are features of transitions.
`distance` (3.1.2 of the short version): as page-and-link, labels are distances; what a failed trail passed is left open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from trailmark.learn.bag import Bag
from trailmark.learn.example import Example
from trailmark.learn.label_space import FAIL, GOAL, LabelSpace, distance_label, names_a_page, trail_labels
from trailmark.learn.recipe import Scheme
from trailmark.learn.vocabulary import Vocabulary
from trailmark.sequence import Sequences, binary_hierarchy

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Encoding:
    """Labels, words and scheme: all that is needed to lay a path out for a chain model."""

    space: LabelSpace
    vocabulary: Vocabulary
    scheme: Scheme
    marginalise: bool = False

    @property
    def with_links(self) -> bool:
        return self.scheme != "page"

    @property
    def n_states(self) -> int:
        return self.space.size * (2 if self.with_links else 1)

    def page_states(self) -> Bools:
        return np.arange(self.n_states) < self.space.size

    def link_states(self) -> Bools:
        return ~self.page_states() if self.with_links else self.page_states()

    def forbidden(self, *, ends: bool = True) -> Bools:
        """From state x to state. A link-state leads to the page-state of its label; with `ends`, goal and fail lead nowhere."""
        size = self.space.size
        labels = self.space.forbidden()
        if ends:
            labels[self.space.index[GOAL], :] = True
            if not self.space.by_distance:  # by distance, fail is any page off the way, and a path may come back
                labels[self.space.index[FAIL], :] = True
        if not self.with_links:
            return labels
        banned = np.zeros((2 * size, 2 * size), dtype=bool)
        banned[:size, size:] = labels
        banned[size:, :size] = ~np.eye(size, dtype=bool)
        return banned

    def sharing(self) -> Bools | None:
        """Groups of adjacent distances, a page's and a link's apart; None where states share nothing."""
        if self.scheme != "distance":
            return None
        distances = binary_hierarchy(self.space.size - 1)[:, ::-1]  # pairs are counted from the goal
        groups = np.zeros((distances.shape[0] + 1, self.space.size), dtype=bool)
        groups[:-1, : self.space.size - 1] = distances
        groups[-1, -1] = True
        empty = np.zeros_like(groups)
        return np.block([[groups, empty], [empty, groups]])

    def sequences(self, examples: Sequence[Example]) -> Sequences:
        """Observations and labels of examples; a label the space does not know is left open."""
        bags = [bag for example in examples for bag in self._bags(example)]
        X = self.vocabulary.matrix(bags)
        labels = [row for example in examples for row in self._label_rows(example)]
        lengths = np.array([len(self._bags(example)) for example in examples], dtype=np.int64)
        return Sequences(
            X,
            lengths,
            labels=np.array(labels, dtype=bool).reshape(len(labels), self.n_states),
            E=None if self.with_links else self._edges(examples),
            allowed_states=self._allowed(examples) if self.with_links else None,
        )

    def _bags(self, example: Example) -> list[Bag]:
        if not self.with_links:
            return list(example.pages)
        bags: list[Bag] = [example.pages[0]]
        for link, page in zip(example.links, example.pages[1:], strict=True):
            bags += [link, page]
        return bags

    def _edges(self, examples: Sequence[Example]) -> sp.csr_array:
        empty: dict[str, list[str]] = {}
        return self.vocabulary.matrix([bag for example in examples for bag in (empty, *example.links)])

    def _allowed(self, examples: Sequence[Example]) -> Bools:
        pages, links = self.page_states(), self.link_states()
        return np.array([links if n % 2 else pages for e in examples for n in range(len(self._bags(e)))])

    def _label_rows(self, example: Example) -> list[Bools]:
        sets = self.label_sets(example)
        if not self.with_links:
            return sets
        none = np.zeros(self.space.size, dtype=bool)
        rows = [np.concatenate([sets[0], none])]
        for labels in sets[1:]:
            rows += [np.concatenate([none, labels]), np.concatenate([labels, none])]
        return rows

    def label_sets(self, example: Example) -> list[Bools]:
        """For each page of a trail the labels it may have: one where it is known, several where it is to be summed over."""
        if self.scheme == "distance":
            return self._distance_sets(example)
        return [
            self._labels(label, step.label)
            for label, step in zip(trail_labels(example.trail), example.trail.steps, strict=True)
        ]

    def _labels(self, label: str, taught: str | None) -> Bools:
        known = self.space.index.get(label)
        open_label = taught is None and label not in (GOAL, FAIL)
        if known is None or (self.marginalise and open_label):
            return np.array([name not in (GOAL, FAIL) for name in self.space.labels])
        one: Bools = np.arange(self.space.size) == known
        return one

    def _distance_sets(self, example: Example) -> list[Bools]:
        steps = len(example.pages)
        if example.trail.outcome == GOAL:
            names = [distance_label(steps - 1 - n, self.space) for n in range(steps)]
            return [np.arange(self.space.size) == self.space.index[name] for name in names]
        anything_but_goal = np.array([label != GOAL for label in self.space.labels])
        failed = np.array([label == FAIL for label in self.space.labels])
        last = anything_but_goal if names_a_page(example.trail) else failed
        return [anything_but_goal] * (steps - 1) + [last]
