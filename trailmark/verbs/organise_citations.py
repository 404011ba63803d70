"""Things and the references they hold -> which references mean the same paper, and who cites whom."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.datatypes import Record
from trailmark.organise.group_acts import GroupAct, apply_acts, barred_papers
from trailmark.organise.late_references import reference_keys
from trailmark.organise.paper_match import match_papers, paper_index, paper_parts
from trailmark.organise.reference_comparison import same_paper
from trailmark.organise.reference_groups import group_references, keys_of
from trailmark.organise.reference_parts import ReferenceParts, plain_words, reference_parts
from trailmark.organise.thing import Thing
from trailmark.store.group_act_table import read_group_acts
from trailmark.store.organised import StoredCitation
from trailmark.store.organised_marks import REFERENCE, MarkRows
from trailmark.verbs.citation_contexts import CONTEXT
from trailmark.workspace import Workspace

LONGEST_REFERENCE = 600


@dataclass(frozen=True, slots=True)
class Cited:
    """What all things cite."""

    citations: tuple[StoredCitation, ...]
    marks: MarkRows
    """The keys of all references."""


def thing_keys(kind: str, title: str, authors: Sequence[str], year: int | None) -> list[str]:
    """What is known of a thing -> the keys under which references, and its doubles, find it."""
    parts = paper_parts(title, authors, year)
    return [*(keys_of(parts) if parts.title_words else ()), f"={kind} {' '.join(plain_words(title))}"]


def group_acts(workspace: Workspace) -> list[GroupAct]:
    """What people said of groups, the oldest first."""
    return [GroupAct(act.kind, act.names) for act in read_group_acts(workspace.database)]


def citations_of(things: Sequence[Thing], acts: Sequence[GroupAct]) -> Cited:
    """Things -> all their references in groups, linked to the things here."""
    held = [(thing, number, reference) for thing in things for number, reference in thing.references]
    parts = [parts_of(reference) for _, _, reference in held]
    numbers = [number for _, number, _ in held]
    names = [reference_name(reference) for _, _, reference in held]
    places = group_references(parts)
    settled = (
        apply_acts(names, places, acts, lambda one, other: same_paper(parts[one], parts[other])) if acts else places
    )
    found, groups = lowest(places, numbers), lowest(settled, numbers)
    papers = _papers_of(things, groups, parts, barred_groups(acts, names, groups))
    marks = MarkRows(REFERENCE)
    for number, each in zip(numbers, parts, strict=True):
        marks.add(number, reference_keys(each))
    return Cited(
        tuple(
            stored_citation(thing, number, reference, name=name, found=first, group=group, cited=papers.get(group))
            for (thing, number, reference), name, first, group in zip(held, names, found, groups, strict=True)
        ),
        marks,
    )


def stored_citation(
    thing: Thing, number: int, reference: Record, *, name: str, found: int, group: int, cited: str | None = None
) -> StoredCitation:
    """A reference of a thing with its group -> its row."""
    context, text = "\n".join(reference.fields.get(CONTEXT, ())), reference_text(reference)[:LONGEST_REFERENCE]
    return StoredCitation(thing.key, number, name, found, group, cited, context, text)


def lowest(groups: Sequence[int], numbers: Sequence[int]) -> list[int]:
    """For each reference any number of its group, and its own -> the lowest own number of its group."""
    first: dict[int, int] = {}
    for group, number in zip(groups, numbers, strict=True):
        first[group] = min(number, first.get(group, number))
    return [first[group] for group in groups]


def barred_groups(acts: Sequence[GroupAct], names: Sequence[str], groups: Sequence[int]) -> set[tuple[int, str]]:
    """What people said, and references with their groups -> pairs of a group and a paper that it does not mean."""
    pairs = barred_papers(acts)
    group_of = dict(zip(names, groups, strict=True)) if pairs else {}
    return {(group_of[name], paper) for name, paper in pairs if name in group_of}


def _papers_of(
    things: Sequence[Thing], groups: Sequence[int], parts: Sequence[ReferenceParts], barred: set[tuple[int, str]]
) -> dict[int, str]:
    """Group -> key of the thing that it means."""
    members: dict[int, list[ReferenceParts]] = {}
    for group, each in zip(groups, parts, strict=True):
        members.setdefault(group, []).append(each)
    if not members:
        return {}
    index = paper_index({thing.key: paper_parts(thing.title, thing.authors, thing.year) for thing in things})
    return {match.group: match.paper for match in match_papers(members, index, barred=barred)}


def parts_of(reference: Record) -> ReferenceParts:
    """A reference -> what is compared of it."""
    return reference_parts(reference_text(reference), reference.fields)


def reference_name(reference: Record) -> str:
    """A reference -> 16 hex digits that stay the same however often its document is read again."""
    told = "\x1f".join((reference.url, " ".join(plain_words(reference_text(reference)))))
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def reference_text(reference: Record) -> str:
    """A reference as it stands; where that was not kept, its values in their order."""
    return " ".join(
        reference.fields.get("text")
        or (value for name, values in reference.fields.items() if name != CONTEXT for value in values)
    )
