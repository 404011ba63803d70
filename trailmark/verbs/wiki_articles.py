"""The dump of a wiki -> its articles as records with titles and headings, and their text to be searched: an encyclopaedia at hand, without a walk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.course.knowledge.material import CourseTexts, Material, material, text_material
from trailmark.course.knowledge.phrase import Key
from trailmark.datatypes import Record, Response
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.store.archive import packing_of, read_archive
from trailmark.store.body_table import keep_bodies, read_bodies, unpacked
from trailmark.store.course_table import keep_course_records
from trailmark.verbs.reshaping import shown_now
from trailmark.verbs.search import search
from trailmark.workspace import Workspace

MAKER, KIND = "wiki:", "article"
MOST_HEADINGS, LONGEST_HEADING = 60, 200
BATCH = 100
"""Articles that are kept in one go."""
SHELF = "encyclopaedia"
"""Stands in the place of a course where an article is recommended."""
_ARTICLES = 30


@dataclass(slots=True)
class KeptArticles:
    """What became of the articles of dumps."""

    new: int = 0
    unchanged: int = 0


def keep_articles(workspace: Workspace, dumps: Iterable[Path], progress: Progress = silent) -> KeptArticles:
    """Dumps of wikis -> their articles kept as records, some at a time; one that did not change is left as it is."""
    kept, batch = KeptArticles(), list[Response]()
    for dump in dumps:
        for response in progress(read_archive(dump, settings=workspace.settings.store), dump.name):
            if response.status != 200:
                continue
            if _is_kept(workspace, response):
                kept.unchanged += 1
                continue
            batch.append(response)
            kept.new += 1
            if len(batch) >= BATCH:
                _keep(workspace, batch)
        _keep(workspace, batch)
    return kept


def article_texts(workspace: Workspace, phrases: Sequence[Key]) -> list[CourseTexts]:
    """Phrases -> articles that were organised and have some of them, as texts that may be recommended."""
    if not phrases or not any(workspace.database.records(KIND)):
        return []
    try:
        hits = search(workspace, " ".join(" ".join(key) for key in phrases), limit=4 * _ARTICLES).hits
    except InputError:  # nothing was organised yet
        return []
    urls = {hit.url: hit.title for hit in hits if hit.kind == KIND}
    with workspace.database.snapshot() as connection:
        bodies = {url: unpacked(packed) for url, packed in read_bodies(connection, list(urls)[:_ARTICLES])}
    texts = (text_material(body, url, urls[url], KIND) for url, body in bodies.items())
    found = tuple(text for text in texts if text is not None)
    return [CourseTexts(SHELF, SHELF, found)] if found else []


def _is_kept(workspace: Workspace, response: Response) -> bool:
    known = workspace.database.records(KIND, url=response.url, maker=MAKER)
    return any(record.made_by == _maker(response) for record in known)


def _keep(workspace: Workspace, batch: list[Response]) -> None:
    read = [(response, material(response, "", KIND)) for response in batch]
    with workspace.database.transaction() as connection, shown_now(workspace) as shown:
        records = [(response.url, [_record(response, text)] if text is not None else []) for response, text in read]
        keep_course_records(workspace.database, records, maker=MAKER, shown=shown)
        keep_bodies(connection, ((response.url, text.text if text is not None else "") for response, text in read))
    batch.clear()


def _record(response: Response, text: Material) -> Record:
    headings = dict.fromkeys(heading[:LONGEST_HEADING] for heading in text.headings)
    fields = {"title": (text.title or response.url,), "headings": tuple(headings)[:MOST_HEADINGS]}
    return Record(response.url, KIND, {name: values for name, values in fields.items() if values}, _maker(response))


def _maker(response: Response) -> str:
    return f"{MAKER}{response.content_hash[:16]}"


def dumps_among(archives: Sequence[Path]) -> list[Path]:
    """Archives -> those of them that are dumps of wikis."""
    return [path for path in archives if packing_of(path) == "dump"]
