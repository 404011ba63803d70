"""`context`: a context graph (Diligenti et al.): pages in layers by their distance to a goal, one class of text a layer.

A fetched page is put into the layer that its words speak for; all its links get the priority of that layer, the nearest layer first.

Departures: layers are clicks along the taught trails, not back links from a search engine; the classes are told apart by one naive
Bayes with a class for pages from which no goal is near, and the priority is the mean over the layers' chances.
"""

from __future__ import annotations

import numpy as np

from trailmark.datatypes import Page
from trailmark.learn.bag import Bag, page_bag
from trailmark.learn.navigator import Navigator
from trailmark.learn.taught_graph import TaughtGraph
from trailmark.learn.text_worth import TextWorth, fit_text_worth
from trailmark.strategy import FollowedLink, Visit

GROUPS = ("title", "head", "body", "heading", "url")
LAYERS = 4


class Context:
    """Scores all links of a page alike; pages are judged by a navigator lent to it."""

    name, judges, learns = "context", True, False

    def __init__(self, text: TextWorth, judge: Navigator) -> None:
        self._text, self._judge = text, judge

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        """A page and the link that led to it -> what the page is, and the worth of its layer for every link."""
        worth = self._text.expected([page_text(page, link.site)])[0]
        return Visit(self._judge.judge(page, site=link.site).judgement, np.full(len(page.links), worth))


def make_context(graph: TaughtGraph, judge: Navigator, *, layers: int = LAYERS) -> Context:
    """Learn from the graph that trails show. Layer 0 are the goals, the last class is what is near none."""
    near = graph.distances()
    urls = list(graph.pages)
    numbers = np.array([min(near.get(url, layers), layers) for url in urls])
    bags = [page_text(graph.pages[url], graph.sites[url]) for url in urls]
    # A page of layer n is n clicks from a goal, so the links of layer 1 come first; goals link to their like at times.
    worth = np.array([0.25, *(0.5 ** (n - 1) for n in range(1, layers)), 0.0])
    return Context(fit_text_worth(bags, numbers, worth), judge)


def page_text(page: Page, site: str) -> Bag:
    """All words of a page as one group."""
    bag = page_bag(page, site=site)
    return {"text": [word for group in GROUPS for word in bag[group]]}
