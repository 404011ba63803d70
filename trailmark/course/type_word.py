"""Text -> the kinds of course material that its words name: the rules of `type_words.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from trailmark.datatypes import OTHER

TYPES = (
    "lecture", "tutorial", "assignment", "exam", "solution", "syllabus", "reading", "software", "discussion", "people", "video", "grades", OTHER,
)  # fmt: skip
_PART = re.compile(r"[^\W\d_]+(?:'[a-z]+)?|\d+|&")
_PHRASE_PART = re.compile(r"#|[^\W\d_]+(?:'[a-z]+)?|\d+|&")
_LONGEST = 400
"""Characters of a text that are looked at."""
_MOST_PARTS = 100
"""Words of a text that are looked at."""
_MOST_WORDS = 4
"""Of a phrase."""


@dataclass(frozen=True, slots=True)
class Found:
    """A word or a phrase that names a kind: which, from which word of the text to before which."""

    kind: str
    start: int
    end: int
    is_weak: bool = False


def parts(text: str) -> tuple[str, ...]:
    """The words of a text or a file's name in lower case, letters and digits apart: `HW3soln.ps` is hw, 3, soln, ps."""
    return tuple(_PART.findall(_humps(text[:_LONGEST]).lower().replace("\u2019", "'")))


_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")


def _humps(text: str) -> str:
    """`lectureNotes` -> `lecture Notes`."""
    return _HUMP.sub(" ", text)


@lru_cache(maxsize=16384)
def kinds_in(text: str) -> tuple[Found, ...]:
    """A text -> the kinds that its words name, in the order of the words, the longest phrase at each word."""
    words = parts(text)[:_MOST_PARTS]
    found: list[Found] = []
    for start in range(len(words)):
        for width in range(min(_MOST_WORDS, len(words) - start), 0, -1):
            kinds = _matches(words[start : start + width])
            if kinds:
                found += (Found(kind, start, start + width, weak) for kind, weak in kinds.items())
                break
    return tuple(_outermost(found))


def first_kind(text: str) -> str | None:
    """The first kind of the file's order that a text's words name, None where they name none."""
    named = {found.kind for found in kinds_in(text)}
    return next((kind for kind in order() if kind in named), None)


@cache
def order() -> tuple[str, ...]:
    """The kinds in the order in which they are asked."""
    return tuple(_file())


def _outermost(found: list[Found]) -> Iterator[Found]:
    """Without what stands inside a longer phrase that began earlier: `office` in `office hours`."""
    reached = 0
    for match in found:
        if match.end > reached or match.start >= reached:
            yield match
            reached = max(reached, match.end)


@dataclass(frozen=True, slots=True)
class _Phrases:
    whole: Mapping[tuple[str, ...], Mapping[str, bool]]
    """Words -> the kinds that they name, and whether weakly."""
    begun: Mapping[tuple[str, ...], tuple[tuple[str, str, bool], ...]]
    """Words before the last -> (how the last one begins, kind, whether weakly)."""


@lru_cache(maxsize=65536)
def _matches(words: tuple[str, ...]) -> Mapping[str, bool]:
    """The kinds of a phrase, and whether it names them weakly."""
    table = _phrases()
    signs = tuple("#" if word.isdigit() else word for word in words)
    last = signs[-1]
    named: dict[str, bool] = {}
    for ending in dict.fromkeys((last, last.removesuffix("s"), last.removesuffix("es"))):
        if (len(ending) > 2 or ending == last) and not named:
            for kind, weak in table.whole.get((*signs[:-1], ending), {}).items():
                named[kind] = weak and named.get(kind, True)
    for begin, kind, weak in table.begun.get(signs[:-1], ()):
        if last.startswith(begin):
            named[kind] = weak and named.get(kind, True)
    return named


@cache
def _phrases() -> _Phrases:
    whole: dict[tuple[str, ...], dict[str, bool]] = {}
    begun: dict[tuple[str, ...], list[tuple[str, str, bool]]] = {}
    for kind, phrases in _file().items():
        for written in phrases:
            phrase = written.removesuffix("?")
            words, weak = tuple(_PHRASE_PART.findall(phrase)), phrase != written
            if phrase.endswith("*"):
                begun.setdefault(words[:-1], []).append((words[-1], kind, weak))
            else:
                whole.setdefault(words, {})[kind] = weak
    return _Phrases(whole, {words: tuple(entries) for words, entries in begun.items()})


@cache
def _file() -> dict[str, list[str]]:
    content = (resources.files("trailmark.course") / "type_words.toml").read_text(encoding="utf-8")
    words: dict[str, list[str]] = tomllib.loads(content)["words"]
    return words
