"""Sites of one kind: what is known of a site whose fields have rules, and of one that has none yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.propose.site_slots import SiteTexts, Slot, find_slots, make_slot, read_site
from trailmark.propose.slot_traits import SlotTraits, describe_slots
from trailmark.wrap.page.node_table import TEXT, NodeTable
from trailmark.wrap.rules.rule import FieldRules
from trailmark.wrap.rules.rule_set import RuleSet

SAMPLE = 48
"""Pages of a site that are looked at; more say little more."""


@dataclass(frozen=True, slots=True, eq=False)
class SiteView:
    """All slots of a site and, where its fields are known, one more slot for each field."""

    texts: SiteTexts
    slots: tuple[Slot, ...]
    traits: SlotTraits
    fields: tuple[str, ...]
    field_traits: SlotTraits


def view_site(tables: Sequence[NodeTable], rules: RuleSet | None = None) -> SiteView:
    """A site seen through pages of one template; `rules` make it one to learn from.

    Fields that are not texts of their own (attributes, entries of a list) are not learnt from.
    """
    texts = read_site([table for table in tables if len(table)])
    slots = tuple(find_slots(texts))
    known = (
        [] if rules is None or rules.entries is not None else [field for field in rules.fields if field.layer == TEXT]
    )
    slots_of = {field.name: slot for field in known if (slot := _field_slot(texts, field)) is not None}
    traits = describe_slots(texts, slots)
    return SiteView(texts, slots, traits, tuple(slots_of), describe_slots(texts, list(slots_of.values())))


def _field_slot(texts: SiteTexts, field: FieldRules) -> Slot | None:
    chosen = {number: rows for number, table in enumerate(texts.tables) if (rows := field.choose(table))}
    if not chosen:
        return None
    several = sum(map(len, chosen.values())) / len(chosen)
    return make_slot(texts, tuple((number, rows[0]) for number, rows in chosen.items()), several)
