"""Which pages records are lifted off: those that a run found, and those that were chosen by marking a page of their group."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class PageScope:
    """What is known of pages when they are picked; `everything` where no page is left out."""

    everything: bool = True
    found: frozenset[str] = frozenset()
    """Pages that a run calls goals, or of which a person said so."""
    marked: frozenset[str] = frozenset()
    """Pages on which something was marked."""
    refused: frozenset[str] = frozenset()
    """Pages of which a person said that they are not wanted."""
    groups: frozenset[str] = frozenset()
    """Clusters with a marked page."""
    cluster_of: Mapping[str, str | None] = field(default_factory=dict)
    """Pages that were grouped, with their cluster."""

    def is_asked(self, url: str) -> bool | None:
        """Whether the page is wanted; None where only its structure can tell, because it was never grouped."""
        if self.everything or url in self.found or url in self.marked:
            return True
        if url in self.refused:
            return False
        return self.cluster_of[url] in self.groups if url in self.cluster_of else None
