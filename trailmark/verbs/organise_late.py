"""A few things that came since -> taken in, each compared with its like alone; and groups brought to what people say of them now.

Everything is read and written within the transaction of organised.db that is open: it takes no longer than the new things are many.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from trailmark.organise.doubles import Finding, find_doubles
from trailmark.organise.group_acts import GroupAct, apply_acts
from trailmark.organise.late_references import join_groups, reference_keys
from trailmark.organise.paper_match import COMPARED as STAND_FOR
from trailmark.organise.paper_match import match_papers, paper_index, paper_parts
from trailmark.organise.reference_comparison import same_paper
from trailmark.organise.reference_groups import COMPARED
from trailmark.organise.reference_parts import ReferenceParts, reference_parts
from trailmark.organise.thing import Thing
from trailmark.organise.thing_acts import finding_of
from trailmark.store.organised import Connection, put_citations
from trailmark.store.organised_marks import HIDDEN, REFERENCE, THING, MarkRows, chunks, marked_alike, put_marks
from trailmark.store.record_table import read_some_records
from trailmark.verbs.organise_citations import (
    barred_groups,
    lowest,
    parts_of,
    reference_name,
    stored_citation,
    thing_keys,
)

NEAR = 60
"""References with keys of a new one that are looked at."""


class Latecomers:
    """New things beside those that are there."""

    def __init__(self, records: Connection, connection: Connection) -> None:
        self._records, self.connection = records, connection
        self._parts: dict[int, ReferenceParts] = {}
        self.relinked = False
        """Whether a link of a reference to a thing here was set, or taken away."""

    def have_doubles(self, things: Sequence[Thing]) -> bool:
        """Whether one of them is another, or one that is there: which is to be shown then takes all that is known of both."""
        fresh = [finding_of(thing) for thing in things]
        keys = {key for thing in things for key in _keys(thing)}
        known = [
            self._finding(number, table)
            for kind, table in ((THING, "items"), (HIDDEN, "hidden_items"))
            for number in marked_alike(self.connection, kind, sorted(keys))
        ]
        new = {finding.id for finding in fresh}
        doubles = find_doubles([*(each for each in known if each is not None), *fresh])
        return any(new.intersection(double.ids) for double in doubles)

    def _finding(self, item: int, table: str) -> Finding | None:
        """The item of that number, among those that are shown or those that people hid."""
        row = self.connection.execute(
            f"SELECT key, kind, url, title, authors, year, fields FROM {table} WHERE id = ?",  # noqa: S608
            (item,),
        ).fetchone()
        if row is None:
            return None
        key, kind, url, title, authors, year, fields = row
        values = {name: tuple(each) for name, each in json.loads(fields).items()}
        return Finding(key, kind, url, title, _names(authors), year, fields=values)

    def take_in(self, things: Sequence[Thing]) -> set[int]:
        """Their references, each in a group that is there or a new one; the numbers of these groups."""
        held = {number: (thing, reference) for thing in things for number, reference in thing.references}
        self._parts |= {number: parts_of(reference) for number, (_, reference) in held.items()}
        found = join_groups({number: self._parts[number] for number in held}, self._near)
        put_citations(
            self.connection,
            (
                stored_citation(
                    thing, number, reference, name=reference_name(reference), found=found[number], group=found[number]
                )
                for number, (thing, reference) in held.items()
            ),
        )
        marks = MarkRows(REFERENCE)
        for number in held:
            marks.add(number, reference_keys(self._parts[number]))
        put_marks(self.connection, marks)
        return set(found.values())

    def parts(self, record: int) -> ReferenceParts:
        """The parts of a reference, by its record; where that is gone meanwhile, those of its text."""
        if record not in self._parts:
            found = next((reference for _, reference in read_some_records(self._records, [record])), None)
            self._parts[record] = parts_of(found) if found is not None else self._text_parts(record)
        return self._parts[record]

    def _text_parts(self, record: int) -> ReferenceParts:
        row = self.connection.execute("SELECT reference FROM citations WHERE record = ?", (record,)).fetchone()
        return reference_parts(row[0] if row is not None else "", {})

    def _near(self, keys: Sequence[str], least: int) -> Mapping[int, Sequence[ReferenceParts]]:
        """Groups with references that share keys: of each the one that shares the most, and some others."""
        sharing = marked_alike(self.connection, REFERENCE, keys, least)[:NEAR]
        members: dict[int, list[int]] = {}
        for record in sharing:
            row = self.connection.execute("SELECT found FROM citations WHERE record = ?", (record,)).fetchone()
            if row is not None and row[0] not in members:
                members[row[0]] = [record]
        for group, listed in members.items():
            rows = self.connection.execute(
                "SELECT record FROM citations WHERE found = ? ORDER BY record LIMIT ?", (group, COMPARED)
            )
            listed += [record for (record,) in rows if record != listed[0]]
        return {group: [self.parts(record) for record in listed] for group, listed in members.items()}

    def settle(self, acts: Sequence[GroupAct], named: Iterable[str]) -> set[int]:
        """Groups with what people say of them laid over what was found -> the groups that lost or won a reference.

        `named`: the references that acts name, or named before. Groups as they were found without one of these are as they were.
        """
        rows = self._found_with(named)
        numbers, found = [row[0] for row in rows], [row[2] for row in rows]

        def likeness(one: int, other: int) -> float:
            return same_paper(self.parts(numbers[one]), self.parts(numbers[other]))

        places = apply_acts([row[1] for row in rows], found, acts, likeness) if acts else found
        changed = set()
        for (record, _, _, before), group in zip(rows, lowest(places, numbers), strict=True):
            if group != before:
                changed |= {before, group}
                self.connection.execute("UPDATE citations SET grp = ? WHERE record = ?", (group, record))
        return changed

    def _found_with(self, names: Iterable[str]) -> list[tuple[int, str, int, int]]:
        """Record, name, group as it was found, and group of all references of groups in which one bears such a name."""
        wanted = "SELECT DISTINCT found FROM citations WHERE name = ?"
        found = {row[0] for name in dict.fromkeys(names) for row in self.connection.execute(wanted, (name,))}
        query = "SELECT record, name, found, grp FROM citations WHERE found = ?"
        return sorted(row for group in found for row in self.connection.execute(query, (group,)))

    def groups_named(self, names: Iterable[str]) -> set[int]:
        """Names of references -> the groups that they are in."""
        query = "SELECT grp FROM citations WHERE name = ?"
        return {row[0] for name in dict.fromkeys(names) for row in self.connection.execute(query, (name,))}

    def link(self, groups: Iterable[int], things: Sequence[Thing], acts: Sequence[GroupAct]) -> None:
        """Groups with new references, and those that may mean a new thing -> linked; a link that was there stays, and holds for the new ones too."""
        wanted = {*groups, *(group for thing in things for group in self._groups_near(_keys(thing)))}
        links = self._links(wanted)
        self._set_links({group: paper for group, paper in links.items() if paper is not None})
        self._match([group for group in sorted(wanted) if links.get(group) is None], acts)

    def link_anew(self, groups: Iterable[int], acts: Sequence[GroupAct]) -> None:
        """Groups that are others now, or of which something was said -> linked as if they never had been."""
        wanted = sorted(groups)
        self._set_links(dict.fromkeys(wanted))
        self._match(wanted, acts)

    def _match(self, groups: Sequence[int], acts: Sequence[GroupAct]) -> None:
        members = {group: records for group in groups if (records := self._members(group))}
        parts = {group: [self.parts(record) for record in records] for group, records in members.items()}
        index = paper_index(self._papers(reference_keys(each) for some in parts.values() for each in some))
        names = [(name, group) for group in members for name in self._names_in(group)] if acts else []
        barred = barred_groups(acts, [name for name, _ in names], [group for _, group in names])
        self._set_links({match.group: match.paper for match in match_papers(parts, index, barred=barred)})

    def _groups_near(self, keys: Sequence[str]) -> list[int]:
        records = marked_alike(self.connection, REFERENCE, keys)[:NEAR]
        rows = (self.connection.execute("SELECT grp FROM citations WHERE record = ?", (each,)) for each in records)
        return [row[0] for found in rows for row in found]

    def _links(self, groups: Iterable[int]) -> dict[int, str | None]:
        links: dict[int, str | None] = {}
        for some in chunks(sorted(groups)):
            query = f"SELECT grp, max(cited) FROM citations WHERE grp IN ({', '.join('?' * len(some))}) GROUP BY grp"  # noqa: S608
            links.update(self.connection.execute(query, some))
        return links

    def _set_links(self, links: Mapping[int, str | None]) -> None:
        changed = self.connection.executemany(
            "UPDATE citations SET cited = ?1 WHERE grp = ?2 AND cited IS NOT ?1",
            [(paper, group) for group, paper in links.items()],
        )
        self.relinked |= changed.rowcount > 0

    def _members(self, group: int) -> list[int]:
        query = "SELECT record FROM citations WHERE grp = ? ORDER BY record LIMIT ?"
        return [record for (record,) in self.connection.execute(query, (group, STAND_FOR))]

    def _names_in(self, group: int) -> list[str]:
        return [name for (name,) in self.connection.execute("SELECT name FROM citations WHERE grp = ?", (group,))]

    def _papers(self, keys: Iterable[Sequence[str]]) -> dict[str, ReferenceParts]:
        """Things that share keys with references, and that no group means yet."""
        items = {item for each in keys for item in marked_alike(self.connection, THING, each)}
        papers = {}
        for item in sorted(items):
            row = self.connection.execute(
                "SELECT key, title, authors, year FROM items WHERE id = ?", (item,)
            ).fetchone()
            meant = "SELECT 1 FROM citations WHERE cited = ? LIMIT 1"
            if row is not None and self.connection.execute(meant, (row[0],)).fetchone() is None:
                papers[row[0]] = paper_parts(row[1], _names(row[2]), row[3])
        return papers


def _keys(thing: Thing) -> list[str]:
    return thing_keys(thing.kind, thing.title, thing.authors, thing.year)


def _names(authors: str) -> tuple[str, ...]:
    return tuple(name for name in authors.split("; ") if name)
