"""A document's bytes -> its records, or its words with their fields: what a process of the crew does with each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from trailmark.datatypes import Document, Record, Response
from trailmark.errors import DocumentError
from trailmark.settings import TagSettings
from trailmark.tag.document_parts import MAKER, PAPER, REFERENCE, Given, Part, find_parts, records_of
from trailmark.tag.models import HEADERS, REFERENCES
from trailmark.tag.pieces import in_pieces
from trailmark.tag.read_document import read_document
from trailmark.tag.words import Tagger

__all__ = ["MAKER", "PAPER", "REFERENCE", "ReadOutcome", "TaggedOutcome", "make_reader", "make_tagger", "outcome_of"]

Outcome = Literal["records", "no paper", "empty", "failed"]


@dataclass(frozen=True, slots=True)
class TaggedOutcome:
    """What became of one document."""

    outcome: Outcome
    records: tuple[Record, ...] = ()
    note: str = ""
    pages: int = 0
    body: str = ""
    """Of a paper: its running text without the references, for the context of citations and for search."""


@dataclass(frozen=True, slots=True)
class ReadOutcome:
    """A document with its parts and their tags; None where it can't be read, and `note` says why."""

    document: Document | None
    parts: tuple[Part, ...] = ()
    note: str = ""
    is_paper: bool = True
    body: str = ""
    """Of a paper: its running text without the references."""


def make_tagger(
    taggers: Mapping[str, Tagger], model: str | None, settings: TagSettings, given: Mapping[str, Given] | None = None
) -> Callable[[Response], TaggedOutcome]:
    """Taggers by their names, and what people said by address -> the work on one document."""
    read = make_reader(taggers, model, settings)

    def work(response: Response) -> TaggedOutcome:
        found = read(response)
        try:
            return outcome_of(found, model, (given or {}).get(response.url, {}), settings)
        except Exception as error:  # noqa: BLE001 - nothing that a document holds may end the run; it is reported
            return TaggedOutcome("failed", note=f"{type(error).__name__}: {error}")

    return work


def make_reader(
    taggers: Mapping[str, Tagger], model: str | None, settings: TagSettings
) -> Callable[[Response], ReadOutcome]:
    """Taggers by their names -> the reading of one document: as a paper, or all of it by the tagger that is named."""

    def read(response: Response) -> ReadOutcome:
        try:
            document = read_document(response, settings)
            if model not in (None, HEADERS, REFERENCES) and taggers[model or ""].pieces:
                document = in_pieces(document)
            found = find_parts(document, taggers, model)
            return ReadOutcome(document, found.parts, found.note, found.is_paper, found.body)
        except DocumentError as error:
            return ReadOutcome(None, note=str(error).removeprefix(f"{response.url}: "))
        except MemoryError:
            return ReadOutcome(None, note=f"it needs more than {settings.memory:,} bytes of memory.")
        except Exception as error:  # noqa: BLE001 - nothing that a document holds may end the run; it is reported
            return ReadOutcome(None, note=f"{type(error).__name__}: {error}")

    return read


def outcome_of(found: ReadOutcome, model: str | None, given: Given, settings: TagSettings) -> TaggedOutcome:
    """A document that was read -> what became of it, with what people said laid over its tags."""
    if found.document is None:
        return TaggedOutcome("failed", note=found.note)
    pages, cuts = len(found.document.pages), "; ".join(found.document.cuts)
    if not found.is_paper:
        return TaggedOutcome("no paper", note=found.note, pages=pages)
    records = records_of(found.parts, found.document.url, given, settings)
    bare = not records and model not in (None, HEADERS, REFERENCES)
    return TaggedOutcome("empty" if bare else "records", tuple(records), cuts, pages, found.body)
