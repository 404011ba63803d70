"""Changed templates: old rules reused, new ones learnt from golden values, and the way back. A part of the wiring of `trailmark monitor`."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from trailmark.cluster import Template, assign, group_pages
from trailmark.cluster.template import make_template
from trailmark.errors import InputError
from trailmark.monitor.bellwether import BellwetherVisit, Golden, golden_to_json, lift
from trailmark.monitor.breakage import Breakage
from trailmark.monitor.field_trait import FieldTrait
from trailmark.monitor.repair import Repair, propose_repair
from trailmark.monitor.reuse import Candidate, NewGroup, OldCluster, candidates
from trailmark.settings import ClusterSettings
from trailmark.store import monitor_table as table
from trailmark.verbs.monitor_visit import Watched, digest_of
from trailmark.workspace import Workspace
from trailmark.wrap import RuleSet, rules_from_json, rules_to_json

_log = logging.getLogger(__name__)


def roll_back(workspace: Workspace, cluster: str, *, now: datetime | None = None) -> dict[str, Any]:
    """Put back the rules, the template and the golden extractions that the last repair of the cluster replaced."""
    at = (now or datetime.now(UTC)).isoformat(timespec="seconds")
    rules = workspace.rules()
    with workspace.database.transaction() as connection:
        kept = table.take_version(connection, cluster)
        if kept is None:
            raise InputError(f"There is nothing to go back to for the cluster '{cluster}': it was not repaired.")
        old = rules_from_json(kept["rules"], source=f"the earlier version of {cluster}")
        table.set_template(connection, cluster, signature=kept["signature"], template=kept["template"])
        table.write_bellwethers(connection, cluster, rules=digest_of(old), at=at, goldens=kept["goldens"])
        workspace.keep_rules(list({**rules, cluster: old}.values()))
    _log.info("%s: back to the rules of before %s", cluster, kept["at"])
    return {"cluster": cluster, "at": at, "from": kept["at"], "fields": [each.name for each in old.fields]}


def find_lenders(tested: Sequence[tuple[Watched, Breakage]], settings: ClusterSettings) -> dict[str, list[Candidate]]:
    """Cluster -> the old clusters whose rules may serve its pages as they are now, by the groups they fall into (IV-C)."""
    found: dict[str, list[Candidate]] = {}
    sites = {each.known.cluster.site for each, breakage in tested if breakage.template_changed}
    for site in sorted(sites):
        changed = [each for each, b in tested if each.known.cluster.site == site and b.template_changed]
        old = [_old(each) for each, _ in tested if each.known.cluster.site == site]
        templates = {each.id: each.known.template for each, _ in tested}

        def matches(cluster: OldCluster, page: Any, templates: dict[str, Template] = templates) -> bool:
            return assign(page, [templates[cluster.id]], settings) is not None

        for group in _groups(changed, settings):
            offered = candidates(group, old, matches)
            for each in changed:
                if each.signatures.keys() & group.pages.keys():
                    found.setdefault(each.id, []).extend(offered)
    return found


def _groups(changed: Sequence[Watched], settings: ClusterSettings) -> list[NewGroup]:
    pages = {url: signature for each in changed for url, signature in each.signatures.items()}
    urls = list(pages)
    groups = group_pages([pages[url] for url in urls], settings)
    pairs = zip(groups.templates, groups.pages, strict=True)
    return [NewGroup(frozenset(t.signatures), {urls[n]: pages[urls[n]] for n in members}) for t, members in pairs]


def _old(watched: Watched) -> OldCluster:
    cluster, template = watched.known.cluster, watched.known.template
    return OldCluster(cluster.id, frozenset(template.signatures), frozenset(cluster.pages), template.importance)


def propose(
    watched: Watched,
    breakage: Breakage,
    traits: Mapping[str, FieldTrait],
    offered: Sequence[Candidate],
    rules: Mapping[str, RuleSet],
    *,
    share: float,
) -> Repair | None:
    """What can be done without a person; None where nothing need be or can be."""
    if breakage.status not in ("broken", "changed"):
        return None
    lent = [rules[name] for name in dict.fromkeys(each.cluster for each in offered) if name != watched.id]
    return propose_repair(watched.rules, watched.visits, traits, broken=breakage.broken, share=share, lenders=lent)


def apply_repair(watched: Watched, proposal: Repair, breakage: Breakage, workspace: Workspace, *, at: str) -> None:
    """Keep what is replaced; then the new template, the new golden extractions, and (by the caller) the new rules."""
    cluster, template = watched.known.cluster, watched.known.template
    old = {
        "at": at,
        "rules": rules_to_json(watched.rules),
        "signature": cluster.signature,
        "template": template.to_json(),
        "goldens": [golden_to_json(visit.golden) for visit in watched.visits],
    }
    fresh = [_new_golden(visit, proposal) for visit in watched.visits]
    made = [golden_to_json(golden) for golden in fresh if golden.records]
    with workspace.database.transaction() as connection:
        table.add_version(connection, watched.id, at=at, kept=old)
        if breakage.template_changed:
            new = _new_template(watched, workspace)
            signature = new.signatures[0] if new.signatures else ""
            table.set_template(connection, watched.id, signature=signature, template=new.to_json())
        table.write_bellwethers(connection, watched.id, rules=digest_of(proposal.rules), at=at, goldens=made)
    _log.info("%s: repaired; what was broken: %s", watched.id, ", ".join(breakage.broken) or "the template")


def _new_golden(visit: BellwetherVisit, proposal: Repair) -> Golden:
    """What the new rules lift; fields that could not be mended keep what is known of them."""
    fresh = lift(proposal.rules, visit.golden.url, visit.table)
    if not proposal.left:
        return fresh
    if len(visit.golden.records) > 1 or len(fresh.records) > 1:  # entries of a list can't be told from one another
        return visit.golden
    right = {name: values for name, values in fresh.fields.items() if name not in proposal.left}
    known = {name: values for name, values in visit.golden.fields.items() if name in proposal.left}
    return Golden(visit.golden.url, ({**right, **known},))


def _new_template(watched: Watched, workspace: Workspace) -> Template:
    """What the bellwethers look like now; its weight and, where they still hold, its title words are the old ones'."""
    old = watched.known.template
    pages = list(watched.signatures.values())
    marks = dict.fromkeys(s for t in group_pages(pages, workspace.settings.cluster).templates for s in t.signatures)
    conditions = old.conditions if all(map(old.admits, pages)) else ()
    return make_template(pages, list(marks), old.importance, conditions)


def refresh_goldens(watched: Watched, breakage: Breakage, workspace: Workspace, *, at: str) -> None:
    """While all is well, values that changed by themselves become golden: old ones that nobody prints say nothing."""
    if not any(each.counts.get("changed") for each in breakage.fields):
        return
    fresh = [lift(watched.rules, visit.golden.url, visit.table) for visit in watched.visits]
    visited = {visit.golden.url for visit in watched.visits}
    with workspace.database.transaction() as connection:
        digest, kept = table.read_bellwethers(connection, watched.id)
        others = [one for one in kept if one["url"] not in visited]
        made = [golden_to_json(golden) for golden in fresh if golden.records]
        table.write_bellwethers(connection, watched.id, rules=digest, at=at, goldens=[*others, *made])
