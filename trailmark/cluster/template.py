"""What is kept of a cluster so that new pages can join it without clustering again (Vertex, sections II-C and IV-A)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from trailmark.cluster.likeness import likeness, usual_features
from trailmark.cluster.masked_vector import covers
from trailmark.cluster.signature import Features, Signature
from trailmark.settings import ClusterSettings


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """The marks by which a page of the cluster is known."""

    signatures: tuple[str, ...]
    """Masked shingle vectors of its groups, most important first."""
    importance: int
    paths: Features
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
            "paths": self.paths.tolist(),
            "conditions": [list(each) for each in self.conditions],
        }

    @classmethod
    def from_json(cls, kept: dict[str, Any]) -> Template:
        """The inverse of `to_json`."""
        return cls(
            tuple(kept["signatures"]),
            int(kept["importance"]),
            np.array(kept["paths"], dtype=np.uint32),
            tuple((word, bool(present)) for word, present in kept["conditions"]),
        )


def make_template(
    pages: Sequence[Signature], signatures: Sequence[str], importance: int, conditions: tuple[tuple[str, bool], ...]
) -> Template:
    """The template of the pages of one cluster."""
    return Template(tuple(signatures), importance, usual_features([page.paths for page in pages]), conditions)


def assign(
    page: Signature,
    templates: Sequence[Template],
    settings: ClusterSettings = ClusterSettings(),  # noqa: B008 - frozen
) -> int | None:
    """Position of the template that the page belongs to, or None.

    The most alike of those that admit it; a template whose shingle signature covers the page may be a little less alike.
    Equal likeness is settled by importance, as in section IV-A.
    """
    best, found = (0.0, 0), None
    for number, template in enumerate(templates):
        if not template.admits(page):
            continue
        alike = likeness(page.paths, template.paths)
        covered = any(covers(mask, page.shingles) for mask in template.signatures)
        least = settings.covered_similarity if covered else settings.similarity
        if alike >= least and (alike, template.importance) > best:
            best, found = (alike, template.importance), number
    return found


def heavier(template: Template, pages: int) -> Template:
    """The template after that many more pages joined it."""
    return replace(template, importance=template.importance + pages)
