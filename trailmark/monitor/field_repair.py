"""New rules for one field of a changed template, from golden values.

The golden values of constant fields are annotations for free, by value alone: the redesigned page still says what it said. Rules
are learnt from a few bellwethers and tried on the others, which they have not seen. Golden values may be wrong here and there, and
content may be new, so several small choices of pages to learn from are tried, first those that a person annotated; the
choice wins whose rules give most of what is golden on the pages held out. New rules are accepted only where they pass the field
test there and do better than the old ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from trailmark.monitor.bellwether import BellwetherVisit, FieldValues
from trailmark.monitor.field_trait import FieldTrait
from trailmark.monitor.field_verdict import MOST_EXAMPLES, judge_field
from trailmark.monitor.value_place import common_places
from trailmark.wrap.rules.annotation_match import Mark, MarkedPage
from trailmark.wrap.rules.field_learning import learn_field
from trailmark.wrap.rules.rule import FieldRules
from trailmark.wrap.rules.rule_set import MOST_TEXTS, RuleSet

TAUGHT = 3
"""Pages that rules are learnt from in one attempt, as many as a person would annotate."""
ATTEMPTS = 5
LEAST_HELD_OUT = 2
BETTER = 0.01
"""By so much new rules must do better than the old ones where these failed on a page."""
WORN = 0.5
"""Of the weight of a field's rules: the least that must find anything."""
PERFECT = 0.995


@dataclass(frozen=True, slots=True)
class Difference:
    """What a new rule changes on one page."""

    url: str
    golden: tuple[str, ...]
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldRepair:
    """A field for which better rules were found."""

    rules: FieldRules
    before: float
    """How well the old rules do on the pages held out: 1 where all that is golden comes out and nothing else."""
    after: float
    held_out: int
    source: str
    """`golden values`, or the cluster whose rules were taken over."""
    differences: tuple[Difference, ...] = ()
    worn: bool = False
    """Whether the old rules still worked, and were renewed because most of them find nothing any more."""


def repair_field(
    rules: RuleSet,
    visits: Sequence[BellwetherVisit],
    trait: FieldTrait,
    *,
    broken: bool,
    share: float,
    lenders: Sequence[RuleSet] = (),
) -> FieldRepair | None:
    """Better rules for a field that fails on a page, or whose rules are worn; None where there are none or it needs none."""
    failed = broken or judge_field(trait, visits, rules, share=0.0).broken_share > 0
    if not failed and not is_worn(rules, trait, visits):
        return None
    repair = _best(_attempts(rules, visits, trait, lenders), trait, share, least=BETTER if failed else 0.0)
    return replace(repair, worn=not failed) if repair else None


def is_worn(rules: RuleSet, trait: FieldTrait, visits: Sequence[BellwetherVisit]) -> bool:
    """Whether most of the field's rules find nothing on the pages any more: what still comes out hangs by a thread."""
    field = next((field_rules for field_rules in rules.fields if field_rules.name == trait.name), None)
    if field is None or rules.entries is not None:
        return False
    speaking = [field.shares(visit.table)[1] for visit in visits if len(visit.table)]
    return bool(speaking) and sum(speaking) < WORN * len(speaking)


@dataclass(frozen=True, slots=True, eq=False)
class _Attempt:
    old: RuleSet
    new: RuleSet
    held_out: tuple[BellwetherVisit, ...]
    source: str = "golden values"


def _attempts(
    rules: RuleSet, visits: Sequence[BellwetherVisit], trait: FieldTrait, lenders: Sequence[RuleSet]
) -> Iterator[_Attempt]:
    """Rules to try, each with the pages that they have not seen: of other clusters, from values alone, and then, for values that are
    a part of a text now, from those and their places.
    """
    usable = [visit for visit in visits if _marks(visit, trait)]
    lent = [
        _Attempt(rules, RuleSet(lender.id, (field,)), tuple(usable), lender.id)
        for lender in lenders
        for field in lender.fields
        if field.name == trait.name
    ]
    yield from lent
    for chosen in choices_of(usable):
        yield _learnt(rules, visits, chosen, usable, trait)
    if trait.several:
        return
    for place in common_places([(visit.table, _marks(visit, trait)[0].value) for visit in usable]):
        for chosen in choices_of(usable)[:2]:
            yield _learnt(rules, visits, [number for number in chosen if number in place], usable, trait, place)


