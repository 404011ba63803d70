"""A cluster's URLs -> one regular expression: the most specific that matches them all within a size limit.

Used to find the rule for a page (Vertex, section IV-A), never to make clusters. A pattern is a row of literals and single
character classes between the separators of a URL; no class contains a separator and no repetition stands inside another, so
that matching can't blow up on any text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_SEPARATORS = re.compile(r"([/?&=#;])")
_ANY = "[^/?&=#;]"
_CLASSES = tuple(
    (re.compile(rf"{name}*"), name) for name in (r"[0-9]", r"[a-z]", r"[A-Z]", r"[A-Za-z]", r"[A-Za-z0-9]", r"[\w.-]")
)
_FIGURES = "0123456789"
_MOST_SHAPES = 4
_MOST_CHOICES = 4


def url_pattern(urls: Iterable[str], *, others: Sequence[str] = (), most: int = 300) -> str:
    """A pattern for `re.fullmatch`; empty where there are no URLs. `others` are URLs that it should rather not match."""
    known = sorted(set(urls))
    if not known:
        return ""
    start, shapes = _shapes(known)
    candidates = [_any_shape(known, most)]
    if len(shapes) <= _MOST_SHAPES:
        candidates += [_whole(start, shapes, choices) for choices in (0, _MOST_CHOICES)]
    fitting = [candidate for candidate in candidates if len(candidate) <= most] or candidates[:1]
    # Fewest URLs of others first, then the most specific: later candidates are.
    return min(reversed(fitting), key=lambda pattern: _matched(pattern, others))


def _matched(pattern: str, urls: Sequence[str]) -> int:
    matches = re.compile(pattern).fullmatch
    return sum(1 for url in urls if matches(url))


def _shapes(urls: Sequence[str]) -> tuple[str, list[list[list[str]]]]:
    """What all URLs begin with, up to a separator, and their rests cut at separators, those with the same row of separators
    together."""
    start = _up_to_separator(_common_start(urls))
    shapes: dict[str, list[list[str]]] = {}
    for url in urls:
        parts = _SEPARATORS.split(url[len(start) :])
        shapes.setdefault("".join(parts[1::2]), []).append(parts)
    return start, list(shapes.values())


def _whole(start: str, shapes: list[list[list[str]]], choices: int) -> str:
    rows = ["".join(_column(values, choices) for values in zip(*shape, strict=True)) for shape in shapes]
    return re.escape(start) + (rows[0] if len(rows) == 1 else "(?:" + "|".join(sorted(rows)) + ")")


def _column(values: Sequence[str], choices: int) -> str:
    """One stretch between separators: a literal, a few literals, or what begins and ends alike with a class between."""
    distinct = sorted(set(values))
    if len(distinct) == 1:
        return re.escape(distinct[0])
    if len(distinct) <= choices and len(values) >= 3 * len(distinct):
        return "(?:" + "|".join(map(re.escape, distinct)) + ")"
    start = _common_start(distinct).rstrip(_FIGURES)  # ids that happen to begin alike are still ids
    rests = [value[len(start) :] for value in distinct]
    end = _common_start([rest[::-1] for rest in rests])[::-1].lstrip(_FIGURES)
    middles = [rest[: len(rest) - len(end)] for rest in rests]
    return re.escape(start) + _class_of(middles) + re.escape(end)


def _class_of(texts: Sequence[str]) -> str:
    name = next((name for fits, name in _CLASSES if all(fits.fullmatch(text) for text in texts)), _ANY)
    return name + ("*" if "" in texts else "+")


def _any_shape(urls: Sequence[str], most: int) -> str:
    """What all begin and end with, up to a separator, and anything between."""
    start = _up_to_separator(_common_start(urls))
    rests = [url[len(start) :] for url in urls]
    end = _up_to_separator(_common_start([rest[::-1] for rest in rests]))[::-1]
    tail = r"(?s:.*)"
    room = most - len(tail) - len(re.escape(end))
    if room < 0:
        end, room = "", most - len(tail)
    while len(re.escape(start)) > room:
        start = start[: len(start) - 1 - (len(re.escape(start)) - room) // 2]
    return re.escape(start) + tail + re.escape(end)


def _common_start(texts: Sequence[str]) -> str:
    first, last = min(texts), max(texts)
    same = next((n for n, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), None)
    return first if same is None else first[:same]


def _up_to_separator(text: str) -> str:
    separators = list(_SEPARATORS.finditer(text))
    return text[: separators[-1].end()] if separators else ""
