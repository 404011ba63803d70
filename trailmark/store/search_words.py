"""A text -> the words by which it is found: one spelling for all that readers take for the same.

Folded: capitals, accents (`Erdős`, `Łukasiewicz`), ligatures as PDFs have them (`ﬁeld`), letters of full width. It is done here and not by SQLite's `unicode61`,
whose tables end with Unicode 6.1 and which leaves ligatures and `ł` as they are; SQLite then only cuts at blanks. Scripts that are written without
blanks are cut into single characters, and a word of theirs is looked for as a phrase: of words of two characters, as most Chinese ones are,
an index of trigrams finds none.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

LONGEST_WORD = 64
"""Letters; what is longer is cut into several, when it is indexed and when it is looked for."""

_ALONE = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff"  # Thai, Lao, Tibetan, Burmese, Jamo, Khmer
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u303c\u3041-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc\U00020000-\U0003ffff"
)
"""Scripts without blanks; Korean has some, but its words carry endings."""
_OF_THEIR_OWN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ŧ": "t"}
)
"""Letters that Unicode does not take apart, and that many keyboards lack."""
_ACCENTS = re.compile("[\u0300-\u036f]+")


def _marks() -> str:
    """Combining marks, which Python's \\w leaves out: without them Hindi words fall to pieces."""
    signs = (chr(code) for code in range(0x300, 0x10000))
    alone = re.compile(f"[{_ALONE}]")
    return "".join(
        re.escape(sign) for sign in signs if unicodedata.category(sign) in ("Mn", "Mc") and not alone.match(sign)
    )


_LETTERS = rf"[^\W_{_ALONE}]"
_WORD = re.compile(rf"[{_ALONE}]|{_LETTERS}+(?:[{_marks()}]+{_LETTERS}*)*")
_PLAIN_WORD = re.compile(r"[a-z0-9]+")


class PlacedWords(NamedTuple):
    """The words of one run of letters, and where it stands: mostly one word, of `½` two."""

    words: tuple[str, ...]
    start: int
    end: int


def words_of(text: str) -> list[str]:
    """The words of a text in order, folded."""
    if text.isascii():
        words = _PLAIN_WORD.findall(text.lower())
        return words if len(max(words, key=len, default="")) <= LONGEST_WORD else list(_cut(words))
    return [word for run in _WORD.findall(text) for word in _folded(run)]


def placed_words(text: str) -> Iterator[PlacedWords]:
    """The same words with their places in the text as it was."""
    for match in _WORD.finditer(text):
        if words := _folded(match[0]):
            yield PlacedWords(words, match.start(), match.end())


@lru_cache(maxsize=65_536)
def _folded(run: str) -> tuple[str, ...]:
    """A run of letters -> its words; remembered, since texts repeat them."""
    if run.isascii():
        return tuple(_cut([run.lower()]))
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", run).casefold())
    plain = unicodedata.normalize("NFKC", _ACCENTS.sub("", apart).translate(_OF_THEIR_OWN))
    return tuple(_cut(_WORD.findall(plain)))


def _cut(words: list[str]) -> Iterator[str]:
    for word in words:
        yield from (word[at : at + LONGEST_WORD] for at in range(0, len(word), LONGEST_WORD))
