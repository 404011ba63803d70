"""What can be said of a text: its features by type and level (Vertex, section III-C).

A column gives one integer a row: equal where the feature's value is equal, 0 where there is none. `code` gives the integer of
a value, so that rules are kept as strings. Level 0 is the element that holds the text, level 1 its parent, and so on.

Departures from the paper: besides tag, class and id of the node and its ancestors, class and id of the sibling before, and
the texts to the left and right, there are the text that an ancestor opens with, the text before and after an ancestor, the
place among siblings and the whole path.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from trailmark.wrap.page.element_columns import (
    STRIDE,
    codes_of,
    element_column,
    element_value,
    label_codes,
    label_rows,
)
from trailmark.wrap.page.node_table import ELEMENT, TEXT, NodeTable, Numbers
from trailmark.wrap.page.value_code import chained_code, value_code

MOST_LEVELS = 8
DEEPEST = 100
"""Levels of a path of tags that is still a feature."""

LEVEL_KINDS = ("tag", "class", "id", "before-tag", "before-class", "before-id", "index", "left-of", "right-of", "opens")
TEXT_KINDS = (
    "left", "left-word", "left-2", "right", "right-word", "begins", "ends", "after", "nth", "path", "tags",
)  # fmt: skip

VIEW_LEVEL_KINDS = (
    "tag",
    "class",
    "id",
    "before-tag",
    "before-class",
    "before-id",
    "index",
    "opens",
    "name",
    "property",
    "itemprop",
    "rel",
)
VIEW_TEXT_KINDS = ("path", "tags")
"""What is said of attributes and of whole elements."""
_PLACES = [(kind, 0) for kind in TEXT_KINDS] + [(kind, level) for kind in LEVEL_KINDS for level in range(MOST_LEVELS)]
_VIEW_PLACES = [(kind, 0) for kind in VIEW_TEXT_KINDS] + [
    (kind, level) for kind in VIEW_LEVEL_KINDS for level in range(MOST_LEVELS)
]


def places_of(layer: str) -> list[tuple[str, int]]:
    """Kind and level of all features that the rows of a layer have."""
    return _PLACES if layer == TEXT else _VIEW_PLACES


def column(table: NodeTable, kind: str, level: int = 0) -> Numbers:
    """The feature of every row."""
    make = _TEXT_COLUMNS.get(kind)
    if make is not None:
        numbers: Numbers = table.kept((kind, 0), make, table)
    else:
        numbers = table.kept((kind, level), _level_column, table, kind, level)
    return numbers


def _level_column(table: NodeTable, kind: str, level: int) -> Numbers:
    numbers = element_column(table, kind)[table.ancestor(level)]
    if kind == "opens":  # a text is no label of itself
        numbers[_own(table, label_rows(table, kind)[table.ancestor(level)])] = 0
    return numbers


def _own(table: NodeTable, labels: Numbers) -> NDArray[np.bool_]:
    """Whether each row's label is the row itself, or a part of it."""
    own: NDArray[np.bool_] = labels == np.arange(len(table))
    if table.layer == ELEMENT:
        own = (labels >= table.first_text[table.owner]) & (labels < table.end_text[table.owner])
    elif table.layer != TEXT:
        own = np.zeros(len(table), dtype=bool)
    return own


def code(kind: str, value: str) -> int:
    """The integer that a column has for the value."""
    if kind == "nth":
        return int(value)
    if kind == "index":
        tag, _, number = value.removesuffix("]").rpartition("[")
        return (value_code(tag) + int(number) * STRIDE + 2**63) % 2**64 - 2**63
    if kind == "path":
        return _path_code(value)
    return value_code(value)


def value(table: NodeTable, kind: str, level: int, row: int) -> str:
    """The feature of one row as a string; empty where there is none."""
    if kind in _TEXT_VALUES:
        return _TEXT_VALUES[kind](table, row)
    if kind == "nth":
        return str(column(table, kind)[row])
    element = int(table.ancestor(level)[row])
    if kind == "opens" and not column(table, kind, level)[row]:
        return ""
    return "" if element == len(table.elements) else element_value(table, kind, element)


# --- of texts ----------------------------------------------------------------------------------------------------


def _neighbour(steps: int) -> Callable[[NodeTable], Numbers]:
    def make(table: NodeTable) -> Numbers:
        rows = np.arange(len(table)) + steps
        return label_codes(table)[np.where((rows < 0) | (rows >= len(table)), len(table), rows)]

    return make


def _moved(codes: Numbers, steps: int) -> Numbers:
    """Each row gets what its neighbour has."""
    moved = np.zeros_like(codes)
    if steps > 0:
        moved[1:] = codes[:-1]
    else:
        moved[:-1] = codes[1:]
    return moved


def _first_word(text: str) -> str:
    at = text.find(" ")
    return text if at < 0 else text[:at]


def _last_word(text: str) -> str:
    return text[text.rfind(" ") + 1 :]


def _prefix(text: str) -> str:
    """What stands before the first colon: an anchor inside the text itself."""
    at = text.find(":", 0, 40)
    return text[: at + 1] if 0 < at < len(text) - 1 else ""


def _ending(text: str) -> str:
    """The last word of several."""
    return text.rpartition(" ")[2] if " " in text else ""


def _after(table: NodeTable, row: int) -> str:
    """The tag that the text follows within its owner; `^` where it opens it."""
    behind = int(table.behind[row])
    return "^" if behind < 0 else table.tags[behind] or "!"


