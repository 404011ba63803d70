"""`LineChain`: a conditional random field over whole lines, below the one over words; what it says of a line is told to each of its words.

A line of a header is nearly always one field, and a chain of fifty lines carries further than one of five hundred words. Words are told
chances and not a verdict, so that a line which the chain is unsure of is left to its words.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from trailmark.sequence.block_crf import Block, BlockCRF, BlockSequences
from trailmark.sequence.sequences import Bools, Floats, Ints
from trailmark.tag.feature_blocks import Described, Vocabulary, moved

LINE_BLOCKS = (
    *(("line", step) for step in (-1, 0, 1)),
    *((view, 0) for view in ("paragraph", "under", "whole", "place", "layout")),
)
"""(View, how many lines further) of every block of the chain over lines; what is said of words is taken from the first of a line."""
LINE_KINDS = 1
"""Kinds of steps from line to line."""
TOLD_STEPS = (-1, 0, 1)
"""Lines of which a word is told: the one above, its own, the one below."""
STACKS = 4
"""Parts: what is told of the lines of each while learning is what the other parts taught."""


@dataclass(frozen=True, slots=True)
class LineRecipe:
    """How a chain over lines is learnt."""

    l2: float = 0.1
    l2_edge: float = 0.05
    l2_told: float = 0.1
    """Of what is told to words."""
    max_iterations: int = 40


@dataclass(frozen=True, eq=False)
class LineChain:
    """A chain over lines that is ready; it looks at the same attributes as the one over words."""

    model: BlockCRF

    def chances(self, found: Described, vocabulary: Vocabulary) -> Floats:
        """Lines of all documents x labels."""
        return self.model.marginals(line_sequences(found, vocabulary))


def learnt_chain(
    found: Described, vocabulary: Vocabulary, labels: Ints, states: int, recipe: LineRecipe
) -> tuple[LineChain, Floats]:
    """Documents in attributes, and the label of every word -> a chain, and what it would say of the same lines had it not learnt from them."""
    data = line_sequences(found, vocabulary, line_labels(found, labels, states))
    told = np.zeros((len(found.line_documents), states))
    parts = np.arange(len(found.lengths)) % STACKS
    for part in range(STACKS):
        mine = parts == part
        if mine.any() and not mine.all():
            chain = _learnt(_taken(data, ~mine), states, recipe)
            told[mine[found.line_documents]] = chain.marginals(_taken(data, mine))
    return LineChain(_learnt(data, states, recipe)), told


def _learnt(data: BlockSequences, states: int, recipe: LineRecipe) -> BlockCRF:
    model = BlockCRF(n_states=states, l2=recipe.l2, l2_edge=recipe.l2_edge, max_iterations=recipe.max_iterations)
    return model.fit(data)


def line_sequences(found: Described, vocabulary: Vocabulary, labels: Ints | None = None) -> BlockSequences:
    """The blocks of the chain over lines, in the order of its weights."""
    _, first = np.unique(found.line_rows, return_index=True)
    blocks = []
    for view, step in LINE_BLOCKS:
        table = found.tables[view]
        rows = table.rows if view == "line" else table.rows[first]
        blocks.append(Block(table.matrix(vocabulary.columns[view]), moved(rows, found.line_documents, step)))
    lengths = np.bincount(found.line_documents, minlength=len(found.lengths)).astype(np.int64)
    return BlockSequences(tuple(blocks), lengths, np.zeros(len(found.line_documents), np.int64), labels)


def line_labels(found: Described, labels: Ints, states: int) -> Ints:
    """The label of most words of each line; of equals the one with the lowest number."""
    counts = np.zeros((len(found.line_documents), states), dtype=np.int64)
    np.add.at(counts, (found.line_rows, labels), 1)
    return np.asarray(counts.argmax(axis=1), dtype=np.int64)


def with_told(words: BlockSequences, found: Described, chances: Floats) -> BlockSequences:
    """The chain over words with what was said of lines: one block more a step."""
    matrix = sp.csr_array(chances)
    lines = np.arange(len(chances), dtype=np.int64)
    told = (Block(matrix, moved(lines, found.line_documents, step)[found.line_rows]) for step in TOLD_STEPS)
    return replace(words, blocks=(*words.blocks, *told))


def _taken(data: BlockSequences, chosen: Bools) -> BlockSequences:
    """Some of the chains."""
    keep = np.repeat(chosen, data.lengths)
    blocks = tuple(Block(block.matrix, block.rows[keep]) for block in data.blocks)
    labels = None if data.labels is None else data.labels[keep]
    return BlockSequences(blocks, data.lengths[chosen], data.kinds[keep], labels)
