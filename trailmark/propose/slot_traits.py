"""What can be said of a slot whatever its site: what its texts look like, what stands before it, where it stands.

Bags of marks are rows of sparse matrices over hashed marks, so that a slot is compared with many others in one product.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from trailmark.propose.site_slots import SiteTexts, Slot
from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.value_type import types_of

Floats = NDArray[np.float64]

BITS = 16
MOST_CHARS = 120
"""Of a text: more would say no more."""
BAGS = ("words", "shapes", "bare shapes", "chars", "whole", "label words", "label chars", "names", "outer names")
TEXT_BAGS = BAGS[:5]
BARE = ("bare shapes", "chars", "whole")
"""Bags of texts without a label that they begin with."""
TRAITS = (
    "filled", "several", "distinct", "in title", "fills title", "heading", "first heading", "bold", "link", "item",
    "cell", "place", "depth", "long", "wide", "figures", "capitals", "repeated", "template", "sentence", "opens",
    "near label", "labelled", "colon",
)  # fmt: skip

_WORD = re.compile(r"[^\W_]+")
_NAME_WORD = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "title"))
_BOLD = frozenset(("b", "strong", "big", "th", "dt", "em"))
_ITEM = frozenset(("li", "dd", "dt", "option"))
_CELL = frozenset(("td", "th"))


@dataclass(frozen=True, slots=True, eq=False)
class SlotTraits:
    """Slots of one site: a row each."""

    numbers: Floats
    """A column for each of TRAITS, about 0 to 1."""
    bags: dict[str, csr_matrix]
    """Of texts: the share of the slot's texts that have the mark. Of labels and names: which there are."""
    having: dict[str, Floats]
    """How many of the slots have each mark."""
    usual: dict[str, Floats]
    """The mean of all slots."""


def describe_slots(site: SiteTexts, slots: Sequence[Slot]) -> SlotTraits:
    titles = [_title_of(table) for table in site.tables]
    known: dict[tuple[int, int], list[float]] = {}
    numbers = [_numbers(site, slot, titles, known) for slot in slots]
    texts = [[site.tables[number].texts[row][:MOST_CHARS] for number, row in slot.places] for slot in slots]
    bare = [
        [_without_label(text, slot.label) for text in slot_texts] for slot_texts, slot in zip(texts, slots, strict=True)
    ]
    bags = {name: _bag(bare if name in BARE else texts, marks) for name, marks in _TEXT_MARKS.items()}
    bags["label words"] = _bag([[slot.label] for slot in slots], name_words)
    bags["label chars"] = _bag([[slot.label] for slot in slots], _chars)
    bags["names"] = _bag([[_names(site, slot, range(2))] for slot in slots], str.split)
    bags["outer names"] = _bag([[_names(site, slot, range(2, 5))] for slot in slots], str.split)
    having = {name: np.bincount(bag.indices, minlength=1 << BITS).astype(np.float64) for name, bag in bags.items()}
    usual = {name: mean_row(bags[name]) for name in TEXT_BAGS}
    return SlotTraits(np.array(numbers).reshape(len(slots), len(TRAITS)), bags, having, usual)


def mean_row(bag: csr_matrix) -> Floats:
    mean: Floats = np.asarray(bag.mean(axis=0)).ravel() if bag.shape[0] else np.zeros(1 << BITS)
    return mean


def _without_label(text: str, label: str) -> str:
    """The text without what is taken for its label already."""
    rest = text[len(label) :].lstrip(" :=") if label and text.startswith(label) else text
    return rest or text


def code_of(mark: str) -> int:
    return zlib.crc32(mark.encode("utf-8", "replace")) % (1 << BITS)


def _bag(values: Sequence[Sequence[str]], marks: Callable[[str], list[str]]) -> csr_matrix:
    """A row for each list of texts: the share of the texts that have each mark."""
    starts, columns, shares = [0], list[int](), list[float]()
    known: dict[str, frozenset[int]] = {}
    for texts in values:
        shares_at: dict[int, float] = {}
        for text in texts:
            if text not in known:
                known[text] = frozenset(map(code_of, marks(text)))
            for at in known[text]:
                shares_at[at] = shares_at.get(at, 0.0) + 1.0 / len(texts)
        columns += sorted(shares_at)
        shares += [shares_at[at] for at in sorted(shares_at)]
        starts.append(len(columns))
    return csr_matrix((shares, columns, starts), shape=(len(values), 1 << BITS), dtype=np.float64)


# --- marks of a text ---------------------------------------------------------------------------------------------


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def name_words(text: str) -> list[str]:
    """Words of a label or a name: letters and figures apart, so that ISBN13 is ISBN 13."""
    return _NAME_WORD.findall(text.lower())


