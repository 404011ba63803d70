"""A `Query` -> what SQLite is asked: an expression for FTS5, and conditions on the facts of items.

Every word goes through `search_words`, which leaves letters and digits alone, and stands in quotes: nothing that a reader types is
read by FTS5 as a sign of its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from trailmark.datatypes import Query, QueryTerm, YearSpan
from trailmark.store.full_text import FIELD_MARK, field_words
from trailmark.store.search_words import words_of
from trailmark.store.snippets import Pattern

COLUMN_OF = {"title": "title", "author": "authors", "text": "text body"}
"""Fields that are columns of the index."""
FACTS = ("kind", "site", "topic")
"""Fields that are facts of every item: they choose, and are no words."""
_ANYWHERE = "title authors text body"
_PROMINENT = "title authors"


@dataclass(frozen=True, slots=True)
class Sought:
    """A term as the index knows it: words side by side."""

    words: tuple[str, ...]
    columns: str = _ANYWHERE
    prefix: bool = False

    @property
    def match(self) -> str:
        """For FTS5."""
        phrase = " ".join(self.words)
        return f'{{{self.columns}}} : "{phrase}"{" *" if self.prefix else ""}'

    @property
    def prominent(self) -> Sought:
        """The same in title and authors, where it may stand anywhere."""
        return replace(self, columns=_PROMINENT) if self.columns == _ANYWHERE else self

    @property
    def pattern(self) -> Pattern:
        """What is marked for a reader."""
        return Pattern(tuple(word.rpartition(FIELD_MARK)[2] for word in self.words), self.prefix)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of SQL, with its values."""

    sql: str
    values: tuple[str | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What SQLite is asked."""

    required: tuple[Sought, ...] = ()
    wanted: tuple[Sought, ...] = ()
    """Words without a sign: all of them are required, unless others have a `+`, or no item has all."""
    excluded: tuple[Sought, ...] = ()
    conditions: tuple[Condition, ...] = ()
    remarks: tuple[str, ...] = ()
    some: bool = False
    """Whether some of the wanted words will do."""

    @property
    def sought(self) -> tuple[Sought, ...]:
        """What may stand in an item that is found."""
        return (*self.required, *self.wanted)

    @property
    def match(self) -> str:
        """For FTS5; empty where no word is looked for."""
        wanted, excluded = ([each.match for each in group] for group in (self.wanted, self.excluded))
        required = [each.match for each in self.required]
        if not self.some:
            required, wanted = required + wanted, []
        parts = [" AND ".join(required)] if required else []
        if wanted:  # Beside what is required, they only count for the rank.
            parts.append(f"({' OR '.join([*required[:1], *wanted])})")
        positive = " AND ".join(parts)
        return f"({positive}) NOT ({' OR '.join(excluded)})" if positive and excluded else positive

    @property
    def prominent(self) -> str:
        """For FTS5: the same, where the words stand in title or authors; empty where none may stand elsewhere."""
        if all(each.columns != _ANYWHERE for each in self.sought):
            return ""
        groups = ([each.prominent for each in group] for group in (self.required, self.wanted))
        required, wanted = (tuple(group) for group in groups)
        return replace(self, required=required, wanted=wanted).match

    @property
    def exclusion(self) -> str:
        """For FTS5: what must not be there, where nothing else is looked for."""
        return "" if self.sought else " OR ".join(each.match for each in self.excluded)


@dataclass
class _Draft:
    required: list[Sought] = field(default_factory=list)
    wanted: list[Sought] = field(default_factory=list)
    excluded: list[Sought] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def plan_query(connection: sqlite3.Connection, query: Query) -> Plan:
    """A query -> what is asked of this index: topics and fields are looked up in it."""
    draft = _Draft(conditions=[_years(each) for each in query.years])
    for term in query.terms:
        if term.field in FACTS:
            draft.conditions.append(_fact(connection, term, draft.remarks))
        elif (sought := _sought(connection, term, draft.remarks)) is not None:
            _group(draft, term, sought).append(sought)
    some = any(term.sign == "+" and term.field not in FACTS for term in query.terms)
    groups = (draft.required, draft.wanted, draft.excluded, draft.conditions, draft.remarks)
    required, wanted, excluded, conditions, remarks = (tuple(group) for group in groups)
    return Plan(required, wanted, excluded, conditions, remarks, some)  # type: ignore[arg-type]


def within_topic(connection: sqlite3.Connection, topic: str) -> Condition | None:
    """A topic's id, or words of it -> the condition that an item stands in it or below; None where there is no such topic."""
    topics = [name for (name,) in connection.execute("SELECT DISTINCT topic FROM item_facts WHERE topic IS NOT NULL")]
    below = [name for name in topics if name == topic or name.startswith(f"{topic}/")]
    return _one_of("topic", below or [name for name in topics if _holds(words_of(name), words_of(topic))])


def with_some(plan: Plan) -> Plan:
    """The same plan, where some of the wanted words will do."""
    return replace(plan, some=True)


def with_condition(plan: Plan, condition: Condition) -> Plan:
    """The same plan with one more condition."""
    return replace(plan, conditions=(*plan.conditions, condition))


def _group(draft: _Draft, term: QueryTerm, sought: Sought) -> list[Sought]:
    """A field with a value narrows the search, sign or no sign."""
    if term.sign == "-":
        return draft.excluded
    return draft.required if term.sign == "+" or sought.columns != _ANYWHERE else draft.wanted


def _sought(connection: sqlite3.Connection, term: QueryTerm, remarks: list[str]) -> Sought | None:
    words = words_of(term.words)
    if not words:
        return None
    if not term.field:
        return Sought(tuple(words), prefix=term.prefix)
    if term.field in COLUMN_OF:
        return Sought(tuple(words), COLUMN_OF[term.field], term.prefix)
    if _has_field(connection, term.field):
        return Sought(tuple(field_words(term.field, words)), "fields", term.prefix)
    remarks.append(f"No item has a field '{term.field}': '{term.field}:{term.words}' was read as words.")
    return Sought((*words_of(term.field), *words), prefix=term.prefix)


def _has_field(connection: sqlite3.Connection, name: str) -> bool:
    (word,) = field_words(name, [""])
    row = connection.execute("SELECT 1 FROM search WHERE search MATCH ? LIMIT 1", (f'fields : "{word}" *',)).fetchone()
    return word != FIELD_MARK * 2 and row is not None


def _fact(connection: sqlite3.Connection, term: QueryTerm, remarks: list[str]) -> Condition:
    if term.field == "topic":
        chosen = within_topic(connection, term.words)
    elif term.field == "kind":
        kinds = [name for (name,) in connection.execute("SELECT DISTINCT kind FROM item_facts")]
        chosen = _one_of("kind", [name for name in kinds if words_of(name) == words_of(term.words)])
    else:
        sites = [name for (name,) in connection.execute("SELECT DISTINCT site FROM item_facts")]
        chosen = _one_of("site", [name for name in sites if _is_within(name, term.words.lower())])
    if chosen is None:
        remarks.append(f"No {term.field} is called '{term.words}'.")
        chosen = Condition("0")
    return Condition(f"NOT coalesce({chosen.sql}, 0)", chosen.values) if term.sign == "-" else chosen


def _is_within(site: str, asked: str) -> bool:
    """`example.org` is the site of that name, and those below it, as `www.example.org`."""
    return site == asked or site.endswith(f".{asked}")


def _years(span: YearSpan) -> Condition:
    """An item without a year is within no span, and so is not excluded by one."""
    parts, values = [], []
    for year, sign in ((span.first, ">="), (span.last, "<=")):
        if year is not None:
            parts.append(f"year {sign} ?")
            values.append(year)
    inside = f"({' AND '.join(parts)})"
    return Condition(f"NOT coalesce({inside}, 0)" if span.sign == "-" else inside, tuple(values))


def _one_of(column: str, names: Sequence[str]) -> Condition | None:
    names = sorted(names)
    return Condition(f"{column} IN ({', '.join('?' * len(names))})", tuple(names)) if names else None


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    """Whether the part stands in the words, side by side."""
    size = len(part)
    return bool(part) and any(list(words[at : at + size]) == list(part) for at in range(len(words) - size + 1))


def all_of(conditions: Iterable[Condition]) -> Condition:
    """Conditions -> one that holds where all of them do."""
    every = list(conditions)
    return Condition(" AND ".join(each.sql for each in every) or "1", tuple(v for each in every for v in each.values))
