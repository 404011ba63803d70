"""Pages that are both wanted and not wanted: shown, and asked about; until then what was said last counts.

Trails, answers to questions and checks are all kept as trails, so a contradiction is two trails about one goal that end on one page. What was
said of pages of a run whose goal was not taught is kept with the run alone: it is held against other answers, and against what was taught since.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from trailmark.datatypes import Trail
from trailmark.learn.label_space import GOAL
from trailmark.learn.taught_goals import told_apart, told_of
from trailmark.report import Report
from trailmark.store.kept_view import KeptView
from trailmark.store.trail_table import KeptTrail
from trailmark.verbs.kept_things import kept_things
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
    wanted_answers: tuple[str, ...] = ()
    """Answers about runs that say it is, where no trail was kept of them."""
    unwanted_answers: tuple[str, ...] = ()
    """Answers about runs that say it is not."""

    def __str__(self) -> str:
        word = {True: "wanted", False: "not wanted"}
        sides = [_sides(self.wanted, self.wanted_answers), _sides(self.unwanted, self.unwanted_answers)]
        trails, answers = (self.unwanted, self.unwanted_answers) if self.counts else (self.wanted, self.wanted_answers)
        forget = [
            *([f"trailmark teach --forget {' '.join(map(str, trails))}"] if trails else []),
            *([f"trailmark check --forget {' '.join(answers)}"] if answers else []),
        ]
        return (
            f"{self.url} was said to be wanted as '{self.goal}' ({sides[0]}) and not to be ({sides[1]}). "
            f"Until you settle it, what was said last counts: {word[self.counts]} ({self.said}). "
            f"If that is right: {' and '.join(forget)}; to be asked: trailmark teach --settle"
        )


def _sides(trails: Sequence[int], answers: Sequence[str]) -> str:
    named = [*([f"trail {', '.join(map(str, trails))}"] if trails else [])]
    return " and ".join([*named, *([f"answer {', '.join(answers)}"] if answers else [])])


def contradictions(workspace: Workspace) -> list[Contradiction]:
    """A workspace -> pages that are both wanted and not wanted, in the order in which they were first taught; then those of answers alone."""
    kept = workspace.database.kept_trails()
    taught = [_contradiction(goal, url, [kept[at] for at in places]) for (goal, url), places in _both(kept)]
    return [*taught, *_of_answers(workspace, kept, {(each.goal, each.url) for each in taught})]


def _of_answers(
    workspace: Workspace, kept: Sequence[KeptTrail], known: Collection[tuple[str, str]]
) -> Iterator[Contradiction]:
    """Pages of which answers about runs say the other of each other, or of what was taught."""
    said: dict[tuple[str, str], list[_Word]] = {}
    for goal, url, number, answer, asked_by, at in KeptView(workspace.database).answers_about():
        said.setdefault((goal or GOAL, url), []).append(_Word(at, answer, asked_by, answer_id=number))
    taught = told_of([each.trail for each in kept]) if said else {}
    for (goal, url), words in said.items():
        trails = [kept[at] for at in taught.get((goal, url), ())]
        every = [
            *(_Word(each.added_at, each.trail.outcome == "goal", each.source, trail=each.id) for each in trails),
            *words,
        ]
        if (goal, url) not in known and len({word.wanted for word in every}) > 1:
            yield _of_words(goal, url, every)


class _Word(NamedTuple):
    """What was said of a page."""

    at: str
    wanted: bool
    source: str
    trail: int = 0
    answer_id: str = ""


def _of_words(goal: str, url: str, words: Sequence[_Word]) -> Contradiction:
    last = max(words, key=lambda word: word.at)

    def trails(*, wanted: bool) -> tuple[int, ...]:
        return tuple(word.trail for word in words if word.trail and word.wanted == wanted)

    def answers(*, wanted: bool) -> tuple[str, ...]:
        return tuple(word.answer_id for word in words if word.answer_id and word.wanted == wanted)

    return Contradiction(
        url,
        goal,
        trails(wanted=True),
        trails(wanted=False),
        last.wanted,
        f"{Path(last.source).name}, {last.at[:16].replace('T', ' ')}",
        answers(wanted=True),
        answers(wanted=False),
    )


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
    """A contradiction, and what is right -> the number of the act by which what says otherwise was forgotten."""
    from trailmark.verbs.forget import forget

    trails, answers = (
        (contradiction.unwanted, contradiction.unwanted_answers)
        if wanted
        else (contradiction.wanted, contradiction.wanted_answers)
    )
    act = workspace.acts.act("settle", f"Settled: {contradiction.url} is {'wanted' if wanted else 'not wanted'}")
    with act.part():
        if trails:
            forget(workspace, "trails", trails)
        left = {thing.id for thing in kept_things(workspace, "answers").things}  # some go with their trails
        if still := [each for each in answers if each in left]:
            forget(workspace, "answers", still)
    return act.id


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
