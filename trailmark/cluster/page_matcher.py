"""Which cluster a page belongs to (Vertex, section IV-A)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from trailmark.cluster.signature import sign_page
from trailmark.cluster.site_clusters import KnownCluster, site_of
from trailmark.cluster.template import assign
from trailmark.settings import ClusterSettings


class Matcher:
    """Clusters made ready to be asked for pages: by URL regex, then by signature, then by importance.

    Departures: a page that was clustered stays where it was put; where no URL regex matches, all clusters of the site are
    compared (a regex is as narrow as the pages that were seen); likeness of tag paths is looked at beside the signature.
    """

    def __init__(self, clusters: Sequence[KnownCluster], settings: ClusterSettings) -> None:
        self.settings = settings
        self.by_url = {url: known.cluster.id for known in clusters for url in known.cluster.pages}
        self.by_site: dict[str, list[KnownCluster]] = {}
        for known in clusters:
            self.by_site.setdefault(known.cluster.site, []).append(known)

    def of_site(self, url: str) -> Sequence[KnownCluster]:
        """A page's URL -> the clusters of its site, the largest first."""
        return self.by_site.get(site_of(url), ())

    def cluster_of(self, url: str, root: Any) -> str | None:
        """A page's URL and tree -> the cluster it belongs to; None where it is like none of its site's."""
        if url in self.by_url:
            return self.by_url[url]
        site = self.of_site(url)
        matching = [known for known in site if known.cluster.url_pattern and _matches(known.cluster.url_pattern, url)]
        candidates = matching or site
        if not candidates:
            return None
        number = assign(sign_page(root), [known.template for known in candidates], self.settings)
        return None if number is None else candidates[number].cluster.id


def _matches(pattern: str, url: str) -> bool:
    try:
        return re.fullmatch(pattern, url) is not None
    except re.error:
        return False
