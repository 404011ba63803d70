"""Passages -> the phrases in them that may name something: runs of words without stop words between them, one to four words long.

A phrase is known by its key: its words in small letters and in the singular, as far as their endings tell.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources

from trailmark.course.knowledge.material import Material, Passage
from trailmark.read.singular import stem

Key = tuple[str, ...]
MOST_WORDS = 4
LONGEST_WORD, LONGEST_ABBREVIATION = 30, 5
MOST_TOKENS = 200_000
"""Of all texts of one course."""
_ADDRESS = re.compile(
    r"\S{1,200}@\S{1,200}|\w{2,10}://\S{1,300}|[~/]\S{0,100}/\S{1,200}|~\w{1,40}|\b\w{1,40}(?:\.\w{1,40}){2,8}\b"
)
_NUMBERED = re.compile(r"\b[A-Z][A-Za-z]{1,5}[ /-]{0,2}\d{2,4}[A-Z]?\b")
"""A course's number: `CSE 322`."""
_CODE_SIGNS, CODE_SHARE = "{};=<>|_\\#", 0.04
"""Signs of programs, and the share of a passage's letters from which it is one."""
_BEFORE_VERBS = frozenset(
    (
        "to",
        "can",
        "could",
        "will",
        "would",
        "shall",
        "should",
        "must",
        "may",
        "might",
        "cannot",
        "can't",
        "not",
        "don't",
        "let's",
        "please",
        "you",
        "we",
        "they",
        "i",
    )
)
_TOKEN = re.compile(r"[^\W\d_][\w+#]*(?:[-'\u2019][\w+#]+)*|[^\s\w]|\d+")


@dataclass(frozen=True, slots=True)
class Run:
    """Words that stand side by side."""

    words: list[str]
    is_verb: bool
    """Whether its first word stands where verbs do."""


@dataclass(slots=True)
class PhraseCount:
    """What was counted of a phrase in the texts of a course."""

    count: int = 0
    """Where it is not part of a longer phrase that is counted as well, and where it is."""
    in_headings: int = 0
    first: float = 1.0
    """Share of the text before its first occurrence, in the material in which that is least."""
    materials: set[int] = field(default_factory=set)
    """Numbers of the materials that have it."""
    places: list[tuple[int, int]] = field(default_factory=list)
    """(Material, passage) of its first occurrences."""
    spellings: Counter[str] = field(default_factory=Counter)
    alone: int = 0
    """Occurrences as a whole run between stop words and signs."""
    as_verb: int = 0
    """Occurrences behind a word that verbs follow: `to run`, `you change`."""
    left: set[str] = field(default_factory=set)
    right: set[str] = field(default_factory=set)


MOST_PLACES = 40
_MOST_NEIGHBOURS = 50


def counted_phrases(materials: Sequence[Material]) -> dict[Key, PhraseCount]:
    """The texts of a course -> its phrases with their counts."""
    counts: dict[Key, PhraseCount] = {}
    tokens = 0
    for number, each in enumerate(materials):
        for place, passage in enumerate(each.passages):
            tokens += len(passage.text) // 5
            if tokens > MOST_TOKENS:
                return counts
            share = place / len(each.passages)
            _count(counts, passage, number, place, share)
    return counts


def _count(counts: dict[Key, PhraseCount], passage: Passage, number: int, place: int, share: float) -> None:
    for run in runs(passage.text):
        words = run.words
        keys = [stem(word) for word in words]
        for start, key in span_keys(keys):
            end = start + len(key)
            count = counts.get(key)
            if count is None:
                count = counts[key] = PhraseCount()
            count.count += 1
            count.in_headings += passage.is_heading
            count.first = min(count.first, share)
            count.materials.add(number)
            count.spellings[" ".join(words[start:end])] += 1
            count.alone += end - start == len(words)
            count.as_verb += run.is_verb and start == 0
            if len(count.places) < MOST_PLACES and (number, place) not in count.places[-1:]:
                count.places.append((number, place))
            if len(count.left) < _MOST_NEIGHBOURS:
                count.left.add(keys[start - 1] if start else "")
            if len(count.right) < _MOST_NEIGHBOURS:
                count.right.add(keys[end] if end < len(keys) else "")


def phrase_keys(text: str) -> set[Key]:
    """The keys of all phrases of a text."""
    found: set[Key] = set()
    for run in runs(text):
        found |= {key for _, key in span_keys([stem(word) for word in run.words])}
    return found


def span_keys(stems: Sequence[str]) -> Iterator[tuple[int, Key]]:
    """The words of a run, as `stem` writes them -> its phrases, each with the place of its first word."""
    for start, end in spans(len(stems)):
        key = tuple(stems[start:end])
        if _is_phrase(key):
            yield start, key


@cache
def stop_words() -> frozenset[str]:
    """Words that no phrase has: those of `stop_words.txt`."""
    content = (resources.files("trailmark.course.knowledge") / "stop_words.txt").read_text(encoding="utf-8")
    return frozenset(word for line in content.splitlines() if not line.startswith("#") for word in line.split())


def runs(text: str) -> Iterator[Run]:
    """A text -> its runs of words between stop words, numbers and signs; addresses, paths, programs and course numbers are passed over."""
    if sum(map(text.count, _CODE_SIGNS)) > CODE_SHARE * len(text):
        return
    run: list[str] = []
    before = ""
    for token in _TOKEN.findall(_NUMBERED.sub(" . ", _ADDRESS.sub(" . ", text)).replace("_", " ")):
        if is_word(token):
            run.append(token)
            continue
        if run:
            yield Run(run, before.lower() in _BEFORE_VERBS)
            run = []
        before = token
    if run:
        yield Run(run, before.lower() in _BEFORE_VERBS)


def phrase_id(key: Key) -> str:
    """What a phrase is known by in files: its words with underscores, which no word has; no two phrases share one."""
    return "_".join(key)


@lru_cache(maxsize=65536)
def is_word(token: str) -> bool:
    """Whether a token may be part of a phrase."""
    return (
        token[0].isalpha()
        and 1 < len(token) <= LONGEST_WORD
        and token.lower().replace("\u2019", "'") not in stop_words()
    )


def spans(length: int) -> Iterator[tuple[int, int]]:
    """The length of a run of words -> from which word to before which its phrases go."""
    for start in range(length):
        for end in range(start + 1, min(start + MOST_WORDS, length) + 1):
            yield start, end


def _is_phrase(key: Key) -> bool:
    return sum(map(len, key)) > 2 and len(set(key)) == len(key)


def spelling(count: PhraseCount) -> str:
    """How a phrase is shown: as it is mostly spelt, in small letters where only its place made them large."""
    best = max(sorted(count.spellings), key=lambda text: count.spellings[text])
    return shown_words(best.split())


def shown_words(words: Sequence[str]) -> str:
    """The words of a phrase as they stand -> how it is shown: in small letters, but for abbreviations."""
    return " ".join(word if word.isupper() and len(word) <= LONGEST_ABBREVIATION else word.lower() for word in words)
