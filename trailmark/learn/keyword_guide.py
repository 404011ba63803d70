"""`keywords`: a walk without trails. Words of links and pages against a list of keywords (after Intinno, chapter 3.1, and shark search).

A link is worth what its anchor, its address, the words around it and its page say of the keywords; a page what its title and headings, its text and the
link that led there say. The weights are those of two logistic regressions that were measured on webs of many kinds, whole kinds left out
(`python -m evals.keyword_weights`). What a site shows on the way is learnt as on any walk.

No teacher said what is wanted, so no page is called a goal: the chance is what pages with such words were on the webs that were measured, and never
above that of an unsure page (`forage.keyword_walk`), until a person has answered (see `forage.settling`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from trailmark.datatypes import Page
from trailmark.learn.bag import host_words, link_bag
from trailmark.learn.keyword_list import Keyword
from trailmark.learn.keyword_match import KeywordMatcher
from trailmark.read import tokens, url_words
from trailmark.sequence import chance_of
from trailmark.strategy import FollowedLink, Judgement, Outlook

Floats = npt.NDArray[np.float64]
NAME = "keywords"
BODY = 1000
"""Tokens of a page's text that are looked at."""
HEADINGS = 60
WAY = 1.0
"""Log-odds that a link is worth less as a way to what is wanted than as that itself: what leads there is called otherwise from site to site."""
SHOWN = 20
"""Keywords that are told of a page."""
OFTEN = 2
"""Times that a keyword stands in the text of a page that it found, where no title, heading or link has it."""
LINK_WEIGHTS = (-2.22, 1.78, 1.45, -0.28, 1.1, 1.26)
"""Of a link: a constant, anchor, address, words around, heading above, its page."""
PAGE_WEIGHTS = (-2.13, 0.22, 0.82, 2.73)
"""Of a page: a constant, title with headings and address, text, and what the link that led there was worth."""


class KeywordGuide:
    """A guide that knows keywords alone."""

    name, goal_name = NAME, NAME

    def __init__(
        self,
        keywords: Sequence[Keyword],
        link_weights: Sequence[float] = LINK_WEIGHTS,
        page_weights: Sequence[float] = PAGE_WEIGHTS,
    ) -> None:
        self.matcher = KeywordMatcher(keywords)
        self._link, self._page = map(np.asarray, (link_weights, page_weights))
        self.noted: tuple[Floats, Floats] = np.zeros(4), np.zeros((0, 6))
        """What the last page and its links were like, for whoever measures."""

    def outlook(self, page: Page, link: FollowedLink, /) -> Outlook:
        """A page and the link that led to it -> what the keywords make of it and of its links."""
        own = host_words(link.site)
        parts, body = self._parts(page), self.matcher.words(page.body_tokens[:BODY])
        heads = [word for part in parts for word in part]
        self.matcher.see("head", [heads])
        self.matcher.see("body", [body])
        features = np.array(
            [1.0, self.matcher.strength("head", heads), self.matcher.strength("body", body), _promise(link)]
        )
        bags = [link_bag(each, source=page.url, own=own) for each in page.links]
        rows = self._link_rows(bags, float(features[1:3].mean()))
        self.noted = features, rows
        odds = rows @ self._link
        goal: Floats = chance_of(odds)
        judgement = Judgement(
            "", None, float(chance_of(np.array(features @ self._page))), keywords=self._found(parts, body)
        )
        memories = np.column_stack([goal, _strengths(rows)]) if bags else np.zeros((0, 2))
        return Outlook(judgement, goal, chance_of(odds - WAY), memories, bags)

    def expected(self, memory: Floats, /) -> float:
        """The chance of a goal that a link with this memory promised."""
        return float(memory[0])

    def _parts(self, page: Page) -> list[list[str]]:
        """Title, each heading and the address as words."""
        texts = (page.title, *(heading.text for heading in page.headings[:HEADINGS]))
        return [self.matcher.words(each) for each in (*map(tokens, texts), url_words(page.url))]

    def _link_rows(self, bags: Sequence[dict[str, Sequence[str]]], page: float) -> Floats:
        """Links x constant, anchor, address, around, above, page."""
        words = [[self.matcher.words(bag[group]) for group in ("anchor", "to", "around", "above")] for bag in bags]
        self.matcher.see("link", (chain(each[0], each[1]) for each in words))
        rows = [[1.0, *(self.matcher.strength("link", part) for part in each), page] for each in words]
        return np.array(rows, dtype=np.float64).reshape(len(bags), 6)

    def _found(self, parts: Sequence[Sequence[str]], body: Sequence[str]) -> tuple[str, ...]:
        """The keywords that stand in a title, a heading or the address, then those that stand in the text several times; the heaviest first."""
        return tuple(self.matcher.keywords[number].text for number in self._numbers(parts, body))[:SHOWN]

    def _numbers(self, parts: Sequence[Sequence[str]], body: Sequence[str]) -> Iterator[int]:
        high = {number for part in parts for number in self.matcher.whole(part)}
        low = {number for number, count in self.matcher.whole(body).items() if count >= OFTEN} - high
        for numbers in (high, low):
            yield from sorted(numbers, key=lambda number: (-self.matcher.keywords[number].weight, number))


def _promise(link: FollowedLink) -> float:
    return float(link.memory[1]) if link.memory is not None and link.memory.size > 1 else 0.0


def _strengths(rows: Floats) -> Floats:
    """Of each link, the best of what its anchor and its address say."""
    best: Floats = rows[:, 1:3].max(axis=1)
    return best
