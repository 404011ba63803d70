"""Both tests of Vertex (section IV-B) on the bellwethers of one cluster: what broke, and on what share of the pages.

Table IV of the paper: in a genuine change almost all bellwethers fail the shingle test, in a false alarm fewer do. So the
template counts as changed only where a high share of pages no longer match. Departure: a changed template is news and not yet a
breakage, because rules often survive it; a breakage is what the field test finds. Where the template changed, a field is looked
at more sternly: a smaller share of pages suffices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trailmark.monitor.bellwether import BellwetherVisit
from trailmark.monitor.field_trait import FieldTrait
from trailmark.monitor.field_verdict import FieldVerdict, judge_field
from trailmark.wrap.rules.rule_set import RuleSet

STERN = 0.5
"""Where the template changed, this part of the usual share of pages makes a field broken."""


@dataclass(frozen=True, slots=True)
class Breakage:
    """What was found on the bellwethers of a cluster."""

    cluster: str
    visited: int
    unreachable: tuple[str, ...]
    """Pages that could not be had."""
    unlike: float
    """Share of the visited pages that no longer match the template."""
    template_changed: bool
    fields: tuple[FieldVerdict, ...]

    @property
    def broken(self) -> tuple[str, ...]:
        """Fields that no longer come out right."""
        return tuple(field.field for field in self.fields if field.broken)

    @property
    def lost(self) -> bool:
        """Whether most pages could not be had, so that nothing can be said."""
        return len(self.unreachable) > self.visited

    @property
    def status(self) -> str:
        if self.lost:
            return "unreachable"
        if self.broken:
            return "broken"
        return "changed" if self.template_changed else "ok"


def find_breakage(
    rules: RuleSet,
    visits: Sequence[BellwetherVisit],
    traits: Mapping[str, FieldTrait],
    *,
    unreachable: Sequence[str] = (),
    template_share: float,
    field_share: float,
) -> Breakage:
    """Shingle test and field test of the cluster's rules on its bellwethers."""
    unlike = sum(not visit.matched for visit in visits) / len(visits) if visits else 0.0
    changed = bool(visits) and unlike >= template_share
    share = field_share * STERN if changed else field_share
    verdicts = tuple(judge_field(trait, visits, rules, share=share) for trait in traits.values())
    return Breakage(rules.id, len(visits), tuple(unreachable), unlike, changed, verdicts)


def breakage_to_json(breakage: Breakage) -> dict[str, Any]:
    """For reports and for the history."""
    return {
        "cluster": breakage.cluster,
        "status": breakage.status,
        "visited": breakage.visited,
        "unreachable": list(breakage.unreachable),
        "unlike": round(breakage.unlike, 4),
        "template_changed": breakage.template_changed,
        "fields": [
            {
                "field": field.field,
                "broken": field.broken,
                "broken_share": round(field.broken_share, 4),
                "tested": field.tested,
                "outcomes": dict(field.counts),
                "examples": [
                    {"url": c.url, "outcome": c.outcome, "old": list(c.old), "new": list(c.new)} for c in field.changes
                ],
            }
            for field in breakage.fields
        ],
    }
