"""The parts of a document that are tagged (its header, its references, or all of it), and what a person said of their words laid over the tags.

What a person says is kept by the words of the part, not by its number: it holds however often the document is tagged anew, and wherever the part
stands then. A part whose words are others now is another part.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trailmark.datatypes import Document, Record
from trailmark.settings import TagSettings
from trailmark.tag.body_text import body_text
from trailmark.tag.header_layout import settled
from trailmark.tag.models import HEADERS, REFERENCES
from trailmark.tag.page_lines import PageLine, body_size, page_lines, tagger_lines, whole_words
from trailmark.tag.paper import find_paper
from trailmark.tag.references import without_mark
from trailmark.tag.tagged_text import NO_FIELD
from trailmark.tag.tagged_values import one_title, record_of, values_of
from trailmark.tag.words import Tag, Tagger, Word

MAKER = "tag:"
PAPER, REFERENCE = "paper", "reference"
Given = Mapping[str, Sequence[str | None]]
"""Key of a part -> for each of its words the label that a person gave it, or None."""


@dataclass(frozen=True, slots=True)
class Part:
    """Lines that were tagged as one: a header, a reference, or a whole document."""

    model: str
    number: int
    """Of a reference, from 1; else 0."""
    lines: tuple[PageLine, ...]
    words: tuple[tuple[Word, ...], ...]
    """The same as the tagger read them."""
    tags: tuple[tuple[Tag, ...], ...]
    text: str = ""
    """Of a reference, with its mark."""

    @property
    def kind(self) -> str:
        """Of the record that it gives."""
        return {HEADERS: PAPER, REFERENCES: REFERENCE}.get(self.model, self.model)

    @property
    def key(self) -> str:
        """A digest of its words."""
        texts = "\n".join(" ".join(word.text for word in line) for line in self.words)
        return hashlib.sha256(f"{self.model}\n{texts}".encode("utf-8", "replace")).hexdigest()[:24]

    @property
    def flat(self) -> list[Tag]:
        """Its tags, one after the other."""
        return [tag for row in self.tags for tag in row]


@dataclass(frozen=True, slots=True)
class FoundParts:
    """What of a document was tagged; `note` says why nothing was."""

    parts: tuple[Part, ...]
    is_paper: bool = True
    note: str = ""
    body: str = ""
    """Of a paper: its running text without the references, for the context of citations."""


def no_field(labels: Sequence[str]) -> str:
    """The label of words without a field, in the words of a tagger."""
    return next((name for name in (NO_FIELD, "other") if name in labels), NO_FIELD)


def find_parts(document: Document, taggers: Mapping[str, Tagger], model: str | None) -> FoundParts:
    """A document -> its parts with their tags: as a paper, or all of it by the tagger that is named."""
    if model not in (None, HEADERS, REFERENCES):
        assert model is not None
        lines = whole_words(page_lines(document))
        return FoundParts(tuple(_parts(taggers[model], [lines], body_size(lines), 0)))
    paper = find_paper(document)
    if not paper.is_paper and not document.url.startswith("file:"):
        told = ", ".join(paper.reasons) or "nothing"
        return FoundParts((), is_paper=False, note=f"of the marks of a paper it bears {told}")
    parts: list[Part] = []
    if HEADERS in taggers and model != REFERENCES:
        header = whole_words(paper.header)
        (part,) = _parts(taggers[HEADERS], [header], paper.body_size, 0)
        parts.append(replace(part, tags=tuple(map(tuple, settled(header, part.tags, paper.body_size)))))
    if REFERENCES in taggers and model != HEADERS and paper.references:
        rows = [whole_words(reference.lines) for reference in paper.references]
        bare = [without_mark(row, each.split) for row, each in zip(rows, paper.references, strict=True)]
        found = _parts(taggers[REFERENCES], bare, paper.body_size, 1)
        parts += [
            replace(part, text=" ".join(line.text for line in row)) for part, row in zip(found, rows, strict=True)
        ]
    return FoundParts(tuple(parts), body=body_text(paper.lines, paper.references))


def _parts(tagger: Tagger, documents: Sequence[Sequence[PageLine]], body: float, first: int) -> list[Part]:
    words = [tagger_lines(lines, body) for lines in documents]
    tagged = tagger.tag(words)
    return [
        Part(tagger.name, number, tuple(lines), tuple(map(tuple, read)), tuple(map(tuple, tags)))
        for number, (lines, read, tags) in enumerate(zip(documents, words, tagged, strict=True), start=first)
    ]


def with_given(part: Part, given: Given) -> Part:
    """A part with the labels that a person gave its words; those are certain."""
    labels = given.get(part.key)
    if labels is None or len(labels) != len(part.flat):
        return part
    rest = iter(labels)
    rows = tuple(tuple(tag if (label := next(rest)) is None else Tag(label, 1.0) for tag in row) for row in part.tags)
    return replace(part, tags=rows)


def records_of(parts: Sequence[Part], url: str, given: Given, settings: TagSettings) -> list[Record]:
    """Parts -> a record of each: a whole document without a value gives none."""
    records = [_record(with_given(part, given), url, settings.sure) for part in parts]
    return [each for each in records if each.fields or each.kind in (PAPER, REFERENCE)]


def _record(part: Part, url: str, sure: float) -> Record:
    """A reference has its number and its whole text beside its fields."""
    values = values_of(part.lines, part.tags)
    if part.kind == PAPER:
        values = one_title(values)
    record = record_of(values, url, part.kind, MAKER + part.model, sure=sure)
    if part.kind != REFERENCE:
        return record
    return replace(record, fields={"number": (str(part.number),), "text": (part.text,), **record.fields})
