"""An item of a course -> an abstract of it: a few of its own sentences, chosen so that they hold most of what it speaks of.

Each sentence is chosen for the phrases that the sentences before it lack; they stand in the order of the text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from trailmark.course.knowledge.material import Material
from trailmark.course.knowledge.phrase import Key, phrase_keys
from trailmark.course.knowledge.phrase_places import sentences_of

SHORTEST, LONGEST = 6, 45
"""Words of a sentence that may be chosen."""
MOST_SENTENCES = 2000
"""Sentences of a text that are looked at."""


def abstract(texts: Iterable[str], weights: Mapping[Key, float], length: int) -> tuple[str, ...]:
    """Sentences, the weights of their phrases, a number -> so many of them, or as many as say anything, in order."""
    sentences = dict.fromkeys(texts)
    keys = {text: phrase_keys(text) & weights.keys() for text in sentences} if length > 0 else {}
    chosen: list[str] = []
    told: set[Key] = set()
    while len(chosen) < length and sentences:
        best = max(
            (text for text in sentences if text not in chosen),
            key=lambda text: _worth(keys[text] - told, text, weights),
            default=None,
        )
        if best is None or not keys[best] - told:
            break
        chosen.append(best)
        told |= keys[best]
    return tuple(text for text in sentences if text in chosen)


def _worth(fresh: set[Key], text: str, weights: Mapping[Key, float]) -> float:
    """What a sentence adds, by its length: long ones hold more and are read less."""
    return math.fsum(weights[key] for key in fresh) / math.sqrt(len(text.split()))


def sentences(material: Material) -> Iterator[str]:
    """A text -> its sentences that an abstract may be made of: neither headings nor too short or long."""
    count = 0
    for passage in material.passages:
        if passage.is_heading:
            continue
        for text in sentences_of(passage.text):
            words = text.split()
            if SHORTEST <= len(words) <= LONGEST:
                count += 1
                if count > MOST_SENTENCES:
                    return
                yield " ".join(words)
