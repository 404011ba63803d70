"""The items of courses -> `Shelf`: how often each phrase stands in each item, as numbers, so that thousands of items can be compared.

Phrases of one to four words, weighed by how rare they are among all items (tf-idf); the weights of an item have length one. Texts are not kept: of each item its sentences
are, packed, since an abstract is made of them.
"""

from __future__ import annotations

import math
import zlib
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from trailmark.course.knowledge.abstract import abstract, sentences
from trailmark.course.knowledge.key_phrase import is_subject
from trailmark.course.knowledge.material import CourseTexts, Material
from trailmark.course.knowledge.phrase import Key, runs, shown_words, span_keys
from trailmark.read.singular import stem

Sparse = sparse.csr_array[Any, tuple[int, int]]
Numbers = NDArray[np.float64]
FEWEST_LETTERS = 300
"""Of a text that can be recommended."""
MOST_TOKENS = 60_000
"""Of one item: what stands further down is not counted."""


@dataclass(frozen=True, slots=True)
class ShelfItem:
    """An item of a course, as it stands on the shelf."""

    course: str
    family: str
    """The same for all terms of a course."""
    url: str
    title: str
    kind: str
    packed: bytes
    """Its sentences."""

    def sentences(self) -> list[str]:
        """Its sentences in order."""
        text = zlib.decompress(self.packed).decode("utf-8", "surrogatepass")
        return text.split("\n") if text else []


@dataclass(frozen=True, slots=True)
class Shelf:
    """Items, one a row; phrases, one a column."""

    items: tuple[ShelfItem, ...]
    families: NDArray[np.int64]
    """A number for each item, the same for all terms of a course."""
    keys: tuple[Key, ...]
    spellings: tuple[str, ...]
    """How each phrase is shown."""
    counts: Sparse
    """How often a phrase stands in an item, its title included."""
    titles: Sparse
    """The same of its title alone."""
    weights: Sparse
    """Phrases of the subject that two items at least have, weighed; the squares of a row sum to one."""

    def __len__(self) -> int:
        return len(self.items)

    def row(self, number: int) -> dict[int, float]:
        """An item -> its phrases, by their columns, with their weights."""
        start, end = self.weights.indptr[number : number + 2]
        return dict(zip(self.weights.indices[start:end].tolist(), self.weights.data[start:end].tolist(), strict=True))

    def likeness(self, item: int, other: int) -> float:
        """How much two items speak of the same, from 0 to 1."""
        mine, theirs = self.row(item), self.row(other)
        return math.fsum(weight * theirs[column] for column, weight in mine.items() if column in theirs)

    def abstract(self, item: int, length: int) -> tuple[str, ...]:
        """An item -> so many of its sentences, chosen by its phrases."""
        weights = {self.keys[column]: weight for column, weight in self.row(item).items()}
        return abstract(self.items[item].sentences(), weights, length)


@dataclass(slots=True)
class _Counted:
    """Phrases of some texts in the making: those of all rows one after the other."""

    columns: array[int] = field(default_factory=lambda: array("q"))
    values: array[int] = field(default_factory=lambda: array("q"))
    ends: list[int] = field(default_factory=lambda: [0])

    def add(self, counts: Mapping[int, int]) -> None:
        self.columns.extend(counts.keys())
        self.values.extend(counts.values())
        self.ends.append(len(self.columns))

    def matrix(self, width: int) -> Sparse:
        made = sparse.csr_array(
            (np.array(self.values, dtype=float), np.array(self.columns), np.array(self.ends)),
            shape=(len(self.ends) - 1, width),
        )
        made.sort_indices()
        return made


@dataclass(slots=True)
class _Words:
    """Phrases as they come, each with its number and how it is spelt where it stands first."""

    numbers: dict[Key, int] = field(default_factory=dict)
    spellings: list[str] = field(default_factory=list)

    def counted(self, texts: Iterable[str]) -> Counter[int]:
        counts: Counter[int] = Counter()
        tokens = 0
        for text in texts:
            tokens += len(text) // 5
            if tokens > MOST_TOKENS:
                break
            for run in runs(text):
                stems = [stem(word) for word in run.words]
                for start, key in span_keys(stems):
                    number = self.numbers.get(key)
                    if number is None:
                        number = self.numbers[key] = len(self.spellings)
                        self.spellings.append(shown_words(run.words[start : start + len(key)]))
                    counts[number] += 1
        return counts


def shelf(courses: Iterable[CourseTexts], asked: Collection[Key] = ()) -> Shelf:
    """Courses -> the items that teach something, pages of the courses themselves left out; phrases that one item alone has stay where they are asked for."""
    words, counted, titles = _Words(), _Counted(), _Counted()
    items: list[ShelfItem] = []
    for course in courses:
        for material in course.materials:
            if material.kind != "home" and _letters(material) >= FEWEST_LETTERS:
                items.append(_item(course, material))
                titles.add(words.counted([material.title]))
                counted.add(words.counted(passage.text for passage in material.passages))
    width = len(words.spellings)
    counts, named = counted.matrix(width), titles.matrix(width)
    counts = counts + named
    seen = np.bincount(counts.indices, minlength=width)
    wanted = seen > 1
    for key in asked:
        if key in words.numbers:
            wanted[words.numbers[key]] = True
    columns = np.flatnonzero(wanted)
    keys = list(words.numbers)
    kept = tuple(keys[column] for column in columns)
    counts, named = counts[:, columns], named[:, columns]
    return Shelf(
        tuple(items),
        _families(items),
        kept,
        tuple(words.spellings[column] for column in columns),
        counts,
        named,
        _weights(counts, kept, seen[columns]),
    )


def _item(course: CourseTexts, material: Material) -> ShelfItem:
    packed = zlib.compress("\n".join(sentences(material)).encode("utf-8", "surrogatepass"))
    return ShelfItem(course.id, course.family or course.id, material.url, material.title, material.kind, packed)


def _families(items: Sequence[ShelfItem]) -> NDArray[np.int64]:
    numbers = {family: number for number, family in enumerate(dict.fromkeys(item.family for item in items))}
    return np.array([numbers[item.family] for item in items], dtype=np.int64)


def _letters(material: Material) -> int:
    return sum(len(passage.text) for passage in material.passages)


def _weights(counts: Sparse, keys: Sequence[Key], seen: NDArray[np.int64]) -> Sparse:
    rarity = np.log((counts.shape[0] + 1) / np.maximum(seen, 1))
    lengths = np.sqrt([len(key) for key in keys]) if keys else np.zeros(0)
    subject = np.array([is_subject(key) for key in keys], dtype=bool)
    worth = np.where(subject & (seen > 1), rarity * lengths, 0.0)
    made = counts.copy()
    made.data = (1 + np.log(counts.data)) * worth[counts.indices]
    made.eliminate_zeros()
    rows = np.repeat(np.arange(made.shape[0]), np.diff(made.indptr))
    norms = np.sqrt(np.bincount(rows, weights=made.data**2, minlength=made.shape[0]))
    made.data = made.data / norms[rows]
    return made
