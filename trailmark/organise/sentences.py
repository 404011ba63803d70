"""A text -> its sentences. A point ends one before a blank and a capital letter, unless what stands before it is an abbreviation, an initial or a number of a heading."""

from __future__ import annotations

import re

_END = re.compile(r"[.!?][)\]\u201d\u2019\"']{0,2}(?=\s)|\n")
_NEXT = re.compile(r"\s*[(\[\u201c\u2018\"']{0,2}(\S)")
_WORD = re.compile(r"[^\s(\[]{1,20}$")
_CITED = re.compile(r"\s{0,2}(?:\[[^\[\]]{1,80}\]|\((?:[A-Z][^()]{1,80}\d{4}[a-z]?)\))(?=\s*[.A-Z\n]|\s*$)\.?")
_SHORT = frozenset(
    [
        "al",
        "e.g",
        "i.e",
        "cf",
        "etc",
        "vs",
        "fig",
        "figs",
        "eq",
        "eqs",
        "eqn",
        "eqns",
        "sec",
        "sect",
        "secs",
        "ref",
        "refs",
        "no",
        "nos",
        "vol",
        "pp",
        "p",
        "ch",
        "chap",
        "def",
        "thm",
        "th",
        "lem",
        "prop",
        "resp",
        "approx",
        "dr",
        "prof",
        "mr",
        "mrs",
        "st",
        "jr",
        "inc",
        "ltd",
        "co",
        "corp",
        "dept",
        "univ",
        "proc",
        "conf",
        "int",
        "tab",
        "ex",
        "app",
        "appendix",
        "viz",
        "ca",
        "c.f",
        "w.r.t",
    ]
)


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """The first and last places of each sentence; together they cover all of the text but blanks."""
    spans: list[tuple[int, int]] = []
    start = 0
    for end in _END.finditer(text):
        if end.start() < start or not _ends(text, end):
            continue
        # `... as was shown. [12] The next`: a citation behind the point belongs to what is before it.
        stop = cited.end() if (cited := _CITED.match(text, end.end())) and end[0] != "\n" else end.end()
        spans += _stripped(text, start, stop)
        start = stop
    return spans + _stripped(text, start, len(text)) or [(0, len(text))]


def _stripped(text: str, start: int, stop: int) -> list[tuple[int, int]]:
    part = text[start:stop]
    left = len(part) - len(part.lstrip())
    return [(start + left, start + len(part.rstrip()))] if part.strip() else []


def _ends(text: str, end: re.Match[str]) -> bool:
    if end[0] == "\n":
        return True
    following = _NEXT.match(text, end.end())
    if following and following[1].islower():
        return False
    if end[0][0] != ".":
        return True
    before = _WORD.search(text, max(0, end.start() - 20), end.start())
    word = before[0].lower() if before else ""
    initial = len(word) == 1 and word.isalpha() and bool(before and before[0].isupper())
    return word not in _SHORT and not initial
