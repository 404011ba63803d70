"""Which pages of a cluster to annotate, and in which order: algorithm 2 of Vertex (section III-B).

Paths are weighted by how many pages have them and by how much their content differs from page to page,
w(X) = F(X) * I(X) with I(X) = 1 - sum of F(X, t) over the contents t, divided by M |T|. Greedily, the page that covers most
uncovered weight is next. Departures: pages that were annotated already may be named, so that the order goes on after them;
and when all is covered the algorithm begins anew with the pages that are left, until K pages are chosen.
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
    """Positions of `most` pages, or of all, most helpful first; those that are annotated already are left out.

    The first pages cover what those that are annotated do not (algorithm 2). The next ones cover everything again, and so
    on: on them a rule that was learnt from the first is tried before a person is asked for more.
    """
    if not pages:
        return []
    incidence = incidence_of([page.paths for page in pages])
    full = path_weights(pages, incidence)
    taken = np.zeros(len(pages), dtype=bool)
    taken[list(annotated)] = True
    weight = _uncovered(full, incidence, np.flatnonzero(taken))
    order: list[int] = []
    while len(order) < most and not taken.all():
        chosen = _covering(incidence, weight, taken, most - len(order))
        if not chosen and weight is full:  # nothing differs from page to page: any page will do
            chosen = [int(np.argmin(taken))]
        order += chosen
        taken[chosen] = True
        weight = full
    return order


def _covering(incidence: sp.csr_array, weight: NDArray[np.float64], taken: NDArray[np.bool_], most: int) -> list[int]:
    """Algorithm 2: up to `most` pages that are not taken, until no path with any weight is left uncovered."""
    order: list[int] = []
    while len(order) < most:
        gain = np.where(taken, -1.0, incidence @ weight)
        gain[order] = -1.0
        best = int(np.argmax(gain))
        if gain[best] <= 1e-9:
            break
        order.append(best)
        weight = _uncovered(weight, incidence, [best])
    return order


def _uncovered(weight: NDArray[np.float64], incidence: sp.csr_array, pages: Iterable[int]) -> NDArray[np.float64]:
    """The weights without those of the pages' paths."""
    left = weight.copy()
    for page in pages:
        left[incidence.indices[incidence.indptr[page] : incidence.indptr[page + 1]]] = 0.0
    return left


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
