"""What hangs on things that a person is about to take back, in sentences: said first, so that nobody is surprised."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from trailmark.learn.taught_goals import taught_for
from trailmark.quoting import count_of
from trailmark.store.cluster_table import cluster_of_page
from trailmark.store.kept_view import KeptView
from trailmark.verbs.kept_things import KeptThing, Kind
from trailmark.verbs.runs import find_run
from trailmark.workspace import Workspace, names_of
from trailmark.wrap import MAKER


def resting(workspace: Workspace, kind: Kind, things: Sequence[KeptThing]) -> list[str]:
    """Things of a kind -> sentences on what rests on them, and how to renew it."""
    return _RESTING[kind](workspace, things) if things else []


def _trails(workspace: Workspace, things: Sequence[KeptThing]) -> list[str]:
    numbers = {thing.id for thing in things}
    kept = workspace.database.kept_trails()
    every = [each.trail for each in kept]
    gone = [each.trail for each in kept if str(each.id) in numbers]
    goals = [goal for goal in workspace.goals() if any(trail in taught_for(every, goal).trails for trail in gone)]
    pages = {(thing.url, thing.says.startswith("wanted")) for thing in things}
    answers = sum((url, said) in pages for _, _, url, said, *_ in KeptView(workspace.database).answers())
    return [*_navigators(goals), *_answers_go(answers)]


def _navigators(goals: Sequence[str]) -> list[str]:
    if not goals:
        return []
    many = len(goals) > 1
    return [
        f"The navigator{'s' if many else ''} of {names_of(goals)} rest{'' if many else 's'} on it; learn again after: trailmark learn"
    ]


def _answers_go(count: int) -> list[str]:
    if not count:
        return []
    return [
        f"{count_of(count, 'answer', 'answers')} about pages of runs {'goes' if count == 1 else 'go'} with it; these runs are settled anew."
    ]


def _answers(workspace: Workspace, things: Sequence[KeptThing]) -> list[str]:
    runs = sorted({int(thing.id.partition("/")[0]) for thing in things})
    said = {(thing.url, thing.says == "wanted") for thing in things}
    kept = workspace.database.kept_trails()
    trails = [each for each in kept if (each.trail.steps[-1].url, each.trail.outcome == "goal") in said]
    every = [each.trail for each in kept]
    goals = [goal for goal in workspace.goals() if any(each.trail in taught_for(every, goal).trails for each in trails)]
    settled = f"The verdicts of run {', '.join(map(str, runs))} are settled anew without it."
    return [settled, *_navigators(goals)]


def _marks(workspace: Workspace, things: Sequence[KeptThing]) -> list[str]:
    rules = workspace.rules() if workspace.has_rules() else {}
    with workspace.database.snapshot() as connection:
        clusters = {cluster_of_page(connection, thing.url) for thing in things}
    found = sorted(name for name in clusters if name is not None and name in rules)
    if not found:
        return []
    return [
        f"The rules of {', '.join(found)} rest on it; learn them again after: trailmark wrap",
        *_lifted(workspace, found),
    ]


def _lifted(workspace: Workspace, clusters: Sequence[str]) -> list[str]:
    makers = {f"{MAKER}{name}" for name in clusters}
    count = sum(record.made_by in makers for record in workspace.database.records(maker=MAKER))
    return (
        [f"{count_of(count, 'record was', 'records were')} lifted by them; lift again after: trailmark extract"]
        if count
        else []
    )


def _runs(workspace: Workspace, things: Sequence[KeptThing]) -> list[str]:
    runs = [find_run(workspace, int(thing.id)) for thing in things]
    numbers = {run.id for run in runs}
    goals = sum(run.goals for run in runs)
    answers = sum(run in numbers for run, *_ in KeptView(workspace.database).answers())
    open_runs = [str(run.id) for run in runs if run.finished_at is None]
    return [
        f"{count_of(goals, 'page that it called a goal is', 'pages that it called goals are')} no longer listed; the archive keeps all that was fetched.",
        *(
            [
                f"{count_of(answers, 'answer', 'answers')} about its pages go{'es' if answers == 1 else ''} with it; what they taught stays."
            ]
            if answers
            else []
        ),
        *([f"Run {', '.join(open_runs)} has not ended: stop it first if it is under way."] if open_runs else []),
    ]


def _rules(workspace: Workspace, things: Sequence[KeptThing]) -> list[str]:
    return [
        *_lifted(workspace, [thing.id for thing in things]),
        "The marks that they were learnt from stay; trailmark wrap learns them again.",
    ]


def _records(workspace: Workspace, things: Sequence[KeptThing]) -> list[str]:
    del workspace, things
    return ["It stays away when records are lifted again, as long as it would say the same."]


_RESTING: Mapping[Kind, Callable[[Workspace, Sequence[KeptThing]], list[str]]] = {
    "trails": _trails,
    "marks": _marks,
    "answers": _answers,
    "runs": _runs,
    "rules": _rules,
    "records": _records,
}
