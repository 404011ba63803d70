"""What a text is worth: naive Bayes over classes of text, each class with a worth; what the older spiders score by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from trailmark.learn.bag import Bag
from trailmark.learn.vocabulary import Vocabulary, fit_vocabulary
from trailmark.sequence import NaiveBayes, Sequences, probabilities

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class TextWorth:
    """Fitted classes of text with their worth."""

    vocabulary: Vocabulary
    weights: Floats
    priors: Floats
    worth: Floats

    def expected(self, bags: Sequence[Bag]) -> Floats:
        """The mean worth of each bag over its classes' chances."""
        words = counts(self.vocabulary, bags)
        means: Floats = probabilities(words @ self.weights + self.priors) @ self.worth
        return means


def fit_text_worth(bags: Sequence[Bag], numbers: npt.NDArray[np.int64], worth: Floats) -> TextWorth:
    """`numbers` is the class of each bag, `worth` that of each class."""
    vocabulary = fit_vocabulary(bags)
    labels = np.arange(worth.size) == numbers[:, None]
    model = NaiveBayes(n_states=worth.size)
    model.fit(Sequences(counts(vocabulary, bags), np.ones(len(bags), dtype=np.int64), labels=labels))
    return TextWorth(vocabulary, model.state_weights_, model.weights_.start, worth)


def counts(vocabulary: Vocabulary, bags: Sequence[Bag]) -> sp.csr_array:
    """Words as counts, for a multinomial model."""
    matrix = vocabulary.matrix(bags)
    return sp.csr_array((np.ones_like(matrix.data), matrix.indices, matrix.indptr), shape=matrix.shape)
