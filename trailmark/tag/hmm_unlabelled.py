"""Baum-Welch on documents that nobody labelled, and the three ways of smoothing what it finds (section 4.3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from trailmark.sequence import HMM
from trailmark.sequence.inference import log_z
from trailmark.sequence.sequences import Floats
from trailmark.tag.feature_blocks import Document
from trailmark.tag.hmm_tagger import LEAST, HmmTagger
from trailmark.tag.hmm_words import prepared

Smoothing = Literal["initial", "uniform", "varied"]


def tokens_of(documents: Sequence[Document]) -> list[list[str]]:
    """The words of each document as the model reads them."""
    return [[token for line in document for word in line if (token := prepared(word.text))] for document in documents]


def perplexity(tagger: HmmTagger, documents: Sequence[Document]) -> float:
    """How many words the model hesitates between at each word; its own end of a document is one."""
    chains = tagger.sequences(tokens_of(documents))
    return float(np.exp(-log_z(tagger.model, chains).sum() / max(int(chains.lengths.sum()), 1)))


def taught_further(
    tagger: HmmTagger, documents: Sequence[Document], smoothing: Smoothing, *, rounds: int = 5
) -> HmmTagger:
    """The tagger after Baum-Welch; words that the documents lack keep a share of what they had.

    `initial` leaves it as it is, `uniform` takes half of the first and half of the new emissions, `varied` finds the share of
    each state by EM on a tenth of the documents that is held out.
    """
    if smoothing == "initial" or not documents:
        return tagger
    chains = tokens_of(documents)
    held = max(1, len(chains) // 10) if smoothing == "varied" else 0
    first = np.exp(tagger.model.state_weights_)
    share = np.full(tagger.model.n_states, 0.5)
    taught = tagger
    for _ in range(rounds):
        words, moves, starts, _ = taught.model.expected_counts(tagger.sequences(chains[: len(chains) - held]))
        fresh = _shares(words.T).T
        taught = _with(tagger, share * fresh + (1 - share) * first, moves, starts)
    if held:
        words, _, _, _ = taught.model.expected_counts(tagger.sequences(chains[-held:]))
        share = _best_shares(words, fresh, first)
        taught = _with(tagger, share * fresh + (1 - share) * first, moves, starts)
    return taught


def _best_shares(counts: Floats, fresh: Floats, first: Floats, *, rounds: int = 30) -> Floats:
    """The weight of the new emissions of each state, by EM on the words it is expected to have said."""
    share = np.full(counts.shape[1], 0.5)
    total = np.maximum(counts.sum(axis=0), LEAST)
    for _ in range(rounds):
        blame = share * fresh / np.maximum(share * fresh + (1 - share) * first, LEAST)
        share = np.clip((counts * blame).sum(axis=0) / total, 0.0, 0.999)
    return np.asarray(share)


def _with(tagger: HmmTagger, emitted: Floats, moves: Floats, starts: Floats) -> HmmTagger:
    arrays = {"state": emitted, "edge": _shares(moves), "start": _shares(starts[None])[0]}
    return replace(tagger, model=HMM.from_arrays({name: np.log(np.maximum(a, LEAST)) for name, a in arrays.items()}))


def _shares(table: Floats) -> Floats:
    total = table.sum(axis=-1, keepdims=True)
    return np.asarray(table / np.where(total > 0, total, 1.0))
