"""New rules for a list of records on a changed template: entries and fields are learnt together, from golden records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trailmark.datatypes import Annotation
from trailmark.monitor.bellwether import BellwetherVisit
from trailmark.monitor.field_repair import BETTER, PERFECT, FieldRepair, choices_of, differences, score
from trailmark.monitor.field_trait import FieldTrait
from trailmark.monitor.field_verdict import judge_field
from trailmark.wrap.rules.rule_set import AnnotatedPage, RuleSet, learn_rules

ENTRIES = 8
"""Golden records of a page that are taken as annotations: a person would mark one or two."""


def repair_list(
    rules: RuleSet, visits: Sequence[BellwetherVisit], traits: Mapping[str, FieldTrait], *, share: float
) -> tuple[RuleSet, tuple[FieldRepair, ...]] | None:
    """Rules for entries and fields that do better on pages held out and pass the field test there; None without any."""
    usable = [visit for visit in visits if _marks(visit)]
    best: tuple[float, RuleSet, tuple[BellwetherVisit, ...]] | None = None
    for chosen in choices_of(usable):
        taught = [usable[number] for number in chosen]
        held_out = tuple(visit for visit in usable if visit not in taught)
        others = [AnnotatedPage(visit.table) for visit in visits if visit not in taught]
        new = learn_rules(rules.id, [*(AnnotatedPage(visit.table, _marks(visit)) for visit in taught), *others])
        before, after = (_mean(rule_set, held_out, traits) for rule_set in (rules, new))
        passed = not any(judge_field(trait, held_out, new, share=share).broken for trait in traits.values())
        if passed and after >= before + BETTER and (best is None or after > best[0]):
            best = after, new, held_out
        if best is not None and best[0] >= PERFECT:
            break
    if best is None:
        return None
    _, new, held_out = best
    return new, tuple(
        FieldRepair(
            field,
            round(score(held_out, rules, traits[field.name]), 4),
            round(score(held_out, new, traits[field.name]), 4),
            len(held_out),
            "golden values",
            differences(rules, new, held_out, traits[field.name]),
        )
        for field in new.fields
        if field.name in traits
    )


def _mean(rules: RuleSet, visits: Sequence[BellwetherVisit], traits: Mapping[str, FieldTrait]) -> float:
    return sum(score(visits, rules, trait) for trait in traits.values()) / max(len(traits), 1)


def _marks(visit: BellwetherVisit) -> tuple[Annotation, ...]:
    """The first golden records whose values all still stand on the page, entry after entry."""
    standing = [
        record for record in visit.golden.records if all(visit.holds(v) for values in record.values() for v in values)
    ]
    return tuple(
        Annotation(visit.golden.url, name, value)
        for record in standing[:ENTRIES]
        for name, values in record.items()
        for value in values
    )
