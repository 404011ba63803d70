"""What a course offers, as its page in the portal shows it: items by type, each with an abstract and what other courses have on the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.course.type_word import TYPES
from trailmark.datatypes import course_id
from trailmark.store.advice_table import OtherItem, StoredAdvice, read_advice
from trailmark.store.course_links import CourseLink, course_links
from trailmark.store.library import Library
from trailmark.verbs.portal_catalogue import Catalogue, Mention

MOST_ADVISED = 300
"""Items of a page beside which something is told: a page of thousands is a list."""


@dataclass(frozen=True, slots=True)
class OtherMaterial:
    """An item of another course that speaks of the same."""

    item: OtherItem
    course: Mention
    """Its course, which is here."""


@dataclass(frozen=True, slots=True)
class MaterialItem:
    """An item of a course, and what is told beside it."""

    link: CourseLink
    abstract: tuple[str, ...] = ()
    others: tuple[OtherMaterial, ...] = ()


@dataclass(frozen=True, slots=True)
class MaterialGroup:
    """Items of a course that are of one type, by position, then as they stand on its pages."""

    kind: str
    items: tuple[MaterialItem, ...]


def course_material(
    catalogue: Catalogue, library: Library, folder: Path, urls: Sequence[str]
) -> tuple[MaterialGroup, ...]:
    """Addresses of a course's home -> what it offers; what is recommended is of courses that are shown here."""
    links = sorted(course_links(folder, urls), key=lambda link: (link.position is None, link.position or 0))
    told = {item: each for url in urls for item, each in read_advice(library.connection, course_id(url)).items()}
    ordered = sorted(links, key=lambda link: TYPES.index(link.kind))
    advised = {link.url for link in [each for each in ordered if each.url in told][:MOST_ADVISED]}
    items = [_item(catalogue, link, told if link.url in advised else {}) for link in ordered]
    groups = ((kind, tuple(item for item in items if item.link.kind == kind)) for kind in TYPES)
    return tuple(MaterialGroup(kind, members) for kind, members in groups if members)


def _item(catalogue: Catalogue, link: CourseLink, told: Mapping[str, StoredAdvice]) -> MaterialItem:
    advice = told.get(link.url)
    if advice is None:
        return MaterialItem(link)
    others = ((each, catalogue.mention_at(each.course)) for each in advice.recommended)
    found = tuple(OtherMaterial(each, course) for each, course in others if course is not None)
    return MaterialItem(link, advice.abstract, found)
