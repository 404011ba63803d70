"""Which pages of a cluster to annotate, and in which order: algorithm 2 of Vertex (section III-B).

Paths are weighted by how many pages have them and by how much their content differs from page to page,
w(X) = F(X) * I(X) with I(X) = 1 - sum of F(X, t) over the contents t, divided by M |T|. Greedily, the page that covers most
uncovered weight is next. Departure: pages that were annotated already may be named, so that the order goes on after them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from lxml import etree
from numpy.typing import NDArray

from trailmark.cluster.likeness import incidence_of
from trailmark.cluster.signature import Features, element_paths

ANNOTATE = 20
"""K of the paper."""


@dataclass(frozen=True, slots=True, eq=False)
class PageNodes:
    """The paths of a page, and hashes of the contents that stand there."""

    paths: Features
    """Sorted, each once."""
    content_paths: Features
    """The path of each content, one entry for each text of the page."""
    contents: Features


def page_nodes(root: etree._Element) -> PageNodes:
    """Paths and contents of a page's tree."""
    elements, paths = element_paths(root)
    position = {element: number for number, element in enumerate(elements)}
    at: list[int] = []
    contents: list[int] = []
    for number, element in enumerate(elements):
        if element.tag in ("script", "style"):
            continue
        # What follows an element inside its parent is the parent's content.
        for place, text in ((number, element.text), (position.get(element.getparent()), element.tail)):
            if text and place is not None and (plain := " ".join(text.split())):
                at.append(place)
                contents.append(zlib.crc32(plain.encode("utf-8", "replace")))
    return PageNodes(np.unique(paths), paths[np.array(at, dtype=np.int64)], np.array(contents, dtype=np.uint32))


def annotation_order(pages: Sequence[PageNodes], *, most: int = ANNOTATE, annotated: Iterable[int] = ()) -> list[int]:
    """Positions of up to `most` pages, most helpful first, without those that are annotated already.

    Ends early when no path with any weight is left uncovered; of a cluster at least one page is always given.
    """
    if not pages:
        return []
    incidence = incidence_of([page.paths for page in pages])
    weight = path_weights(pages, incidence)
    taken = np.zeros(len(pages), dtype=bool)
    for page in annotated:
        taken[page] = True
        weight[_columns(incidence, page)] = 0.0
    order: list[int] = []
    while len(order) < most and not taken.all():
        gain = np.where(taken, -1.0, incidence @ weight)
        best = int(np.argmax(gain))
        if gain[best] <= 1e-9 and (order or taken.any()):
            break
        order.append(best)
        taken[best] = True
        weight[_columns(incidence, best)] = 0.0
    return order


def path_weights(pages: Sequence[PageNodes], incidence: sp.csr_array) -> NDArray[np.float64]:
    """w(X) = F(X) I(X) for each column of the incidence matrix; a path without content weighs nothing."""
    known = np.unique(np.concatenate([page.paths for page in pages]))
    frequency = np.asarray(incidence.sum(axis=0)).reshape(-1)
    pairs = [_distinct_contents(page) for page in pages]
    distinct, counts = np.unique(np.concatenate(pairs), return_counts=True)
    column = np.searchsorted(known, (distinct >> np.uint64(32)).astype(np.uint32))
    contents = np.bincount(column, minlength=len(frequency))
    occurrences = np.bincount(column, weights=counts, minlength=len(frequency))
    informative = 1.0 - occurrences / (len(pages) * np.maximum(contents, 1))
    weight: NDArray[np.float64] = np.where(contents > 0, frequency * informative, 0.0)
    return weight


def _distinct_contents(page: PageNodes) -> NDArray[np.uint64]:
    """Path and content as one number, each once."""
    return np.unique((page.content_paths.astype(np.uint64) << np.uint64(32)) | page.contents.astype(np.uint64))


def _columns(incidence: sp.csr_array, page: int) -> NDArray[np.int32]:
    columns: NDArray[np.int32] = incidence.indices[incidence.indptr[page] : incidence.indptr[page + 1]]
    return columns
