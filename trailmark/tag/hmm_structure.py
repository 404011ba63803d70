"""States and steps of a hidden Markov model: one state a class, or learnt by merging the states of every single word (section 4.2.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from trailmark.sequence.sequences import Floats

Kind = Literal["full", "self", "ml", "smooth"]
START, END = "<start>", "<end>"
Path = Sequence[str]
"""The classes of the words of a document, in order."""


@dataclass(frozen=True, eq=False)
class Structure:
    """The class of each state (`START` first, `END` last) and the probability of each step."""

    classes: tuple[str, ...]
    steps: Floats
    """From x to: every row but that of `END` adds up to 1."""

    @property
    def transitions(self) -> int:
        return int((self.steps > 0).sum())


@dataclass(frozen=True, slots=True)
class Merged:
    """States that are classes so far, and how often each step was taken."""

    classes: tuple[str, ...]
    counts: Mapping[tuple[int, int], int]

    def structure(self) -> Structure:
        """Steps as often as they were taken: the maximum of likelihood."""
        table = np.zeros((len(self.classes), len(self.classes)))
        for (source, target), count in self.counts.items():
            table[source, target] = count
        return Structure(self.classes, _shares(table))


def one_state_a_class(paths: Sequence[Path], kind: Kind) -> Structure:
    """Full (all steps alike), Self (staying as often as it was), ML (all as often as they were), Smooth (one more of each)."""
    names = (START, *sorted({name for path in paths for name in path}), END)
    place = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(names), len(names)))
    for path in paths:
        route = [0, *(place[name] for name in path), len(names) - 1]
        np.add.at(table, (route[:-1], route[1:]), 1)
    allowed = np.ones(table.shape)
    allowed[-1], allowed[:, 0], allowed[0, -1] = 0, 0, 0
    if kind == "ml":
        return Structure(names, _shares(table))
    if kind == "smooth":
        return Structure(names, _shares(table + allowed))
    return Structure(names, _shares(allowed) if kind == "full" else _with_own_stay(table, allowed))


def _with_own_stay(table: Floats, allowed: Floats) -> Floats:
    """Staying by count, all else alike."""
    stay = np.diag(_shares(table)).copy()
    others = allowed.copy()
    np.fill_diagonal(others, 0)
    steps = _shares(others) * (1 - stay)[:, None]
    np.fill_diagonal(steps, stay)
    return steps


def neighbour_merged(paths: Sequence[Path]) -> Merged:
    """A state a word, then one for every run of words of one class: the run's length becomes the chance to stay."""
    classes = [START]
    counts: Counter[tuple[int, int]] = Counter()
    ends = []
    for path in paths:
        state = 0
        for name in path:
            if state and classes[state] == name:
                counts[state, state] += 1
                continue
            classes.append(name)
            counts[state, len(classes) - 1] += 1
            state = len(classes) - 1
        ends.append(state)
    counts.update((state, len(classes)) for state in ends)
    return Merged((*classes, END), counts)


def v_merged(model: Merged) -> Merged:
    """Merges states of one class that share a state they come from or go to, until none is left."""
    while True:
        groups: dict[tuple[str, int, str], set[int]] = {}
        for source, target in model.counts:
            if source != target:
                groups.setdefault(("from", source, model.classes[target]), set()).add(target)
                groups.setdefault(("to", target, model.classes[source]), set()).add(source)
        pairs = [(min(group), state) for group in groups.values() for state in group if state != min(group)]
        if not pairs:
            return model
        model = merged(model, pairs)


def m_merged(model: Merged, loss: Callable[[Merged], float], *, tries: int = 60) -> Merged:
    """Merges states of one class while the loss on held-out text does not rise, the most alike first.

    The paper let a person choose these merges (M-merging); what a person sees is the error, and so does the search.
    """
    best = loss(model)
    refused: set[tuple[Signature, Signature]] = set()
    for _ in range(tries):
        pair = next((pair for pair in _alike(model) if _key(model, *pair) not in refused), None)
        if pair is None:
            break
        tried = merged(model, [pair])
        if (now := loss(tried)) <= best:
            model, best = tried, now
        else:
            refused.add(_key(model, *pair))
    return model


Signature = tuple[str, tuple[tuple[str, int], ...]]


def _key(model: Merged, one: int, other: int) -> tuple[Signature, Signature]:
    """A pair by what its states do: numbers change with every merge."""
    return _signature(model, one), _signature(model, other)


def _signature(model: Merged, state: int) -> Signature:
    steps: Counter[str] = Counter()
    for (source, target), count in model.counts.items():
        if source == state:
            steps[f">{model.classes[target]}"] += count
        if target == state:
            steps[f"<{model.classes[source]}"] += count
    return model.classes[state], tuple(sorted(steps.items()))


def _alike(model: Merged) -> list[tuple[int, int]]:
    """Pairs of states of one class, by how alike the classes before and behind them are."""
    profiles = [dict(_signature(model, state)[1]) for state in range(len(model.classes))]
    pairs = [
        (-_likeness(profiles[one], profiles[other]), one, other)
        for one, other in combinations(range(len(profiles)), 2)
        if model.classes[one] == model.classes[other]
    ]
    return [(one, other) for _, one, other in sorted(pairs)]


def _likeness(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    """The cosine of two counts."""
    both = sum(count * other.get(name, 0) for name, count in one.items())
    sizes = sum(count**2 for count in one.values()) * sum(count**2 for count in other.values())
    return float(both / np.sqrt(sizes)) if sizes else 0.0


def merged(model: Merged, pairs: Sequence[tuple[int, int]]) -> Merged:
    """The model with the states of each pair made one; counts are added up."""
    leader = list(range(len(model.classes)))

    def root(state: int) -> int:
        while leader[state] != state:
            leader[state] = leader[leader[state]]
            state = leader[state]
        return state

    for one, other in pairs:
        first, second = sorted((root(one), root(other)))
        leader[second] = first
    kept = [state for state in range(len(leader)) if root(state) == state]
    place = {state: number for number, state in enumerate(kept)}
    counts: Counter[tuple[int, int]] = Counter()
    for (source, target), count in model.counts.items():
        counts[place[root(source)], place[root(target)]] += count
    return Merged(tuple(model.classes[state] for state in kept), counts)


def _shares(table: Floats) -> Floats:
    total = table.sum(axis=1, keepdims=True)
    return np.asarray(table / np.where(total > 0, total, 1.0))
