"""An HTML page -> the `Document` of its main text: headings, paragraphs, items and cells, without navigation.

A block is a run of text between tags that begin a line. It is left out where it stands in what is named as navigation, and where nearly
all of it is links. There is no layout: headings are larger by their level, and bold letters are bold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trailmark.datatypes import Document, PlacedWord, Sheet, TextLine
from trailmark.errors import DocumentError
from trailmark.read.charset import decode
from trailmark.read.marks import is_navigation
from trailmark.read.tree import parse_html

MOST_WORDS = 200_000
BODY_SIZE = 10.0
_SIZES = {"h1": 18.0, "h2": 15.0, "h3": 13.0, "h4": 12.0, "h5": 11.0, "h6": 10.0, "title": 18.0}
_UNSEEN = frozenset(("script", "style", "noscript", "template", "head", "select", "option", "button", "textarea", "svg", "iframe", "object"))  # fmt: skip
_AROUND = frozenset(("nav", "aside", "form"))
_OUTER = frozenset(("header", "footer"))
_WHOLE = frozenset(("html", "body", "main", "article"))
_INLINE = frozenset(("a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "wbr"))  # fmt: skip
_BOLD, _ITALIC = frozenset(("b", "strong", "th")), frozenset(("i", "em", "cite", "var", "dfn"))
LINKED = 0.7
"""Share of a block's words that stand in links from which it is navigation, where it is no heading and no sentence."""
SENTENCE = 12
"""Words of a block that is read whatever it links to: references link a lot."""
ARTICLE_WORDS = 200
"""An `article` or `main` with so many words is the main text; what stands beside it is not read."""


def read_html(body: bytes, url: str = "", content_type: str = "") -> Document:
    """The bytes of an HTML page -> the document of its main text; DocumentError where there is none."""
    root, _, cuts = parse_html(body, content_type or "text/html")
    lines = _main_lines(root) if root is not None else ()
    if not lines:
        raise DocumentError(f"{url}: the page has no text; it may be made of pictures or by a script.")
    title = root.find(".//title") if root is not None else None
    named = " ".join("".join(title.itertext()).split()) if title is not None else ""
    return Document(url, "html", (Sheet(lines),), title=named[:500], cuts=tuple(cuts))


def read_text(body: bytes, url: str = "", content_type: str = "") -> Document:
    """The bytes of plain text -> its document; a form feed begins a new sheet."""
    text, _ = decode(body, content_type)
    sheets = [_text_sheet(part) for part in text.split("\f")]
    if not any(sheet.lines for sheet in sheets):
        raise DocumentError(f"{url}: there is no text in it.")
    return Document(url, "text", tuple(sheets))


def _text_sheet(text: str) -> Sheet:
    lines = (tuple(PlacedWord(word, size=BODY_SIZE) for word in line.split()) for line in text.splitlines())
    return Sheet(tuple(TextLine(words) for words in lines if words))


def _main_lines(root: Any) -> tuple[TextLine, ...]:
    for part in root.iter("main", "article"):
        lines = tuple(_lines(part))
        if sum(len(line.words) for line in lines) >= ARTICLE_WORDS:
            return lines
    return tuple(_lines(root))


class _Block:
    """Words of a line that is being read, and how many of them stand in links."""

    def __init__(self) -> None:
        self.words: list[PlacedWord] = []
        self.linked = 0
        self.heading = False

    def add(self, text: str, size: float, bold: bool, italic: bool, linked: bool) -> None:
        words = [PlacedWord(word, size=size, bold=bold, italic=italic) for word in text.split()]
        self.words += words
        self.linked += len(words) * linked
        self.heading |= size > BODY_SIZE

    @property
    def is_text(self) -> bool:
        """Whether a person reads it as part of the text."""
        count = len(self.words)
        return bool(count) and (self.heading or count >= SENTENCE or self.linked < LINKED * count)


def _lines(root: Any) -> Iterator[TextLine]:
    """The blocks of text below an element; a walk without recursion, since pages nest as they like."""
    block, read = _Block(), 0
    state = (BODY_SIZE, False, False, False)
    stack: list[tuple[Any, tuple[float, bool, bool, bool], bool]] = [(root, state, False)]
    while stack and read < MOST_WORDS:
        element, state, leaving = stack.pop()
        inline = element.tag in _INLINE
        if not inline and block.words:
            if block.is_text:
                yield TextLine(tuple(block.words))
                read += len(block.words)
            block = _Block()
        if leaving:
            block.add((element.tail or "") if element is not root else "", *state)
            continue
        stack.append((element, state, True))
        if not isinstance(element.tag, str) or _is_left_out(element):
            continue
        within = _within(element.tag, *state)
        block.add(element.text or "", *within)
        stack += [(child, within, False) for child in reversed(element)]
    if block.is_text:
        yield TextLine(tuple(block.words))


def _is_left_out(element: Any) -> bool:
    """The header of an article is part of it; that of a page is not. What holds everything is never left out, whatever it is called."""
    tag = element.tag
    if tag in _OUTER:
        return not any(True for _ in element.iterancestors("main", "article"))
    return tag in _UNSEEN or tag in _AROUND or (tag not in _WHOLE and bool(is_navigation(element.attrib)))


def _within(tag: str, size: float, bold: bool, italic: bool, linked: bool) -> tuple[float, bool, bool, bool]:
    heading = tag in _SIZES
    return _SIZES.get(tag, size), bold or heading or tag in _BOLD, italic or tag in _ITALIC, linked or tag == "a"
