"""Things and the references they hold -> which of them are one thing, which references mean the same paper, who cites whom, and their ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trailmark.datatypes import Record
from trailmark.organise.citation_graph import CitationGraph, Rank, ranking
from trailmark.organise.doubles import Finding, find_doubles
from trailmark.organise.paper_match import match_papers, paper_index, paper_parts
from trailmark.organise.reference_groups import group_references
from trailmark.organise.reference_parts import ReferenceParts, reference_parts
from trailmark.organise.thing import Thing
from trailmark.store.organised import StoredCitation
from trailmark.verbs.citation_contexts import CONTEXT

LONGEST_REFERENCE = 600


@dataclass(frozen=True, slots=True)
class Cited:
    """What things cite."""

    citations: tuple[StoredCitation, ...]
    cites: Mapping[str, tuple[str, ...]]
    """Key -> keys of the things here that it cites."""
    ranks: Mapping[str, Rank]
    groups: int


def one_of_each(things: Sequence[Thing]) -> list[Thing]:
    """Things -> the same with doubles made one: the richest is shown, with the records and addresses of all."""
    known = {thing.key: thing for thing in things}
    findings = [
        Finding(thing.key, thing.kind, thing.url, thing.title, thing.authors, thing.year, fields=thing.fields)
        for thing in things
    ]
    gone: dict[str, str] = {}
    for double in find_doubles(findings):
        first, *others = (known[key] for key in double.ids)
        sources = tuple(source for thing in (first, *others) for source in thing.sources)
        references = first.references or next((thing.references for thing in others if thing.references), ())
        known[first.key] = replace(first, sources=sources, references=references)
        gone.update(dict.fromkeys((thing.key for thing in others), first.key))
    return [known[thing.key] for thing in things if thing.key not in gone]


def citations_of(things: Sequence[Thing]) -> Cited:
    """Things -> their references in groups, linked to the things here, and the ranks that follow."""
    held = [(thing, number, reference) for thing in things for number, reference in thing.references]
    parts = [reference_parts(reference_text(reference), reference.fields) for _, _, reference in held]
    groups = group_references(parts)
    papers = _papers_of(things, groups, parts)
    citations = tuple(
        StoredCitation(
            thing.key,
            number,
            group,
            papers.get(group),
            _context(reference),
            reference_text(reference)[:LONGEST_REFERENCE],
        )
        for (thing, number, reference), group in zip(held, groups, strict=True)
    )
    cites: dict[str, dict[str, None]] = {thing.key: {} for thing in things}
    for citation in citations:
        if citation.cited is not None and citation.cited != citation.citing:
            cites[citation.citing][citation.cited] = None
    plain = {key: tuple(cited) for key, cited in cites.items()}
    return Cited(citations, plain, ranking(CitationGraph.of(plain)).ranks, len(set(groups)))


def _papers_of(things: Sequence[Thing], groups: Sequence[int], parts: Sequence[ReferenceParts]) -> dict[int, str]:
    """Group -> key of the thing that it means."""
    members: dict[int, list[ReferenceParts]] = {}
    for group, each in zip(groups, parts, strict=True):
        members.setdefault(group, []).append(each)
    index = paper_index({thing.key: paper_parts(thing.title, thing.authors, thing.year) for thing in things})
    return {match.group: match.paper for match in match_papers(members, index)}


def reference_text(reference: Record) -> str:
    """A reference as it stands; where that was not kept, its values in their order."""
    return " ".join(
        reference.fields.get("text")
        or (value for name, values in reference.fields.items() if name != CONTEXT for value in values)
    )


def _context(reference: Record) -> str:
    """The sentences in which it is cited, one a line."""
    return "\n".join(reference.fields.get(CONTEXT, ()))
