"""Texts against a list of keywords: how strongly a text speaks of them, and which of them stand in it whole.

*Strength*, 0 to 1, is the mean of two shares. Of the keyword that is met best: its words that are there. Of all: the words that are there, each by
the weight of the keywords that have it, `m / (1 + m)`. In both a word counts by how rare it is among the texts of its kind (links, titles and headings,
bodies) that the walk has seen: what stands on every page of a site says nothing there, whatever the list says. Work is bounded: of a word that is in many
keywords the heaviest and shortest `POSTINGS` are looked at.

A keyword *stands* in a text where its words follow one another.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from trailmark.learn.keyword_list import Keyword, token_words

Group = Literal["link", "head", "body"]
POSTINGS = 50
START = 10.0
"""Texts that are taken to have been seen at the start, none with any of the words but in one."""


class KeywordMatcher:
    """A list of keywords, and how many of the texts seen so far have each of their words."""

    def __init__(self, keywords: Sequence[Keyword]) -> None:
        self.keywords = tuple(keywords)
        heaviest = max(each.weight for each in keywords)
        self._weights = [each.weight / heaviest for each in keywords]
        self._postings = _postings(keywords)
        self._masses = _masses(keywords)
        self._phrases = {each.words: number for number, each in enumerate(keywords)}
        self._lengths: dict[str, set[int]] = defaultdict(set)
        for each in keywords:
            self._lengths[each.words[0]].add(len(each.words))
        self._singles = frozenset(word for word in self._masses if len(word) == 1 and not word.isascii())
        """Single characters, which are looked for inside the pairs that texts are cut into."""
        self._seen: Counter[Group] = Counter()
        self._having: dict[Group, Counter[str]] = {"link": Counter(), "head": Counter(), "body": Counter()}

    def words(self, tokens: Iterable[str]) -> list[str]:
        """Tokens as `read` makes them -> the words that keywords are compared by, in order."""
        words: list[str] = []
        for token in tokens:
            words += token_words(token)
            if self._singles and not token.isascii():
                words += [sign for sign in token if sign in self._singles]
        return words

    def see(self, group: Group, texts: Iterable[Iterable[str]]) -> None:
        """Count texts of a kind, each as its words: what all of them have tells little from now on."""
        having = self._having[group]
        for words in texts:
            self._seen[group] += 1
            having.update(word for word in set(words) if word in self._masses)

    def rarity(self, group: Group, word: str) -> float:
        """How much a word tells among texts of this kind, 0 to 1."""
        rare = math.log((self._seen[group] + START) / (self._having[group][word] + 1.0)) / math.log(START)
        return min(1.0, max(0.0, rare))

    def strength(self, group: Group, words: Iterable[str]) -> float:
        """The words of a text of this kind -> how strongly it speaks of the keywords, 0 to 1."""
        there = {word: self.rarity(group, word) for word in sorted(set(words)) if word in self._masses}
        if not there:
            return 0.0
        mass = sum(self._masses[word] * rare for word, rare in there.items())
        return (self._best(there) + mass / (1.0 + mass)) / 2.0

    def whole(self, words: Sequence[str]) -> Counter[int]:
        """The words of a text in order -> how often each keyword stands in it, by its number."""
        found: Counter[int] = Counter()
        for at, word in enumerate(words):
            for length in self._lengths.get(word, ()):
                number = self._phrases.get(tuple(words[at : at + length]))
                if number is not None:
                    found[number] += 1
        return found

    def _best(self, there: Mapping[str, float]) -> float:
        """The share of the keyword that is met best."""
        shares: defaultdict[int, float] = defaultdict(float)
        for word, rare in there.items():
            for number in self._postings[word]:
                shares[number] += rare
        return max(
            self._weights[number] * share / len(set(self.keywords[number].words)) for number, share in shares.items()
        )


def _postings(keywords: Sequence[Keyword]) -> dict[str, list[int]]:
    """Word -> the numbers of the keywords with it that count most."""
    order = sorted(
        range(len(keywords)), key=lambda number: (-keywords[number].weight, len(keywords[number].words), number)
    )
    postings: dict[str, list[int]] = defaultdict(list)
    for number in order:
        for word in set(keywords[number].words):
            if len(postings[word]) < POSTINGS:
                postings[word].append(number)
    return dict(postings)


def _masses(keywords: Sequence[Keyword]) -> dict[str, float]:
    """Word -> the weight of the keywords with it, shared among their words; 1 at most."""
    masses: defaultdict[str, float] = defaultdict(float)
    for each in keywords:
        distinct = set(each.words)
        for word in distinct:
            masses[word] += each.weight / len(distinct)
    most = max(masses.values())
    return {word: mass / most for word, mass in masses.items()}
