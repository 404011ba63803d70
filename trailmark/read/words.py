"""Text to tokens: words and numbers in lower case.

PathLearner splits on blanks (section 4.2). Departure: punctuation is cut off as well, so that `Publications:` and
`publications` are one token. A point, an apostrophe, an ampersand or an at sign between two letters keeps them together:
`don't`, `3.14`, `at&t` and `ada@cs.example.edu` are one token each.

Lower-casing is `str.lower` and then NFC: unlike case folding it leaves words as a reader expects them (`straße` is not
spelt `strasse`), and composed and decomposed accents become the same token.
"""

from __future__ import annotations

import re
import sys
import unicodedata

# A run of letters is cut after 40: languages without blanks would otherwise make one token of a whole paragraph.
_ASCII_WORD = r"[a-z0-9]{1,40}(?:[.'@&][a-z0-9]{1,40}){0,5}"


def _marks() -> str:
    """Combining marks, which Python's \\w leaves out: without them Hindi or Thai words fall to pieces."""
    signs = (chr(code) for code in range(0x300, sys.maxunicode if False else 0x10000))
    return "".join(re.escape(sign) for sign in signs if unicodedata.category(sign) in ("Mn", "Mc"))


_LETTER = rf"(?:[^\W_]|[{_marks()}])"
_WORD = rf"{_LETTER}{{1,40}}(?:[.'’@&]{_LETTER}{{1,40}}){{0,5}}"
_ASCII = re.compile(_ASCII_WORD)
_ANY = re.compile(_WORD)
_ASCII_MARKED = re.compile(_ASCII_WORD + "|[\x01-\x03]")
_ANY_MARKED = re.compile(_WORD + "|[\x01-\x03]")


def tokens(text: str) -> list[str]:
    """Words and numbers of a text in lower case, in order."""
    return (_ASCII if text.isascii() else _ANY).findall(_lowered(text))


def marked_tokens(text: str) -> list[str]:
    """As `tokens`; the signs U+0001 to U+0003, which the walk sets around links, are tokens of their own."""
    return (_ASCII_MARKED if text.isascii() else _ANY_MARKED).findall(_lowered(text))


def _lowered(text: str) -> str:
    lowered = text.lower()
    return lowered if lowered.isascii() else unicodedata.normalize("NFC", lowered)
