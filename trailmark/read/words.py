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


SIGNS = ("\x01", "\x02", "\x03")
"""What the walk sets around links: a link begins, a link ends, a link without text stands here."""

# A run of letters is cut after 40: languages without blanks would otherwise make one token of a whole paragraph.
_LETTERS = rf"[\w{_marks()}]{{1,40}}+"
_WORD = re.compile(rf"{_LETTERS}(?:[.'’@&]{_LETTERS}){{0,5}}+")

# Pages repeat their words, and so do sites: remembering how a word was split makes a page's text cost a third.
_KNOWN: dict[str, tuple[str, ...]] = {}
_LONGEST_KEPT = 40
_MOST_KEPT = 65_536


def tokens(text: str) -> list[str]:
    """Words and numbers of a text in lower case, in order."""
    return marked_tokens(text)[0]


def marked_tokens(text: str) -> tuple[list[str], list[tuple[str, int]]]:
    """(tokens, signs of the walk that stand between blanks, each with the number of tokens before it)."""
    words: list[str] = []
    signs: list[tuple[str, int]] = []
    known = _KNOWN.get
    for chunk in text.split():
        found = known(chunk)
        if found is not None:
            words += found
        elif chunk in SIGNS:
            signs.append((chunk, len(words)))
        else:
            words += _words(chunk)
    return words, signs


def _words(chunk: str) -> tuple[str, ...]:
    """The tokens of a text without blanks, remembered."""
    found = _split(chunk)
    if len(chunk) <= _LONGEST_KEPT:
        if len(_KNOWN) >= _MOST_KEPT:
            _KNOWN.clear()
        _KNOWN[chunk] = found
    return found


def _split(chunk: str) -> tuple[str, ...]:
    lowered = chunk.lower()
    if not lowered.isascii():
        lowered = unicodedata.normalize("NFC", lowered)
    elif lowered.isalnum() and len(lowered) <= _LONGEST_KEPT:
        return (lowered,)
    return tuple(_WORD.findall(lowered.replace("_", " ")))
