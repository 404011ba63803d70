"""A word as the hidden Markov model of Cora reads it: no case, no marks, special words by their kind (section 4.3)."""

from __future__ import annotations

import re

EMAIL, WEB, YEAR, ZIP, PUBNUM, NUMBER = "<email>", "<web>", "<year>", "<zip>", "<pubnum>", "<number>"
_KINDS = (
    (EMAIL, re.compile(r"\W{0,3}(?:[\w.+%|{},-]{1,80}@[\w-]{1,60}(?:\.[\w-]{1,60}){0,6}|@[\w.-]{3,60})\W{0,3}")),
    (WEB, re.compile(r"\W{0,3}(?:https?:|ftp:|www\.)\S{1,200}", re.IGNORECASE)),
    (YEAR, re.compile(r"\W{0,3}(?:19|20)\d\d\W{0,3}")),
    (ZIP, re.compile(r"\W{0,3}\d{5}(?:-\d{4})?\W{0,3}")),
    (PUBNUM, re.compile(r"\W{0,3}[A-Z]{2,8}[A-Z./-]{0,8}[-/ ]?\d{1,4}(?:[-/.]\d{1,6}){0,3}\W{0,3}")),
    (NUMBER, re.compile(r"[\W_]{0,3}\d{1,12}(?:[\W_]{1,3}\d{1,12}){0,4}[\W_]{0,3}")),
)
_MARKS = re.compile(r"[\W_]+")
LONGEST = 60


def prepared(text: str) -> str:
    """The token that stands for a word; empty where nothing but marks is in it."""
    short = text[: 4 * LONGEST]
    for kind, pattern in _KINDS:
        if pattern.fullmatch(short):
            return kind
    return _MARKS.sub("", short.lower())[:LONGEST]
