"""What taggers read and what they say: words with their layout, tags with their probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Word:
    """A run of letters without blanks, and how it stands on its page; zero where that is not known."""

    text: str
    size: float = 0.0
    """Of its letters, relative to the body text of the document."""
    bold: bool = False
    italic: bool = False
    x: float = 0.0
    """Its left edge, as a share of the page's width."""
    y: float = 0.0
    """Its upper edge, as a share of the page's height."""
    page: int = 0


@dataclass(frozen=True, slots=True)
class Tag:
    """The field of a word, and how probable that is."""

    label: str
    probability: float


class Tagger(Protocol):
    """A model that is ready to tag; which kind it is, is its own affair."""

    @property
    def name(self) -> str:
        """As it was saved: `headers`, `references`, or what a person called it."""

    @property
    def labels(self) -> tuple[str, ...]:
        """All that a tag may say."""

    @property
    def pieces(self) -> bool:
        """Whether it learnt from running text with spans, whose words are cut into letters, digits and marks."""

    def tag(self, documents: Sequence[Sequence[Sequence[Word]]]) -> list[list[list[Tag]]]:
        """Documents of lines of words -> a tag for each word, in the same shape."""
