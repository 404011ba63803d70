"""Self-repair: rules for a changed template without a person (past Vertex, which annotates anew).

Each field that fails is put to `field_repair`, a list of records as a whole to `list_repair`. What can't be mended so is left to a
person; fields that work are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from trailmark.monitor.bellwether import BellwetherVisit
from trailmark.monitor.field_repair import FieldRepair, repair_field
from trailmark.monitor.field_trait import FieldTrait
from trailmark.monitor.list_repair import repair_list
from trailmark.wrap.rules.rule_set import RuleSet


@dataclass(frozen=True, slots=True)
class Repair:
    """What can be done without a person."""

    rules: RuleSet
    """The old rules with the repaired fields in their place."""
    repaired: tuple[FieldRepair, ...] = ()
    left: tuple[str, ...] = ()
    """Broken fields for which a person must annotate a page."""


def propose_repair(
    rules: RuleSet,
    visits: Sequence[BellwetherVisit],
    traits: Mapping[str, FieldTrait],
    *,
    broken: Sequence[str],
    share: float,
    lenders: Sequence[RuleSet] = (),
) -> Repair:
    """Better rules for fields that broke; `broken` are those that a person must see to where there are none.

    All fields with a page that speaks against them are tried. `lenders` are rules of other clusters of the site.
    """
    if rules.entries is not None:
        mended = repair_list(rules, visits, traits, share=share) if broken else None
        return Repair(*mended) if mended else Repair(rules, left=tuple(broken))
    lent = [lender for lender in lenders if lender.entries is None]
    tried = {
        name: repair_field(rules, visits, trait, broken=name in broken, share=share, lenders=lent)
        for name, trait in traits.items()
    }
    repairs = {name: repair for name, repair in tried.items() if repair is not None}
    old = {field.name: field for field in rules.fields}
    fields = {**old, **{name: repair.rules for name, repair in repairs.items()}}
    # What a page says of itself in structured data goes before rules: where it broke, it must make way.
    structured = tuple(rule for rule in rules.structured if rule.field not in repairs)
    left = tuple(name for name in broken if name not in repairs)
    new = replace(rules, fields=tuple(fields.values()), structured=structured)
    return Repair(new, tuple(repairs.values()), left)
