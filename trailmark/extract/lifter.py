"""One page to its records: which rules are its own, and what they find. No disk, and nothing that a page holds makes it raise."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from trailmark.cluster import KnownCluster, Matcher
from trailmark.datatypes import Record, Response
from trailmark.read import tree_of
from trailmark.settings import ClusterSettings, WrapSettings
from trailmark.wrap import NodeTable, RuleSet

_log = logging.getLogger(__name__)
Outcome = Literal["records", "empty", "borrowed", "none", "unasked", "failed"]
"""Records by the page's own rules; nothing found by them; records by rules of its site's other clusters; no rules; nobody wants it; it went wrong."""
LiftingTask = tuple[Response, str | None, bool]
"""A page, the cluster it is known to be of, and whether it is wanted whatever its cluster is."""


@dataclass(frozen=True, slots=True)
class LiftedPage:
    """What became of a page."""

    outcome: Outcome
    records: tuple[Record, ...] = ()
    rules: str = ""
    """The cluster whose rules were applied."""
    note: str = ""
    """What went wrong."""


class Lifter:
    """Rules and clusters made ready; one page after the other goes through."""

    def __init__(
        self, rules: Iterable[RuleSet], matcher: Matcher, settings: WrapSettings, groups: frozenset[str]
    ) -> None:
        """`groups` are the clusters whose pages are wanted, besides those that are wanted by themselves."""
        self.rules = {rule.id: rule for rule in rules}
        self.matcher, self.settings, self.groups = matcher, settings, groups

    def __call__(self, page: LiftingTask) -> LiftedPage:
        """What the page gives."""
        response, known, asked = page
        try:
            return self._lift(response, known, asked=asked)
        except Exception as error:  # noqa: BLE001 - a page must not end the run: it is counted and named
            _log.warning("%s could not be lifted", response.url, exc_info=True)
            return LiftedPage("failed", note=f"{type(error).__name__}: {error}"[:300])

    def _lift(self, response: Response, known: str | None, *, asked: bool) -> LiftedPage:
        names = [known.cluster.id for known in self.matcher.of_site(response.url)]
        nearby = [self.rules[name] for name in names if name in self.rules]
        root = tree_of(response) if nearby or known in self.rules else None
        if root is None:
            return LiftedPage("none")
        name = known or self.matcher.cluster_of(response.url, root)
        if not asked and name not in self.groups:
            return LiftedPage("unasked")
        table = NodeTable(root)
        if name in self.rules:
            records = self.rules[name].records(response.url, table, kind=self.settings.kind)
            return LiftedPage("records" if records else "empty", records, name)
        for rules in nearby if self.settings.borrow else ():
            records = rules.records(response.url, table, kind=self.settings.kind)
            fields = {field for record in records for field in record.fields}
            if records and len(fields) * 2 >= len(field_names(rules)):
                return LiftedPage("borrowed", tuple(replace(record, borrowed=True) for record in records), rules.id)
        return LiftedPage("none")


def make_lifter(
    rules: Sequence[RuleSet],
    clusters: Sequence[KnownCluster],
    cluster_settings: ClusterSettings,
    settings: WrapSettings,
    groups: frozenset[str],
) -> Callable[[LiftingTask], LiftedPage]:
    """Rules and clusters -> a lifter; each process of a crew makes its own."""
    return Lifter(rules, Matcher(clusters, cluster_settings), settings, groups)


def field_names(rules: RuleSet) -> list[str]:
    """Fields in the order of the rules; those that are found without rules of their own come last."""
    listed = (
        () if rules.entries is None else (*rules.entries.whole, *(heading.name for heading in rules.entries.headings))
    )
    structured = (rule.field for rule in rules.structured)
    return list(dict.fromkeys([*(field.name for field in rules.fields), *listed, *structured]))
