"""What is said of a cluster after its bellwethers were visited: for people and for machines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trailmark.monitor.field_repair import Difference, FieldRepair
from trailmark.monitor.field_verdict import Change, FieldVerdict
from trailmark.monitor.repair import Repair
from trailmark.monitor.reuse import Candidate
from trailmark.monitor.watched_cluster import JudgedCluster, PastVisit
from trailmark.report import Report
from trailmark.wrap import FieldRules, RuleSet, rule_sentence, rule_xpath

STATUS_WORDS = {
    "ok": "all is well",
    "changed": "the template changed, and the rules still work",
    "reused": "the template changed, and the rules were kept for the new one",
    "repaired": "what broke was mended",
    "broken": "something no longer comes out right",
    "unreachable": "most of its pages could not be had",
}
"""What the state of a cluster means, for a person."""


@dataclass(frozen=True, slots=True)
class FieldFinding:
    """A field on the bellwethers of a cluster, and since when it is so."""

    field: str
    broken: bool
    broken_share: float
    tested: int
    outcomes: Mapping[str, int]
    examples: tuple[Change, ...]
    since: str | None
    """When it was first seen broken without being right since."""
    last_right: str | None


@dataclass(frozen=True, slots=True)
class RuleWords:
    """A rule as a sentence and as an XPath."""

    says: str = ""
    xpath: str = ""


@dataclass(frozen=True, slots=True)
class FieldMending:
    """A field for which better rules were found; see `FieldRepair`."""

    field: str
    source: str
    before: float
    after: float
    worn: bool
    held_out: int
    old_rule: RuleWords
    new_rule: RuleWords
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class RepairFinding:
    """What can be done without a person, or was."""

    applied: bool
    fields: tuple[FieldMending, ...]
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class ClusterFinding(Report):
    """One cluster: both tests, since when it is so, and what can be done."""

    cluster: str
    status: str
    visited: int
    unreachable: tuple[str, ...]
    unlike: float
    template_changed: bool
    fields: tuple[FieldFinding, ...]
    reused: tuple[str, ...]
    repaired: tuple[str, ...]
    left: tuple[str, ...]
    """Fields for which values must be marked anew."""
    repair: RepairFinding | None

    @property
    def is_open(self) -> bool:
        """Whether somebody must see to it."""
        return self.status in ("broken", "unreachable")


def find_cluster_state(
    judged: JudgedCluster, proposal: Repair | None, offered: Sequence[Candidate], *, at: str, applied: bool
) -> ClusterFinding:
    """A cluster after both tests, and what is proposed -> all that is said of it; `applied` where the proposal is put to use."""
    breakage = judged.breakage
    repaired = [repair.rules.name for repair in proposal.repaired if not repair.worn] if proposal else []
    left = tuple(name for name in breakage.broken if name not in repaired)
    mended = applied and not left
    passing = [field.field for field in breakage.fields if not field.broken and field.tested]
    return ClusterFinding(
        breakage.cluster,
        "repaired" if mended and repaired else "reused" if mended and proposal else breakage.status,
        breakage.visited,
        breakage.unreachable,
        round(breakage.unlike, 4),
        breakage.template_changed,
        tuple(_field(verdict, judged.history, at) for verdict in breakage.fields),
        reused=tuple(passing if proposal else ()),
        repaired=tuple(repaired if applied else ()),
        left=left,
        repair=_repair(proposal, judged.watched.rules, offered, applied) if proposal else None,
    )


def _field(verdict: FieldVerdict, history: Sequence[PastVisit], at: str) -> FieldFinding:
    since, last_right = _since(history, verdict.field, at) if verdict.broken else (None, None)
    return FieldFinding(
        verdict.field,
        verdict.broken,
        round(verdict.broken_share, 4),
        verdict.tested,
        verdict.counts,
        verdict.changes,
        since,
        last_right,
    )


def _since(history: Sequence[PastVisit], field: str, at: str) -> tuple[str, str | None]:
    """When the field was first seen broken without being right since, and when it was last seen right."""
    since = at
    for visit in reversed(history):
        past = next((past for past in visit.fields if past.field == field), None)
        if past is None or visit.status == "unreachable":
            continue
        if not past.broken or field in visit.repaired:
            return since, visit.at
        since = visit.at
    return since, None


def _repair(proposal: Repair, rules: RuleSet, offered: Iterable[Candidate], applied: bool) -> RepairFinding:
    old = {field.name: field for field in rules.fields}
    fields = tuple(_mending(repair, old.get(repair.rules.name)) for repair in proposal.repaired)
    return RepairFinding(applied, fields, tuple(offered))


def _mending(repair: FieldRepair, old: FieldRules | None) -> FieldMending:
    return FieldMending(
        repair.rules.name,
        repair.source,
        repair.before,
        repair.after,
        repair.worn,
        repair.held_out,
        _first_rule(old),
        _first_rule(repair.rules),
        repair.differences,
    )


def _first_rule(rules: FieldRules | None) -> RuleWords:
    if rules is None or not rules.rules:
        return RuleWords()
    first = rules.rules[0]
    return RuleWords(rule_sentence(first, rules.layer), rule_xpath(first, rules.layer))
