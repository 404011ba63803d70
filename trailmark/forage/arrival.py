"""What came for a link, and what was made of it."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.datatypes import Fetch, Page, Response
from trailmark.forage.missing_pages import Look
from trailmark.forage.queued_link import QueuedLink
from trailmark.forage.traps import gist_of
from trailmark.strategy import UNJUDGED, Judgement, Visit

SOFT_404 = Judgement("soft 404", False, 0.0)
"""Of a page that answers with 200 and says that it does not exist."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A page, or the reason why there is none."""

    response: Response | None = None
    page: Page | None = None
    visit: Visit | None = None
    """What the strategy made of the page, where it was read and shown to it: its links are worth following."""
    look: Look | None = None
    missing: bool = False
    failure: str = ""

    @property
    def judgement(self) -> Judgement:
        if self.visit is not None:
            return self.visit.judgement
        return SOFT_404 if self.missing else UNJUDGED

    @property
    def readable(self) -> bool:
        return self.response is not None and self.response.status == 200 and not self.missing

    def fetch(self, n: int, link: QueuedLink, *, site: str) -> Fetch:
        """The n-th fetch of a run."""
        page, response, judgement = self.page, self.response, self.judgement
        return Fetch(
            n=n,
            url=link.url,
            status=response.status if response is not None else 0,
            score=link.score,
            label=judgement.label,
            goal=judgement.goal,
            goal_probability=judgement.goal_probability,
            parent=link.parent or None,
            depth=link.depth,
            site=site,
            final_url=response.url if response is not None else "",
            parent_n=link.parent_n,
            content_hash=page.content_hash if page is not None else "",
            gist=gist_of(page) if page is not None and page.links else 0,
            failure=self.failure,
            sketch=self.look.packed() if self.look is not None else b"",
            missing=self.missing,
        )
