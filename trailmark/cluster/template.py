"""What is kept of a cluster so that new pages can join it without clustering again (Vertex, sections II-C and IV-A)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from trailmark.cluster.likeness import likeness, usual_features
from trailmark.cluster.masked_vector import covers
from trailmark.cluster.signature import Signature
from trailmark.settings import ClusterSettings


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """The marks by which a page of the cluster is known."""

    signatures: tuple[str, ...]
    """Masked shingle vectors of its groups, most important first."""
    importance: int
    paths: frozenset[int]
    """Tag paths that most of its pages have."""
    conditions: tuple[tuple[str, bool], ...] = ()
    """Words that a page's title must, or must not, have where another template looks the same."""

    def admits(self, page: Signature) -> bool:
        """Whether the page has the title words that tell this template from its doubles."""
        return all((word in page.words) == present for word, present in self.conditions)

    def to_json(self) -> dict[str, Any]:
        """For the workspace."""
        return {
            "signatures": list(self.signatures),
            "importance": self.importance,
            "paths": sorted(self.paths),
            "conditions": [list(condition) for condition in self.conditions],
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Template:
        """The inverse of `to_json`."""
        return cls(
            tuple(data["signatures"]),
            int(data["importance"]),
            frozenset(data["paths"]),
            tuple((word, bool(present)) for word, present in data["conditions"]),
        )


def make_template(
    pages: Sequence[Signature], signatures: Sequence[str], importance: int, conditions: tuple[tuple[str, bool], ...]
) -> Template:
    """The template of the pages of one cluster."""
    usual = usual_features([page.paths for page in pages])
    return Template(tuple(signatures), importance, frozenset(usual.tolist()), conditions)


def assign(
    page: Signature,
    templates: Sequence[Template],
    settings: ClusterSettings = ClusterSettings(),  # noqa: B008 - frozen
) -> int | None:
    """Position of the template that the page belongs to, or None.

    The most alike of those that admit it; a template whose shingle signature covers the page may be a little less alike.
    Equal likeness is settled by importance, as in section IV-A.
    """
    best, best_number = (0.0, 0), None
    paths = frozenset(page.paths.tolist())
    for number, template in enumerate(templates):
        if not template.admits(page):
            continue
        alike = likeness(paths, template.paths)
        if alike < settings.similarity and not (
            alike >= settings.covered_similarity and any(covers(mask, page.shingles) for mask in template.signatures)
        ):
            continue
        if (alike, template.importance) > best:
            best, best_number = (alike, template.importance), number
    return best_number


def heavier(template: Template, pages: int) -> Template:
    """The template after that many more pages joined it."""
    return replace(template, importance=template.importance + pages)
