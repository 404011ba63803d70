"""The full-text index of organised.db: its tables, and how they follow the items.

`search`         FTS5 without the texts themselves, which stand in `items`; its rowid is that of the item
`item_facts`     what is sorted, counted and chosen by: small rows, so that a query that meets thousands of items need not read their texts
`changed_items`  items that the index does not show as they are: noted by triggers, whoever writes them, and cleared by `refresh_index`

FTS5 forgets words only if it is told which it had, so a trigger keeps what the index holds of an item before that is changed or removed.
Topics, ranks and the like are in `item_facts` at once; only what is read as words waits for `refresh_index`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from trailmark.store.body_table import unpacked
from trailmark.store.search_words import words_of

FORM = "2"
"""Of the tables below and of the words in them: an index of another form is made anew."""
COLUMNS = ("title", "authors", "text", "fields", "body")
FIELD_MARK = "\ue000"
"""Stands around the name of a field: `⟨mark⟩venue⟨mark⟩nips` is the word `nips` in the field `venue`. Such words sort behind all others."""
LONGEST_FIELD = 1000
"""Words of a field that `field:value` finds; plain words find all."""

_FACTS = ("key", "kind", "year", "site", "topic", "cited")
_DIFFER = " OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in COLUMNS)
# What the index holds is what stood there first. (OR IGNORE would not do: an INSERT OR REPLACE overrules it within its triggers.)
_KEEP = """INSERT INTO changed_items SELECT rowid, 1, title, authors, text, fields, body FROM items
    WHERE {which} AND rowid NOT IN (SELECT item FROM changed_items)"""
_PUT_FACTS = f"""DELETE FROM item_facts WHERE item = NEW.rowid;
    INSERT INTO item_facts VALUES (NEW.rowid, {", ".join(f"NEW.{name}" for name in _FACTS)})"""  # noqa: S608
TABLES = (
    "CREATE VIRTUAL TABLE search USING fts5 (title, authors, text, fields, body, content = '', tokenize = 'ascii')",
    """CREATE TABLE item_facts (
        item INTEGER PRIMARY KEY, key TEXT NOT NULL, kind TEXT NOT NULL, year INTEGER, site TEXT NOT NULL, topic TEXT, cited INTEGER NOT NULL)""",
    "CREATE INDEX item_facts_by_topic ON item_facts (topic)",
    "CREATE INDEX item_facts_by_cited ON item_facts (cited DESC, key)",
    """CREATE TABLE changed_items (
        item INTEGER PRIMARY KEY, indexed INTEGER NOT NULL, title TEXT, authors TEXT, text TEXT, fields TEXT, body BLOB)""",
    f"INSERT INTO item_facts SELECT rowid, {', '.join(_FACTS)} FROM items",  # noqa: S608
    "INSERT INTO changed_items (item, indexed) SELECT rowid, 0 FROM items",
    # INSERT OR REPLACE tells no other trigger of the row that it takes away.
    f"""CREATE TRIGGER search_replaces BEFORE INSERT ON items BEGIN
        {_KEEP.format(which="key = NEW.key")};
        DELETE FROM item_facts WHERE item = (SELECT rowid FROM items WHERE key = NEW.key); END""",  # noqa: S608
    f"""CREATE TRIGGER search_adds AFTER INSERT ON items BEGIN
        INSERT INTO changed_items (item, indexed) SELECT NEW.rowid, 0 WHERE NEW.rowid NOT IN (SELECT item FROM changed_items);
        {_PUT_FACTS}; END""",  # noqa: S608
    f"""CREATE TRIGGER search_changes BEFORE UPDATE OF title, authors, text, fields, body ON items WHEN {_DIFFER} BEGIN
        {_KEEP.format(which="rowid = OLD.rowid")}; END""",
    f"CREATE TRIGGER search_follows AFTER UPDATE OF {', '.join(_FACTS)} ON items BEGIN {_PUT_FACTS}; END",
    f"""CREATE TRIGGER search_removes BEFORE DELETE ON items BEGIN
        {_KEEP.format(which="rowid = OLD.rowid")};
        DELETE FROM item_facts WHERE item = OLD.rowid; END""",  # noqa: S608
    "CREATE TABLE index_form (form TEXT NOT NULL)",
    f"INSERT INTO index_form VALUES ('{FORM}')",  # noqa: S608
)
_MADE = ("search", "item_facts", "changed_items", "index_form")
_TRIGGERS = ("search_replaces", "search_adds", "search_changes", "search_follows", "search_removes")
_PUT = "INSERT INTO search (rowid, title, authors, text, fields, body) VALUES (?, ?, ?, ?, ?, ?)"
_TAKE = "INSERT INTO search (search, rowid, title, authors, text, fields, body) VALUES ('delete', ?, ?, ?, ?, ?, ?)"

Words = tuple[str, str, str, str, str]
"""What an item is found by, column by column: words between blanks."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What was done to bring the index up to the items."""

    added: int = 0
    changed: int = 0
    removed: int = 0


