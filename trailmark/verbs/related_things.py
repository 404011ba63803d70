"""A thing -> those that are related to it, with the reasons, when a reader asks: by what both cite, by who cites both, by the words they share.

Nothing of it is kept, so nothing of it grows old; and no text is read but the thing's own: who else has its telling words is what the index for search knows. So it takes milliseconds, in the app
and in the portal alike. What is cited by very many, and words that stand in very many things, tell nothing of two of them and are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from trailmark.quoting import count_of
from trailmark.store.library import Library
from trailmark.store.search_words import words_of
from trailmark.store.word_standing import items_with_word

GROUPS, OF_EACH = 40, 500
"""Citations that are looked at, and things of each beyond which it tells nothing."""
CANDIDATES = 40
"""Things of each side that are compared."""
TELLING = 12
"""Words of a thing by which it is compared: the rarest that others have too."""
COMMON = 500
"""Things with a word beyond which it tells nothing."""
LONGEST_TEXT = 1_000
"""Characters of a thing's text whose words are looked at, beside its title."""
SHORTEST = 3
"""Letters of a word that may tell something."""
TOLD = 3
"""Words that a reason names."""
FEW = 3
"""Citations in common that make two things as near as they can be where no other has more in common."""
LEAST = 0.05


@dataclass(frozen=True, slots=True)
class RelatedThing:
    """A thing that is related, how near it is (from 0 to 1), and why."""

    key: str
    score: float
    reason: str


def related_things(library: Library, key: str, most: int) -> tuple[RelatedThing, ...]:
    """The key of a thing -> what is related to it, the nearest first."""
    coupled, cocited = library.coupled(key, GROUPS, OF_EACH), library.cocited(key, GROUPS, OF_EACH)
    near = {name for side in (coupled, cocited) for name, _ in side.most_common(CANDIDATES)}
    weights = _telling_words(library, key)
    sharing = _sharing(library, weights, near)
    near.update(sharing)
    total = sum(weights.values()) or 1.0
    alike = {name: sum(weights[word] for word in words) / total for name, words in sharing.items()}
    # Each side is a share, between 0 and 1, of the most that any has in common.
    most_cited, most_together = (max(FEW, *side.values(), 0) for side in (coupled, cocited))
    scores = {
        name: (coupled[name] / most_cited + cocited[name] / most_together + alike.get(name, 0.0)) / 3
        for name in near - {key}
    }
    best = sorted((name for name in scores if scores[name] >= LEAST), key=lambda name: (-scores[name], name))[:most]
    return tuple(
        RelatedThing(name, round(scores[name], 4), _reason(coupled[name], cocited[name], sharing.get(name, [])[:TOLD]))
        for name in best
    )


def _telling_words(library: Library, key: str) -> dict[str, float]:
    """Words of a thing that others have too, and not too many -> what each weighs, the rarest first."""
    words = dict.fromkeys(
        word for word in words_of(library.words(key, LONGEST_TEXT)) if len(word) >= SHORTEST and not word.isdigit()
    )
    standing, total = library.standing.of(words)
    telling = sorted((n, word) for word, n in standing.items() if 1 < n <= COMMON)[:TELLING]
    return {word: math.log(max(total, 2) / n) for n, word in telling if n < total}


def _sharing(library: Library, words: Mapping[str, float], also: Iterable[str]) -> dict[str, list[str]]:
    """Words -> the words in title or text of things that have the most of them, by key, and of those that are named too."""
    found: dict[int, list[str]] = {}
    for word in words:
        for item in items_with_word(library.connection, word):
            found.setdefault(item, []).append(word)
    worth = {item: sum(words[word] for word in held) for item, held in found.items()}
    rows = sorted(worth, key=lambda item: (-worth[item], item))[: CANDIDATES + 1]  # one of them is the thing itself
    sharing = {name: found[row] for row in rows if (name := library.key_of(row)) is not None}
    known = {name: found[row] for name in also if (row := library.row_of(name)) in found and row is not None}
    return sharing | known


def _reason(cited: int, together: int, words: list[str]) -> str:
    told = [f"cites {cited} of the same papers" if cited > 1 else "cites a paper that this one cites"] if cited else []
    told += [f"cited together by {count_of(together, 'paper')}"] if together else []
    told += [f"shares the word{'s' if len(words) > 1 else ''} {', '.join(words)}"] if words else []
    return "; ".join(told)
