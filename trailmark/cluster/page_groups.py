"""Signatures -> templates and their pages: algorithm 1, and past it.

1. Algorithm 1 groups pages by shingle vectors; what it prunes is not thrown away but looked at page by page.
2. The groups and the pruned pages are linked by the likeness of their tag paths: groups that are one template become one,
   and a pruned page finds its template.
3. A group that holds two templates of one frame is split where a title word and the structure agree on it.
4. A group below `smallest` pages is left over, until later pages join it.

URLs are never looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.cluster.evidence import split_by_evidence
from trailmark.cluster.grouping import PageGroup, group_vectors
from trailmark.cluster.likeness import linked, usual_features
from trailmark.cluster.masked_vector import written
from trailmark.cluster.signature import Features, Signature
from trailmark.cluster.template import Template, assign, make_template
from trailmark.settings import ClusterSettings

_MOST_LINKED = 2000  # groups that are linked at once: the table of all pairs grows with the square
_MOST_MASKS = 50  # masked vectors that a template keeps, the most important ones
_USUAL_OF = 200  # pages of a large group that are asked for its usual paths


@dataclass(frozen=True, slots=True)
class PageGroups:
    """Templates, largest first, the positions of each one's pages, and the pages that are left over."""

    templates: tuple[Template, ...]
    pages: tuple[tuple[int, ...], ...]
    left_over: tuple[int, ...]


def group_pages(
    signatures: Sequence[Signature],
    settings: ClusterSettings = ClusterSettings(),  # noqa: B008 - frozen
) -> PageGroups:
    """Cluster the pages of one site by template."""
    groups, pruned = group_vectors(
        [page.shingles for page in signatures], least=_pruning(len(signatures), settings.least_pages)
    )
    units = groups + [PageGroup(written(signatures[page].shingles, ()), 1, (page,)) for page in pruned]
    finished: list[tuple[Template, tuple[int, ...]]] = []
    left_over: list[int] = []
    for family in _families(units, signatures, settings):
        together = sorted(page for unit in family for page in unit.pages)
        parts = split_by_evidence(
            together, signatures, share=settings.evidence_share, support=settings.evidence_support
        )
        for part in parts:
            if len(part.pages) < settings.smallest:
                left_over += part.pages
            else:
                finished.append((_template(part.pages, part.conditions, family, signatures), tuple(part.pages)))
    finished.sort(key=lambda group: (-len(group[1]), group[1][0]))
    return PageGroups(
        tuple(group[0] for group in finished), tuple(group[1] for group in finished), tuple(sorted(left_over))
    )


def _pruning(pages: int, least: int) -> int:
    """The paper's threshold is meant for samples of thousands of pages: a small site has small templates."""
    return max(2, min(least, pages // 50))


def _families(
    units: list[PageGroup], signatures: Sequence[Signature], settings: ClusterSettings
) -> list[list[PageGroup]]:
    """Groups that are one template, in one list each. Beyond `_MOST_LINKED` the rest joins the families that are there,
    and what finds none is linked in the next round."""
    families: list[list[PageGroup]] = []
    while units:
        now, rest = units[:_MOST_LINKED], units[_MOST_LINKED:]
        paths = [_usual_paths(unit, signatures) for unit in now]
        fresh = [[now[number] for number in numbers] for numbers in linked(paths, similarity=settings.similarity)]
        families += fresh
        if not rest:
            break
        known = [_family_template(family, signatures) for family in fresh]
        units = []
        for unit in rest:
            at = assign(signatures[unit.pages[0]], known, settings)
            (units if at is None else fresh[at]).append(unit)
    return families


def _usual_paths(unit: PageGroup, signatures: Sequence[Signature]) -> Features:
    return usual_features([signatures[page].paths for page in unit.pages[:_USUAL_OF]])


def _family_template(family: list[PageGroup], signatures: Sequence[Signature]) -> Template:
    pages = [page for unit in family for page in unit.pages][:_USUAL_OF]
    masks = [unit.signature for unit in family[:1]]
    return make_template([signatures[page] for page in pages], masks, len(pages), ())


def _template(
    pages: list[int], conditions: tuple[tuple[str, bool], ...], family: list[PageGroup], signatures: Sequence[Signature]
) -> Template:
    """The template of one part of a family; it carries the masked vectors of the groups that gave it pages."""
    inside = set(pages)
    units = [unit for unit in family if inside.intersection(unit.pages)]
    units.sort(key=lambda unit: -unit.importance)
    importance = sum(unit.importance for unit in units)
    masks = [unit.signature for unit in units[:_MOST_MASKS]]
    return make_template([signatures[page] for page in pages[:_USUAL_OF]], masks, importance, conditions)
