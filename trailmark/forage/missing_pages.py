"""Pages that answer with 200 and say that they do not exist (soft 404s), although their text varies.

No page is asked for only to see how a site says 'not found': that would cost every host a fetch, and an archive can't answer it.
Instead each page is compared with what its site showed before. It is missing where

- its title or a large heading says so and nothing else;
- it looks like a page of the site that answered 404 or 410;
- its text says so, and it looks like another page that did;
- it looks like several pages under other names in other folders: nothing but an answer to anything that is asked.

To look alike is to have the same title and headings, about the same length, and nearly the same words and names of links;
words of a page's own address (which such pages repeat) and numbers (dates) are left out. How near is told from 32
minima of hashes (Broder's min-wise sketch, one permutation, 8 bits each). The pages of a template that say little are safe: they
have the names of what they are about in their titles, and lie beside one another. The root of a site is never missing.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import eq
from typing import Self

from trailmark.datatypes import Page
from trailmark.read import url_words
from trailmark.url_key import hash_of

BINS = 32
MOST_LOOKS = 40
"""Looks of pages that are remembered for one site, the latest."""
ALIKE, ALIKE_SAYING = 0.85, 0.6
"""Share of words that two pages must have in common; less where both say that they are missing."""
ELSEWHERE, WORDS = 4, 12
"""Names, and folders, under which pages that look alike are one answer to anything; and words that they must have."""
LEAST_WORDS = 5
"""Of a page that answered 404, so that others can be compared with it."""
MOST_LINKS = 100
"""Links of a page that are looked at."""
GONE = (404, 410)

_THING = r"(?:web ?page|page|file|document|object|url|resource|address|article)"
_ABSENT = (
    r"(?:(?:was|is|were|could|can|has)?(?: ?not|n't)(?: be)? (?:found|located|available)|cannot be (?:found|located|displayed)"
    r"|does(?: not|n't) exist|(?:is )?no longer (?:exists?|available)|is missing|not found)"
)
_ASKED = r"(?: (?:that )?(?:you |we )?(?:have |were |are |requested|looking for|trying to (?:access|reach|find|view)|wanted| )*)?"
_SAID = rf"{_THING}{_ASKED} {_ABSENT}"
_ELSEWHERE_SAID = (
    r"seite (?:wurde )?(?:leider )?nicht gefunden|page (?:non trouv[ée]e|introuvable)|p[áa]gina no encontrada"
    r"|pagina non trovata|p[áa]gina n[ãa]o encontrada"
)
_SAYS = re.compile(rf"\b(?:{_SAID}|{_ELSEWHERE_SAID}|error 404|404 error|404 not found)\b")
_SAYS_ONLY = re.compile(
    rf"(?:(?:sorry|oops|whoops|error|http) )*(?:404(?: error)?|(?:404 )?(?:not found|(?:the )?(?:requested )?{_SAID}|{_ELSEWHERE_SAID}))"
    r"(?: (?:on|from) this (?:server|site))?(?: error)?(?: 404)?"
)
_PARTS = re.compile(r"(?<!\s)\s+[-–—|·»:]\s+|[|»]|:\s")
_NO_WORD = re.compile(r"[^\w']+")
_PACKED = struct.Struct(">qIHB32s")


@dataclass(frozen=True, slots=True)
class Look:
    """What a page looks like, small enough to be kept with its fetch."""

    face: int
    """A hash of title and headings, numbers left out."""
    length: int
    words: int
    says: int
    """2 where title or heading say that the page is missing, 1 where only its text does."""
    minima: bytes

    def packed(self) -> bytes:
        return _PACKED.pack(self.face, min(self.length, 2**32 - 1), min(self.words, 65_535), self.says, self.minima)

    @classmethod
    def unpacked(cls, data: bytes) -> Self:
        return cls(*_PACKED.unpack(data))

    def like(self, other: Look) -> bool:
        """Whether two pages look alike."""
        if abs(self.length - other.length) > 256 + 0.02 * max(self.length, other.length):
            return False
        both_say = bool(self.says and other.says)
        if self.face != other.face and not both_say:
            return False
        empty = sum(one == two == 0 for one, two in zip(self.minima, other.minima, strict=True))
        common: int = sum(map(eq, self.minima, other.minima)) - empty
        return common >= max(1.0, (BINS - empty) * (ALIKE_SAYING if both_say else ALIKE))


@dataclass(slots=True)
class _Group:
    """Pages that look alike."""

    look: Look
    gone: bool = False
    pages: int = 0
    folders: set[int] = field(default_factory=set)
    names: set[int] = field(default_factory=set)


class MissingPages:
    """What one site has shown of the way it says 'not found'."""

    __slots__ = ("_groups",)

    def __init__(self) -> None:
        self._groups: list[_Group] = []

    def meet(self, url: str, look: Look, *, status: int) -> bool:
        """Whether a page is missing; asked once for each page, the ones that answered 404 included."""
        group = next((known for known in self._groups if known.look.like(look)), None)
        if group is None:
            group = _Group(look)
        else:
            self._groups.remove(group)
        self._groups.insert(0, group)
        del self._groups[MOST_LOOKS:]
        missing = look.says == 2 or group.gone or (look.says == 1 and group.pages > 0) or _is_any_answer(group)
        folder, name = _place(url)
        group.gone |= status in GONE and look.words >= LEAST_WORDS
        group.pages += 1
        if len(group.names) <= ELSEWHERE:
            group.names.add(name)
        if len(group.folders) <= ELSEWHERE:
            group.folders.add(folder)
        return missing


def look_of(page: Page, length: int) -> Look:
    """`length` is that of the body in bytes."""
    texts = [page.title.lower(), *(heading.text.lower() for heading in page.headings)]
    face = " ".join(word for text in texts for word in _NO_WORD.split(text) if word and not word.isdigit())
    links = page.links[:MOST_LINKS]
    words = set(" ".join((face, *(link.anchor for link in links))).lower().split())
    words.update(page.body_tokens)
    words.update(link.url.rstrip("/").rpartition("/")[2] for link in links)
    words.difference_update(url_words(page.url))
    plain = [word for word in words if not word.isdigit()]
    return Look(hash_of(face), length, len(plain), _says(page), _minima(plain))


def _says(page: Page) -> int:
    large = [heading.text for heading in page.headings if heading.level <= 2]
    parts = (part for text in (page.title, *large) for part in _PARTS.split(text.lower()))
    if any(_SAYS_ONLY.fullmatch(_plain(part)) for part in parts):
        return 2
    return 1 if _SAYS.search(_plain(" ".join(_without_address(page)))) else 0


def _without_address(page: Page) -> list[str]:
    """The words of a page but for its own address, which stands in the middle of what such pages say."""
    own = set(url_words(page.url))
    return [word for word in page.body_tokens if not own.issuperset(_NO_WORD.split(word.strip(".'")))]


def _plain(text: str) -> str:
    return _NO_WORD.sub(" ", text.replace("’", "'")).strip()


def _minima(words: Iterable[str]) -> bytes:
    """Each word falls into one of the bins; a bin keeps the least of its words. 0 is an empty bin."""
    least: dict[int, int] = {}
    # From the greatest to the least, so that the last word of a bin stays.
    for number in sorted((zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in words), reverse=True):
        least[number % BINS] = number
    return bytes((least[place] >> 8) % 255 + 1 if place in least else 0 for place in range(BINS))


def _is_any_answer(group: _Group) -> bool:
    enough = group.look.words >= WORDS and group.pages >= ELSEWHERE
    return enough and len(group.folders) >= ELSEWHERE and len(group.names) >= ELSEWHERE


def _place(url: str) -> tuple[int, int]:
    """Folder and name of a page, as hashes."""
    folder, _, name = url.partition("?")[0].rstrip("/").rpartition("/")
    return hash_of(folder), hash_of(name)
