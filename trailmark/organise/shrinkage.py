"""Counts of words by leaf -> their probabilities, drawn towards those of the topics above (Cora, 5.2.3, eq. 13 to 15)."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from trailmark.organise.topic_tree import TopicTree
from trailmark.organise.word_counts import Counts, Numbers

ROUNDS = 15
"""Of EM over the weights: the surface has one top, and the third digit no longer moves."""
FOLDS = 5
"""Every fifth item is held out to set the weights."""


class Shrinkage:
    """Word probabilities of leaves, as mixtures along their paths."""

    def __init__(self, tree: TopicTree, words: int) -> None:
        paths = [tree.path(leaf) for leaf in tree.leaves]
        self._words = words
        self._depth = max(map(len, paths))
        leaf_place = {leaf: place for place, leaf in enumerate(tree.leaves)}
        members = [(topic, leaf_place[path[0]]) for path in paths for topic in path]
        shape = (len(tree.topics), len(tree.leaves))
        self._union = sparse.csr_array((np.ones(len(members)), tuple(np.array(members).T)), shape=shape)
        """Which leaves' counts a topic's are the sum of."""
        self._steps = [
            np.array([path[step] if step < len(path) else -1 for path in paths]) for step in range(self._depth)
        ]
        """For each step upwards the topic that a leaf finds there; -1 past the root."""
        present = np.array(
            [[step < len(path) for step in range(self._depth)] + [True] for path in paths], dtype=np.float64
        )
        self.weights = present / present.sum(axis=1, keepdims=True)
        """The lambdas: a row a leaf, from the leaf itself up to the root and the uniform distribution; uniform at first."""

    def log_probabilities(self, counts: Counts, shares: Numbers) -> Numbers:
        """Counts of words in items, and the share of each leaf in each item -> log of eq. 13, a row a leaf; weights are set anew first."""
        held = np.arange(counts.shape[0]) % FOLDS == FOLDS - 1
        kept_out = np.asarray((counts[held].T @ shares[held]).T)
        whole = np.asarray((counts.T @ shares).T)
        self._set_weights(kept_out, self._estimates(whole - kept_out))
        return np.log(self._mixture(self._estimates(whole)))

    def _estimates(self, leaf_counts: Numbers) -> list[Numbers]:
        """Maximum-likelihood estimates for each step upwards, a row a leaf; nothing where a leaf's path has ended."""
        totals = np.asarray(self._union @ leaf_counts)
        shares = totals / np.maximum(totals.sum(axis=1, keepdims=True), 1e-12)
        blank = np.vstack([shares, np.zeros((1, self._words))])
        return [blank[step] for step in self._steps]

    def _mixture(self, estimates: list[Numbers]) -> Numbers:
        """Eq. 13."""
        mixed = np.repeat(self.weights[:, -1:] / self._words, self._words, axis=1)
        for step, estimate in enumerate(estimates):
            mixed += self.weights[:, step, None] * estimate
        return mixed

    def _set_weights(self, kept_out: Numbers, estimates: list[Numbers]) -> None:
        """EM: eq. 14 shares each word among the steps, eq. 15 sums the shares. A leaf without words keeps its weights."""
        seen = kept_out.sum(axis=0) > 0
        words, parts = kept_out[:, seen], [estimate[:, seen] for estimate in estimates]
        any_word = words.sum(axis=1) > 0
        for _ in range(ROUNDS):
            mixed = self.weights[:, -1:] / self._words + sum(
                self.weights[:, step, None] * part for step, part in enumerate(parts)
            )
            ratio = words / mixed
            gains = np.stack([*((ratio * part).sum(axis=1) for part in parts), ratio.sum(axis=1) / self._words], axis=1)
            new = self.weights * gains
            self.weights = np.where(
                any_word[:, None], new / np.maximum(new.sum(axis=1, keepdims=True), 1e-12), self.weights
            )
            # What is never used must not become impossible: a leaf's first items may come later.
            floor = np.where(self.weights[:, -1:] < 1e-6, 1e-6, self.weights[:, -1:])
            self.weights[:, -1:] = floor
