"""A document's bytes -> its records: what a process of the crew does with each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from trailmark.datatypes import Document, Record, Response
from trailmark.errors import DocumentError
from trailmark.settings import TagSettings
from trailmark.tag.body_text import body_text
from trailmark.tag.header_layout import settled
from trailmark.tag.models import HEADERS, REFERENCES
from trailmark.tag.page_lines import PageLine, body_size, page_lines, tagger_lines, whole_words
from trailmark.tag.paper import find_paper
from trailmark.tag.read_document import read_document
from trailmark.tag.references import without_mark
from trailmark.tag.tagged_values import Value, one_title, record_of, values_of
from trailmark.tag.words import Tagger

Outcome = Literal["records", "no paper", "empty", "failed"]
MAKER = "tag:"
PAPER, REFERENCE = "paper", "reference"


@dataclass(frozen=True, slots=True)
class TaggedOutcome:
    """What became of one document."""

    outcome: Outcome
    records: tuple[Record, ...] = ()
    note: str = ""
    pages: int = 0
    body: str = ""
    """Of a paper: its running text without the references, for the context of citations and for search."""


def make_tagger(
    taggers: Mapping[str, Tagger], model: str | None, settings: TagSettings
) -> Callable[[Response], TaggedOutcome]:
    """Taggers by their names -> the work on one document: as a paper, or all of it by the tagger that is named."""

    def work(response: Response) -> TaggedOutcome:
        try:
            document = read_document(response, settings)
            return _tagged(document, taggers, model, settings)
        except DocumentError as error:
            return TaggedOutcome("failed", note=str(error).removeprefix(f"{response.url}: "))
        except MemoryError:
            return TaggedOutcome("failed", note=f"it needs more than {settings.memory:,} bytes of memory.")
        except Exception as error:  # noqa: BLE001 - nothing that a document holds may end the run; it is reported
            return TaggedOutcome("failed", note=f"{type(error).__name__}: {error}")

    return work


def _tagged(
    document: Document, taggers: Mapping[str, Tagger], model: str | None, settings: TagSettings
) -> TaggedOutcome:
    pages, cuts = len(document.pages), "; ".join(document.cuts)
    if model not in (None, HEADERS, REFERENCES):
        assert model is not None
        lines = whole_words(page_lines(document))
        values = _values(taggers[model], [lines], body_size(lines))[0]
        records = [record_of(values, document.url, model, MAKER + model, sure=settings.sure)] if values else []
        return TaggedOutcome("records" if records else "empty", tuple(records), cuts, pages)
    paper = find_paper(document)
    named = document.url.startswith("file:")
    if not paper.is_paper and not named:
        told = ", ".join(paper.reasons) or "nothing"
        return TaggedOutcome("no paper", note=f"of the marks of a paper it bears {told}", pages=pages)
    records = []
    if HEADERS in taggers and model != REFERENCES:
        header = whole_words(paper.header)
        tags = taggers[HEADERS].tag([tagger_lines(header, paper.body_size)])[0]
        values = one_title(values_of(header, settled(header, tags, paper.body_size)))
        records.append(record_of(values, document.url, PAPER, MAKER + HEADERS, sure=settings.sure))
    if REFERENCES in taggers and model != HEADERS and paper.references:
        rows = [whole_words(reference.lines) for reference in paper.references]
        bare = [without_mark(row, each.split) for row, each in zip(rows, paper.references, strict=True)]
        found = _values(taggers[REFERENCES], bare, paper.body_size)
        for number, (row, values) in enumerate(zip(rows, found, strict=True), start=1):
            records.append(_reference(number, row, values, document.url, settings.sure))
    return TaggedOutcome("records", tuple(records), cuts, pages, body_text(document, paper.references))


def _values(tagger: Tagger, documents: Sequence[Sequence[PageLine]], body: float) -> list[list[Value]]:
    tags = tagger.tag([tagger_lines(lines, body) for lines in documents])
    return [values_of(lines, rows) for lines, rows in zip(documents, tags, strict=True)]


def _reference(number: int, lines: Sequence[PageLine], values: Sequence[Value], url: str, sure: float) -> Record:
    """A reference with its number and its whole text beside its fields."""
    record = record_of(values, url, REFERENCE, MAKER + REFERENCES, sure=sure)
    text = " ".join(line.text for line in lines)
    return replace(record, fields={"number": (str(number),), "text": (text,), **record.fields})
