"""Strategies for tests: scores that depend on the path, goals that depend on the URL."""

from __future__ import annotations

import hashlib

import numpy as np

from trailmark.datatypes import Page
from trailmark.strategy import UNJUDGED, Floats, FollowedLink, Judgement, Outlook, Visit


def share(text: str) -> float:
    """A number in [0, 1) that looks random and is always the same for a text."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest()) / 2**32


class Hashed:
    """Scores are hashes of link and path, so that any slip in order, sum or memory shows."""

    name, judges, learns = "hashed", True, False

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        before = 0.0 if link.memory is None else float(link.memory[0])
        chance = share(f"goal {page.url}")
        judgement = Judgement(f"label{int(chance * 5)}", chance > 0.9, chance)
        memory = np.array([before / 2 + chance, 1.0])
        scores = np.array([share(f"{page.url} {each.url}") for each in page.links])
        return Visit(judgement, scores * memory[0], np.outer(scores, memory))


class UrlGoals:
    """Breadth-first, with pages as goals whose URL holds a word."""

    name, judges, learns = "url-goals", True, False

    def __init__(self, word: str, probability: float = 0.9, score: float = 0.5) -> None:
        self.word, self.probability, self.value = word, probability, score

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        del link
        goal = self.word in page.url
        judgement = Judgement(self.word if goal else "", goal, self.probability if goal else 0.0)
        return Visit(judgement, np.full(len(page.links), self.value))


class HashedGuide:
    """A guide for learning on the way: what it promises of a link, and thinks of a page, are hashes of their addresses."""

    name, goal_name = "guided", "goal"

    def outlook(self, page: Page, link: FollowedLink, /) -> Outlook:
        before = 0.5 if link.memory is None else float(link.memory[0])
        chance = 0.7 * share(f"goal {page.url}") + 0.3 * before
        goal = np.array([share(f"{page.url} {each.url}") * 0.5 for each in page.links])
        onward = np.array([share(each.url) * chance for each in page.links])
        bags = [{"anchor": each.anchor.lower().split()} for each in page.links]
        return Outlook(Judgement("", chance > 0.6, chance), goal, onward, goal.reshape(-1, 1), bags)

    def expected(self, memory: Floats, /) -> float:
        return float(memory[0])


class KeywordsFirst:
    """A strategy of one's own, as the how-to shows it: links that say one of some words come first."""

    name, judges, learns = "keywords", False, False
    words = ("publication", "paper", "research")

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        del link
        says = [f"{each.anchor} {each.url}".lower() for each in page.links]
        return Visit(UNJUDGED, np.array([float(any(word in text for word in self.words)) for text in says]))