def has_index(connection: sqlite3.Connection) -> bool:
    """Whether the file has an index of today's form."""
    there = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'index_form'").fetchone()[0]
    return bool(there) and connection.execute("SELECT form FROM index_form").fetchone() == (FORM,)


def make_index(connection: sqlite3.Connection) -> None:
    """Make the tables where they are not, or are of another form; items that are there already wait to be indexed."""
    if has_index(connection):
        return
    for name in _TRIGGERS:
        connection.execute(f"DROP TRIGGER IF EXISTS {name}")
    for name in _MADE:
        connection.execute(f"DROP TABLE IF EXISTS {name}")
    for statement in TABLES:
        connection.execute(statement)


def refresh_index(connection: sqlite3.Connection) -> Refreshed:
    """Bring the index up to the items: what was added, changed and removed since, and nothing else. Best within the transaction that wrote them."""
    make_index(connection)
    added = changed = removed = 0
    for item, before, now in list_changes(connection):
        if before == now:
            continue
        if before is not None:
            connection.execute(_TAKE, (item, *before))
        if now is not None:
            connection.execute(_PUT, (item, *now))
        added += before is None
        removed += now is None
        changed += before is not None and now is not None
    connection.execute("DELETE FROM changed_items")
    return Refreshed(added, changed, removed)


def list_changes(connection: sqlite3.Connection) -> Iterator[tuple[int, Words | None, Words | None]]:
    """Each item that was written: its number, what the index holds of it, what it should hold."""
    rows = connection.execute(
        "SELECT c.item, c.indexed, c.title, c.authors, c.text, c.fields, c.body, i.rowid, i.title, i.authors, i.text, i.fields, i.body "
        "FROM changed_items c LEFT JOIN items i ON i.rowid = c.item ORDER BY c.item"
    )
    for row in rows:
        yield row[0], index_words(*row[2:7]) if row[1] else None, index_words(*row[8:]) if row[7] is not None else None


def index_words(title: str, authors: str, text: str, fields: str, body: bytes | None = None) -> Words:
    """The columns of an item -> its words as they are indexed."""
    plain = [" ".join(words_of(each)) for each in (title, authors, text, unpacked(body))]
    return plain[0], plain[1], plain[2], " ".join(_fields(fields)), plain[3]


def field_words(field: str, words: list[str]) -> list[str]:
    """Words in a field -> how they stand in the index; a phrase of a field is a phrase of these."""
    name = FIELD_MARK + "".join(words_of(field)) + FIELD_MARK
    return [name + word for word in words]


def _fields(text: str) -> Iterator[str]:
    """The fields of an item as JSON -> their words with their names; those of another column are there already."""
    fields = json.loads(text)
    for name in sorted(fields):
        if name.lower() not in ("title", "author", "authors"):
            words = [word for value in fields[name] for word in words_of(str(value))]
            yield from field_words(name, words[:LONGEST_FIELD])
