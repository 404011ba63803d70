"""Whether what was marked is an entry of a list, or a page's one record that happens to stand in a repeated block.

Several marked entries that fall apart into alike blocks are a list. With a single one it must be likelier than not: two fields or
more within one of several alike blocks, on most pages of the sample; and the blocks beside it must say different things on
different pages, because the rows of a table of facts have the same captions everywhere. A field that is all by itself makes
a list only where the blocks are most of what the page says: else it is a field with several values.
"""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.wrap.lists.entry_groups import EntryGroup
from trailmark.wrap.lists.entry_rule import EntryRule, ListEntry
from trailmark.wrap.lists.entry_search import MarkedList, place_of
from trailmark.wrap.page.node_columns import value
from trailmark.wrap.page.node_table import NodeTable

LEAST_ENTRIES = 3
LEAST_ALONE = 4
LEAST_CAPTIONS = 3
MOST_COMMON = 0.3
FEW_PAGES = 4
"""Share of the texts at one place that may stand on half of the other pages too; with few pages chance has more play."""
PAGE_SHARE = 0.4
"""Of a page's letters that entries of a single field must hold, and of an entry's that its value must be."""


def is_list(rule: EntryRule, marked: Sequence[MarkedList], others: Sequence[NodeTable]) -> bool:
    fields = {name for page in marked for group in page.groups for name in group.fields}
    if len(fields) == 1:
        return all(_fills_page(rule, page) for page in marked)
    if any(len(page.groups) > 1 for page in marked):
        return True
    entries = [rule.entries(page.table) for page in marked]
    if any(len(page_entries) < LEAST_ENTRIES for page_entries in entries):
        return False
    if any(len(set(group.rows)) < 2 for page in marked for group in page.groups):
        return False
    return _is_common(rule, others) and all(
        _says_its_own(page, page_entries, others) for page, page_entries in zip(marked, entries, strict=True)
    )


def _fills_page(rule: EntryRule, page: MarkedList) -> bool:
    entries = rule.entries(page.table)
    letters = sum(map(len, page.table.texts))
    held = sum(_letters(page.table, entry) for entry in entries)
    known = [(entries[at], group) for group in page.groups if (at := place_of(entries, group)) is not None]
    return (
        len(entries) >= LEAST_ALONE
        and held >= PAGE_SHARE * letters
        and all(
            max(sum(len(annotation.value or "") for annotation in group.annotations), _parted(page.table, group))
            >= PAGE_SHARE * _letters(page.table, entry)
            for entry, group in known
        )
    )


def _parted(table: NodeTable, group: EntryGroup) -> int:
    """Letters of the texts that the values are parts of: who marks a part of a citation means the citation's."""
    values = [" ".join((annotation.value or "").split()) for annotation in group.annotations]
    texts = [table.texts[row] for row in set(group.rows)]
    return sum(len(text) for text in texts if any(value in text for value in values))


def _letters(table: NodeTable, entry: ListEntry) -> int:
    return sum(len(table.texts[row]) for row in range(entry.first, entry.end))


def _is_common(rule: EntryRule, others: Sequence[NodeTable]) -> bool:
    """Whether most pages of the sample have several entries."""
    return 2 * sum(len(rule.entries(table)) > 1 for table in others) >= len(others)


def _says_its_own(page: MarkedList, entries: Sequence[ListEntry], others: Sequence[NodeTable]) -> bool:
    """Whether what stands at the places of the marked values changes from page to page, and what stands beside them too.

    Captions change from row to row, but not from page to page. Names of the same few people may do that as well.
    """
    pages = [frozenset(table.texts) for table in others]
    known = [(entries[at], group) for group in page.groups if (at := place_of(entries, group)) is not None]
    marked = {path for entry, group in known for row, path, _ in _places(entry) if row + entry.first in group.rows}
    texts_at: dict[str, set[str]] = {}
    for entry in entries:
        for _, path, text in _places(entry) if all(entry is not known_entry for known_entry, _ in known) else ():
            texts_at.setdefault(path, set()).add(text)
    stays = {path: _stays(texts, pages) for path, texts in texts_at.items() if len(texts) >= LEAST_CAPTIONS}
    own = [stays[path] for path in stays if path in marked]
    return not (own and all(own)) and not any(stays[path] for path in stays if path not in marked)


def _places(entry: ListEntry) -> list[tuple[int, str, str]]:
    """Rows of an entry, with the tag path and the text of each."""
    table = entry.table
    return [(row, value(table, "tags", 0, row), text) for row, text in enumerate(table.texts)]


def _stays(texts: set[str], pages: Sequence[frozenset[str]]) -> bool:
    often = sum(2 * sum(text in page for page in pages) >= len(pages) for text in texts) if pages else 0
    return often > (MOST_COMMON if len(pages) >= FEW_PAGES else 2 * MOST_COMMON) * len(texts)