def _whole(text: str) -> list[str]:
    return ["".join(_WORD.findall(text.lower()))]


def _chars(text: str) -> list[str]:
    plain = " " + re.sub(r"\d", "0", text.lower()) + " "
    return [plain[at : at + 3] for at in range(len(plain) - 2)]


def shapes_of(text: str) -> list[str]:
    """Types of value, and words and pairs of words with figures and letters made alike."""
    parts = [_shape(part) for part in text.split()[:12]]
    ends = [f"^{parts[0]}", f"{parts[-1]}$"] if parts else []
    pairs = [f"{one} {other}" for one, other in pairwise(parts)]
    whole = ["=" + " ".join(parts)] if len(parts) <= 8 else []
    size = sum(map(str.isalnum, text))
    if 2 * sum(map(str.isdigit, text)) >= size:
        whole.append(f"size {size}")
    return [*(f"type {name}" for name in types_of(text)), f"count {min(len(parts), 9)}", *parts, *pairs, *ends, *whole]


def _shape(word: str) -> str:
    figures = re.sub(r"\d", "0", word)
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]+", "A", figures))


_TEXT_MARKS: dict[str, Callable[[str], list[str]]] = dict(
    zip(TEXT_BAGS, (_words, shapes_of, shapes_of, _chars, _whole), strict=True)
)


# --- where a slot stands -----------------------------------------------------------------------------------------


def _names(site: SiteTexts, slot: Slot, levels: range) -> str:
    """Words in classes, ids and property names of the elements that hold the text on the first page."""
    number, row = slot.places[0] if slot.places else (0, 0)
    table, words = site.tables[number], list[str]()
    for level in levels:
        at = int(table.ancestor(level)[row])
        if at < len(table.elements) and table.tags[at]:
            element = table.elements[at]
            names = " ".join(element.get(name) or "" for name in ("class", "id", "itemprop", "property", "name"))
            words += [word for word in name_words(_CAMEL.sub(" ", names)) if len(word) > 1]
    return " ".join(words)


def _title_of(table: NodeTable) -> list[str]:
    row = next((row for row in range(len(table)) if table.tags[int(table.owner[row])] == "title"), None)
    return [] if row is None else _words(table.texts[row])


def _numbers(
    site: SiteTexts, slot: Slot, titles: Sequence[list[str]], known: dict[tuple[int, int], list[float]]
) -> list[float]:
    places = slot.some_places
    for number, row in places:
        if (number, row) not in known:
            known[number, row] = _of_text(site, number, row, titles[number])
    means = np.mean([known[place] for place in places], axis=0)
    texts = [site.tables[number].texts[row] for number, row in slot.places]
    first = [len(slot.places) / len(site.tables), log(slot.several) / 3, len(set(texts)) / len(texts)]
    return [*first, *map(float, means), float(bool(slot.label)), float(slot.label.endswith(":"))]


def _of_text(site: SiteTexts, number: int, row: int, title: list[str]) -> list[float]:
    table = site.tables[number]
    text, owner = table.texts[row], int(table.owner[row])
    tags = [table.tags[at] for at in _upwards(table, owner, 4)]
    words = _words(text)
    inside = sum(word in title for word in words) / len(words) if words else 0.0
    filled = len(set(words) & set(title)) / len(set(title)) if title else 0.0
    letters = sum(sign.isalpha() for sign in text)
    return [
        inside,
        filled,
        float(any(tag in _HEADINGS for tag in tags[:3])),
        float("h1" in tags[:3]),
        float(any(tag in _BOLD for tag in tags[:2])),
        float("a" in tags[:2]),
        float(any(tag in _ITEM for tag in tags)),
        float(any(tag in _CELL for tag in tags)),
        row / max(len(table), 1),
        min(len(tags), 4) / 4,
        log(1 + len(words)) / 3,
        log(1 + len(text)) / 5,
        sum(sign.isdigit() for sign in text) / len(text),
        sum(sign.isupper() for sign in text) / max(letters, 1),
        log(_occurrences(table)[text]) / 2,
        site.shares.get(text, 0.0),
        float(text[-1] in ".!?") * min(len(words) / 8, 1.0),
        float(table.behind[row] < 0),
        float(row > 0 and table.texts[row - 1] in site.template),
    ]


def _occurrences(table: NodeTable) -> dict[str, int]:
    def make() -> dict[str, int]:
        counts: dict[str, int] = {}
        for text in table.texts:
            counts[text] = counts.get(text, 0) + 1
        return counts

    counts_of: dict[str, int] = table.kept("occurrences", make)
    return counts_of


def _upwards(table: NodeTable, element: int, most: int) -> list[int]:
    numbers: list[int] = []
    while element < len(table.tags) and len(numbers) < most:
        numbers.append(element)
        element = int(table.parent[element])
    return numbers
