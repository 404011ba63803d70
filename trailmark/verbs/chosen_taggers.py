"""Which taggers a workspace tags with, and the version by which a document is known to be tagged by them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from trailmark.errors import InputError
from trailmark.settings import TagSettings
from trailmark.store.tag_corrections import Correction
from trailmark.tag.document_parts import Given
from trailmark.tag.models import HEADERS, REFERENCES, file_name, read_tagger
from trailmark.tag.words import Tagger
from trailmark.verbs.ready_taggers import ready_tagger
from trailmark.workspace import Workspace

FORMAT = 4
"""Raised when documents must be tagged again because tagging itself changed."""


class Chosen(NamedTuple):
    """A tagger, a digest of its file, and whether it came with Trailmark."""

    tagger: Tagger
    digest: str
    ready: bool


def chosen_taggers(workspace: Workspace, model: str | None) -> dict[str, Chosen]:
    """The taggers that are wanted, by name: the workspace's own, else those that come with Trailmark."""
    wanted = (HEADERS, REFERENCES) if model is None else (model,)
    found = {}
    for name in wanted:
        file = workspace.folder / "models" / file_name(name)
        own = file.is_file()
        body = file.read_bytes() if own else ready_tagger(name)
        if body is not None:
            digest = hashlib.sha256(body).hexdigest()[:16]
            found[name] = Chosen(_named(read_tagger(body, str(file)), name, file), digest, ready=not own)
    if not found:
        names = " or ".join(f"'{name}'" for name in wanted)
        raise InputError(
            f"There is no tagger {names} in {workspace.folder / 'models'}; "
            f"train one from tagged text: trailmark tag --train TAGGED.jsonl --name {wanted[0]}"
        )
    return found


def _named(tagger: Tagger, name: str, file: Path) -> Tagger:
    """A tagger of another name knows other fields; its words would be called by the wrong names without a word."""
    if tagger.name != name:
        raise InputError(f"{file} holds the tagger '{tagger.name}', not '{name}'; put it back under its own name.")
    return tagger


def models_version(digests: dict[str, str], model: str | None, settings: TagSettings) -> str:
    """A digest of all that decides what a document gives, but the document."""
    decisive = repr((FORMAT, sorted(digests.items()), model, settings.max_pages, settings.max_bytes, settings.sure))
    return hashlib.sha256(decisive.encode()).hexdigest()[:16]


def given_by_url(corrections: Sequence[Correction]) -> dict[str, dict[str, tuple[str | None, ...]]]:
    """Corrections -> address -> part -> the labels that a person gave its words."""
    given: dict[str, dict[str, tuple[str | None, ...]]] = {}
    for each in corrections:
        given.setdefault(each.url, {})[each.part] = each.given
    return given


def version_with(version: str, given: Given) -> str:
    """The version of the taggers, and of what people said of one document."""
    if not given:
        return version
    said = repr(sorted((part, tuple(labels)) for part, labels in given.items()))
    return f"{version}+{hashlib.sha256(said.encode('utf-8', 'replace')).hexdigest()[:8]}"
