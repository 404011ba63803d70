"""Bibliographies as tagged text: the words of their fields count for the classes that mean the same (distantly-labelled data)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from trailmark.tag.bibtex import BibEntry
from trailmark.tag.hmm_words import prepared

HEADERS = {
    "title": "title",
    "author": "author",
    "institution": "affiliation",
    "school": "affiliation",
    "organization": "affiliation",
    "address": "address",
    "note": "note",
    "annote": "note",
    "howpublished": "note",
    "month": "date",
    "year": "date",
    "keywords": "keyword",
    "email": "email",
    "url": "web",
}
"""Field of BibTeX -> class of a paper's header."""
REFERENCES = {
    "title": "title",
    "author": "author",
    "editor": "editor",
    "journal": "journal",
    "booktitle": "booktitle",
    "publisher": "publisher",
    "address": "location",
    "institution": "institution",
    "school": "institution",
    "month": "date",
    "year": "date",
    "pages": "pages",
    "volume": "volume",
    "number": "volume",
    "note": "note",
}
"""Field of BibTeX -> class of a reference."""
DISTANT: Mapping[str, Mapping[str, str]] = {"headers": HEADERS, "references": REFERENCES}


def distant_counts(entries: Iterable[BibEntry], classes: Mapping[str, str]) -> dict[str, Counter[str]]:
    """Class -> how often bibliographies have each word for it."""
    counts: dict[str, Counter[str]] = {}
    for entry in entries:
        for name, value in entry.fields:
            if name in classes:
                tokens = (prepared(word) for word in value.split())
                counts.setdefault(classes[name], Counter()).update(token for token in tokens if token)
    return counts