def choices_of(usable: Sequence[BellwetherVisit]) -> list[tuple[int, ...]]:
    """Which pages to learn from: those that a person annotated, then others evenly spread, shifted from attempt to attempt."""
    count = min(TAUGHT, len(usable) - LEAST_HELD_OUT)
    if count < 1:
        return [(0,)] if len(usable) == LEAST_HELD_OUT else []
    annotated = tuple(place for place, visit in enumerate(usable) if visit.told)[:count]
    choices = [annotated] if annotated else []
    step = len(usable) / count
    for shift in range(ATTEMPTS):
        start = shift * step / ATTEMPTS
        choices.append(tuple(sorted({int(start + number * step) % len(usable) for number in range(count)})))
    return list(dict.fromkeys(choices))


def _learnt(
    rules: RuleSet,
    visits: Sequence[BellwetherVisit],
    chosen: Sequence[int],
    usable: Sequence[BellwetherVisit],
    trait: FieldTrait,
    xpaths: Mapping[int, str] | None = None,
) -> _Attempt:
    taught = [usable[number] for number in chosen]
    pages = [MarkedPage(usable[n].table, _marks(usable[n], trait, (xpaths or {}).get(n))) for n in chosen]
    # Very long pages tell the learner little that the others do not, and take it long.
    others = [MarkedPage(visit.table) for visit in visits if visit not in taught and len(visit.table) <= MOST_TEXTS]
    field = learn_field(trait.name, [*pages, *others])
    new = RuleSet(rules.id, (field,) if field is not None else ())
    return _Attempt(rules, new, tuple(visit for visit in usable if visit not in taught))


def _marks(visit: BellwetherVisit, trait: FieldTrait, xpath: str | None = None) -> tuple[Mark, ...]:
    """What is known of the field on the page and still stands there; a person's word before the rules' own."""
    marked = tuple(
        dict.fromkeys(
            annotation.value for annotation in visit.told if annotation.field == trait.name and annotation.value
        )
    )
    values = marked or visit.golden.fields.get(trait.name, ())
    standing = [value for value in values if visit.holds(value, whole=trait.several)]
    return tuple(Mark(value, xpath) for value in standing)


def _best(attempts: Iterable[_Attempt], trait: FieldTrait, share: float, *, least: float) -> FieldRepair | None:
    """The attempt that does best on what it has not seen, if it passes there and beats the old rules by `least`."""
    best: FieldRepair | None = None
    for attempt in attempts:
        new = next((field for field in attempt.new.fields if field.name == trait.name), None)
        if new is None or not attempt.held_out:
            continue
        before, after = (score(attempt.held_out, rules, trait) for rules in (attempt.old, attempt.new))
        verdict = judge_field(trait, attempt.held_out, attempt.new, share=share)
        if verdict.broken or after < before + least or (best is not None and after <= best.after):
            continue
        shown = differences(attempt.old, attempt.new, attempt.held_out, trait)
        best = FieldRepair(new, round(before, 4), round(after, 4), len(attempt.held_out), attempt.source, shown)
        if after >= PERFECT:
            break
    return best


def score(visits: Sequence[BellwetherVisit], rules: RuleSet, trait: FieldTrait) -> float:
    return sum(agreement(trait, visit, visit.fresh(rules)) for visit in visits) / len(visits)


def agreement(trait: FieldTrait, visit: BellwetherVisit, fresh: FieldValues) -> float:
    """How well what comes out agrees with what is golden and still stands: F1 of the values, or the one value."""
    golden = {value for value in visit.golden.fields.get(trait.name, ()) if visit.holds(value, whole=trait.several)}
    values = fresh.get(trait.name, ())
    if not golden:
        return 1.0 if all(map(trait.is_shaped, values)) else 0.0
    hits = len(golden & set(values))
    if trait.several:
        return 2 * hits / (len(golden) + len(set(values)))
    if hits or trait.constant:
        return float(hits > 0)
    return 0.5 if values and all(map(trait.is_shaped, values)) else 0.0


def differences(
    old_rules: RuleSet, new_rules: RuleSet, visits: Sequence[BellwetherVisit], trait: FieldTrait
) -> tuple[Difference, ...]:
    """Pages on which old and new rules differ."""
    shown = []
    for visit in visits:
        old, new = (visit.fresh(rules).get(trait.name, ()) for rules in (old_rules, new_rules))
        if old != new:
            golden = visit.golden.fields.get(trait.name, ())
            shown.append(Difference(visit.golden.url, *(tuple(v[:MOST_EXAMPLES]) for v in (golden, old, new))))
    return tuple(shown[:MOST_EXAMPLES])
