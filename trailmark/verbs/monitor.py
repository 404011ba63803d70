"""The wiring of `trailmark monitor`: bellwethers visited again, what broke, what was mended, and the way back.

1. Golden extractions are taken from archived pages when the rules are learnt, or at the first run after that.
2. The bellwethers are visited, live or in archives; both tests of Vertex (section IV-B) are made for each cluster.
3. Pages of changed templates are grouped anew, and old rules are put to the field test there (IV-C); what fails is learnt again
   from golden values. Nothing is put to use before it is shown, unless `repair = "auto"` or `--repair` says so.
4. What was found is kept, and so is what was replaced.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from trailmark.monitor.breakage import Breakage, breakage_to_json, find_breakage
from trailmark.monitor.field_trait import FieldTrait, traits_of
from trailmark.monitor.repair import Repair
from trailmark.monitor.reuse import Candidate
from trailmark.progress import Progress, silent
from trailmark.store import monitor_table as table
from trailmark.verbs.monitor_repair import apply_repair, find_lenders, propose, refresh_goldens
from trailmark.verbs.monitor_report import cluster_report, seen_before, totals
from trailmark.verbs.monitor_visit import (
    Watched,
    annotations_by_page,
    take_goldens,
    visit_pages,
    watch,
)
from trailmark.workspace import Workspace
from trailmark.wrap import RuleSet

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class Tested:
    """A cluster after both tests."""

    watched: Watched
    traits: Mapping[str, FieldTrait]
    breakage: Breakage
    history: Sequence[table.KeptVisit]


def monitor(
    workspace: Workspace,
    archives: Sequence[Path] = (),
    *,
    repair: bool = False,
    progress: Progress = silent,
    now: datetime | None = None,
) -> dict[str, Any]:
    """Visit the bellwethers of every cluster that has rules; a report, which is kept too."""
    at = (now or datetime.now(UTC)).isoformat(timespec="seconds")
    rules = workspace.rules()
    goldens = take_goldens(workspace, rules, at=at)
    pages = visit_pages(workspace, sorted({g.url for each in goldens.values() for g in each}), archives, progress)
    known = {each.cluster.id: each for each in workspace.clusters()}
    told = annotations_by_page(workspace)
    watched = [watch(known[name], rules[name], each, pages, told, workspace) for name, each in goldens.items()]
    tested = [_test(each, workspace) for each in watched]
    lenders = find_lenders([(each.watched, each.breakage) for each in tested], workspace.settings.cluster)
    # Learning takes a while: it is done before anything is written, so that nobody has to wait.
    share = workspace.settings.monitor.field_share
    proposals = [
        propose(each.watched, each.breakage, each.traits, lenders.get(each.watched.id, []), rules, share=share)
        for each in progress(tested, "looking at clusters")
    ]
    apply = repair or workspace.settings.monitor.repair == "auto"
    with workspace.database.transaction() as connection:
        run = table.next_run(connection)
        reports = [
            _finish(each, proposal, lenders.get(each.watched.id, []), rules, workspace, run=run, at=at, apply=apply)
            for each, proposal in zip(tested, proposals, strict=True)
        ]
        if any(report["repair"] and report["repair"]["applied"] for report in reports):
            workspace.keep_rules(list(rules.values()))
    return {"run": run, "at": at, "clusters": reports, **totals(reports)}


def monitor_history(workspace: Workspace) -> dict[str, Any]:
    """What every run found, from the first to the last."""
    with workspace.database.plain_errors():
        visits = table.read_visits(workspace.database.connection)
    return {
        "visits": [
            {
                "run": each.run,
                "at": each.at,
                "cluster": each.cluster,
                "status": each.status,
                "broken": [field["field"] for field in each.report["fields"] if field["broken"]],
                "repaired": each.report["repaired"],
            }
            for each in visits
        ]
    }


def _test(watched: Watched, workspace: Workspace) -> Tested:
    settings = workspace.settings.monitor
    with workspace.database.plain_errors():
        history = table.read_visits(workspace.database.connection, watched.id)
    goldens = [visit.golden for visit in watched.visits]
    traits = traits_of(goldens, seen=seen_before(history), varying=settings.varying)
    breakage = find_breakage(
        watched.rules,
        watched.visits,
        traits,
        unreachable=watched.unreachable,
        template_share=settings.template_share,
        field_share=settings.field_share,
    )
    return Tested(watched, traits, breakage, history)


def _finish(
    tested: Tested,
    proposal: Repair | None,
    offered: Sequence[Candidate],
    rules: dict[str, RuleSet],
    workspace: Workspace,
    *,
    run: int,
    at: str,
    apply: bool,
) -> dict[str, Any]:
    """Put the repair to use, if it is to be, and keep what was found; the report on one cluster."""
    watched, breakage = tested.watched, tested.breakage
    # A page that says nothing any more has nothing to carry over: it may be an error page in a good page's dress.
    tested_fields = [each for each in breakage.fields if each.tested]
    used = proposal is not None and apply and len(proposal.left) < len(tested_fields)
    report = cluster_report(breakage, watched.rules, proposal, offered, tested.history, at=at, applied=used)
    if proposal is not None and used:
        rules[watched.id] = proposal.rules
        apply_repair(watched, proposal, breakage, workspace, at=at)
    elif breakage.status == "ok":
        refresh_goldens(watched, breakage, workspace, at=at)
    kept = {**breakage_to_json(breakage), "repaired": report["repaired"]}
    fields = ", ".join(breakage.broken)
    _log.info("%s: %s%s", watched.id, report["status"], f", no longer right: {fields}" if fields else "")
    with workspace.database.transaction() as connection:
        table.add_visit(connection, table.KeptVisit(run, at, watched.id, report["status"], kept))
    return report
