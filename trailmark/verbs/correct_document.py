"""A tagged document with its words and their fields, and a person's word on them.

1. A document is read again, in a process that may be killed, and only as it was when it was tagged.
2. What a person says is one act of the journal; the records follow from it, here and whenever the document is tagged again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from trailmark.datatypes import Response
from trailmark.errors import InputError
from trailmark.store.record_table import Extraction
from trailmark.store.tag_corrections import CORRECTIONS, CorrectedWord, Correction, keep_correction, read_corrections
from trailmark.tag.document_parts import MAKER, Given, Part, no_field, with_given
from trailmark.tag.document_tagger import ReadOutcome, make_reader, outcome_of
from trailmark.tag.models import HEADERS, REFERENCES
from trailmark.tag.timed_crew import TimedCrew
from trailmark.verbs.chosen_taggers import chosen_taggers, given_by_url, models_version, version_with
from trailmark.verbs.citation_contexts import with_contexts
from trailmark.verbs.reshaping import shown_now
from trailmark.workspace import Workspace

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A document as it was read, before what people said of it."""

    url: str
    read: ReadOutcome
    labels: dict[str, tuple[str, ...]]
    """Name of a tagger -> the fields that it knows."""
    model: str | None
    version: str
    content_hash: str

    def parts(self, given: Given) -> list[Part]:
        """Its parts with what people said of them."""
        return [with_given(part, given) for part in self.read.parts]


def open_document(workspace: Workspace, url: str) -> OpenDocument:
    """The address of a document that was tagged -> its words with their fields; InputError where it is not at hand as it was."""
    tagging = workspace.database.tagging(url)
    if tagging is None:
        raise InputError(f"{url[:200]} was not tagged here; trailmark tag tags all documents that were fetched.")
    response = _response(workspace, url)
    if response is None or response.content_hash != tagging.content_hash:
        raise InputError(f"{url[:200]} is not at hand as it was when it was tagged; tag it again: trailmark tag")
    model, settings = _model(workspace, url), workspace.settings.tag
    taggers = chosen_taggers(workspace, model)
    with TimedCrew(
        make_reader,
        ({name: each.tagger for name, each in taggers.items()}, model, settings),
        lost=lambda _, reason: ReadOutcome(None, note=f"{reason}; raise seconds or memory in [tag] to try it again."),
        seconds=settings.seconds,
        memory=settings.memory,
        jobs=1,
    ) as crew:
        ((_, read),) = crew.answers([response])
    version = models_version({name: each.digest for name, each in taggers.items()}, model, settings)
    labels = {name: each.tagger.labels for name, each in taggers.items()}
    return OpenDocument(url, read, labels, model, version, response.content_hash)


def tagged_files(workspace: Workspace) -> tuple[Path, ...]:
    """Files that were tagged by name, and are still there."""
    with workspace.database.plain_errors():
        rows = workspace.database.connection.execute(
            "SELECT url FROM taggings WHERE substr(url, 1, 5) = 'file:' ORDER BY url"
        ).fetchall()
    files = [_path(url) for (url,) in rows]
    return tuple(file for file in files if file.is_file())


def _path(url: str) -> Path:
    return Path(url2pathname(urlsplit(url).path))


def _response(workspace: Workspace, url: str) -> Response | None:
    if url.startswith("file:"):
        file = _path(url)
        if not file.is_file():
            return None
        with file.open("rb") as opened:
            return Response(url, 200, body=opened.read(workspace.settings.tag.max_bytes + 1))
    with workspace.replay(all_known=True) as replay:
        response = replay.fetch_once(url)
    return replace(response, url=url) if response.status == 200 else None


def _model(workspace: Workspace, url: str) -> str | None:
    """The tagger that all of a document was tagged by; None for papers."""
    makers = {record.made_by.removeprefix(MAKER) for record in workspace.database.records(url=url, maker=MAKER)}
    return next((name for name in sorted(makers) if name not in (HEADERS, REFERENCES)), None)


def given_of(workspace: Workspace, url: str) -> dict[str, tuple[str | None, ...]]:
    """What people said of a document: part -> the labels of its words."""
    return given_by_url(read_corrections(workspace.database, url)).get(url, {})


def correct(workspace: Workspace, opened: OpenDocument, part: str, first: int, last: int, field: str) -> str:
    """A part, the places of its first and last word, and their field ("" for none) -> a sentence; it is kept, and the record follows."""
    given = given_of(workspace, opened.url)
    found = next((each for each in opened.parts(given) if each.key == part), None)
    if found is None:
        raise InputError("That part of the document is not there; load the page again.")
    count = len(found.flat)
    if not 0 <= first <= last < count:
        raise InputError(f"Choose words 1 to {count} of it, the first before the last.")
    known = opened.labels.get(found.model, ())
    if field and field not in known:
        raise InputError(f"'{field[:LONGEST_NAME]}' is no field of '{found.model}'; it has {', '.join(known)}.")
    lines = _corrected(found, given.get(part), range(first, last + 1), field or no_field(known))
    words = " ".join(word.text for line in found.words for word in line).split(" ")[first : last + 1]
    told = f"“{' '.join(words)[:LONGEST_NAME]}” of {opened.url[-LONGEST_NAME:]} is {field or 'no field'}"
    with workspace.acts.act("tag", told, CORRECTIONS).part():
        keep_correction(workspace.database, Correction(opened.url, part, found.model, lines))
        keep_records(workspace, opened)
    return f"{told}."


def _corrected(
    part: Part, before: Sequence[str | None] | None, chosen: range, label: str
) -> tuple[tuple[CorrectedWord, ...], ...]:
    """The words of a part with their labels as they are shown, and which of them a person gave."""
    lines, place = [], 0
    for row, tags in zip(part.words, part.tags, strict=True):
        words = []
        for word, tag in zip(row, tags, strict=True):
            given = place in chosen or (before is not None and before[place] is not None)
            name = label if place in chosen else tag.label
            words.append(
                CorrectedWord(word.text, name, given, word.size, word.bold, word.italic, word.x, word.y, word.page)
            )
            place += 1
        lines.append(tuple(words))
    return tuple(lines)


def keep_records(workspace: Workspace, opened: OpenDocument) -> None:
    """The records of a document, as what people said has them now."""
    given = given_of(workspace, opened.url)
    found = outcome_of(opened.read, opened.model, given, workspace.settings.tag)
    if found.outcome == "failed":
        return
    version = version_with(opened.version, given)
    done = Extraction(opened.url, opened.content_hash, version, found.outcome, found.note)
    maker = MAKER if opened.model is None else MAKER + opened.model
    with workspace.database.transaction(), shown_now(workspace) as shown:
        records = with_contexts(found.records, found.body)
        bodies = {opened.url: found.body}
        workspace.database.keep_tagged([(done, records)], maker=maker, bodies=bodies, shown=shown)


def follow_corrections(workspace: Workspace, urls: Iterable[str]) -> None:
    """Records of these documents as what people said has them now. One that is not at hand follows when it is tagged again."""
    for url in urls:
        try:
            opened = open_document(workspace, url)
        except InputError:
            continue
        keep_records(workspace, opened)
