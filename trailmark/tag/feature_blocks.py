"""Documents -> blocks of features for `sequence`: every distinct word, line and place is described once and pointed at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import pairwise

import numpy as np

from trailmark.sequence.block_crf import NOTHING, Block, BlockSequences
from trailmark.sequence.sequences import Ints
from trailmark.tag.attribute_tables import Table, TableMaker
from trailmark.tag.lexicon import Lexicon
from trailmark.tag.line_features import (
    AROUND,
    FAR,
    document_attributes,
    layout_attributes,
    layout_of,
    line_attributes,
    paragraph_attributes,
    paragraphs,
    place_attributes,
    places_of,
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
class Described:
    """Documents in attributes: a table a view, and where words and lines begin and end."""

    tables: Mapping[str, Table]
    lengths: Ints
    kinds: Ints
    line_rows: Ints
    """Number of its line for each word."""
    line_documents: Ints
    """Number of its document for each line."""


def described(documents: Sequence[Document], lexicon: Lexicon, window: Window) -> Described:
    """All attributes of all words."""
    makers = {view: TableMaker() for view in VIEWS}
    near = cache(partial(near_attributes, lexicon=lexicon))
    makers["word"] = TableMaker(lambda text: word_attributes(text, lexicon, near(text)))
    makers["near"] = TableMaker(near)
    makers["pair"] = TableMaker(lambda pair: (pair,))
    makers["place"] = TableMaker(place_attributes)
    makers["layout"] = TableMaker(layout_attributes)
    makers["line"] = TableMaker(partial(line_attributes, lexicon=lexicon))
    kinds: list[int] = []
    line_rows: list[int] = []
    line_documents: list[int] = []
    for number, document in enumerate(documents):
        lines = [line for line in document if line]
        texts = [[word.text for word in line] for line in lines]
        for line in lines:
            line_rows += [len(line_documents)] * len(line)
            line_documents.append(number)
        _add_words(texts, makers)
        _add_layout(lines, makers["layout"])
        if window.lines:
            makers["line"].add(list(map(tuple, texts)))
            _add_headings(texts, makers["under"])
            for paragraph in paragraphs(texts):
                makers["paragraph"].add([tuple(paragraph_attributes(paragraph))] * sum(map(len, paragraph)))
            makers["whole"].add([tuple(document_attributes(texts))] * sum(map(len, texts)))
        else:
            _add_around(texts, makers["around"])
        kinds += _kinds(texts)
    tables = {view: maker.table() for view, maker in makers.items()}
    lengths = np.array([sum(map(len, document)) for document in documents], dtype=np.int64)
    return Described(
        tables,
        lengths,
        np.asarray(kinds, np.int64),
        np.asarray(line_rows, np.int64),
        np.asarray(line_documents, np.int64),
    )


def _add_words(lines: Sequence[Sequence[str]], makers: Mapping[str, TableMaker]) -> None:
    last = ""
    for number, line in enumerate(lines):
        small = [trimmed(text) for text in line]
        makers["word"].add(line)
        makers["near"].add(line)
        makers["pair"].add([f"{one} {other}" for one, other in pairwise([last, *small])])
        makers["place"].add(places_of(number, len(lines), len(line)))
        last = small[-1]


def _add_layout(lines: Sequence[Sequence[Word]], maker: TableMaker) -> None:
    above: Word | None = None
    for line in lines:
        maker.add([layout_of(word, above) for word in line])
        above = line[0]


def _add_headings(lines: Sequence[Sequence[str]], maker: TableMaker) -> None:
    """The latest line above of at most two words: what stands below `Abstract` is read in its light."""
    heading, distance = "", 0
    for line in lines:
        if len(line) <= 2:
            heading, distance = " ".join(map(trimmed, line)), 0
        maker.add([(f"under={heading}", f"far={heading}+{min(distance, 3)}")] * len(line))
        distance += 1


def _add_around(lines: Sequence[Sequence[str]], maker: TableMaker) -> None:
    """The words before and behind each, in the numbers of their attributes: there are fifty of them at every word."""
    small = [trimmed(text) for line in lines for text in line]
    before, behind = ([maker.name(mark + word) for word in small] for mark in AROUND)
    number = maker.number_of_names
    maker.rows += [
        number((*before[max(0, place - FAR) : place], *behind[place + 1 : place + 1 + FAR]))
        for place in range(len(small))
    ]


def _kinds(lines: Sequence[Sequence[str]]) -> list[int]:
    """The kind of step that leads to each word."""
    kinds: list[int] = []
    for line in lines:
        kinds += [NEW_LINE, *(STEP_ENDS.get(text[-1:], 0) for text in line[:-1])]
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
        enough = OFTEN if view in ("around", "whole") else least
        names[view] = tuple(
            sorted(name for name, count in zip(table.names, table.counts(), strict=True) if count >= enough)
        )
    return Vocabulary(names)


def sequences_of(
    found: Described, vocabulary: Vocabulary, window: Window, labels: Ints | None = None
) -> BlockSequences:
    """The blocks of a model, in the order of its weights."""
    matrices = {view: table.matrix(vocabulary.columns[view]) for view, table in found.tables.items()}
    documents = np.repeat(np.arange(len(found.lengths)), found.lengths)
    blocks = []
    for view, step in window.blocks:
        rows = found.tables[view].rows
        if view == "line":
            rows = moved(rows, found.line_documents, step)[found.line_rows]
        else:
            rows = moved(rows, documents, step)
        blocks.append(Block(matrices[view], rows))
    return BlockSequences(tuple(blocks), found.lengths, found.kinds, labels)


def moved(rows: Ints, documents: Ints, step: int) -> Ints:
    """What stands `step` places further in the same document."""
    moved = np.full(len(rows), NOTHING, dtype=np.int64)
    size = len(rows) - abs(step)
    if size > 0:
        here, there = (0, step) if step >= 0 else (-step, 0)
        same = documents[here : here + size] == documents[there : there + size]
        moved[here : here + size][same] = rows[there : there + size][same]
    return moved
