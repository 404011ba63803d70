"""An item -> those that are related to it, with reasons, when a reader asks.

The sides are those of `organise/related`: what both cite, who cites both, the words they share. That compares all items with all; here a page is to be made in a few milliseconds, so only
those are compared that may be near: by citations, or by the rarest words of the title.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from trailmark.datatypes import Query, QueryTerm
from trailmark.quoting import count_of
from trailmark.store.library import Library
from trailmark.verbs.portal_catalogue import Catalogue, Mention, telling_words

MOST = 6
CANDIDATES = 40
"""Of each side."""
GROUPS, OF_EACH = 40, 100
"""Citations that are looked at, and items of each."""
WORDS = 4
"""Words of a title by which candidates are looked for: the rarest that others have too."""
COMMON = 20
"""Words in more than one of so many titles tell nothing."""
TOLD = 3
LEAST = 0.05


@dataclass(frozen=True, slots=True)
class RelatedEntry:
    """A related item, and why."""

    entry: Mention
    reason: str


def related_entries(catalogue: Catalogue, library: Library, key: str) -> tuple[RelatedEntry, ...]:
    """The key of an item -> what is related to it, the nearest first."""
    shelf = catalogue.shelf
    coupled, cocited = library.coupled(key, GROUPS, OF_EACH), library.cocited(key, GROUPS, OF_EACH)
    words = _telling(catalogue, shelf.titles[shelf.places[key]])
    near = dict.fromkeys(name for name, _ in [*coupled.most_common(CANDIDATES), *cocited.most_common(CANDIDATES)])
    near |= dict.fromkeys(_with_words(library, words))
    # Each side is a share, between 0 and 1, of the most that any item has in common.
    most_cited, most_together = (max(3, *side.values(), 0) for side in (coupled, cocited))
    total = sum(words.values()) or 1.0
    scores = []
    for each in (each for each in near if each != key and each in shelf.places):
        theirs = telling_words(shelf.titles[shelf.places[each]])
        shared = [word for word in words if word in theirs]
        weight = sum(words[word] for word in shared) / total
        scores.append(((coupled[each] / most_cited + cocited[each] / most_together + weight) / 3, each, shared))
    best = sorted((each for each in scores if each[0] >= LEAST), key=lambda each: (-each[0], each[1]))[:MOST]
    return tuple(
        RelatedEntry(mention, _reason(coupled[other], cocited[other], shared[:TOLD]))
        for _, other, shared in best
        if (mention := catalogue.mention(other)) is not None
    )


def _telling(catalogue: Catalogue, title: str) -> dict[str, float]:
    """Words of a title that other titles have too -> what each weighs, the rarest first."""
    counts, titles = catalogue.title_words(), len(catalogue.shelf)
    known = [word for word in telling_words(title) if 1 < counts[word] <= max(COMMON, titles // COMMON)]
    return {word: math.log(titles / counts[word]) for word in sorted(known, key=lambda word: (counts[word], word))}


def _with_words(library: Library, words: dict[str, float]) -> list[str]:
    plan = library.index.plan(Query(tuple(QueryTerm(word, "title") for word in list(words)[:WORDS]))) if words else None
    return library.found_keys(plan, CANDIDATES) if plan is not None else []


def _reason(cited: int, together: int, words: list[str]) -> str:
    told = [f"cites {cited} of the same papers" if cited > 1 else "cites a paper that this one cites"] if cited else []
    told += [f"cited together by {count_of(together, 'paper')}"] if together else []
    told += [f"shares the word{'s' if len(words) > 1 else ''} {', '.join(words)}"] if words else []
    return "; ".join(told)
