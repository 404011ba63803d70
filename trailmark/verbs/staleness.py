"""What was made before something that it rests on changed: stale, not wrong. Each with the command that renews it.

A navigator is stale where other trails count for its goal than those that it was learnt from, rules where other values are marked,
records where the rules are others. What was made by a version that did not note it counts as fresh.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trailmark.datatypes import Annotation
from trailmark.learn.taught_goals import TaughtFor, taught_for, taught_goals
from trailmark.store.cluster_table import cluster_of_page
from trailmark.store.content_digest import content_digest
from trailmark.store.organised import Organised
from trailmark.store.record_table import count_other_rules
from trailmark.verbs.contradictions import counting_trails
from trailmark.verbs.thing_acts import FACT, acts_text, thing_acts
from trailmark.workspace import Workspace

_LEARNT, _WRAPPED = "learnt", "wrapped"
ORGANISE = "trailmark organise"


@dataclass(frozen=True, slots=True)
class StaleThing:
    """Something that was made before what it rests on changed."""

    what: str
    """What it is, for a person: `the navigator of 'course'`."""
    why: str
    renew: str
    """The command that renews it."""

    def __str__(self) -> str:
        return f"Stale: {self.what} ({self.why}). Renew: {self.renew}"


def stale_things(workspace: Workspace) -> tuple[StaleThing, ...]:
    """A workspace -> what is stale in it, in the order in which it is renewed."""
    return (*_navigators(workspace), *_rules(workspace), *_records(workspace), *_organised(workspace))


def note_learnt(workspace: Workspace, taught: TaughtFor) -> None:
    """Remember what a navigator was learnt from."""
    workspace.database.set_meta(f"{_LEARNT} {taught.goal}", json.dumps([len(taught.trails), _taught_digest(taught)]))


def note_wrapped(workspace: Workspace, annotations: Iterable[Annotation]) -> None:
    """Remember what rules were learnt from."""
    workspace.database.set_meta(_WRAPPED, json.dumps(_page_digests(annotations)))


def _navigators(workspace: Workspace) -> list[StaleThing]:
    trails = counting_trails(workspace)
    goals = set(taught_goals(trails))
    stale = []
    for goal in workspace.goals():
        kept = workspace.database.meta(f"{_LEARNT} {goal}")
        taught = taught_for(trails, goal)
        if goal not in goals:
            stale.append(
                StaleThing(f"the navigator of '{goal}'", "no trail leads to that goal any more", "trailmark learn")
            )
        elif kept is not None and json.loads(kept)[1] != _taught_digest(taught):
            why = _other_trails(json.loads(kept)[0], len(taught.trails))
            stale.append(StaleThing(f"the navigator of '{goal}'", why, "trailmark learn"))
    return stale


def _other_trails(before: int, now: int) -> str:
    if before == now:
        return f"of the {_trails(now)} that it was learnt from, or of those that it was told apart from, some are others now"
    return f"it was learnt from {_trails(before)}; now {_trails(now)} count"


def _trails(count: int) -> str:
    return f"{count} trail{'' if count == 1 else 's'}"


def _taught_digest(taught: TaughtFor) -> str:
    return content_digest(
        [
            [trail.site, trail.outcome, [[step.url, step.label, step.anchor] for step in trail.steps]]
            for trail in (*taught.trails, *taught.contrast)
        ]
    )


def _rules(workspace: Workspace) -> list[StaleThing]:
    kept = workspace.database.meta(_WRAPPED)
    if kept is None or not workspace.has_rules():
        return []
    before, now = json.loads(kept), _page_digests(workspace.database.annotations())
    pages = sorted(url for url in {*before, *now} if before.get(url) != now.get(url))
    if not pages:
        return []
    why = f"marks on {len(pages)} page{'' if len(pages) == 1 else 's'} changed since they were learnt"
    return [StaleThing(f"the rules of {_clusters(workspace, pages)}", why, "trailmark wrap")]


def _clusters(workspace: Workspace, pages: Sequence[str]) -> str:
    with workspace.database.snapshot() as connection:
        names = {cluster_of_page(connection, url) for url in pages}
    found = sorted(name for name in names if name is not None)
    return ", ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "") if found else "their pages"


def _page_digests(annotations: Iterable[Annotation]) -> dict[str, str]:
    pages: dict[str, list[list[str | None]]] = {}
    for mark in annotations:
        pages.setdefault(mark.url, []).append([mark.field, mark.value, mark.xpath])
    return {url: content_digest(sorted(marks, key=str))[:12] for url, marks in pages.items()}


def _records(workspace: Workspace) -> list[StaleThing]:
    from trailmark.verbs.page_run import rules_version

    if not workspace.has_rules() or not workspace.database.counts()["records"]:
        return []
    with workspace.database.snapshot() as connection:
        pages = count_other_rules(connection, rules_version(workspace))
    if not pages:
        return []
    why = f"{pages} page{'' if pages == 1 else 's'} of theirs {'was' if pages == 1 else 'were'} lifted by other rules than there are now"
    return [StaleThing("records", why, "trailmark extract")]


def _organised(workspace: Workspace) -> list[StaleThing]:
    """Things were hidden, made one or taken apart, or that was undone, since they were organised."""
    organised = Organised.open_to_read(workspace.folder, timeout=workspace.settings.store.busy_timeout)
    if organised is None:
        return []
    with organised:
        if organised.fact(FACT) == acts_text(thing_acts(workspace)):
            return []
    return [StaleThing("what was organised", "something was curated, or that was undone, since", ORGANISE)]
