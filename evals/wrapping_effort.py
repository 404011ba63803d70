"""Pages that a person must annotate until the rest of the sample is right (Vertex, section III-C5: 2.3 on average).

The first page is that of our own sampling. Then rules are learnt, the person looks at what they find on the sample, and annotates the
first page with a fault. A page is right where each field's first value is a true one, or where field and value are missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

MOST = 6
"""Who has annotated as many and still finds faults gives up."""

Found = dict[str, Sequence[str]]


def pages_until_right(
    order: Sequence[int], learnt: Callable[[list[int]], Callable[[int], bool]], *, most: int = MOST
) -> dict[str, Any]:
    """`learnt` makes of annotated pages a test whether a page is right; gives how many pages it took and if that sufficed."""
    annotated: list[int] = list(order[:1])
    while True:
        is_right = learnt(annotated)
        fault = next((page for page in order if page not in annotated and not is_right(page)), None)
        if fault is None or len(annotated) >= most:
            return {"annotated": len(annotated), "right": fault is None}
        annotated.append(fault)


def effort_totals(sites: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Mean over sites; those that never came right count with as many pages as were tried, and are told beside."""
    names = ("all_fields", "sound_truth")
    return {
        name: {
            "mean": sum(site[name]["annotated"] for site in sites) / len(sites) if sites else 0.0,
            "after_one": sum(site[name]["right"] and site[name]["annotated"] == 1 for site in sites),
            "never": [site["site"] for site in sites if not site[name]["right"]],
            "sites": len(sites),
        }
        for name in names
    }
