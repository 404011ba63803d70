"""Why a site ends: the rules, each with the name that the report gives it (PathLearner section 4.4.3 for `goal`).

empty         nothing of it is left to fetch
unreachable   nothing is left, and no page of it could be read
same          its root leads to the root of another site of the run, which has its pages
budget        its pages, or those of the whole run, are used up
score         its best link promises less than `min_score`
goal          a goal was found, and no link promises more than that goal's own probability
dry           no goal among its last pages
"""

from __future__ import annotations

from trailmark.forage.queued_link import QueuedLink
from trailmark.forage.site_queue import SiteQueue
from trailmark.settings import ForageSettings

REASONS = ("empty", "unreachable", "same", "budget", "score", "goal", "dry")


class StopRules:
    """The rules under the settings of a run; called before each fetch from a site."""

    def __init__(self, settings: ForageSettings) -> None:
        self._site_budget, self._min_score = settings.site_budget, settings.min_score
        self._single_goal, self._dry = settings.single_goal, settings.dry

    def __call__(self, site: SiteQueue, best: QueuedLink | None) -> str:
        if best is None:
            return "empty" if site.readable else "unreachable"
        if self._site_budget and site.taken >= self._site_budget:
            return "budget"
        if best.depth == 0:  # a seed has no score yet
            return ""
        if self._single_goal and site.goals and best.best <= site.goal_probability:
            return "goal"
        if self._dry and site.since_goal >= self._dry:
            return "dry"
        return "score" if best.score < self._min_score else ""
