"""One page to its records: which rules are its own, and what they find. No disk, and nothing that a page holds makes it raise."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from trailmark.cluster import KnownCluster, assign, sign_page, site_of
from trailmark.datatypes import Record, Response
from trailmark.read import parse_html
from trailmark.settings import ClusterSettings, WrapSettings
from trailmark.wrap import NodeTable, RuleSet, rules_from_json

_log = logging.getLogger(__name__)
Outcome = Literal["records", "empty", "borrowed", "none", "failed"]
"""Records by the page's own rules; nothing found by them; records by rules of its site's other clusters; no rules; it went wrong."""


@dataclass(frozen=True, slots=True)
class Lifted:
    """What became of a page."""

    outcome: Outcome
    records: tuple[Record, ...] = ()
    rules: str = ""
    """The cluster whose rules were applied."""
    note: str = ""
    """What went wrong."""


class Matcher:
    """Which cluster a page belongs to (Vertex, section IV-A): by URL regex, then by signature, then by importance.

    Departures: a page that was clustered stays where it was put; where no URL regex matches, all clusters of the site are
    compared (a regex is as narrow as the pages that were seen); likeness of tag paths is looked at beside the signature.
    """

    def __init__(self, clusters: Sequence[KnownCluster], settings: ClusterSettings) -> None:
        self.settings = settings
        self.by_url = {url: each.cluster.id for each in clusters for url in each.cluster.pages}
        self.by_site: dict[str, list[KnownCluster]] = {}
        for each in clusters:
            self.by_site.setdefault(each.cluster.site, []).append(each)

    def of_site(self, url: str, rules: Mapping[str, RuleSet]) -> list[RuleSet]:
        """Rules of the clusters of the page's site, those of the largest first."""
        return [rules[each.cluster.id] for each in self.by_site.get(site_of(url), ()) if each.cluster.id in rules]

    def cluster_of(self, url: str, root: Any) -> str | None:
        if url in self.by_url:
            return self.by_url[url]
        site = self.by_site.get(site_of(url), [])
        matching = [each for each in site if each.cluster.url_pattern and _matches(each.cluster.url_pattern, url)]
        candidates = matching or site
        if not candidates:
            return None
        found = assign(sign_page(root), [each.template for each in candidates], self.settings)
        return None if found is None else candidates[found].cluster.id


def _matches(pattern: str, url: str) -> bool:
    try:
        return re.fullmatch(pattern, url) is not None
    except re.error:
        return False


class Lifter:
    """Rules and clusters made ready; one page after the other goes through."""

    def __init__(self, rules: Iterable[RuleSet], matcher: Matcher, settings: WrapSettings) -> None:
        self.rules = {each.id: each for each in rules}
        self.matcher, self.settings = matcher, settings

    def __call__(self, page: tuple[Response, str | None]) -> Lifted:
        """What the page gives; the second is the cluster it is known to be of."""
        response, known = page
        try:
            return self._lift(response, known)
        except Exception as error:  # noqa: BLE001 - a page must not end the run: it is counted and named
            _log.warning("%s could not be lifted", response.url, exc_info=True)
            return Lifted("failed", note=f"{type(error).__name__}: {error}"[:300])

    def _lift(self, response: Response, known: str | None) -> Lifted:
        nearby = self.matcher.of_site(response.url, self.rules)
        root = tree_of(response) if nearby or known in self.rules else None
        if root is None:
            return Lifted("none")
        name = known or self.matcher.cluster_of(response.url, root)
        table = NodeTable(root)
        if name in self.rules:
            found = self.rules[name].records(response.url, table, kind=self.settings.kind)
            return Lifted("records" if found else "empty", found, name)
        for rules in nearby if self.settings.borrow else ():
            found = rules.records(response.url, table, kind=self.settings.kind)
            fields = {field for record in found for field in record.fields}
            if found and len(fields) * 2 >= len(field_names(rules)):
                return Lifted("borrowed", found, rules.id)
        return Lifted("none")


def make_lifter(
    rules: Sequence[Any], clusters: Sequence[KnownCluster], cluster_settings: ClusterSettings, settings: WrapSettings
) -> Callable[[tuple[Response, str | None]], Lifted]:
    """A lifter from rules as JSON: their numbers hold in one process only, so each process makes its own."""
    sets = [rules_from_json(each, source="the rules") for each in rules]
    return Lifter(sets, Matcher(clusters, cluster_settings), settings)


def field_names(rules: RuleSet) -> list[str]:
    """Fields in the order of the rules; those that are found without rules of their own come last."""
    listed = () if rules.entries is None else (*rules.entries.whole, *(each.name for each in rules.entries.headings))
    said = (each.field for each in rules.structured)
    return list(dict.fromkeys([*(each.name for each in rules.fields), *listed, *said]))


def tree_of(response: Response) -> Any:
    """The page's tree; None where there is none."""
    return parse_html(response.body, response.header("content-type"))[0]
