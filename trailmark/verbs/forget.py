"""`forget`: things that a workspace keeps -> gone, with what hangs on them said first; an act in the journal, so that it can be undone.

Nothing that was learnt is rewritten by it: navigators, rules and records that rest on what is gone become stale, and `status` names the
command that renews them. Archives stay as they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from trailmark.datatypes import Annotation, Outcome, Trail
from trailmark.errors import InputError
from trailmark.forage.settled_run import settle_run
from trailmark.learn.label_space import GOAL
from trailmark.learn.taught_goals import goal_of
from trailmark.report import Report
from trailmark.store.act_table import RECORDS, RULES, RUNS, TAUGHT
from trailmark.store.content_digest import content_digest
from trailmark.store.forgotten_table import forget_rules
from trailmark.store.kept_view import KeptView
from trailmark.store.run_table import RunTable
from trailmark.verbs.kept_things import KINDS, ONE, KeptThing, Kind, counted, find_things
from trailmark.verbs.resting import resting
from trailmark.workspace import Workspace, rule_digest

Sure = Callable[[Sequence[KeptThing], Sequence[str]], bool]
"""Told what is to go and what hangs on it, says whether to do it."""
LONGEST = 80


@dataclass(frozen=True, slots=True)
class ForgetReport(Report):
    """What was taken back, and what rested on it."""

    kind: Kind
    forgotten: tuple[KeptThing, ...]
    resting: tuple[str, ...]
    """Sentences on what rested on it."""
    act: int | None
    """Its number in the journal; None where nothing was done."""

    @property
    def summary(self) -> str:
        """One line for a person."""
        if self.act is None:
            return "Nothing was changed."
        return f"Forgot {counted(len(self.forgotten), self.kind)}. To have it back: trailmark undo {self.act}"


def forget(workspace: Workspace, kind: Kind, ids: Sequence[object], *, sure: Sure | None = None) -> ForgetReport:
    """A kind (`trails`, `marks`, `answers`, `runs`, `rules`, `records`) and numbers -> what was forgotten; `trailmark.undo` brings it back.

    `sure(things, resting)` is asked first, where it is given: False leaves everything as it is.
    """
    if kind not in KINDS:
        raise InputError(f"There is no kind '{kind}' of things; choose from {', '.join(KINDS)}.")
    things = find_things(workspace, kind, [str(each) for each in ids])
    hanging = resting(workspace, kind, things)
    if not things or (sure is not None and not sure(things, hanging)):
        return ForgetReport(kind, (), tuple(hanging), None)
    act = workspace.acts.act("forget", _what(kind, things), _TABLES[kind])
    with act.part():
        find_things(workspace, kind, [thing.id for thing in things])  # somebody else may have been faster
        _FORGET[kind](workspace, things)
    return ForgetReport(kind, tuple(things), tuple(hanging), act.id)


def _what(kind: Kind, things: Sequence[KeptThing]) -> str:
    if len(things) > 1:
        return f"Forgot {counted(len(things), kind)}: {', '.join(thing.id for thing in things)}"[:LONGEST]
    thing = things[0]
    return f"Forgot {ONE[kind]} {thing.id}: {thing.says[:LONGEST]} {thing.url}".rstrip()


def change_trail(workspace: Workspace, number: object, *, wanted: bool | None = None, label: str | None = None) -> int:
    """The number of a trail, and another word on its last page, or another name for it -> the number of the act."""
    (thing,) = find_things(workspace, "trails", [str(number)])
    kept = next(each for each in workspace.database.kept_trails() if str(each.id) == thing.id)
    new = _changed(kept.trail, wanted=wanted, label=label)
    words = _WORDS[new.outcome] + (f" ({new.steps[-1].label})" if new.steps[-1].label else "")
    act = workspace.acts.act("change", f"Trail {thing.id} is {words} now: {thing.url}")
    with act.part():
        KeptView(workspace.database).change_trail(
            kept.id, outcome=new.outcome, label=new.steps[-1].label, about=json.dumps(list(new.about))
        )
        _answer_again(workspace, thing.url, wanted=new.outcome == "goal")
    return act.id


_WORDS = {"goal": "wanted", "fail": "not wanted"}


def _changed(trail: Trail, *, wanted: bool | None, label: str | None) -> Trail:
    """A trail with another outcome or name; one that is wanted no more fails the goal that it led to, and loses its name."""
    outcome: Outcome = trail.outcome if wanted is None else ("goal" if wanted else "fail")
    goal = goal_of(trail)
    turned_down = goal is not None and outcome == "fail"
    name = (label or None) if label is not None or turned_down else trail.steps[-1].label
    if outcome == "goal" and goal is None and label is None and trail.about and trail.about[0] != GOAL:
        name = trail.about[0]
    about = () if outcome == "goal" else ((goal,) if goal is not None else trail.about)
    return replace(trail, outcome=outcome, about=about, steps=(*trail.steps[:-1], replace(trail.steps[-1], label=name)))


def _answer_again(workspace: Workspace, url: str, *, wanted: bool) -> None:
    """Runs in which something was said of a page -> settled with what is said of it now."""
    rows = RunTable(workspace.database)
    for run, _, page, answer, asked_by, _ in list(KeptView(workspace.database).answers()):
        if page == url and answer != wanted:
            rows.add_answer(run, url, answer=wanted, asked_by=asked_by)
            settle_run(rows, run)


def change_answer(workspace: Workspace, number: str, *, wanted: bool) -> int:
    """The number of an answer, and the other answer -> the number of the act; the trail that it was kept as says so too."""
    from trailmark.verbs.check import keep_found_answer

    (thing,) = find_things(workspace, "answers", [number])
    run = int(thing.id.partition("/")[0])
    act = workspace.acts.act("change", f"{thing.url} is {'wanted' if wanted else 'not wanted'} now (run {run})")
    with act.part():
        _answers(workspace, [thing])
        keep_found_answer(workspace, run, thing.url, "goal" if wanted else "fail", ())
    return act.id


def change_mark(workspace: Workspace, number: object, *, field: str | None = None, value: str | None = None) -> int:
    """The number of a mark, and another field or value -> the number of the act. Another value is looked for anew in the page."""
    (thing,) = find_things(workspace, "marks", [str(number)])
    view = KeptView(workspace.database)
    old = next(mark for kept, mark, _, _ in view.marks() if str(kept) == thing.id)
    new = replace(old, field=field or old.field)
    if value is not None and value != old.value:
        new = replace(new, value=value, xpath=None)
    if any(mark == new for _, mark, _, _ in view.marks()):
        raise InputError(f"{new.url} has that mark already: {new.field}: {new.value}.")
    act = workspace.acts.act("change", f"Mark {thing.id} is {new.field}: {str(new.value)[:LONGEST]} now")
    with act.part():
        view.change_mark(int(thing.id), new, _mark_digest(new))
    return act.id


def _mark_digest(mark: Annotation) -> str:
    return content_digest(mark.url, mark.field, mark.value, mark.xpath)


# --- how each kind goes ------------------------------------------------------------------------------------------


def _numbers(things: Sequence[KeptThing]) -> list[int]:
    return [int(thing.id) for thing in things]


def _trails(workspace: Workspace, things: Sequence[KeptThing]) -> None:
    """Trails, and the answers about runs that they were kept with, unless another trail says the same."""
    KeptView(workspace.database).forget("trails", _numbers(things))
    left = {(kept.trail.steps[-1].url, kept.trail.outcome == "goal") for kept in workspace.database.kept_trails()}
    gone = {(thing.url, thing.says.startswith("wanted")) for thing in things} - left
    answers = list(KeptView(workspace.database).answers())
    _forget_answers(workspace, [(run, url) for run, _, url, said, *_ in answers if (url, said) in gone])


def _forget_answers(workspace: Workspace, answers: Sequence[tuple[int, str]]) -> None:
    KeptView(workspace.database).forget_answers(answers)
    rows = RunTable(workspace.database)
    for run in dict.fromkeys(run for run, _ in answers):
        settle_run(rows, run)


def _answers(workspace: Workspace, things: Sequence[KeptThing]) -> None:
    """Answers, and the trails that they were kept as."""
    from trailmark.verbs.ask import SOURCE as ASKED
    from trailmark.verbs.check import SOURCE as CHECKED

    said = {(thing.url, thing.says == "wanted") for thing in things}
    trails = [
        kept.id
        for kept in workspace.database.kept_trails()
        if kept.source in (ASKED, CHECKED) and (kept.trail.steps[-1].url, kept.trail.outcome == "goal") in said
    ]
    KeptView(workspace.database).forget("trails", trails)
    _forget_answers(workspace, [(int(thing.id.partition("/")[0]), thing.url) for thing in things])


def _marks(workspace: Workspace, things: Sequence[KeptThing]) -> None:
    KeptView(workspace.database).forget("annotations", _numbers(things))


def _runs(workspace: Workspace, things: Sequence[KeptThing]) -> None:
    KeptView(workspace.database).forget("runs", _numbers(things))


def _rules(workspace: Workspace, things: Sequence[KeptThing]) -> None:
    rules = workspace.rules()
    with workspace.database.transaction() as connection:
        for thing in things:
            forget_rules(connection, thing.id, rule_digest(rules[thing.id]))


def _records(workspace: Workspace, things: Sequence[KeptThing]) -> None:
    KeptView(workspace.database).forget_records(_numbers(things))


_FORGET: Mapping[Kind, Callable[[Workspace, Sequence[KeptThing]], None]] = {
    "trails": _trails,
    "marks": _marks,
    "answers": _answers,
    "runs": _runs,
    "rules": _rules,
    "records": _records,
}
_TABLES: Mapping[Kind, Sequence[str]] = {
    "trails": TAUGHT,
    "marks": TAUGHT,
    "answers": TAUGHT,
    "runs": RUNS,
    "rules": RULES,
    "records": RECORDS,
}
