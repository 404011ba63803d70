"""Pages that are both wanted and not wanted: shown, and asked about; until then what was said last counts.

Trails, answers to questions and checks are all kept as trails, so a contradiction is two trails about one goal that end on one page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.datatypes import Trail
from trailmark.learn.taught_goals import told_apart
from trailmark.report import Report
from trailmark.store.trail_table import KeptTrail
from trailmark.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Contradiction(Report):
    """A page that was said to be wanted and not to be."""

    url: str
    goal: str
    wanted: tuple[int, ...]
    """Trails that say it is."""
    unwanted: tuple[int, ...]
    """Trails that say it is not."""
    counts: bool
    """What was said last, which counts until it is settled: wanted or not."""
    said: str
    """Where that was said, and when."""

    def __str__(self) -> str:
        word = {True: "wanted", False: "not wanted"}
        losers = self.unwanted if self.counts else self.wanted
        return (
            f"{self.url} was said to be wanted as '{self.goal}' (trail {_numbers(self.wanted)}) and not to be (trail {_numbers(self.unwanted)}). "
            f"Until you settle it, what was said last counts: {word[self.counts]} ({self.said}). "
            f"If that is right: trailmark teach --forget {' '.join(map(str, losers))}; to be asked: trailmark teach --settle"
        )


def _numbers(trails: Sequence[int]) -> str:
    return ", ".join(map(str, trails))


def contradictions(workspace: Workspace) -> list[Contradiction]:
    """A workspace -> pages that are both wanted and not wanted, in the order in which they were first taught."""
    kept = workspace.database.kept_trails()
    return [_contradiction(goal, url, [kept[at] for at in places]) for (goal, url), places in _both(kept)]


def counting_trails(workspace: Workspace) -> list[Trail]:
    """A workspace -> the trails that count, in the order of teaching: where two contradict each other, what was said last."""
    kept = workspace.database.kept_trails()
    out = {
        at
        for _, places in _both(kept)
        for at in places
        if kept[at].trail.outcome != _last([kept[at] for at in places]).trail.outcome
    }
    return [each.trail for at, each in enumerate(kept) if at not in out]


def settle(workspace: Workspace, contradiction: Contradiction, *, wanted: bool) -> int:
    """A contradiction, and what is right -> the number of the act by which the trails that say otherwise were forgotten."""
    from trailmark.verbs.forget import forget

    report = forget(workspace, "trails", contradiction.unwanted if wanted else contradiction.wanted)
    assert report.act is not None
    return report.act


def settle_all(workspace: Workspace, answer_to: Callable[[Contradiction], bool | None]) -> int:
    """Who answers (None: skip) -> how many contradictions were settled."""
    settled = 0
    for each in contradictions(workspace):
        answer = answer_to(each)
        if answer is not None:
            settle(workspace, each, wanted=answer)
            settled += 1
    return settled


def _both(kept: Sequence[KeptTrail]) -> list[tuple[tuple[str, str], list[int]]]:
    return told_apart([each.trail for each in kept])


def _last(trails: Sequence[KeptTrail]) -> KeptTrail:
    return max(trails, key=lambda each: each.told)


def _contradiction(goal: str, url: str, trails: Sequence[KeptTrail]) -> Contradiction:
    last = _last(trails)
    said = (
        f"{Path(last.source).name}{f', line {last.line}' if last.line else ''}, {last.added_at[:16].replace('T', ' ')}"
    )
    return Contradiction(
        url,
        goal,
        tuple(each.id for each in trails if each.trail.outcome == "goal"),
        tuple(each.id for each in trails if each.trail.outcome == "fail"),
        last.trail.outcome == "goal",
        said,
    )
