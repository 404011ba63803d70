"""`status`: what the workspace holds, and what to do next."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from trailmark.errors import TrailmarkError
from trailmark.forage.check_report import CheckReport
from trailmark.quoting import count_of
from trailmark.report import Report
from trailmark.store.schema import MIGRATIONS
from trailmark.verbs.check import check_report
from trailmark.verbs.contradictions import contradictions
from trailmark.verbs.runs import RunReport, runs
from trailmark.verbs.staleness import StaleThing, stale_things
from trailmark.workspace import Workspace

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StatusReport(Report):
    """What a workspace holds."""

    workspace: str
    schema: int
    """Version of the layout of its database."""
    counts: Mapping[str, int]
    """How many pages, trails, steps, annotations, records and clusters there are."""
    labels: Mapping[str, int]
    """Labels that were taught, with how many steps bear each."""
    last_run: RunReport | None
    """The run of the forager that was begun last."""
    check: CheckReport | None
    """How many of the pages that it found are right, as far as that was measured."""
    stale: tuple[StaleThing, ...]
    """What was made before something that it rests on changed, with the command that renews it."""
    contradictions: int
    """Pages that are both wanted and not wanted."""
    next: str
    """What to do next, in a sentence."""
    data_set: Mapping[str, int] = field(default_factory=dict)
    """The data set of records that the settings name, with how many it holds; nothing where they name none, or it can't be read."""


def status(workspace: Workspace) -> StatusReport:
    """A workspace -> counts of what it holds, the labels that were taught, and the next step."""
    counts = workspace.database.counts()
    labels = Counter(step.label for trail in workspace.database.trails() for step in trail.steps if step.label)
    last = next(iter(runs(workspace, 1).runs), None)
    stale = stale_things(workspace)
    return StatusReport(
        workspace=str(workspace.folder),
        schema=len(MIGRATIONS),
        counts=counts,
        labels=dict(labels.most_common()),
        last_run=last,
        check=check_report(workspace, last.id) if last is not None else None,
        stale=stale,
        contradictions=len(contradictions(workspace)),
        next=_next_step(workspace, counts, last),
        data_set=_data_set(workspace),
    )


def _data_set(workspace: Workspace) -> Mapping[str, int]:
    """What is elsewhere does not keep anybody from seeing what is here: why it can't be read is logged."""
    named = workspace.settings.scale.records
    if not named:
        return {}
    from trailmark.verbs.data_sets import count_data_set

    try:
        return {named: count_data_set(named)}
    except TrailmarkError as error:
        _log.warning("%s", error)
        return {}


def _next_step(workspace: Workspace, counts: Mapping[str, int], last: RunReport | None) -> str:
    """Where the workspace stands on the way from clicks to records -> what comes next."""
    if not counts.get("trails"):
        return "Next: show it the way with trailmark teach TRAILS.jsonl (the format is in docs/reference/formats.md)."
    knows = f"It knows {count_of(counts['trails'], 'trail')}."
    if not workspace.goals():
        return f"{knows} Next: trailmark learn."
    if last is None:
        return f"{knows} It has learnt the way. Next: walk a site that it was not shown: trailmark forage URL"
    if not last.goals:
        return "The last run found nothing. Next: teach it more (trailmark teach --ask 10), or walk another site: trailmark forage URL"
    if not counts.get("clusters"):
        return "Next: group the pages by template: trailmark cluster"
    if not workspace.has_rules():
        return "Next: mark values on a page or two (trailmark serve, Annotate), then: trailmark wrap"
    if not counts.get("records"):
        return "Next: lift the records: trailmark extract"
    return f"It has {count_of(counts['records'], 'record')}. Next: take them elsewhere with trailmark export FILE, or watch the pages: trailmark monitor"
