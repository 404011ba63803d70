"""A changed template: which old rules serve it, what is proposed, and what is golden and typical once the proposal is in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from trailmark.cluster import Signature, Template, assign, group_pages
from trailmark.cluster.template import make_template
from trailmark.monitor.bellwether import BellwetherVisit, Golden, lift
from trailmark.monitor.repair import Repair, propose_repair
from trailmark.monitor.reuse import Candidate, NewGroup, OldCluster, candidates
from trailmark.monitor.watched_cluster import JudgedCluster, WatchedCluster
from trailmark.settings import ClusterSettings
from trailmark.wrap import RuleSet


def find_lenders(judged: Sequence[JudgedCluster], settings: ClusterSettings) -> dict[str, list[Candidate]]:
    """Clusters after both tests -> cluster -> the old clusters whose rules may serve its pages as they are now (IV-C)."""
    lenders: dict[str, list[Candidate]] = {}
    templates = {cluster.watched.id: cluster.watched.known.template for cluster in judged}

    def matches(old: OldCluster, page: Signature) -> bool:
        return assign(page, [templates[old.id]], settings) is not None

    for site in sorted({cluster.watched.site for cluster in judged if cluster.breakage.template_changed}):
        of_site = [cluster for cluster in judged if cluster.watched.site == site]
        changed = [cluster.watched for cluster in of_site if cluster.breakage.template_changed]
        old = [_old(cluster.watched) for cluster in of_site]
        for group in _groups(changed, settings):
            offered = candidates(group, old, matches)
            for watched in changed:
                if watched.signatures.keys() & group.pages.keys():
                    lenders.setdefault(watched.id, []).extend(offered)
    return lenders


def _groups(changed: Sequence[WatchedCluster], settings: ClusterSettings) -> list[NewGroup]:
    """The pages of changed clusters, grouped by what they look like now."""
    pages = {url: signature for watched in changed for url, signature in watched.signatures.items()}
    urls = list(pages)
    groups = group_pages([pages[url] for url in urls], settings)
    pairs = zip(groups.templates, groups.pages, strict=True)
    return [NewGroup(frozenset(t.signatures), {urls[n]: pages[urls[n]] for n in members}) for t, members in pairs]


def _old(watched: WatchedCluster) -> OldCluster:
    cluster, template = watched.known.cluster, watched.known.template
    return OldCluster(cluster.id, frozenset(template.signatures), frozenset(cluster.pages), template.importance)


def propose_for(
    judged: JudgedCluster, offered: Sequence[Candidate], rules: Mapping[str, RuleSet], *, share: float
) -> Repair | None:
    """A cluster after both tests -> what can be done without a person; None where nothing need be or can be."""
    watched, breakage = judged.watched, judged.breakage
    if breakage.status not in ("broken", "changed"):
        return None
    names = dict.fromkeys(candidate.cluster for candidate in offered)
    lent = [rules[name] for name in names if name != watched.id]
    return propose_repair(
        watched.rules, watched.visits, judged.traits, broken=breakage.broken, share=share, lenders=lent
    )


def is_usable(judged: JudgedCluster, proposal: Repair) -> bool:
    """Whether anything is carried over: a page that says nothing any more may be an error page in a good page's dress."""
    return len(proposal.left) < sum(1 for field in judged.breakage.fields if field.tested)


def goldens_after(watched: WatchedCluster, proposal: Repair) -> list[Golden]:
    """What is golden once the proposed rules are in use."""
    return [golden for visit in watched.visits if (golden := _new_golden(visit, proposal)).records]


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


def template_after(watched: WatchedCluster, settings: ClusterSettings) -> Template:
    """What the bellwethers look like now; its weight and, where they still hold, its title words are the old ones'."""
    old = watched.known.template
    pages = list(watched.signatures.values())
    marks = dict.fromkeys(s for t in group_pages(pages, settings).templates for s in t.signatures)
    conditions = old.conditions if all(map(old.admits, pages)) else ()
    return make_template(pages, list(marks), old.importance, conditions)
