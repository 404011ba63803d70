"""Taggers as they are kept: what a tagger of each name is learnt by, and how its file is read again."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from trailmark.errors import InputError
from trailmark.tag.bibtex import bib_entries
from trailmark.tag.model_choice import CRF, ModelChoice, learnt_model, model_choice
from trailmark.tag.tagged_text import TaggedDocument
from trailmark.tag.tagger_file import tagger_from_bytes, tagger_to_bytes
from trailmark.tag.words import Tagger

HEADERS, REFERENCES = "headers", "references"
SUFFIX = ".tagger"
_NAME = re.compile(r"[A-Za-z0-9][\w-]{0,59}")


def file_name(name: str) -> str:
    """The name of a tagger -> that of its file; InputError for a name that can't be one."""
    if not _NAME.fullmatch(name):
        raise InputError(f"'{name[:60]}' can't be the name of a tagger: use letters, digits, - and _.")
    return name + SUFFIX


def learn_tagger(
    documents: Sequence[TaggedDocument], name: str, bibliographies: Sequence[str] = (), *, model: str = CRF
) -> bytes:
    """Tagged documents, and the texts of BibTeX files -> the file of a tagger learnt from them: by the recipe of its name where there is one."""
    tagger = learnt_model(model, documents, name, list(bib_entries(bibliographies)))
    return tagger_to_bytes(replace(tagger, pieces=any(document.places for document in documents)))


def choose_model(documents: Sequence[TaggedDocument], name: str, bibliographies: Sequence[str] = ()) -> ModelChoice:
    """The same -> which kind of model errs least on such text."""
    return model_choice(documents, name, list(bib_entries(bibliographies)))


def read_tagger(body: bytes, source: str) -> Tagger:
    """The file of a tagger -> the tagger, ready to tag."""
    return tagger_from_bytes(body, source=source)
