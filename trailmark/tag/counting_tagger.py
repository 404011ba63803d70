"""The plainest tagger: each word has the label that it, or else a word of its shape, had most often. A floor for the others, learnt in a moment."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trailmark.errors import InputError
from trailmark.tag.tagged_text import TaggedDocument
from trailmark.tag.words import Tag, Word

FORMAT = "counting tagger 1"
_SHAPES = ((re.compile(r"[^\W\d_a-z]+"), "A"), (re.compile(r"[^\W\d_]+"), "a"), (re.compile(r"\d"), "9"))
Counts = dict[str, dict[str, int]]


@dataclass(frozen=True, slots=True)
class CountingTagger:
    """How often each word, and each shape of words, had each label."""

    name: str
    labels: tuple[str, ...]
    words: Counts
    shapes: Counts

    def tag(self, documents: Sequence[Sequence[Sequence[Word]]]) -> list[list[list[Tag]]]:
        """A tag for each word, by itself."""
        return [[[self._tag(word.text) for word in line] for line in document] for document in documents]

    def _tag(self, text: str) -> Tag:
        counts = self.words.get(text.lower()) or self.shapes.get(_shape(text)) or self.shapes[""]
        label = max(sorted(counts), key=counts.__getitem__)
        return Tag(label, counts[label] / (sum(counts.values()) + 1))


def learnt_counting_tagger(documents: Sequence[TaggedDocument], name: str) -> CountingTagger:
    """Tagged documents -> a tagger; InputError where there is nothing to learn."""
    words: defaultdict[str, Counter[str]] = defaultdict(Counter)
    shapes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text, label in _pairs(documents):
        words[text.lower()][label] += 1
        shapes[_shape(text)][label] += 1
        shapes[""][label] += 1
    if not words:
        raise InputError(f"{name}: there is no tagged text to learn from.")
    labels = tuple(sorted(shapes[""]))
    return CountingTagger(name, labels, _plain(words), _plain(shapes))


def _pairs(documents: Sequence[TaggedDocument]) -> Iterator[tuple[str, str]]:
    for document in documents:
        for line, labels in zip(document.lines, document.labels, strict=True):
            yield from zip((word.text for word in line), labels, strict=True)


def _plain(counts: dict[str, Counter[str]]) -> Counts:
    return {text: dict(sorted(labels.items())) for text, labels in sorted(counts.items())}


def _shape(text: str) -> str:
    for pattern, sign in _SHAPES:
        text = pattern.sub(sign, text)
    return text[:12] or "?"


def to_bytes(tagger: CountingTagger) -> bytes:
    """A tagger -> the file that it is kept in."""
    held = {
        "format": FORMAT,
        "name": tagger.name,
        "labels": tagger.labels,
        "words": tagger.words,
        "shapes": tagger.shapes,
    }
    return json.dumps(held, sort_keys=True).encode()


def from_bytes(body: bytes, source: str) -> CountingTagger:
    """The file of a tagger -> the tagger; InputError where it is none."""
    try:
        held = json.loads(body)
        if held["format"] != FORMAT:
            raise ValueError("another format")
        return CountingTagger(held["name"], tuple(held["labels"]), held["words"], held["shapes"])
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            f"{source} can't be read as a tagger ({error}): train it again with trailmark tag --train."
        ) from error
