"""Lines of a person's own -> keywords to look for: words and phrases, each with a weight, in any script.

A line is a keyword, a tab and a weight may follow; what begins with `#` is a remark. Words are compared in the singular. Scripts that are written
without blanks are cut into pairs of characters that overlap: a keyword of theirs is found inside a longer run, and its parts are no single characters,
which stand on every page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from trailmark.errors import InputError
from trailmark.read import tokens
from trailmark.read.singular import stem

MOST_KEYWORDS, LONGEST_KEYWORD = 100_000, 200
"""Of a list, and letters of one of them."""
HEAVIEST = 1000.0
_REMARK, _SHOWN = "#", 40
_PACKED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u309f\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Thai, Lao, Tibetan, Burmese, Khmer, Japanese, Chinese."""
_RUNS = re.compile(rf"[{_PACKED}]+|[^{_PACKED}]+")
_PACKED_SIGN = re.compile(rf"[{_PACKED}]")


@dataclass(frozen=True, slots=True)
class Keyword:
    """What is looked for, as it was written, the words it is compared by, and how much it counts."""

    text: str
    words: tuple[str, ...]
    weight: float = 1.0


def parse_keywords(lines: Iterable[str], source: str) -> list[Keyword]:
    """Lines -> keywords in their order, each once with its greatest weight; InputError says which line can't be one and why."""
    found: dict[tuple[str, ...], Keyword] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith(_REMARK):
            continue
        text, _, weight = line.partition("\t")
        where = f"{source}, line {number}"
        keyword = _keyword(" ".join(text.split()), _weight(weight.strip(), where), where)
        known = found.get(keyword.words)
        if known is None or known.weight < keyword.weight:
            found[keyword.words] = keyword
        if len(found) > MOST_KEYWORDS:
            raise InputError(
                f"{where}: a list has at most {MOST_KEYWORDS:,} keywords; leave out those that matter least."
            )
    if not found:
        raise InputError(f"{source} has no keyword; write one word or phrase a line.")
    return list(found.values())


def keyword_lines(keywords: Sequence[Keyword]) -> str:
    """Keywords -> the text that `parse_keywords` reads as the same."""
    return "".join(f"{each.text}\t{each.weight!r}\n" if each.weight != 1.0 else f"{each.text}\n" for each in keywords)


def keyword_words(text: str) -> tuple[str, ...]:
    """A text -> its words in order, as keywords are compared by."""
    return tuple(word for token in tokens(text) for word in token_words(token))


@lru_cache(maxsize=65_536)
def token_words(token: str) -> tuple[str, ...]:
    """A token of `read` -> the words that it is compared by: one, or pairs of characters of a script without blanks."""
    if not _PACKED_SIGN.search(token):
        return (stem(token),)
    return tuple(word for run in _RUNS.findall(token) for word in _parts(run))


def _parts(run: str) -> tuple[str, ...]:
    if not _PACKED_SIGN.match(run):
        return (stem(run),)
    return tuple(run[at : at + 2] for at in range(len(run) - 1)) or (run,)


def _keyword(text: str, weight: float, where: str) -> Keyword:
    words = keyword_words(text) if len(text) <= LONGEST_KEYWORD else ()
    shown = text[:_SHOWN] + ("..." if len(text) > _SHOWN else "")
    if len(text) > LONGEST_KEYWORD:
        raise InputError(
            f"{where}: '{shown}' has {len(text):,} letters, and a keyword has at most {LONGEST_KEYWORD}; write one word or phrase a line."
        )
    if not any(any(letter.isalnum() for letter in word) for word in words):
        raise InputError(f"{where}: '{shown}' has no word in it; write a word or phrase, or # before a remark.")
    return Keyword(text, words, weight)


def _weight(text: str, where: str) -> float:
    if not text:
        return 1.0
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0.0 < weight <= HEAVIEST:
        raise InputError(
            f"{where}: the weight '{text[:_SHOWN]}' is no number above 0 and up to {HEAVIEST:g}; write it behind a tab, as in graph theory<tab>2."
        )
    return weight
