"""Taggers as they are kept: which kind is learnt, and how its file is read again. The one place that knows the kinds."""

from __future__ import annotations

import re
from collections.abc import Sequence

from trailmark.errors import InputError
from trailmark.tag import counting_tagger
from trailmark.tag.tagged_text import TaggedDocument
from trailmark.tag.words import Tagger

HEADERS, REFERENCES = "headers", "references"
SUFFIX = ".tagger"
_NAME = re.compile(r"[A-Za-z0-9][\w-]{0,59}")


def file_name(name: str) -> str:
    """The name of a tagger -> that of its file; InputError for a name that can't be one."""
    if not _NAME.fullmatch(name):
        raise InputError(f"'{name[:60]}' can't be the name of a tagger: use letters, digits, - and _.")
    return name + SUFFIX


def learn_tagger(documents: Sequence[TaggedDocument], name: str) -> bytes:
    """Tagged documents -> the file of a tagger learnt from them."""
    return counting_tagger.to_bytes(counting_tagger.learnt_counting_tagger(documents, name))


def read_tagger(body: bytes, source: str) -> Tagger:
    """The file of a tagger -> the tagger, ready to tag."""
    return counting_tagger.from_bytes(body, source)
