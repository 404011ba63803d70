"""What is said of a cluster after its bellwethers were visited: in plain values, for people and for machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trailmark.monitor.breakage import Breakage, breakage_to_json
from trailmark.monitor.field_repair import FieldRepair
from trailmark.monitor.repair import Repair
from trailmark.monitor.reuse import Candidate
from trailmark.store.monitor_table import KeptVisit
from trailmark.wrap import RuleSet, rule_sentence, rule_xpath
from trailmark.wrap.rules.rule import FieldRules

STATUS_WORDS = {
    "ok": "all is well",
    "changed": "the template changed, and the rules still work",
    "reused": "the template changed, and the rules were kept for the new one",
    "repaired": "what broke was mended",
    "broken": "something no longer comes out right",
    "unreachable": "most of its pages could not be had",
}
"""What the state of a cluster means, for a person."""


def cluster_report(
    breakage: Breakage,
    rules: RuleSet,
    proposal: Repair | None,
    offered: Sequence[Candidate],
    history: Sequence[KeptVisit],
    *,
    at: str,
    applied: bool,
) -> dict[str, Any]:
    """One cluster: both tests, since when it is so, and what can be done."""
    report = breakage_to_json(breakage)
    for field in report["fields"]:
        field["since"], field["last_right"] = _since(history, field["field"], at) if field["broken"] else (None, None)
    repaired = [each.rules.name for each in proposal.repaired if not each.worn] if proposal else []
    left = [name for name in breakage.broken if name not in repaired]
    mended = applied and not left
    return {
        **report,
        "status": "repaired" if mended and repaired else "reused" if mended and proposal else breakage.status,
        "reused": [each.field for each in breakage.fields if not each.broken and each.tested] if proposal else [],
        "repaired": repaired if applied else [],
        "left": left,
        "repair": _repair(proposal, rules, offered, applied) if proposal else None,
    }


def _since(history: Sequence[KeptVisit], field: str, at: str) -> tuple[str, str | None]:
    """When the field was first seen broken without being right since, and when it was last seen right."""
    since = at
    for visit in reversed(history):
        kept = next((each for each in visit.report["fields"] if each["field"] == field), None)
        if kept is None or visit.status == "unreachable":
            continue
        if not kept["broken"] or field in visit.report["repaired"]:
            return since, visit.at
        since = visit.at
    return since, None


def seen_before(history: Sequence[KeptVisit]) -> dict[str, tuple[int, int]]:
    """Field -> values that stayed, and values compared, over the visits at which it was not broken."""
    seen: dict[str, tuple[int, int]] = {}
    for visit in history:
        for field in visit.report["fields"]:
            if not field["broken"]:
                stayed, compared = seen.get(field["field"], (0, 0))
                same, changed = (field["outcomes"].get(name, 0) for name in ("same", "changed"))
                seen[field["field"]] = stayed + same, compared + same + changed
    return seen


def totals(reports: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Over all clusters; `open` are those that want a person."""
    return {
        "watched": len(reports),
        "broken": sum(any(field["broken"] for field in each["fields"]) for each in reports),
        "changed": sum(each["template_changed"] for each in reports),
        "repaired": sum(bool(each["repaired"]) for each in reports),
        "open": [each["cluster"] for each in reports if each["status"] in ("broken", "unreachable")],
    }


def _repair(proposal: Repair, rules: RuleSet, offered: Sequence[Candidate], applied: bool) -> dict[str, Any]:
    old = {each.name: each for each in rules.fields}
    return {
        "applied": applied,
        "fields": [_field(each, old.get(each.rules.name)) for each in proposal.repaired],
        "candidates": [{"cluster": each.cluster, "match": each.match, "shared": each.shared} for each in offered],
    }


def _field(repair: FieldRepair, old: FieldRules | None) -> dict[str, Any]:
    return {
        "field": repair.rules.name,
        "source": repair.source,
        "before": repair.before,
        "after": repair.after,
        "worn": repair.worn,
        "held_out": repair.held_out,
        "old_rule": _said(old),
        "new_rule": _said(repair.rules),
        "differences": [
            {"url": each.url, "golden": list(each.golden), "old": list(each.old), "new": list(each.new)}
            for each in repair.differences
        ],
    }


def _said(rules: FieldRules | None) -> dict[str, str]:
    if rules is None or not rules.rules:
        return {"says": "", "xpath": ""}
    first = rules.rules[0]
    return {"says": rule_sentence(first, rules.layer), "xpath": rule_xpath(first, rules.layer)}
