"""An archived answer -> the text of a course's page or file, as passages in order with headings told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from trailmark.datatypes import Course, CourseItem, Document, Response, Sheet
from trailmark.errors import DocumentError
from trailmark.read.document_kind import document_kind
from trailmark.read.html_document import read_html, read_text

MOST_PASSAGES = 3000
"""Of one page or file."""
LONGEST_PASSAGE = 4000
LARGE, LONGEST_HEADING = 1.05, 12
"""How much larger than most words of a text those of a heading are, and how many words it has at most."""
TAUGHT = frozenset(("lecture", "tutorial", "reading", "assignment", "exam", "solution", "syllabus", "video"))
"""Types of items whose text is about the subject."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph, an item of a list, a cell, or a heading."""

    text: str
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Material:
    """The text of one page or file of a course."""

    url: str
    title: str
    kind: str
    """The type of the item; `home` for a page of the course itself."""
    place: int
    """Its place in the order in which the course is taught, among items of its type."""
    passages: tuple[Passage, ...]

    @property
    def text(self) -> str:
        """All of it, a passage a line."""
        return "\n".join(each.text for each in self.passages)

    @property
    def headings(self) -> tuple[str, ...]:
        """Its headings in order, each once."""
        return tuple(dict.fromkeys(each.text for each in self.passages if each.is_heading))


@dataclass(frozen=True, slots=True)
class CourseTexts:
    """A course with all of its texts that are at hand."""

    id: str
    title: str
    materials: tuple[Material, ...]
    family: str = ""
    """The same for all terms of a course; empty where it stands alone."""


def taught_items(course: Course) -> list[tuple[CourseItem, int]]:
    """A course -> its items that may have a text of the subject, each with its place: by number or week, then by the page."""
    found: list[tuple[CourseItem, int]] = []
    for kind in sorted(TAUGHT):
        items = [item for item in course.items if item.kind == kind and "#" not in item.url]
        ordered = sorted(items, key=lambda item: (item.position is None, item.position or 0, item.place))
        found += [(item, place) for place, item in enumerate(ordered, start=1)]
    return found


def material(response: Response, title: str, kind: str, place: int = 0) -> Material | None:
    """An answer of HTML or plain text -> its text; None where it has none.

    Other documents are read where their time is limited (`tag`); their text comes in by `read_material`.
    """
    document = _document(response)
    if document is None:
        return None
    return read_material(document, title, kind, place)


def read_material(document: Document, title: str, kind: str, place: int = 0) -> Material | None:
    """A document that was read -> its text; None where it has none."""
    passages = tuple(_passages(document.pages))
    return Material(document.url, title or document.title, kind, place, passages) if passages else None


def _document(response: Response) -> Document | None:
    said = response.header("content-type")
    kind = document_kind(response.body, said, response.url)
    try:
        if kind == "html":
            return read_html(response.body, response.url, said)
        return read_text(response.body, response.url, said) if kind == "text" else None
    except DocumentError:
        return None


def _passages(sheets: Iterable[Sheet]) -> Iterator[Passage]:
    sheets = list(sheets)
    sizes = sorted(word.size for sheet in sheets for line in sheet.lines for word in line.words)
    normal = sizes[len(sizes) // 2] if sizes else 0.0
    count = 0
    for sheet in sheets:
        for line in sheet.lines:
            text = line.text.strip()[:LONGEST_PASSAGE]
            if not text:
                continue
            count += 1
            if count > MOST_PASSAGES:
                return
            is_large = min(word.size for word in line.words) > LARGE * normal
            yield Passage(text, is_heading=is_large and len(line.words) <= LONGEST_HEADING)


def text_material(text: str, url: str, title: str, kind: str, place: int = 0) -> Material | None:
    """A text without any layout -> the same as passages, a line each; None where there is none."""
    lines = (" ".join(line.split())[:LONGEST_PASSAGE] for line in text.splitlines())
    passages = tuple(Passage(line) for line in lines if line)[:MOST_PASSAGES]
    return Material(url, title, kind, place, passages) if passages else None
