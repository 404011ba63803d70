"""Sites of a kind that is known, and a new one -> where the fields stand there, for a person to confirm.

Past Vertex, which wants annotations for each site: after the idea of carrying a field's value and context over sites of a
vertical (Hao and others, "From one tree to a forest", 2011). Departures: not single texts but slots are scored, with the evidence of
all pages that fill them; what a likeness is worth was learnt on other kinds of sites (`kind_weights`) and is the same for every field;
the slots that win become annotations, from which ordinary rules are learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from trailmark.datatypes import Annotation
from trailmark.propose import kind_weights
from trailmark.propose.site_kind import SiteView
from trailmark.propose.site_slots import Slot
from trailmark.propose.slot_likeness import FEATURES, compare
from trailmark.wrap.rules.annotation_match import Mark, MarkedPage
from trailmark.wrap.rules.field_learning import learn_field
from trailmark.wrap.rules.rule import FieldRules
from trailmark.wrap.rules.rule_set import MOST_TEXTS, RuleSet

Floats = NDArray[np.float64]

TAKEN = 3.0
"""What a slot loses for a field where another field, of which more is sure, has it."""
MARKED_PAGES = (3, 8)
"""Pages of which proposals are taken for annotations to learn rules from: the second where the first do not suffice."""
AGREED = 0.95
"""Share of a slot's texts that rules must find to suffice."""
LOOKED_AT = 20
"""Pages that learning looks at."""


@dataclass(frozen=True, slots=True)
class FieldProposal:
    """Where a field may stand on a new site."""

    field: str
    slot: Slot
    confidence: float


def propose_fields(seeds: Sequence[SiteView], new: SiteView, *, least: float = 0.0) -> list[FieldProposal]:
    """A slot for each field of the seeds that the new site seems to have, with a confidence of at least `least`."""
    names, features = compare(seeds, new)
    if not names or not new.slots:
        return []
    weights = np.array([kind_weights.WEIGHTS.get(name, 0.0) for name in FEATURES])
    chosen = choose_slots(features @ weights - kind_weights.ABSENT, same_places(new.slots))
    proposals = [
        FieldProposal(name, new.slots[at], round(sure, 4))
        for name, (at, sure) in zip(names, chosen, strict=True)
        if at is not None
    ]
    return [proposal for proposal in proposals if proposal.confidence >= least]


def same_places(slots: Sequence[Slot]) -> Floats:
    """For each pair of slots the share of the first one's places that the second has."""
    numbers: dict[tuple[int, int], int] = {}
    rows = [[numbers.setdefault(place, len(numbers)) for place in slot.places] for slot in slots]
    starts = np.cumsum([0, *map(len, rows)])
    columns = [at for row in rows for at in row]
    holds = csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(slots), max(len(numbers), 1)))
    shares: Floats = (holds @ holds.T).toarray() / np.maximum(np.diff(starts), 1)[:, None]
    return shares


def choose_slots(scores: Floats, shared: Floats) -> list[tuple[int | None, float]]:
    """For each field a slot, or None, and how sure that is: fields of which more is sure choose first.

    Scores are logarithms of odds against the field's being absent.
    """
    scores = scores.copy()
    chosen: list[tuple[int | None, float]] = [(None, 0.0)] * len(scores)
    waiting = set(range(len(scores)))
    while waiting:
        first = max(sorted(waiting), key=lambda field: float(scores[field].max()))
        waiting.discard(first)
        at = int(np.argmax(scores[first]))
        if scores[first, at] <= 0.0:
            continue
        chosen[first] = at, _sureness(scores[first], shared[at] > 0.5)
        for other in waiting:
            scores[other] -= TAKEN * shared[:, at]
    return chosen


def _sureness(scores: Floats, alike: NDArray[np.bool_]) -> float:
    """The probability that the field stands in the slot or in one that has most of its places."""
    top = max(float(scores.max()), 0.0)
    weights = np.exp(scores - top)
    return float(weights[alike].sum() / (weights.sum() + np.exp(-top)))


def proposed_values(
    proposals: Sequence[FieldProposal], new: SiteView, urls: Sequence[str], *, most: int = MARKED_PAGES[0]
) -> list[tuple[Annotation, float]]:
    """Annotations with their confidence, for the pages on which most fields stand."""
    places_of = {proposal.field: dict(proposal.slot.places) for proposal in proposals}
    filled = [sum(number in places for places in places_of.values()) for number in range(len(new.texts.tables))]
    order = sorted(range(len(filled)), key=lambda number: (-filled[number], number))[:most]
    marked = []
    for number in order:
        table = new.texts.tables[number]
        for proposal in proposals:
            row = places_of[proposal.field].get(number)
            if row is not None:
                place = table.xpath(row)
                marked.append((Annotation(urls[number], proposal.field, table.texts[row], place), proposal.confidence))
    return marked


def rules_of_proposals(identity: str, proposals: Sequence[FieldProposal], new: SiteView) -> RuleSet:
    """Rules as if a person had confirmed the proposals on a few pages, or on more where those do not find the rest."""
    rules_of = {proposal.field: _field_rules(proposal, new) for proposal in proposals}
    learnt = tuple(rules for rules in rules_of.values() if rules is not None)
    return RuleSet(identity, learnt, tuple(field for field, rules in rules_of.items() if rules is None))


def _field_rules(proposal: FieldProposal, new: SiteView) -> FieldRules | None:
    best: tuple[float, FieldRules] | None = None
    for most in MARKED_PAGES:
        rules = learn_field(proposal.field, _marked_pages(proposal, new, most))
        share = 0.0 if rules is None else _agreement(rules, proposal, new)
        if rules is not None and (best is None or share > best[0]):
            best = share, rules
        if share >= AGREED:
            break
    return None if best is None else best[1]


def _marked_pages(proposal: FieldProposal, new: SiteView, most: int) -> list[MarkedPage]:
    """Pages evenly taken of those that fill the slot, marked; and others beside them."""
    places = proposal.slot.places
    marked = dict(places[:: max(len(places) // most, 1)][:most])
    rest = [
        number for number, table in enumerate(new.texts.tables) if number not in marked and len(table) <= MOST_TEXTS
    ]
    tables = new.texts.tables
    marks = [
        MarkedPage(tables[number], (Mark(tables[number].texts[row], tables[number].xpath(row)),))
        for number, row in marked.items()
    ]
    return marks + [MarkedPage(tables[number]) for number in rest[: max(LOOKED_AT - most, 0)]]


def _agreement(rules: FieldRules, proposal: FieldProposal, new: SiteView) -> float:
    """Share of the slot's texts that the rules find."""
    pairs = [(rules.values(new.texts.tables[number]), number, row) for number, row in proposal.slot.some_places]
    right = sum(values[:1] == [new.texts.tables[number].texts[row]] for values, number, row in pairs)
    return right / max(len(pairs), 1)
