"""A document -> its text as it is searched: lines joined, and words that were divided at the end of a line whole again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from trailmark.datatypes import Document, TextLine

_DIVIDED = re.compile(r"^(.*[^\W\d_])[-\u2010]$")
_GOES_ON = re.compile(r"^[^\W\d_]")
_EDGE = re.compile(r"^\W+|\W+$")


def document_text(document: Document) -> str:
    """The whole text of a document: a line a sheet."""
    known = known_words(line for sheet in document.pages for line in sheet.lines)
    return "\n".join(" ".join(joined_words(sheet.lines, known)) for sheet in document.pages)


def known_words(lines: Iterable[TextLine]) -> frozenset[str]:
    """All words that stand whole somewhere, in lower case and without the marks around them."""
    texts = {word.text for line in lines for word in line.words}
    return frozenset((text if text.isalnum() else _EDGE.sub("", text)).lower() for text in texts)


def joined_words(lines: Sequence[TextLine], known: frozenset[str] = frozenset()) -> list[str]:
    """Lines of words -> words, those that were divided at the end of a line joined."""
    words: list[str] = []
    for line in lines:
        texts = [word.text for word in line.words]
        if texts and words and (whole := joined(words[-1], texts[0], known)):
            words[-1:] = [whole]
            texts = texts[1:]
        words += texts
    return words


def joined(before: str, after: str, known: frozenset[str] = frozenset()) -> str:
    """The last word of a line and the first of the next -> the word that they are parts of; empty where they are two.

    The hyphen stays where the word stands with it elsewhere in the document and never without, and before a capital letter.
    """
    divided = _DIVIDED.match(before)
    if divided is None or not _GOES_ON.match(after):
        return ""
    without, hyphened = divided[1] + after, f"{divided[1]}-{after}"
    if after[0].isupper() and not (divided[1].isupper() and after.isupper()):
        return hyphened
    plain, compound = (_EDGE.sub("", form).lower() for form in (without, hyphened))
    return hyphened if compound in known and plain not in known else without
