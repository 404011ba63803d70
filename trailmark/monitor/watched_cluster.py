"""A cluster under watch: its bellwethers as they are now, and what the tests of earlier visits said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trailmark.cluster import KnownCluster, Signature, assign, sign_page
from trailmark.datatypes import Annotation, Response
from trailmark.monitor.bellwether import BellwetherVisit, Golden
from trailmark.monitor.breakage import Breakage, find_breakage
from trailmark.monitor.field_trait import FieldTrait, traits_of
from trailmark.read import tree_of
from trailmark.settings import ClusterSettings, MonitorSettings
from trailmark.wrap import NodeTable, RuleSet


@dataclass(frozen=True, slots=True, eq=False)
class WatchedCluster:
    """A cluster, its rules, and its bellwethers as they are now."""

    known: KnownCluster
    rules: RuleSet
    visits: tuple[BellwetherVisit, ...]
    signatures: Mapping[str, Signature]
    unreachable: tuple[str, ...]

    @property
    def id(self) -> str:
        return self.known.cluster.id

    @property
    def site(self) -> str:
        return self.known.cluster.site


def watch(
    known: KnownCluster,
    rules: RuleSet,
    goldens: Iterable[Golden],
    responses: Mapping[str, Response],
    marks: Mapping[str, tuple[Annotation, ...]],
    settings: ClusterSettings,
) -> WatchedCluster:
    """Golden extractions and the responses of today, by URL -> the cluster with its bellwethers seen again."""
    visits: list[BellwetherVisit] = []
    signatures: dict[str, Signature] = {}
    unreachable: list[str] = []
    for golden in goldens:
        response = responses.get(golden.url)
        root = tree_of(response) if response is not None and response.status == 200 else None
        if root is None:
            unreachable.append(golden.url)
            continue
        signature = signatures[golden.url] = sign_page(root)
        matched = assign(signature, [known.template], settings) is not None
        visits.append(BellwetherVisit(golden, NodeTable(root), matched, marks.get(golden.url, ())))
    return WatchedCluster(known, rules, tuple(visits), signatures, tuple(unreachable))


@dataclass(frozen=True, slots=True)
class PastField:
    """What a visit said of a field."""

    field: str
    broken: bool
    outcomes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PastVisit:
    """What an earlier run found in a cluster."""

    run: int
    at: str
    cluster: str
    status: str
    fields: tuple[PastField, ...]
    repaired: tuple[str, ...]

    @property
    def broken(self) -> tuple[str, ...]:
        """Fields that no longer came out right."""
        return tuple(field.field for field in self.fields if field.broken)


def past_visit(run: int, at: str, cluster: str, status: str, report: Mapping[str, Any]) -> PastVisit:
    """A visit as it was kept (`breakage_to_json`, and what was repaired) -> the same, typed."""
    fields = tuple(PastField(field["field"], field["broken"], field["outcomes"]) for field in report["fields"])
    return PastVisit(run, at, cluster, status, fields, tuple(report["repaired"]))


@dataclass(frozen=True, slots=True, eq=False)
class JudgedCluster:
    """A cluster after both tests."""

    watched: WatchedCluster
    traits: Mapping[str, FieldTrait]
    breakage: Breakage
    history: tuple[PastVisit, ...]


def judge_cluster(watched: WatchedCluster, history: Sequence[PastVisit], settings: MonitorSettings) -> JudgedCluster:
    """A cluster with its bellwethers, and what earlier visits found -> what broke, if anything."""
    goldens = [visit.golden for visit in watched.visits]
    traits = traits_of(goldens, seen=_seen_before(history), varying=settings.varying)
    breakage = find_breakage(
        watched.rules,
        watched.visits,
        traits,
        unreachable=watched.unreachable,
        template_share=settings.template_share,
        field_share=settings.field_share,
    )
    return JudgedCluster(watched, traits, breakage, tuple(history))


def _seen_before(history: Iterable[PastVisit]) -> dict[str, tuple[int, int]]:
    """Field -> values that stayed, and values compared, over the visits at which it was not broken."""
    seen: dict[str, tuple[int, int]] = {}
    for visit in history:
        for field in visit.fields:
            if not field.broken:
                stayed, compared = seen.get(field.field, (0, 0))
                same, changed = (field.outcomes.get(name, 0) for name in ("same", "changed"))
                seen[field.field] = stayed + same, compared + same + changed
    return seen
