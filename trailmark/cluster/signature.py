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
from functools import lru_cache
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
_MAX_HEADINGS = 12
_HEADINGS = frozenset({"title", "h1", "h2"})
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
    tags, classes, parents, depths, headings = _elements(root)
    tag_codes = _codes(tags)
    class_codes = _codes(classes)
    parent = np.asarray(parents, dtype=np.int64)
    paths, places = _path_hashes(tag_codes, class_codes, parent, np.asarray(depths))
    marked = _mixed(places + class_codes)[class_codes != _codes([""])[0]]
    return Signature(
        shingle_vector(tag_codes),
        _features(paths),
        _features(np.concatenate([places[:_MAX_PLACES], marked[:_MAX_PLACES]])),
        frozenset(word for text in headings for word in tokens(text)),
    )


def sign_tags(root: etree._Element) -> bytes:
    """The shingle vector alone, for those who need nothing else (monitoring)."""
    return shingle_vector(_codes([str(element.tag) for element in root.iter("*")]))


def shingle_vector(codes: Hashes) -> bytes:
    """v[i] = min over shingles of h_i (section III-A), a byte of each minimum; `codes` are hashes of the tags."""
    if len(codes) < SHINGLE_LENGTH:
        codes = np.concatenate([codes, np.zeros(SHINGLE_LENGTH - len(codes), dtype=np.uint64)])
    count = len(codes) - SHINGLE_LENGTH + 1
    shingles = np.zeros(count, dtype=np.uint64)
    for place in range(SHINGLE_LENGTH):
        shingles = shingles * _BASE + codes[place : place + count]
    minima = (_SLOPES * np.unique(_mixed(shingles)) + _OFFSETS).min(axis=1)
    return (_mixed(minima) >> np.uint64(56)).astype(np.uint8).tobytes()


def tag_codes(tags: Sequence[str]) -> Hashes:
    """A hash of each tag, the same in every process."""
    return _codes(tags)


def _elements(root: etree._Element) -> tuple[list[str], list[str], list[int], list[int], list[str]]:
    """Tag, class, number of the parent and depth of each element in document order, and the texts of the headings."""
    number: dict[Any, int] = {}
    tags: list[str] = []
    classes: list[str] = []
    parents: list[int] = []
    depths: list[int] = []
    headings: list[str] = []
    for element in root.iter("*"):
        parent = number.get(element.getparent(), -1)
        depth = depths[parent] + 1 if parent >= 0 else 0
        if depth > _MAX_DEPTH or (parent < 0 and tags):
            continue
        number[element] = len(tags)
        tag = element.tag
        tags.append(tag)
        classes.append(element.get("class", ""))
        parents.append(parent)
        depths.append(depth)
        if tag in _HEADINGS and len(headings) < _MAX_HEADINGS:
            headings.append(" ".join(element.itertext())[:300])
    return tags, classes, parents, depths, headings


def _path_hashes(tags: Hashes, classes: Hashes, parent: NDArray[np.int64], depth: NDArray[Any]) -> tuple[Hashes, Hashes]:
    """For each element the hash of its path with classes, and of its path with ordinals: one level of the tree at a time."""
    named = _mixed(tags + _mixed(classes))
    numbered = _mixed(tags + _ordinals(tags, parent))
    paths, places = named.copy(), numbered.copy()
    order = np.argsort(depth, kind="stable")
    ends = np.cumsum(np.bincount(depth))
    for start, end in zip(ends[:-1], ends[1:], strict=True):
        level = order[start:end]
        above = parent[level]
        paths[level] = _mixed(paths[above] * _BASE + named[level])
        places[level] = _mixed(places[above] * _BASE + numbered[level])
    return paths, places


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


def _codes(names: Sequence[str]) -> Hashes:
    return np.array([_code(name) for name in names], dtype=np.uint64)


@lru_cache(maxsize=1 << 16)
def _code(name: str) -> int:
    """Numbers in class names count items (`row12`, `post-481`): they are no part of a template."""
    plain = _DIGITS.sub("0", " ".join(name.split())[:200])
    return int.from_bytes(hashlib.blake2b(plain.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def _mixed(values: Hashes) -> Hashes:
    """The finaliser of splitmix64: without it affine maps of a weak hash are not min-wise."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


_BASE = np.uint64(0x9E3779B97F4A7C15)
_SLOPES = (_mixed(np.arange(1, VECTOR_LENGTH + 1, dtype=np.uint64)) | np.uint64(1))[:, None]
_OFFSETS = _mixed(np.arange(101, 101 + VECTOR_LENGTH, dtype=np.uint64))[:, None]
