"""Whether what was marked is an entry of a list, or a page's one record that happens to stand in a repeated block.

Several marked entries that fall apart into alike blocks are a list. With a single one it must be likelier than not: two fields or
more within one of several alike blocks, on most pages of the sample; and the blocks beside it must say different things on
different pages, because the rows of a table of facts have the same captions everywhere. A field that is all by itself makes
a list only where the blocks are most of what the page says: else it is a field with several values.
"""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.wrap.entry_rule import Entry, EntryRule
from trailmark.wrap.entry_search import MarkedList, place_of
from trailmark.wrap.node_table import NodeTable

LEAST_ENTRIES = 3
LEAST_ALONE = 4
MOST_COMMON = 0.5
"""Share of the other entries' texts that may stand on other pages too."""
PAGE_SHARE = 0.4
"""Of a page's letters that entries of a single field must hold, and of an entry's that its value must be."""


def is_list(rule: EntryRule, marked: Sequence[MarkedList], others: Sequence[NodeTable]) -> bool:
    fields = {name for page in marked for group in page.groups for name in group.fields}
    if len(fields) == 1:
        return all(_fills_page(rule, page) for page in marked)
    if any(len(page.groups) > 1 for page in marked):
        return True
    entries = [rule.entries(page.table) for page in marked]
    if any(len(found) < LEAST_ENTRIES for found in entries):
        return False
    if any(len(set(group.rows)) < 2 for page in marked for group in page.groups):
        return False
    return _is_common(rule, others) and all(
        _says_its_own(page, found, others) for page, found in zip(marked, entries, strict=True)
    )


def _fills_page(rule: EntryRule, page: MarkedList) -> bool:
    entries = rule.entries(page.table)
    letters = sum(map(len, page.table.texts))
    held = sum(_letters(page.table, each) for each in entries)
    known = [(entries[at], group) for group in page.groups if (at := place_of(entries, group)) is not None]
    return (
        len(entries) >= LEAST_ALONE
        and held >= PAGE_SHARE * letters
        and all(
            sum(len(each.value or "") for each in group.annotations) >= PAGE_SHARE * _letters(page.table, entry)
            for entry, group in known
        )
    )


def _letters(table: NodeTable, entry: Entry) -> int:
    return sum(len(table.texts[row]) for row in range(entry.first, entry.end))


def _is_common(rule: EntryRule, others: Sequence[NodeTable]) -> bool:
    """Whether most pages of the sample have several entries."""
    return 2 * sum(len(rule.entries(table)) > 1 for table in others) >= len(others)


def _says_its_own(page: MarkedList, entries: Sequence[Entry], others: Sequence[NodeTable]) -> bool:
    if not others:
        return True
    elsewhere = {text for table in others for text in table.texts}
    marked = {place_of(entries, group) for group in page.groups}
    texts = [text for at, each in enumerate(entries) if at not in marked for text in each.table.texts]
    return sum(text in elsewhere for text in texts) <= MOST_COMMON * len(texts)
