"""Text to tokens: words and numbers in lower case.

PathLearner splits on blanks (section 4.2). Departure: punctuation is cut off as well, so that `Publications:` and
`publications` are one token. A point, an apostrophe, an ampersand or an at sign between two letters keeps them together:
`don't`, `3.14`, `at&t` and `ada@cs.example.edu` are one token each.

Lower-casing is `str.lower` and then NFC: unlike case folding it leaves words as a reader expects them (`straße` is not
spelt `strasse`), and composed and decomposed accents become the same token.
"""

from __future__ import annotations

import re
import unicodedata


def _marks() -> str:
    """Combining marks, which Python's \\w leaves out: without them Hindi or Thai words fall to pieces."""
    signs = (chr(code) for code in range(0x300, 0x10000))
    return "".join(re.escape(sign) for sign in signs if unicodedata.category(sign) in ("Mn", "Mc"))


# A run of letters is cut after 40: languages without blanks would otherwise make one token of a whole paragraph.
_LETTERS = rf"[\w{_marks()}]{{1,40}}+"
_WORD = re.compile(rf"{_LETTERS}(?:[.'’@&]{_LETTERS}){{0,5}}+")

# Pages repeat their words, and so do sites: remembering how a word was split makes a page's text cost a third.
_LONGEST_KEPT = 40
_MOST_KEPT = 65_536


def tokens(text: str) -> list[str]:
    """Words and numbers of a text in lower case, in order."""
    words: list[str] = []
    for chunk in text.split():
        words += TOKENS[chunk]
    return words


class _Tokens(dict[str, tuple[str, ...]]):
    """The tokens of any text without blanks, remembered."""

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        parts = _split(chunk)
        if len(chunk) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[chunk] = parts
        return parts


TOKENS = _Tokens()


def _split(chunk: str) -> tuple[str, ...]:
    lowered = chunk.lower()
    if not lowered.isascii():
        lowered = unicodedata.normalize("NFC", lowered)
    elif lowered.isalnum() and len(lowered) <= _LONGEST_KEPT:
        return (lowered,)
    return tuple(_WORD.findall(lowered.replace("_", " ")))
