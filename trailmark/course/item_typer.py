"""`ItemTyper`: the items of a course's pages -> their types, by a chain over the items of each page in order.

Departures from Intinno (section 3.1.2), where the heading above an item or the anchor that led to its page is the type: both are clues among
others, and which to believe is learnt from labelled courses; the words that name a type are a list that anyone can read and change.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy.sparse as sp

from trailmark.course.address import address
from trailmark.course.item_clue import Clue, Clues, item_clues, make_of
from trailmark.course.page_item import ItemPage, PageItem
from trailmark.course.type_word import TYPES
from trailmark.errors import InputError
from trailmark.sequence.sequences import Sparse
from trailmark.sequence.tied_crf import TiedCRF, TiedPenalty, TiedSequences

STEPS = 6
"""Kinds of steps from an item to the next: in one line, in one list, to another, to another column, to another format of the same thing."""
_NUMBER = {kind: number for number, kind in enumerate(TYPES)}
_BELIEVED = frozenset(
    [
        "anchor",
        "file",
        "folder",
        "near",
        "column",
        "lead",
        "before",
        "led",
        "fragment",
        "host",
        "own",
        "section",
        "heading",
        "thing",
        "line",
    ]
)
"""Texts that are believed where no example speaks of them."""


WRITTEN_TO = ("people", "discussion", "other")
"""What an address can be that mail or news are written to: it holds no text that teaches, whatever its link says."""
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class TyperRecipe:
    """How a typer is learnt; chosen by leaving whole webs out."""

    named: float = 1.0
    """First guess of the weight of what a text names."""
    rule: float = 2.0
    """The same for what the plain rule says of it."""
    weak: float = 0.5
    group: float = 1.5
    l2_kind: float = 2.0
    l2_shape: float = 25.0
    l2_word: float = 10.0
    l2_tied: float = 2.0
    l2_stay: float = 1.0
    l2_edge: float = 3.0
    rare: float = 4.0
    """How much more a weight is held the fewer courses show it: by 1 + rare / courses."""
    least: int = 2
    """Courses that must show a clue."""
    alike: int = 10
    """Items of one make and type on one page that are learnt from: a list of fifty says the same fifty times."""
    max_iterations: int = 120


@dataclass(frozen=True, slots=True)
class TypedItem:
    """An item with its type and how sure that is."""

    item: PageItem
    kind: str
    chance: float


@dataclass(frozen=True, slots=True)
class LabelledCourse:
    """The pages of a course, its home first, and the type of every item (None: not known)."""

    pages: tuple[ItemPage, ...]
    kinds: tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True, eq=False)
class ItemTyper:
    """What was learnt: the clues that are known, and their weights."""

    free: Mapping[Clue, int]
    tied: Mapping[str, int]
    model: TiedCRF

    def typed(self, pages: Sequence[ItemPage]) -> list[list[TypedItem]]:
        """The pages of a course, its home first -> the type of every item of every page."""
        chains = [_Chain(page.items, clues) for page, clues in zip(pages, item_clues(pages), strict=True)]
        data = _sequences(chains, self.free, self.tied)
        path, chances = self.model.decode_with_marginals(data)
        typed = iter(zip(path.tolist(), chances, strict=True))
        return [
            [_typed_item(item, state, row) for item, (state, row) in zip(page.items, typed, strict=False)]
            for page in pages
        ]


def _typed_item(item: PageItem, state: int, chances: Floats) -> TypedItem:
    """An item, its state on the best path and the chances of all -> its type: of an address that one writes to, the likeliest that it can be."""
    if address(item.url).scheme in ("mailto", "news") and TYPES[state] not in WRITTEN_TO:
        state = max((_NUMBER[kind] for kind in WRITTEN_TO), key=lambda each: (chances[each], each))
    return TypedItem(item, TYPES[state], min(float(chances[state]), 1.0))


@dataclass(frozen=True, slots=True)
class _Chain:
    """Items in order, their clues, and their types where they are known."""

    items: Sequence[PageItem]
    clues: Sequence[Clues]
    kinds: Sequence[str] | None = None


def learnt_typer(courses: Sequence[LabelledCourse], recipe: TyperRecipe = TyperRecipe()) -> ItemTyper:  # noqa: B008 - frozen
    """Labelled courses -> a typer; InputError where there is nothing to learn."""
    chains = [list(_chains(course, recipe.alike)) for course in courses]
    if len({kind for course in chains for chain in course for kind in chain.kinds or ()}) < 2:
        raise InputError("Courses with items of two types or more are needed to learn what items are.")
    shown = Counter(
        clue for course in chains for clue in {clue for chain in course for clues in chain.clues for clue in clues}
    )
    # Of a single course all that it shows has to do.
    least = min(recipe.least, len(courses))
    free = {clue: number for number, clue in enumerate(sorted(clue for clue in shown if shown[clue] >= least))}
    tied = {name: number for number, name in enumerate(sorted(_believed() | {name for name, kind in shown if kind}))}
    penalty = TiedPenalty(
        np.array([_held(clue, recipe) * (1 + recipe.rare / shown[clue]) for clue in free]),
        np.array([_guess(name, recipe) for name in tied]),
        recipe.l2_tied,
        recipe.l2_stay,
        recipe.l2_edge,
    )
    model = TiedCRF(n_states=len(TYPES), n_kinds=STEPS, max_iterations=recipe.max_iterations)
    data = _sequences([chain for course in chains for chain in course], free, tied)
    return ItemTyper(free, tied, model.fit(data, penalty))


def _chains(course: LabelledCourse, alike: int) -> Iterator[_Chain]:
    for page, clues, kinds in zip(course.pages, item_clues(course.pages), course.kinds, strict=True):
        seen: Counter[tuple[str, str]] = Counter()
        chosen = []
        for place, (item, kind) in enumerate(zip(page.items, kinds, strict=True)):
            if kind is None:
                continue
            key = (kind, make_of(item.url))
            seen[key] += 1
            if seen[key] <= alike:
                chosen.append((place, kind))
        yield _Chain([page.items[p] for p, _ in chosen], [clues[p] for p, _ in chosen], [kind for _, kind in chosen])


def _held(clue: Clue, recipe: TyperRecipe) -> float:
    name, kind = clue
    return recipe.l2_kind if kind else recipe.l2_word if name.startswith("word:") else recipe.l2_shape


def _guess(name: str, recipe: TyperRecipe) -> float:
    """How far a rule is believed before any example: `anchor`, `anchor rule`, `make of the course` ..."""
    if name in ("shape", "stem"):
        return recipe.named
    if name in _GROUPS:
        return recipe.group * _GROUPS[name]
    text, _, rest = name.partition(" ")
    guesses = {"": recipe.named, "rule": recipe.rule, "weakly": recipe.weak, "weakly rule": recipe.weak}
    return guesses.get(rest, 0.0) if text in _BELIEVED else 0.0


def _believed() -> set[str]:
    """The rules that are believed whether or not an example speaks of them."""
    endings = ("", " rule", " weakly", " weakly rule")
    return {f"{text}{ending}" for text in _BELIEVED for ending in endings} | {"shape", "stem", *_GROUPS}


_GROUPS = {"make of the course": 1.0, "column of the page": 0.5, "words of the page": 0.5, "heading of the page": 1 / 3}


def _sequences(chains: Sequence[_Chain], free: Mapping[Clue, int], tied: Mapping[str, int]) -> TiedSequences:
    chains = [chain for chain in chains if chain.items]
    every = [clues for chain in chains for clues in chain.clues]
    kinds = [step for chain in chains for step in _steps(chain.items)]
    labels = [_NUMBER[kind] for chain in chains for kind in chain.kinds or ()]
    return TiedSequences(
        _matrix(
            (
                (row, free[clue], value)
                for row, clues in enumerate(every)
                for clue, value in clues.items()
                if clue in free
            ),
            (len(every), len(free)),
        ),
        _matrix(
            (
                (row * len(TYPES) + _NUMBER[kind], tied[name], value)
                for row, clues in enumerate(every)
                for (name, kind), value in clues.items()
                if kind and name in tied
            ),
            (len(every) * len(TYPES), len(tied)),
        ),
        np.array([len(chain.items) for chain in chains], dtype=np.int64),
        np.array(kinds, dtype=np.int64),
        np.array(labels, dtype=np.int64) if labels else None,
    )


def _matrix(cells: Iterator[tuple[int, int, float]], shape: tuple[int, int]) -> Sparse:
    rows, columns, values = [], [], []
    for row, column, value in cells:
        rows.append(row)
        columns.append(column)
        values.append(value)
    return sp.csr_array((np.array(values, dtype=np.float64), (rows, columns)), shape=shape)


def _steps(items: Sequence[PageItem]) -> Iterator[int]:
    """The kind of step that leads to each item."""
    if items:
        yield 0
    for last, item in pairwise(items):
        before, now = address(last.url), address(item.url)
        if before.name and before.name == now.name and before.ending != now.ending:
            yield 4
        elif make_of(last.url) == make_of(item.url):
            yield 5
        elif last.cell and item.cell and last.cell.table == item.cell.table and last.cell.column != item.cell.column:
            yield 3
        elif last.line == item.line:
            yield 0
        else:
            yield 1 if last.headings[:1] == item.headings[:1] and last.lists == item.lists else 2