def _after_column(table: NodeTable) -> Numbers:
    tags = np.where(_is_comment(table), value_code("!"), element_column(table, "tag"))
    return np.where(table.behind < 0, value_code("^"), tags[table.behind])


def _is_comment(table: NodeTable) -> NDArray[np.bool_]:
    """Whether each element is none, but a comment or the like."""
    comments: NDArray[np.bool_] = element_column(table, "tag") == 0
    return comments


def _nth(table: NodeTable) -> Numbers:
    """1 for the first text that its owner holds itself, 2 for the second."""
    order = np.argsort(table.owner, kind="stable")
    owners = table.owner[order]
    fresh = np.ones(len(order), dtype=bool)
    fresh[1:] = owners[1:] != owners[:-1]
    starts = np.maximum.accumulate(np.where(fresh, np.arange(len(order)), 0))
    counts = np.empty(len(order), dtype=np.int64)
    counts[order] = np.arange(len(order)) - starts + 1
    return counts


def at_path(table: NodeTable, path: str) -> NDArray[np.bool_]:
    """The rows whose `path` it is, by climbing from all of them at once: few are left after a step or two."""
    rows, holders = np.arange(len(table)), table.owner
    places = element_column(table, "index")
    for wanted in reversed(_steps(path)):
        same = places[holders] == wanted
        rows, holders = rows[same], table.parent[holders[same]]
    return _marked(table, rows[holders == len(table.tags)])


def _marked(table: NodeTable, rows: Numbers) -> NDArray[np.bool_]:
    mask = np.zeros(len(table), dtype=bool)
    mask[rows] = True
    return mask


@lru_cache(maxsize=4096)
def _steps(path: str) -> tuple[int, ...]:
    return tuple(code("index", part) for part in path.split("/")[1:])


def on_tags(table: NodeTable, path: str) -> NDArray[np.bool_]:
    """The rows whose `tags` it is, level by level upwards."""
    rows, holders = np.arange(len(table)), table.owner
    tags = element_column(table, "tag")
    for tag in path.split("/")[::-1]:
        same = tags[holders] == value_code(tag)
        rows, holders = rows[same], table.parent[holders[same]]
    return _marked(table, rows[holders == len(table.tags)])


def _paths(table: NodeTable) -> Numbers:
    index = table.numbers.tolist()
    codes = [0] * (len(table.tags) + 1)
    parents = table.parent.tolist()
    for number, tag in enumerate(element_column(table, "tag")[:-1].tolist()):
        codes[number] = chained_code(codes[parents[number]], tag, index[number])
    return np.array(codes, dtype=np.int64)[table.owner]


def _tag_paths(table: NodeTable) -> Numbers:
    """Codes of strings, so that `code` need not know."""
    return codes_of([_tags_of(table, row) for row in range(len(table))])


def _path_code(path: str) -> int:
    number = 0
    for part in path.split("/")[1:]:
        tag, _, index = part.rpartition("[")
        number = chained_code(number, value_code(tag), int(index.rstrip("]")))
    return number


def path_of(table: NodeTable, element: int) -> str:
    """`/html[1]/body[1]/div[2]`."""
    index = table.numbers
    parts: list[str] = []
    while element < len(table.tags):
        parts.append(f"{table.tags[element]}[{index[element]}]")
        element = int(table.parent[element])
    return "/" + "/".join(reversed(parts))


def _tags_of(table: NodeTable, row: int) -> str:
    """Tags from the root; an empty string where a hostile page nests without end."""
    paths: dict[int, str] = table.kept("tag paths", dict)
    owner = int(table.owner[row])
    if owner not in paths:
        element = owner
        parts: list[str] = []
        while element < len(table.tags) and len(parts) <= DEEPEST:
            parts.append(table.tags[element])
            element = int(table.parent[element])
        paths[owner] = "/".join(reversed(parts)) if len(parts) <= DEEPEST else ""
    return paths[owner]


_TEXT_COLUMNS: dict[str, Callable[[NodeTable], Numbers]] = {
    "left": _neighbour(-1),
    "left-2": _neighbour(-2),
    "right": _neighbour(1),
    "left-word": lambda table: _moved(codes_of([text[text.rfind(" ") + 1 :] for text in table.texts]), 1),
    "right-word": lambda table: _moved(codes_of([text.partition(" ")[0] for text in table.texts]), -1),
    "begins": lambda table: codes_of([_prefix(text) if ":" in text else "" for text in table.texts]),
    "ends": lambda table: codes_of([text[text.rfind(" ") + 1 :] if " " in text else "" for text in table.texts]),
    "after": _after_column,
    "nth": _nth,
    "path": _paths,
    "tags": _tag_paths,
}
_TEXT_VALUES: dict[str, Callable[[NodeTable, int], str]] = {
    "left": lambda table, row: table.label(row - 1),
    "left-2": lambda table, row: table.label(row - 2),
    "right": lambda table, row: table.label(row + 1),
    "left-word": lambda table, row: _last_word(table.texts[row - 1]) if row else "",
    "right-word": lambda table, row: _first_word(table.texts[row + 1]) if row + 1 < len(table) else "",
    "begins": lambda table, row: _prefix(table.texts[row]),
    "ends": lambda table, row: _ending(table.texts[row]),
    "after": _after,
    "path": lambda table, row: path_of(table, int(table.owner[row])),
    "tags": _tags_of,
}
