"""An item -> what its words and its address look like, whatever they say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from trailmark.course.address import address
from trailmark.course.page_item import PageItem
from trailmark.course.type_word import parts

_UPPER = "A-ZÀ-ÖØ-Þ"
_PROPER = re.compile(
    rf"(?:(?:Prof|Dr|Mr|Ms|Mrs|Professor)\.? )?[{_UPPER}][a-zß-öø-ÿ'-]+(?: [{_UPPER}]\.?)?(?: [{_UPPER}][\w'-]+){{1,2}}"
)
_DATE = re.compile(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d|\b\d{1,2}/\d{1,2}\b|\b(?:mon|tue|wed|thu|fri)[a-z]{0,6}\b",
    re.IGNORECASE,
)
_FILE_NAME = re.compile(r"[\w.+-]{1,80}\.[A-Za-z][A-Za-z0-9]{0,5}")
_FORMATS = frozenset(
    [
        "ps",
        "pdf",
        "html",
        "htm",
        "latex",
        "tex",
        "dvi",
        "postscript",
        "text",
        "txt",
        "word",
        "doc",
        "compressed",
        "gz",
        "zip",
        "format",
        "version",
        "ascii",
        "printable",
        "plain",
        "acrobat",
        "frame",
    ]
)
_POINTING = frozenset(["here", "this", "click", "link", "it", "these", "that", "page", "the"])
_PEOPLE = frozenset(["homes", "people", "users", "user", "faculty", "staff", "home", "profile", "person"])
_READING_HOSTS = (
    "arxiv", "acm.org", "ieee", "amazon", "amzn", "springer", "wikipedia", "sciencedirect", "jstor", "oreilly", "usenix", "doi.org", "mitpress",
    "nature.com", "biorxiv",
)  # fmt: skip
_LONG = 5
_CROWDED = 3


def shapes(item: PageItem) -> Iterator[str]:
    """The names of the shapes that an item has."""
    place = address(item.url)
    words = parts(item.text)
    yield "an item"
    yield f"scheme {place.scheme.removesuffix('s') if place.scheme == 'https' else place.scheme}"
    yield f"ending {place.ending or 'none'}"
    yield f"file kind {place.kind}"
    yield from (name for name, holds in _of_words(item, words).items() if holds)
    yield from (name for name, holds in _of_place(item).items() if holds)
    if place.query:
        yield "query"
    if place.scheme == "mailto" and not place.name:
        yield "no address"
    if any(sign.isdigit() for sign in place.name):
        yield "numbered file"
    if any(step.startswith("~") for step in (*place.folders, place.name)):
        yield "user"
    if place.name.startswith("~"):
        yield "user itself"
    if _in_people(item):
        yield "people folder"
    if _is_root(item):
        yield "root"


def shape_kinds(item: PageItem) -> Iterator[str]:
    """Kinds that an address or the shape of the words tell, whatever the words say."""
    place = address(item.url)
    if place.kind in ("code", "bundle", "data", "notebook"):
        yield "software"
    elif place.kind == "slides":
        yield "lecture"
    elif place.kind == "media":
        yield "video"
    if place.scheme in ("news", "nntp"):
        yield "discussion"
    is_mail = place.scheme == "mailto" and bool(place.name)
    if is_mail or _in_people(item) or is_person(item.text) or place.name.startswith("~"):
        yield "people"
    if any(part in place.host for part in _READING_HOSTS):
        yield "reading"
    if _is_root(item):
        yield "other"


def has_date(text: str) -> bool:
    """Whether a text tells a day."""
    return bool(_DATE.search(text))


def is_person(text: str) -> bool:
    """Whether a text has the shape of a person's name."""
    return bool(_PROPER.fullmatch(text))


def says_little(item: PageItem) -> bool:
    """Whether the words of a link are no more than a number, a format or `here`."""
    words = parts(item.text)
    return item.is_image or all(
        word.isdigit() or len(word) == 1 or word in _FORMATS or word in _POINTING for word in words
    )


def _of_words(item: PageItem, words: tuple[str, ...]) -> dict[str, bool]:
    return {
        "number": bool(words) and all(word.isdigit() or len(word) == 1 for word in words),
        "numbered": any(word.isdigit() for word in words),
        "empty": not words,
        "image": item.is_image,
        "date": has_date(item.text),
        "row date": has_date(item.row),
        "heading date": bool(item.headings) and has_date(item.headings[0]),
        "line date": has_date(item.lead),
        "mail words": "@" in item.text,
        "person": is_person(item.text),
        "file name": bool(_FILE_NAME.fullmatch(item.text)),
        "format": bool(words) and all(word in _FORMATS for word in words),
        "pointing": bool(words) and all(word in _POINTING for word in words),
        "long": len(words) > _LONG,
        "one word": len(words) == 1,
    }


def _of_place(item: PageItem) -> dict[str, bool]:
    return {
        "menu": item.in_menu,
        "in heading": item.in_heading,
        "in term": item.in_term,
        "in list": item.lists > 0,
        "in table": item.cell is not None,
        "first column": item.cell is not None and item.cell.column == 0,
        "first in line": item.place == 0,
        "only in line": item.mates == 1,
        "crowded": item.mates > _CROWDED,
        "no heading": not item.headings,
    }


def _in_people(item: PageItem) -> bool:
    return any(step.lower() in _PEOPLE for step in address(item.url).folders[-2:])


def _is_root(item: PageItem) -> bool:
    place = address(item.url)
    return not place.folders and not place.name and place.scheme.startswith("http")
