"""Pages that walks by keywords found -> records with their titles, headings and the keywords that found them; their text is searched too.

Records follow the runs: `forage` adds those of its pages, and `organise` first takes out what people called wrong or forgot since.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from trailmark.course.knowledge.material import Material, material
from trailmark.datatypes import Record
from trailmark.store.body_table import keep_bodies
from trailmark.store.content_digest import content_digest
from trailmark.store.course_table import keep_course_records
from trailmark.store.keyword_pages import KeywordPage, read_keyword_pages
from trailmark.store.record_table import documents_among, read_records, remove_records
from trailmark.store.replay import Replay
from trailmark.verbs.reshaping import shown_now
from trailmark.verbs.wiki_articles import MAKER as ARTICLES
from trailmark.workspace import Workspace

MAKER = "keywords"
KIND = "page"
MOST_HEADINGS, LONGEST_VALUE = 40, 300
BATCH = 50
"""Pages that are kept in one go."""


def follow_keyword_pages(workspace: Workspace) -> int:
    """Records of all pages that keywords found, as runs and answers have it now -> how many were made anew or taken out."""
    with workspace.database.snapshot() as connection:
        pages = read_keyword_pages(connection)
        known = {record.url: record for record in read_records(connection, maker=MAKER)}
    gone = sorted(known.keys() - pages.keys())
    new = [page for url, page in pages.items() if url not in known or _maker(page) != known[url].made_by]
    if not gone and not new:
        return 0
    with workspace.database.transaction() as connection:
        remove_records(connection, gone, maker=MAKER)
        theirs = documents_among(connection, gone, maker=ARTICLES)
        keep_bodies(connection, ((url, "") for url in gone if url not in theirs))
    with workspace.replay(all_known=True) as replay:
        for some in _batches(new):
            _keep(workspace, replay, some)
    return len(gone) + len(new)


def _keep(workspace: Workspace, replay: Replay, pages: Iterable[KeywordPage]) -> None:
    read = [(page, _material(replay, page)) for page in pages]
    with workspace.database.transaction() as connection, shown_now(workspace) as shown:
        records = [(page.url, [_record(page, text)]) for page, text in read]
        keep_course_records(workspace.database, records, maker=MAKER, shown=shown)
        theirs = documents_among(connection, (page.url for page, _ in read), maker=ARTICLES)
        own = [(page.url, text) for page, text in read if page.url not in theirs]
        keep_bodies(connection, ((url, text.text if text is not None else "") for url, text in own))


def _material(replay: Replay, page: KeywordPage) -> Material | None:
    response = replay.fetch(page.url)
    return material(response, page.title, KIND) if response.status == 200 and response.body else None


def _record(page: KeywordPage, text: Material | None) -> Record:
    headings = text.headings if text is not None else ()
    fields = {
        "title": (page.title or page.url,),
        "keyword": page.keywords,
        "headings": tuple(heading[:LONGEST_VALUE] for heading in headings)[:MOST_HEADINGS],
    }
    return Record(page.url, KIND, {name: values for name, values in fields.items() if values}, _maker(page))


def _maker(page: KeywordPage) -> str:
    """What made the record of a page: another content, or other keywords, is another record."""
    return f"{MAKER}:{content_digest(page.title, list(page.keywords), page.content_hash)[:12]}"


def _batches(pages: list[KeywordPage]) -> Iterator[list[KeywordPage]]:
    for start in range(0, len(pages), BATCH):
        yield pages[start : start + BATCH]
