"""A page tree -> its signature: the shingle vector, and the three small sets that settle what shingles leave open.

Gulhane et al., Web-Scale Information Extraction with Vertex, section III-A. A shingle is a run of ten opening tags in
document order. Departures from the paper:

- A byte of the vector is taken from the 64-bit minimum of a min-wise hash. The minimum of 8-bit hashes, as printed, is
  0 or 1 for nearly every page of a few hundred tags, so that unlike pages agree.
- Beside the vector stands what the second look compares: the tag paths with their classes (the "XPath sets" of section
  III-B), the numbered places of the page's elements, and the words of its title and main headings.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from trailmark.read import tokens

SHINGLE_LENGTH = 10
VECTOR_LENGTH = 8

Hashes = NDArray[np.uint64]
Features = NDArray[np.uint32]

_MAX_DEPTH = 200  # nesting that is followed; real templates stay far below
_MAX_PLACES = 1200  # a page's first elements: menus and frames of the template stand there, long tables add nothing
_MAX_ORDINAL = 9  # rows beyond it share one place, so that a long list is no structure of its own
_HEADINGS = ("title", "h1", "h2")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """What is kept of a page for clustering: a few kilobytes, no text of the body."""

    shingles: bytes
    """The 8-byte shingle vector."""
    paths: Features
    """Hashes of the tag paths with classes, sorted, each once."""
    places: Features
    """Hashes of the paths with the number of each element among its like siblings, sorted, each once."""
    words: frozenset[str]
    """Words of the title and the main headings."""


def sign_page(root: etree._Element) -> Signature:
    """The signature of a page's tree, the one that `trailmark.read.parse_html` makes."""
    elements = list(root.iter("*"))
    names = [element.tag for element in elements]
    tags = tag_codes(names)
    classes = tag_codes([element.get("class", "") for element in elements])
    paths, places = _path_hashes(tags, classes, _parents(elements))
    marked = _mixed(places + classes)[classes != _CODES[""]]
    return Signature(
        shingle_vector(tags),
        _features(paths),
        _features(np.concatenate([places[:_MAX_PLACES], marked[:_MAX_PLACES]])),
        _heading_words(elements, names),
    )


def sign_tags(root: etree._Element) -> bytes:
    """The shingle vector alone, for those who need nothing else."""
    return shingle_vector(tag_codes([element.tag for element in root.iter("*")]))


def element_paths(root: etree._Element) -> tuple[list[Any], Features]:
    """The elements of a page in document order, and the hash of each one's tag path with classes (not sorted)."""
    elements = list(root.iter("*"))
    tags = tag_codes([element.tag for element in elements])
    classes = tag_codes([element.get("class", "") for element in elements])
    paths, _ = _path_hashes(tags, classes, _parents(elements))
    return elements, (paths >> np.uint64(32)).astype(np.uint32)


def shingle_vector(codes: Hashes) -> bytes:
    """v[i] = min over shingles of h_i (section III-A), a byte of each minimum; `codes` are hashes of the tags."""
    if len(codes) < SHINGLE_LENGTH:
        codes = np.concatenate([codes, np.zeros(SHINGLE_LENGTH - len(codes), dtype=np.uint64)])
    count = len(codes) - SHINGLE_LENGTH + 1
    shingles = codes[:count].copy()
    for place in range(1, SHINGLE_LENGTH):
        shingles *= _BASE
        shingles += codes[place : place + count]
    minima = (_SLOPES * _mixed(shingles) + _OFFSETS).min(axis=1)
    return (_mixed(minima) >> np.uint64(56)).astype(np.uint8).tobytes()


def tag_codes(names: Sequence[Any]) -> Hashes:
    """A hash of each tag or class, the same in every process."""
    if len(_CODES) > _MOST_CODES:
        _CODES.clear()
    return np.array([_CODES[name] for name in names], dtype=np.uint64)


class _KnownCodes(dict[Any, int]):
    """Name -> hash. Numbers in names count items (`row12`, `post-481`): they are no part of a template."""

    def __missing__(self, name: Any) -> int:
        plain = _DIGITS.sub("0", " ".join(str(name).split())[:200]).encode("utf-8", "replace")
        code = self[name] = int.from_bytes(hashlib.blake2b(plain, digest_size=8).digest(), "big")
        return code


_CODES = _KnownCodes()
_MOST_CODES = 1 << 17


def _parents(elements: list[Any]) -> list[int]:
    """The position of each element's parent; -1 for the root."""
    position = dict(zip(elements, range(len(elements)), strict=True))
    position[None] = -1
    return [position.get(element.getparent(), -1) for element in elements]


def _heading_words(elements: list[Any], names: list[Any]) -> frozenset[str]:
    """Words of the title and of the first main heading. Further headings name sections, which come and go with content."""
    first = {name: names.index(name) for name in _HEADINGS if name in names}
    chosen = [elements[first[name]] for name in ("title", "h1" if "h1" in first else "h2") if name in first]
    return frozenset(word for element in chosen for word in tokens(" ".join(element.itertext())[:300]))


def _path_hashes(tags: Hashes, classes: Hashes, parents: list[int]) -> tuple[Hashes, Hashes]:
    """For each element the hash of its path with classes, and of its path with ordinals: one level of the tree at a time."""
    depths: list[int] = []
    for place in parents:
        depths.append(depths[place] + 1 if place >= 0 else 0)
    parent, depth = np.asarray(parents, dtype=np.int64), np.minimum(depths, _MAX_DEPTH)
    paths = _mixed(tags + _mixed(classes))
    places = _mixed(tags + _ordinals(tags, parent))
    order = np.argsort(depth, kind="stable")
    ends = np.cumsum(np.bincount(depth))[:_MAX_DEPTH].tolist()
    for start, end in pairwise(ends):
        level = order[start:end]
        above = parent[level]
        paths[level] += paths[above] * _BASE
        places[level] += places[above] * _BASE
    return _mixed(paths), _mixed(places)


def _ordinals(tags: Hashes, parent: NDArray[np.int64]) -> Hashes:
    """The number of each element among the siblings with its tag, from 0, capped."""
    order = np.lexsort((tags, parent))
    new = np.ones(len(order), dtype=bool)
    new[1:] = (parent[order][1:] != parent[order][:-1]) | (tags[order][1:] != tags[order][:-1])
    starts = np.flatnonzero(new)
    within = np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
    ordinals = np.empty(len(order), dtype=np.uint64)
    ordinals[order] = np.minimum(within, _MAX_ORDINAL)
    return ordinals


def _features(hashes: Hashes) -> Features:
    return np.unique((hashes >> np.uint64(32)).astype(np.uint32))


def _mixed(values: Hashes) -> Hashes:
    """The finaliser of splitmix64: without it affine maps of a weak hash are not min-wise."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


_BASE = np.uint64(0x9E3779B97F4A7C15)
_SLOPES = (_mixed(np.arange(1, VECTOR_LENGTH + 1, dtype=np.uint64)) | np.uint64(1))[:, None]
_OFFSETS = _mixed(np.arange(101, 101 + VECTOR_LENGTH, dtype=np.uint64))[:, None]
