"""The texts of links that may stand within each other, gathered in one pass over the page.

Texts are noted once, and a link that ends looks at no more of them than its own text can hold: a thousand links around
one text cost no more than one.
"""

from __future__ import annotations

from lxml import etree

LONGEST = 500
"""Characters of a link's text."""


class LinkText:
    """Takes texts and pictures in document order, with the beginnings and ends of links among them."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._titles: list[str] = []
        self._open: list[tuple[int, int]] = []

    def begin(self) -> None:
        """A link begins."""
        self._open.append((len(self._texts), len(self._titles)))

    def add(self, text: str | None) -> None:
        """A text of the page; outside of links nobody asks for it. Blanks count once, and between words only."""
        if not text or not self._open:
            return
        words = " ".join(text.split())[: LONGEST + 1]
        if words:
            self._texts.append(f"{' ' * text[0].isspace()}{words}{' ' * text[-1].isspace()}")
        elif self._texts and not self._texts[-1].endswith(" "):
            self._texts.append(" ")

    def add_picture(self, element: etree._Element, tag: str) -> None:
        """A picture's words stand for a link that has none of its own."""
        if tag == "img" and self._open and (title := element.get("alt")):
            self._titles.append(title)

    def end(self, element: etree._Element) -> str:
        """The text of the link that began last; where it has none, its pictures' or its own title: as `read` has it."""
        texts, titles = self._open.pop()
        text = _joined(self._texts, texts, "") or _joined(self._titles, titles, " ")
        return text or " ".join((element.get("title") or element.get("alt") or "").split())[:LONGEST]


def _joined(pieces: list[str], start: int, between: str) -> str:
    """The pieces from there on as one text, as far as it is wanted."""
    taken: list[str] = []
    length = 0
    for place in range(start, len(pieces)):
        taken.append(pieces[place])
        length += len(pieces[place])
        if length > 2 * LONGEST:
            break
    return " ".join(between.join(taken).split())[:LONGEST]
