"""The paper's own grouping of citations (Cora, section 2): a citation joins the group of its best word-level match above a threshold, else founds one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from trailmark.organise.reference_parts import ReferenceParts

THRESHOLD = 0.6
"""Of the words of both, by their number, that are in both."""


def group_by_words(references: Sequence[ReferenceParts], threshold: float = THRESHOLD) -> list[int]:
    """References in the order in which they come -> for each the number of its group: that of the group's first member."""
    groups: list[int] = []
    holders: dict[str, list[int]] = defaultdict(list)
    sizes: list[int] = []
    for place, parts in enumerate(references):
        words = {word for word in parts.words if len(word) > 1}
        common = Counter(other for word in sorted(words) for other in holders[word])
        scores = ((2 * n / (len(words) + sizes[other]), -other) for other, n in common.items())
        best, other = max(scores, default=(0.0, 0))
        groups.append(groups[-other] if best > threshold else place)
        sizes.append(len(words))
        for word in words:
            holders[word].append(place)
    return groups
