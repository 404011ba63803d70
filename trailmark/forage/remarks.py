"""What the log says of pages that were left alone, failed or were taken for missing.

A site may show the same thing ten thousand times. The first time is worth a line to everybody; the others are counted in
the report, and told only to those who ask for every detail.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable

from trailmark.datatypes import SiteState
from trailmark.forage.pulse import Pulse
from trailmark.forage.scope import host_of
from trailmark.quoting import count_of

_log = logging.getLogger(__name__)
MOST_TOLD = 50_000
"""Kinds of remarks that are remembered; beyond, each is a detail."""


class Remarks:
    """The remarks of one run."""

    def __init__(self, pulse: Pulse | None = None) -> None:
        self._pulse = pulse
        self._told: set[tuple[str, str]] = set()

    def tell(self, site: str, what: str, url: str) -> None:
        """Note that `what` happened to a page of a site."""
        first = (site, what) not in self._told and len(self._told) < MOST_TOLD
        if first:
            self._told.add((site, what))
            if self._pulse is not None:
                self._pulse.remark("left alone" if what.startswith("left alone") else "remark", host_of(url), url, what)
        _log.log(logging.INFO if first else logging.DEBUG, "%s: %s (%s)", site, what, url)


def tell_ends(run: int, sites: Iterable[SiteState]) -> None:
    """Say how every site of a run ended."""
    for site in sites:
        ended = ", ".join(filter(None, (site.ended or "not ended", site.why)))
        counts = f"{count_of(site.pages, 'page')}, {count_of(site.goals, 'goal')}, {site.unsure} unsure"
        _log.info("run %d: %s: %s, %s", run, site.root, counts, ended)
