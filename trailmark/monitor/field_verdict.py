"""The field test (Vertex, section IV-B): what the rules lift off a page now against its golden extraction.

The paper asks two things: that mandatory attributes come out, and that constant ones have the old value. Departures:

- It is looked whether the old value still stands on the page. If it does and the rules no longer give it, they are broken,
  and one such page says more than ten whose value is nowhere any more: there the content may have changed. So a shop that
  renames its goods is no alarm.
- Fields that are not constant must keep their type and the order of their length.
- A verdict is about a field and a share of pages, not about a site: what still works is left alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from trailmark.monitor.bellwether import BellwetherVisit
from trailmark.monitor.field_trait import FieldTrait
from trailmark.wrap.rules.rule_set import RuleSet

Outcome = Literal["same", "changed", "lost", "misshapen", "gone", "absent"]
"""same       the golden value comes out, or one like it for a field that is not constant
changed    the golden value is nowhere on the page; another like it comes out
lost       the golden value stands on the page, and the rules give something else or nothing
misshapen  the golden value is nowhere on the page; what comes out does not look like it
gone       the golden value is nowhere on the page, and nothing comes out
absent     there was no golden value
"""
SEVERAL_KEPT = 0.5
"""Of the golden values that still stand on a page: the share that must come out, for a field with several values."""
MOST_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a value: shown to a person."""

    url: str
    outcome: Outcome
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldVerdict:
    """One field on all bellwethers of a cluster."""

    field: str
    counts: Mapping[str, int]
    broken_share: float
    """Of the pages that say anything about the field."""
    broken: bool
    changes: tuple[Change, ...] = ()
    """Examples of what broke."""

    @property
    def tested(self) -> int:
        return sum(self.counts.values()) - self.counts.get("absent", 0)


def outcome_of(trait: FieldTrait, old: Sequence[str], new: Sequence[str], visit: BellwetherVisit) -> Outcome:
    """What became of the golden values `old` of a field on one page."""
    if not old:
        return "absent"
    standing = [value for value in old if visit.holds(value, whole=trait.several)]
    if standing and _comes_out(trait, standing, new):
        return "same"
    if standing and (trait.constant or not new):
        return "lost"
    if not new:
        return "gone"
    if not all(map(trait.is_shaped, new[:MOST_EXAMPLES])):
        return "lost" if standing else "misshapen"
    return "changed"


def _comes_out(trait: FieldTrait, standing: Sequence[str], new: Sequence[str]) -> bool:
    unchanged = len(set(standing) & set(new))
    return unchanged >= SEVERAL_KEPT * len(standing) if trait.several else unchanged > 0


def is_broken(trait: FieldTrait, outcome: Outcome) -> bool:
    """Whether the outcome speaks against the rules."""
    return outcome in ("lost", "misshapen") or (outcome == "gone" and trait.mandatory)


def judge_field(
    trait: FieldTrait, visits: Sequence[BellwetherVisit], rules: RuleSet, *, share: float, examples: int = MOST_EXAMPLES
) -> FieldVerdict:
    """The verdict on a field: broken where at least `share` of the pages that have it speak against the rules."""
    counts: Counter[str] = Counter()
    changes: list[Change] = []
    against = 0
    for visit in visits:
        old, new = visit.golden.fields.get(trait.name, ()), visit.fresh(rules).get(trait.name, ())
        outcome = outcome_of(trait, old, new, visit)
        counts[outcome] += 1
        if is_broken(trait, outcome):
            against += 1
            changes.append(Change(visit.golden.url, outcome, old[:MOST_EXAMPLES], new[:MOST_EXAMPLES]))
    tested = len(visits) - counts["absent"]
    broken_share = against / tested if tested else 0.0
    return FieldVerdict(
        trait.name, dict(counts), broken_share, tested > 0 and broken_share >= share, tuple(changes[:examples])
    )
