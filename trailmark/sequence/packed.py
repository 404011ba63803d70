"""Recursions over chains of any lengths at once: the longest first, so that those still running at a step stand together.

Documents have each a length of their own: grouped by equal length (`Batch`) nearly every one would be done alone. Here one step is
one matrix product for all chains that reach it. Rows of all arrays are in packed order: all first positions, all second ones, and so on.
Every position after the first has a kind of step (within a line, onto a new line ...), and every kind its own edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from trailmark.sequence import lattice
from trailmark.sequence.sequences import Floats, Ints


@dataclass(frozen=True, eq=False)
class Packing:
    """How chains that stand one below the other are laid out by steps."""

    rows: Ints
    """Packed row -> row of the chains one below the other."""
    starts: Ints
    """Packed row at which each step begins, and behind them all where the last one ends."""
    chains: Ints
    """The chains, longest first; chain `chains[i]` is the i-th of each step that it reaches."""
    before: Ints
    """Packed row of the position before, for all packed rows behind the first step."""

    @property
    def steps(self) -> list[tuple[int, int]]:
        """Packed rows of each step: the first, and the one behind the last."""
        return [(int(first), int(end)) for first, end in pairwise(self.starts)]


def packing(lengths: Ints) -> Packing:
    """Lengths of chains, none of them 0 -> how they are packed."""
    chains = np.argsort(-lengths, kind="stable").astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(lengths)[:-1]]).astype(np.int64) if lengths.size else np.zeros(0, np.int64)
    sizes = np.searchsorted(-lengths[chains], -np.arange(lengths.max(initial=0)), side="left")
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    rows = [offsets[chains[:size]] + step for step, size in enumerate(sizes)]
    before = [starts[step] + np.arange(size) for step, size in enumerate(sizes[1:])]
    empty = np.zeros(0, np.int64)
    return Packing(np.concatenate([empty, *rows]), starts, chains, np.concatenate([empty, *before]))


@dataclass(frozen=True, eq=False)
class Passed:
    """What a forward and a backward pass give, in packed order."""

    log_z: float
    """Of all chains together."""
    nodes: Floats
    """Positions x states: probabilities."""
    edges: Floats
    """Kinds x states x states: expected steps."""


def passed(scores: Floats, edges: Floats, kinds: Ints, packing: Packing) -> Passed:
    """Positions x states and kinds x states x states -> marginals; done in log space where a chain underflows."""
    best = scores.max(axis=1, initial=-np.inf)
    local = np.exp(scores - best[:, None])
    top = lattice.top_of(edges)
    moves = np.exp(edges - top)
    alpha, scale = _forward(local, moves, kinds, packing)
    if (scale <= lattice.SMALLEST).any():
        return _in_log_space(scores, edges, kinds, packing)
    ahead, nodes, smallest = _backward(alpha, local, moves, kinds, scale, packing)
    if smallest <= lattice.SMALLEST:
        return _in_log_space(scores, edges, kinds, packing)
    log_z = float(np.log(scale).sum() + best.sum() + top * packing.before.size)
    return Passed(log_z, nodes, _edges(alpha, ahead, moves, kinds, packing))


def _forward(local: Floats, moves: Floats, kinds: Ints, packing: Packing) -> tuple[Floats, Floats]:
    """Scaled alphas and the factors they were scaled by."""
    alpha, scale = np.empty_like(local), np.empty(len(local))
    last = alpha[:0]
    for number, (first, end) in enumerate(packing.steps):
        now = alpha[first:end]
        if number:
            np.multiply(_pushed(last[: end - first], moves, kinds[first:end]), local[first:end], out=now)
        else:
            now[...] = local[first:end]
        total = now.sum(axis=1)
        scale[first:end] = total
        now /= np.where(total > 0, total, 1.0)[:, None]
        last = now
    return alpha, scale


def _backward(
    alpha: Floats, local: Floats, moves: Floats, kinds: Ints, scale: Floats, packing: Packing
) -> tuple[Floats, Floats, float]:
    """What comes in at each position from behind, node marginals, and the smallest number that was divided by."""
    back = np.ascontiguousarray(np.swapaxes(moves, 1, 2))
    ahead, nodes = np.empty_like(local), np.empty_like(local)
    smallest = 1.0
    beta = np.ones((0, local.shape[1]))
    for first, end in reversed(packing.steps):
        full = np.ones((end - first, local.shape[1]))
        full[: len(beta)] = beta
        both = alpha[first:end] * full
        mass = both.sum(axis=1)
        smallest = min(smallest, float(mass.min()))
        share = 1.0 / np.maximum(mass, lattice.SMALLEST)
        nodes[first:end] = both * share[:, None]
        coming = local[first:end] * full
        # Divided here, the product with the alphas before it is the share of each step.
        ahead[first:end] = coming * (share / scale[first:end])[:, None]
        beta = _pushed(coming, back, kinds[first:end])
        total = beta.sum(axis=1)
        beta /= np.where(total > 0, total, 1.0)[:, None]
    return ahead, nodes, smallest


def _pushed(rows: Floats, moves: Floats, kinds: Ints) -> Floats:
    """Each row times the matrix of its kind."""
    count, states = rows.shape
    # All kinds at once and one chosen afterwards: fewer and larger steps than a product a kind.
    all_kinds = rows @ np.swapaxes(moves, 0, 1).reshape(states, -1)
    return np.asarray(all_kinds.reshape(count, len(moves), states)[np.arange(count), kinds])


def _edges(alpha: Floats, ahead: Floats, moves: Floats, kinds: Ints, packing: Packing) -> Floats:
    first = int(packing.starts[1]) if len(packing.starts) > 1 else 0
    used = np.empty_like(moves)
    for kind, matrix in enumerate(moves):
        chosen = np.flatnonzero(kinds[first:] == kind)
        used[kind] = (alpha[packing.before[chosen]].T @ ahead[first + chosen]) * matrix
    return used


def _in_log_space(scores: Floats, edges: Floats, kinds: Ints, packing: Packing) -> Passed:
    """The same, chain by chain, where nothing underflows."""
    value, nodes, used = 0.0, np.empty_like(scores), np.zeros_like(edges)
    sizes = np.diff(packing.starts)
    for place in range(len(packing.chains)):
        rows = packing.starts[:-1][sizes > place] + place
        steps = kinds[rows[1:]]
        single = lattice.log_posterior(scores[rows][:, None, :], edges[steps][:, None], np.ones(1))
        value += float(single.log_z[0])
        nodes[rows] = single.nodes[:, 0]
        np.add.at(used, steps, single.edges[:, 0])
    return Passed(value, nodes, used)


def best_path(scores: Floats, edges: Floats, kinds: Ints, packing: Packing) -> Ints:
    """The state of every position on the best path of its chain, in packed order; of equal ones the lowest states."""
    turned = np.ascontiguousarray(np.swapaxes(edges, 1, 2))
    back = np.zeros(scores.shape, dtype=np.int64)
    delta = np.empty_like(scores)
    last = delta[:0]
    for number, (first, end) in enumerate(packing.steps):
        delta[first:end] = scores[first:end]
        if number:
            through = last[: end - first, None, :] + turned[kinds[first:end]]
            back[first:end] = through.argmax(axis=2)
            delta[first:end] += through.max(axis=2)
        last = delta[first:end]
    path = np.zeros(len(scores), dtype=np.int64)
    chosen = np.zeros(0, dtype=np.int64)
    for first, end in reversed(packing.steps):
        now = delta[first:end].argmax(axis=1)
        now[: len(chosen)] = chosen
        path[first:end] = now
        chosen = back[np.arange(first, end), now]
    return path
