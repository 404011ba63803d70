"""Documents -> blocks of features for `sequence`: every distinct word, line and place is described once and pointed at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np
import scipy.sparse as sp

from trailmark.sequence.block_crf import NOTHING, Block, BlockSequences
from trailmark.sequence.sequences import Ints
from trailmark.tag.lexicon import Lexicon
from trailmark.tag.line_features import (
    around_attributes,
    document_attributes,
    layout_attributes,
    line_attributes,
    paragraph_attributes,
    paragraphs,
    place_attributes,
)
from trailmark.tag.word_features import near_attributes, trimmed, word_attributes
from trailmark.tag.words import Word

Document = Sequence[Sequence[Word]]
VIEWS = ("word", "near", "pair", "place", "line", "paragraph", "under", "whole", "around", "layout")
"""Things that are described: a word, its outer attributes, two words, a place, a line, a paragraph, a heading above, the whole
document, the words before and behind, how a word is printed."""
WIDE = frozenset({"line", "paragraph", "under", "whole", "around"})
"""Views that say the same of many words at once."""
STEP_ENDS = {",": 1, ".": 2, ";": 2, ":": 3}
"""Kinds of steps within a line, by the mark that the word before ends with."""
NEW_LINE = 4
STEP_KINDS = 5
OFTEN = 60
"""Words at which a word somewhere else in the document must have been seen to say anything of them."""


@dataclass(frozen=True, slots=True)
class Window:
    """How far a tagger looks."""

    words: int = 1
    """Words to either side that are looked at whole."""
    near: int = 3
    """Words to either side of which the outer attributes are looked at."""
    lines: int = 1
    """Lines above and below that are looked at; with 0 not even the own one is."""

    @property
    def blocks(self) -> tuple[tuple[str, int], ...]:
        """(View, how many places further) of every block, in their order."""
        found = [("word", step) for step in range(-self.words, self.words + 1)]
        found += [("near", step) for step in range(-self.near, self.near + 1) if abs(step) > self.words]
        found += [("pair", 0), ("pair", 1), ("place", 0), ("layout", 0)]
        if not self.lines:
            found.append(("around", 0))
        else:
            found += [("line", step) for step in range(-self.lines, self.lines + 1)] + [
                ("paragraph", 0),
                ("under", 0),
                ("whole", 0),
            ]
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Table:
    """Distinct things of one view, and which of them stands at each word."""

    things: tuple[tuple[str, ...], ...]
    rows: Ints


@dataclass(frozen=True, slots=True)
class Described:
    """Documents in attributes: a table a view, and where words and lines begin and end."""

    tables: Mapping[str, Table]
    lengths: Ints
    kinds: Ints
    line_rows: Ints
    """Number of its line for each word."""
    line_documents: Ints
    """Number of its document for each line."""


@dataclass(slots=True)
class _Things:
    """Distinct things in the order they were met, with their attributes."""

    describe: Callable[[Any], Sequence[str]]
    numbers: dict[object, int] = field(default_factory=dict)
    described: list[tuple[str, ...]] = field(default_factory=list)

    def number(self, thing: object) -> int:
        known = self.numbers.get(thing)
        if known is None:
            known = self.numbers[thing] = len(self.described)
            self.described.append(tuple(dict.fromkeys(self.describe(thing))))
        return known


def described(documents: Sequence[Document], lexicon: Lexicon, window: Window) -> Described:
    """All attributes of all words."""
    things = {view: _Things(tuple) for view in VIEWS}
    things["word"] = _Things(partial(word_attributes, lexicon=lexicon))
    things["near"] = _Things(partial(near_attributes, lexicon=lexicon))
    things["line"] = _Things(partial(line_attributes, lexicon=lexicon))
    rows: dict[str, list[int]] = {view: [] for view in VIEWS}
    kinds: list[int] = []
    line_rows: list[int] = []
    line_documents: list[int] = []
    for number, document in enumerate(documents):
        lines = [line for line in document if line]
        for line in lines:
            if window.lines:
                texts = tuple(word.text for word in line)
                rows["line"].append(things["line"].number(texts))
            line_rows += [len(line_documents)] * len(line)
            line_documents.append(number)
        _add_words(lines, things, rows)
        if window.lines:
            _add_headings(lines, things, rows)
            for paragraph in paragraphs([[word.text for word in line] for line in lines]):
                number_of_it = things["paragraph"].number(tuple(paragraph_attributes(paragraph)))
                rows["paragraph"] += [number_of_it] * sum(map(len, paragraph))
            whole = tuple(document_attributes([[word.text for word in line] for line in lines]))
            rows["whole"] += [things["whole"].number(whole)] * sum(map(len, lines))
        else:
            around = around_attributes([word.text for line in lines for word in line])
            rows["around"] += [things["around"].number(each) for each in around]
        kinds += _kinds(lines)
    tables = {view: Table(tuple(things[view].described), np.asarray(rows[view], dtype=np.int64)) for view in VIEWS}
    lengths = np.array([sum(map(len, document)) for document in documents], dtype=np.int64)
    return Described(
        tables,
        lengths,
        np.asarray(kinds, np.int64),
        np.asarray(line_rows, np.int64),
        np.asarray(line_documents, np.int64),
    )


def _add_words(lines: Sequence[Sequence[Word]], things: Mapping[str, _Things], rows: Mapping[str, list[int]]) -> None:
    total, before, last = sum(map(len, lines)), 0, ""
    above: Word | None = None
    for number, line in enumerate(lines):
        for place, word in enumerate(line):
            text = word.text
            rows["word"].append(things["word"].number(text))
            rows["near"].append(things["near"].number(text))
            small = trimmed(text)
            rows["pair"].append(things["pair"].number((f"{last} {small}",)))
            at = tuple(place_attributes(number, len(lines), place, len(line), before, total))
            rows["place"].append(things["place"].number(at))
            how = tuple(layout_attributes(word, above))
            rows["layout"].append(things["layout"].number(how))
            last, before = small, before + 1
        above = line[0]


def _add_headings(
    lines: Sequence[Sequence[Word]], things: Mapping[str, _Things], rows: Mapping[str, list[int]]
) -> None:
    """The latest line above of at most two words: what stands below `Abstract` is read in its light."""
    heading, distance = "", 0
    for line in lines:
        if len(line) <= 2:
            heading, distance = " ".join(trimmed(word.text) for word in line), 0
        under = (f"under={heading}", f"far={heading}+{min(distance, 3)}")
        rows["under"] += [things["under"].number(under)] * len(line)
        distance += 1


def _kinds(lines: Sequence[Sequence[Word]]) -> list[int]:
    """The kind of step that leads to each word."""
    kinds: list[int] = []
    for line in lines:
        kinds += [NEW_LINE, *(STEP_ENDS.get(word.text[-1:], 0) for word in line[:-1])]
    return kinds


@dataclass(frozen=True)
class Vocabulary:
    """The attributes of each view that a model knows, in the order of its columns."""

    names: Mapping[str, tuple[str, ...]]

    @cached_property
    def columns(self) -> Mapping[str, Mapping[str, int]]:
        """View -> the column of each attribute; made once, since documents come a few at a time."""
        return {view: {name: number for number, name in enumerate(names)} for view, names in self.names.items()}


def vocabulary_of(found: Described, *, least: int) -> Vocabulary:
    """Attributes that stand at `least` words (lines, for those of lines) or more."""
    names = {}
    for view, table in found.tables.items():
        times = np.bincount(table.rows, minlength=len(table.things)).tolist()
        counts: Counter[str] = Counter()
        for thing, count in zip(table.things, times, strict=True):
            for name in thing:
                counts[name] += count
        enough = OFTEN if view in ("around", "whole") else least
        names[view] = tuple(sorted(name for name, count in counts.items() if count >= enough))
    return Vocabulary(names)


def sequences_of(
    found: Described, vocabulary: Vocabulary, window: Window, labels: Ints | None = None
) -> BlockSequences:
    """The blocks of a model, in the order of its weights."""
    matrices = {view: _matrix(table, vocabulary.columns[view]) for view, table in found.tables.items()}
    documents = np.repeat(np.arange(len(found.lengths)), found.lengths)
    blocks = []
    for view, step in window.blocks:
        rows = found.tables[view].rows
        if view == "line":
            rows = _moved(rows, found.line_documents, step)[found.line_rows]
        else:
            rows = _moved(rows, documents, step)
        blocks.append(Block(matrices[view], rows))
    return BlockSequences(tuple(blocks), found.lengths, found.kinds, labels)


def _moved(rows: Ints, documents: Ints, step: int) -> Ints:
    """What stands `step` places further in the same document."""
    moved = np.full(len(rows), NOTHING, dtype=np.int64)
    size = len(rows) - abs(step)
    if size > 0:
        here, there = (0, step) if step >= 0 else (-step, 0)
        same = documents[here : here + size] == documents[there : there + size]
        moved[here : here + size][same] = rows[there : there + size][same]
    return moved


def _matrix(table: Table, columns: Mapping[str, int]) -> sp.csr_array:
    """Distinct things x known attributes; 1 where a thing has one."""
    column = columns.get
    indices = [[at for name in thing if (at := column(name)) is not None] for thing in table.things]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in indices])]).astype(np.int64)
    flat = np.fromiter(chain.from_iterable(indices), dtype=np.int64, count=int(starts[-1]))
    return sp.csr_array((np.ones(len(flat)), flat, starts), shape=(len(indices), len(columns)))
