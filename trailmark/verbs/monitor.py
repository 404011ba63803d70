"""`monitor`: bellwethers visited again, what broke, what was mended, and the way back.

1. Golden extractions are taken from archived pages when the rules are learnt, or at the first run after that.
2. The bellwethers are visited, live or in archives; both tests of Vertex (section IV-B) are made for each cluster.
3. Pages of changed templates are grouped anew, and old rules are put to the field test there (IV-C); what fails is learnt again
   from golden values. Nothing is put to use before it is shown, unless `repair = "auto"` or `--repair` says so.
4. What was found is kept, and so is what was replaced: `roll_back` puts it back.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from trailmark.datatypes import Response
from trailmark.errors import FetchError, InputError
from trailmark.monitor.bellwether import Golden, golden_to_json, lift, rules_digest
from trailmark.monitor.breakage import breakage_to_json
from trailmark.monitor.carried_rules import find_lenders, goldens_after, is_usable, propose_for, template_after
from trailmark.monitor.cluster_finding import ClusterFinding, find_cluster_state
from trailmark.monitor.monitor_report import HistoryReport, MonitorReport, RollbackReport
from trailmark.monitor.repair import Repair
from trailmark.monitor.reuse import Candidate
from trailmark.monitor.watched_cluster import JudgedCluster, judge_cluster, past_visit, watch
from trailmark.progress import Progress, silent
from trailmark.store import monitor_table as table
from trailmark.store.archive_names import path_named
from trailmark.store.replay import Replay
from trailmark.verbs.golden_pages import annotations_by_page, take_goldens
from trailmark.workspace import Workspace
from trailmark.wrap import RuleSet, rules_from_json, rules_to_json

_log = logging.getLogger(__name__)


def monitor(
    workspace: Workspace,
    archives: Sequence[str | Path] = (),
    *,
    repair: bool = False,
    progress: Progress = silent,
    now: datetime | None = None,
) -> MonitorReport:
    """Visit the bellwethers of every cluster that has rules, in the archives or live -> what was found, which is kept too."""
    at = _moment(now)
    rules = workspace.rules()
    goldens = take_goldens(workspace, rules, at=at)
    urls = sorted({golden.url for of_cluster in goldens.values() for golden in of_cluster})
    responses = _visit_pages(workspace, urls, [path_named(archive) for archive in archives], progress)
    judged = _judge_all(workspace, rules, goldens, responses)
    lenders = find_lenders(judged, workspace.settings.cluster)
    # Learning takes a while: it is done before anything is written, so that nobody has to wait.
    share = workspace.settings.monitor.field_share
    proposals = [
        propose_for(cluster, lenders.get(cluster.watched.id, []), rules, share=share)
        for cluster in progress(judged, "looking at clusters")
    ]
    apply = repair or workspace.settings.monitor.repair == "auto"
    with workspace.database.transaction() as connection:
        run = table.next_run(connection)
        findings = tuple(
            _finish(
                workspace, cluster, proposal, lenders.get(cluster.watched.id, []), rules, run=run, at=at, apply=apply
            )
            for cluster, proposal in zip(judged, proposals, strict=True)
        )
        if any(finding.repair and finding.repair.applied for finding in findings):
            workspace.keep_rules(list(rules.values()))
    return MonitorReport(run, at, findings)


def monitor_history(workspace: Workspace, cluster: str | None = None) -> HistoryReport:
    """What every run found in all clusters, or in one, from the first to the last."""
    with workspace.database.snapshot() as connection:
        rows = table.read_visits(connection, cluster)
    return HistoryReport(tuple(past_visit(row.run, row.at, row.cluster, row.status, row.report) for row in rows))


def roll_back(workspace: Workspace, cluster: str, *, now: datetime | None = None) -> RollbackReport:
    """Put back the rules, the template and the golden extractions that the last repair of the cluster replaced."""
    at = _moment(now)
    rules = workspace.rules()
    with workspace.database.transaction() as connection:
        version = table.take_version(connection, cluster)
        if version is None:
            raise InputError(f"There is nothing to go back to for the cluster '{cluster}': it was not repaired.")
        old = rules_from_json(version["rules"], source=f"the earlier version of {cluster}")
        table.set_template(connection, cluster, signature=version["signature"], template=version["template"])
        table.write_bellwethers(connection, cluster, rules=rules_digest(old), at=at, goldens=version["goldens"])
        workspace.keep_rules(list({**rules, cluster: old}.values()))
    _log.info("%s: back to the rules of before %s", cluster, version["at"])
    return RollbackReport(cluster, at, version["at"], tuple(field.name for field in old.fields))


def _moment(now: datetime | None) -> str:
    return (now or datetime.now(UTC)).isoformat(timespec="seconds")


def _visit_pages(
    workspace: Workspace, urls: Sequence[str], archives: Sequence[Path], progress: Progress
) -> Mapping[str, Response]:
    """The pages as they are now: from the archives given, and from nowhere else; without any from the network."""
    settings = workspace.settings
    if archives:
        with Replay(archives, max_redirects=settings.forage.max_redirects, settings=settings.store) as replay:
            return {url: replay.fetch(url) for url in progress(urls, "visiting bellwethers")}
    from trailmark.forage import fetch_pages

    responses: dict[str, Response] = {}
    bar = progress(urls, "visiting bellwethers")
    next(bar, None)

    def keep(url: str, response: Response) -> None:
        responses[url] = response
        next(bar, None)

    def miss(url: str, error: FetchError) -> None:
        del url, error
        next(bar, None)

    fetch_pages(urls, settings.forage, on_response=keep, on_failure=miss)
    return responses


def _judge_all(
    workspace: Workspace,
    rules: Mapping[str, RuleSet],
    goldens: Mapping[str, Sequence[Golden]],
    responses: Mapping[str, Response],
) -> list[JudgedCluster]:
    """Each cluster that has golden extractions, after both tests."""
    known = {cluster.cluster.id: cluster for cluster in workspace.clusters()}
    marks, settings = annotations_by_page(workspace), workspace.settings
    return [
        judge_cluster(
            watch(known[name], rules[name], of_cluster, responses, marks, settings.cluster),
            monitor_history(workspace, name).visits,
            settings.monitor,
        )
        for name, of_cluster in goldens.items()
    ]


def _finish(
    workspace: Workspace,
    judged: JudgedCluster,
    proposal: Repair | None,
    offered: Sequence[Candidate],
    rules: dict[str, RuleSet],
    *,
    run: int,
    at: str,
    apply: bool,
) -> ClusterFinding:
    """Put the repair to use, if it is to be, and keep what was found."""
    watched, breakage = judged.watched, judged.breakage
    used = proposal is not None and apply and is_usable(judged, proposal)
    finding = find_cluster_state(judged, proposal, offered, at=at, applied=used)
    if proposal is not None and used:
        mended = replace(proposal.rules, learnt_from=watched.rules.learnt_from, repaired=at)
        proposal = replace(proposal, rules=mended)
        rules[watched.id] = mended
        _apply_repair(workspace, judged, proposal, at=at)
    elif breakage.status == "ok":
        _refresh_goldens(workspace, judged, at=at)
    fields = ", ".join(breakage.broken)
    _log.info("%s: %s%s", watched.id, finding.status, f", no longer right: {fields}" if fields else "")
    report = {**breakage_to_json(breakage), "repaired": list(finding.repaired)}
    with workspace.database.transaction() as connection:
        table.add_visit(connection, table.KeptVisit(run, at, watched.id, finding.status, report))
    return finding


def _apply_repair(workspace: Workspace, judged: JudgedCluster, proposal: Repair, *, at: str) -> None:
    """Keep what is replaced; then the new template, the new golden extractions, and (by the caller) the new rules."""
    watched, breakage = judged.watched, judged.breakage
    cluster, template = watched.known.cluster, watched.known.template
    old = {
        "at": at,
        "rules": rules_to_json(watched.rules),
        "signature": cluster.signature,
        "template": template.to_json(),
        "goldens": [golden_to_json(visit.golden) for visit in watched.visits],
    }
    rows = [golden_to_json(golden) for golden in goldens_after(watched, proposal)]
    with workspace.database.transaction() as connection:
        table.add_version(connection, watched.id, at=at, version=old)
        if breakage.template_changed:
            new = template_after(watched, workspace.settings.cluster)
            signature = new.signatures[0] if new.signatures else ""
            table.set_template(connection, watched.id, signature=signature, template=new.to_json())
        table.write_bellwethers(connection, watched.id, rules=rules_digest(proposal.rules), at=at, goldens=rows)
    _log.info("%s: repaired; what was broken: %s", watched.id, ", ".join(breakage.broken) or "the template")


def _refresh_goldens(workspace: Workspace, judged: JudgedCluster, *, at: str) -> None:
    """While all is well, values that changed by themselves become golden: old ones that nobody prints say nothing."""
    watched = judged.watched
    if not any(field.counts.get("changed") for field in judged.breakage.fields):
        return
    visited = {visit.golden.url for visit in watched.visits}
    fresh = [lift(watched.rules, visit.golden.url, visit.table) for visit in watched.visits]
    rows = [golden_to_json(golden) for golden in fresh if golden.records]
    with workspace.database.transaction() as connection:
        digest, stored = table.read_bellwethers(connection, watched.id)
        others = [row for row in stored if row["url"] not in visited]
        table.write_bellwethers(connection, watched.id, rules=digest, at=at, goldens=[*others, *rows])
