"""A walk that brings papers home: documents that goal pages link to are fetched first; documents themselves are not judged.

It stands around another strategy, which sees every page but those documents. What is wanted is known from the pages alone, so a run that
is taken up again knows it too.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from trailmark.datatypes import Page
from trailmark.read.document_kind import is_document_name
from trailmark.strategy import UNJUDGED, FollowedLink, Rescore, Strategy, Visit, WaitingLink
from trailmark.url_key import link_key

FIRST = 1000.0
"""Score of a document that a goal page links to: above all that a page promises."""


def is_document_url(url: str) -> bool:
    """Whether a URL names a PDF or PostScript file, packed or not."""
    return is_document_name(url.partition("?")[0].partition("#")[0])


class WithDocuments:
    """Another strategy, with the documents of its goals."""

    learns = True

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self.name, self.judges = f"{strategy.name}+documents", strategy.judges
        self._wanted: set[int] = set()
        """Keys of documents that goals link to."""

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        """A page as the other strategy takes it, documents of a goal first; a document that was wanted is no page to judge."""
        if link.key in self._wanted:
            return Visit(UNJUDGED, np.zeros(len(page.links)))
        visit = self._strategy.visit(page, link)
        if visit.judgement.goal or (visit.judgement.goal is None and visit.judgement.keywords):
            self._wanted.update(link_key(target.url) for target in page.links if is_document_url(target.url))
        wanted = [link_key(target.url) in self._wanted for target in page.links]
        scores = np.where(wanted, FIRST, visit.scores) if wanted else visit.scores
        rescore = None if visit.rescore is None else self._first(visit.rescore)
        return Visit(visit.judgement, scores, visit.memories, rescore)

    def _first(self, rescore: Rescore) -> Callable[[WaitingLink], float]:
        return lambda link: FIRST if link.key in self._wanted else rescore(link)
