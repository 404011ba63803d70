"""Strategies for tests: scores that depend on the path, goals that depend on the URL."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from trailmark.datatypes import Page
from trailmark.forage.strategy import Floats, Judgement


def share(text: str) -> float:
    """A number in [0, 1) that looks random and is always the same for a text."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest()) / 2**32


class Hashed:
    """Scores are hashes of link and path, so that any slip in order, sum or memory shows."""

    name = "hashed"

    def judge(self, page: Page, /, *, site: str, memory: Floats | None) -> Judgement:
        before = 0.0 if memory is None else float(memory[0])
        chance = share(f"goal {page.url}")
        return Judgement(f"label{int(chance * 5)}", chance > 0.9, chance, np.array([before / 2 + chance, 1.0]))

    def score(self, page: Page, judgement: Any, /, *, site: str) -> tuple[Floats, Floats | None]:
        scores = np.array([share(f"{page.url} {link.url}") for link in page.links])
        return scores * float(judgement.memory[0]), np.outer(scores, judgement.memory)


class UrlGoals:
    """Breadth-first, with pages as goals whose URL holds a word."""

    name = "url-goals"

    def __init__(self, word: str, probability: float = 0.9, score: float = 0.5) -> None:
        self.word, self.probability, self.value = word, probability, score

    def judge(self, page: Page, /, *, site: str, memory: Floats | None) -> Judgement:
        goal = self.word in page.url
        return Judgement(self.word if goal else "", goal, self.probability if goal else 0.0)

    def score(self, page: Page, judgement: Any, /, *, site: str) -> tuple[Floats, Floats | None]:
        return np.full(len(page.links), self.value), None


class HashedGuide:
    """A guide for learning on the way: what it promises of a link, and thinks of a page, are hashes of their addresses."""

    name, goal_name = "guided", "goal"

    def judge(self, page: Page, /, *, site: str, memory: Floats | None) -> Judgement:
        del site
        before = 0.5 if memory is None else float(memory[0])
        chance = 0.7 * share(f"goal {page.url}") + 0.3 * before
        return Judgement("", chance > 0.6, chance, np.array([chance]))

    def outlook(self, page: Page, judgement: Any, /, *, site: str) -> HashedOutlook:
        del site
        return HashedOutlook(page, float(judgement.goal_probability))

    def expected(self, memory: Floats, /) -> float:
        return float(memory[0])


class HashedOutlook:
    """See `HashedGuide`."""

    def __init__(self, page: Page, chance: float) -> None:
        self.goal = np.array([share(f"{page.url} {link.url}") * 0.5 for link in page.links])
        self.onward = np.array([share(link.url) * chance for link in page.links])
        self.memories = self.goal.reshape(-1, 1)
        self.bags: list[dict[str, list[str]]] = [{"anchor": link.anchor.lower().split()} for link in page.links]
