"""A course and its lessons -> what catalogues know of them: LOM in the two forms that packages have, and Dublin Core.

Every record says where the thing was found, when, by whom it was made as far as pages say, and what its licence is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lxml import etree

from trailmark.course.package.content import Content, Lesson, plain_title
from trailmark.course.package.xml_tree import XML, child, xml_bytes
from trailmark.quoting import count_of

DC, TERMS = "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/"
DUBLIN_CORE = "metadata/dublin-core.xml"


@dataclass(frozen=True, slots=True)
class Description:
    """What a catalogue knows of a course or a lesson."""

    title: str
    source: str
    language: str
    text: str = ""
    keywords: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    date: str = ""
    licence: str = ""
    kind: str = ""


def course_description(content: Content, language: str) -> Description:
    """A package's content -> what is known of its course."""
    course = content.course
    dates = sorted({lesson.date for lesson in content.lessons if lesson.date})
    copied = sum(1 for lesson in content.lessons if lesson.copy)
    told = [part for part in (course.number, course.term, course.institution) if part]
    text = f"{', '.join(told)}{': ' if told else ''}{count_of(len(content.lessons), 'item')}, {copied} of them as copies, the others as links."
    return Description(
        course_title(content),
        course.url,
        language,
        text,
        tuple(told),
        tuple(plain_title(name) for name in course.teachers),
        dates[-1] if dates else "",
    )


def lesson_description(lesson: Lesson, language: str) -> Description:
    """A lesson -> what is known of it."""
    return Description(
        lesson.title,
        lesson.item.url,
        language,
        date=lesson.date,
        licence=lesson.licence.url if lesson.licence else "",
        kind=lesson.item.kind,
    )


def course_title(content: Content) -> str:
    """What the package is called: the course's title, with its number where that does not say it."""
    course = content.course
    title = plain_title(course.title) or plain_title(course.url)
    said = course.number and course.number.replace(" ", "").lower() in title.replace(" ", "").lower()
    return title if said or not course.number else plain_title(f"{course.number}: {title}")


def dublin_core(content: Content, language: str) -> bytes:
    """All records as Dublin Core in XML: the course first, then its lessons."""
    root = etree.Element("metadata", nsmap={"dc": DC, "dcterms": TERMS})
    course = course_description(content, language)
    _dublin_core_record(root, course, "")
    for lesson in content.lessons:
        _dublin_core_record(root, lesson_description(lesson, language), course.source)
    return xml_bytes(root)


def _dublin_core_record(root: Any, told: Description, part_of: str) -> None:
    record = etree.SubElement(root, "record")
    values = [
        (DC, "title", told.title),
        (DC, "identifier", told.source),
        (DC, "source", told.source),
        (DC, "language", told.language),
        (DC, "description", told.text),
        *((DC, "subject", word) for word in told.keywords),
        *((DC, "creator", name) for name in told.authors),
        (DC, "date", told.date),
        (DC, "type", told.kind),
        (DC, "rights", told.licence),
        (TERMS, "license", told.licence),
        (TERMS, "isPartOf", part_of),
    ]
    for space, name, value in values:
        if value:
            child(record, name, value, space)


def lom_of_scorm12(parent: Any, told: Description, space: str) -> None:
    """Add the LOM record of SCORM 1.2 (IMS Learning Resource Metadata 1.2.1) to an element."""
    lom = child(parent, "lom", space=space)
    general = child(lom, "general")
    _langstring(child(general, "title"), told.title, told.language)
    entry = child(general, "catalogentry")
    child(entry, "catalog", "URI")
    _langstring(child(entry, "entry"), told.source, "x-none")
    child(general, "language", told.language)
    if told.text:
        _langstring(child(general, "description"), told.text, told.language)
    for word in told.keywords:
        _langstring(child(general, "keyword"), word, told.language)
    if told.authors or told.date:
        _life_12(child(lom, "lifecycle"), told)
    child(child(lom, "technical"), "location", told.source, type="URI")
    rights = child(lom, "rights")
    _term_12(child(rights, "copyrightandotherrestrictions"), "yes")
    _langstring(child(rights, "description"), told.licence or _UNTOLD, told.language)


def _life_12(life: Any, told: Description) -> None:
    for name in told.authors:
        contribution = child(life, "contribute")
        _term_12(child(contribution, "role"), "Author")
        child(child(contribution, "centity"), "vcard").text = _card(name)
    if told.date:
        contribution = child(life, "contribute")
        _term_12(child(contribution, "role"), "Unknown")
        date = child(contribution, "date")
        child(date, "datetime", told.date)
        _langstring(child(date, "description"), _FOUND, "en")


def lom_of_ieee(parent: Any, told: Description, space: str) -> None:
    """Add the LOM record of SCORM 2004 and Common Cartridge (IEEE 1484.12.3) to an element."""
    lom = child(parent, "lom", space=space)
    general = child(lom, "general")
    identifier = child(general, "identifier")
    child(identifier, "catalog", "URI")
    child(identifier, "entry", told.source)
    _string(child(general, "title"), told.title, told.language)
    child(general, "language", told.language)
    if told.text:
        _string(child(general, "description"), told.text, told.language)
    for word in told.keywords:
        _string(child(general, "keyword"), word, told.language)
    if told.authors or told.date:
        life = child(lom, "lifeCycle")
        for name in told.authors:
            contribution = child(life, "contribute")
            _term(child(contribution, "role"), "author")
            child(contribution, "entity").text = _card(name)
        if told.date:
            contribution = child(life, "contribute")
            _term(child(contribution, "role"), "unknown")
            date = child(contribution, "date")
            child(date, "dateTime", told.date)
            _string(child(date, "description"), _FOUND, "en")
    child(child(lom, "technical"), "location", told.source)
    rights = child(lom, "rights")
    _term(child(rights, "copyrightAndOtherRestrictions"), "yes")
    _string(child(rights, "description"), told.licence or _UNTOLD, told.language)


_FOUND = "The day on which it was found as it is here."
_UNTOLD = "No licence is stated: ask whoever answers for the source."


def _langstring(parent: Any, text: str, language: str) -> None:
    made = child(parent, "langstring", text)
    made.set(f"{{{XML}}}lang", language)


def _term_12(parent: Any, value: str) -> None:
    _langstring(child(parent, "source"), "LOMv1.0", "x-none")
    _langstring(child(parent, "value"), value, "x-none")


def _string(parent: Any, text: str, language: str) -> None:
    child(parent, "string", text, language=language)


def _term(parent: Any, value: str) -> None:
    child(parent, "source", "LOMv1.0")
    child(parent, "value", value)


def _card(name: str) -> str:
    """A name as a vCard, with what would end its line or field taken for a letter."""
    escaped = name.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return f"BEGIN:VCARD\nVERSION:3.0\nFN:{escaped}\nN:{escaped}\nEND:VCARD"
