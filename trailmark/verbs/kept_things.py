"""`--list`: what a workspace keeps of a kind, each with the number by which it is changed or forgotten.

trails     teach --list             what was shown
marks      teach --list --marks     values that were marked on pages
answers    check --list             what was said of the pages of runs
runs       forage --list            walks over sites
rules      wrap --list              what was learnt of marks, by cluster
records    extract --list           what was lifted off pages
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from trailmark.errors import InputError
from trailmark.learn.taught_goals import goal_of
from trailmark.quoting import count_of
from trailmark.report import Report
from trailmark.store.kept_view import KeptView
from trailmark.store.trail_table import KeptTrail
from trailmark.verbs.runs import all_runs
from trailmark.workspace import Workspace

Kind = Literal["trails", "marks", "answers", "runs", "rules", "records"]
KINDS: tuple[Kind, ...] = ("trails", "marks", "answers", "runs", "rules", "records")
ONE: Mapping[Kind, str] = {
    "trails": "trail",
    "marks": "mark",
    "answers": "answer",
    "runs": "run",
    "rules": "rule set",
    "records": "record",
}
FORGET: Mapping[Kind, str] = {
    "trails": "teach --forget",
    "marks": "teach --marks --forget",
    "answers": "check --forget",
    "runs": "forage --forget",
    "rules": "wrap --forget",
    "records": "extract --forget",
}
"""How each kind is forgotten on the command line."""
MOST = 1_000_000
WANTED = {True: "wanted", False: "not wanted"}


@dataclass(frozen=True, slots=True)
class KeptThing:
    """Something that a workspace keeps."""

    id: str
    says: str
    """What it says, in a few words."""
    url: str
    """The page that it speaks of."""
    at: str
    """When it came."""
    source: str
    """Where it came from."""


@dataclass(frozen=True, slots=True)
class KeptReport(Report):
    """All of one kind, in the order in which they came."""

    kind: Kind
    things: tuple[KeptThing, ...]

    @property
    def summary(self) -> str:
        """One line for a person."""
        if not self.things:
            return f"There are no {self.kind if self.kind != 'rules' else 'rules'} yet."
        return f"{counted(len(self.things), self.kind)}. To take one back: trailmark {FORGET[self.kind]} {self.things[-1].id}"


def counted(count: int, kind: Kind) -> str:
    """How many of a kind, in words."""
    many = "rule sets" if kind == "rules" else kind
    return f"{count} {ONE[kind] if count == 1 else many}"


def kept_things(workspace: Workspace, kind: Kind) -> KeptReport:
    """A kind of things -> all that the workspace keeps of it, each with its number."""
    return KeptReport(kind, tuple(_LISTS[kind](workspace)))


def find_things(workspace: Workspace, kind: Kind, ids: list[str]) -> list[KeptThing]:
    """Numbers -> the things, each once; InputError where one is not there."""
    things = {thing.id: thing for thing in kept_things(workspace, kind).things}
    for each in ids:
        if each not in things:
            listed = FORGET[kind].replace("--forget", "--list")
            raise InputError(
                f"There is no {ONE[kind]} {each} in {workspace.folder}; trailmark {listed} lists them with their numbers."
            )
    return [things[each] for each in dict.fromkeys(ids)]


def trail_words(kept: KeptTrail) -> str:
    """A trail -> what it says of its last page."""
    goal = goal_of(kept.trail)
    about = f" ({', '.join(kept.trail.about)})" if kept.trail.about else ""
    return f"wanted ({goal})" if goal is not None else f"not wanted{about}"


def _trails(workspace: Workspace) -> Iterator[KeptThing]:
    for kept in workspace.database.kept_trails():
        source = f"{kept.source}, line {kept.line}" if kept.line else kept.source
        yield KeptThing(str(kept.id), trail_words(kept), kept.trail.steps[-1].url, kept.added_at, source)


def _marks(workspace: Workspace) -> Iterator[KeptThing]:
    for number, mark, source, at in KeptView(workspace.database).marks():
        says = f"{mark.field}: {mark.value}" if mark.value is not None else f"{mark.field}: not on this page"
        yield KeptThing(str(number), says, mark.url, at, source)


def _answers(workspace: Workspace) -> Iterator[KeptThing]:
    for run, n, url, answer, source, at in KeptView(workspace.database).answers():
        yield KeptThing(f"{run}/{n}", WANTED[answer], url, at, source)


def _runs(workspace: Workspace) -> Iterator[KeptThing]:
    for run in reversed(all_runs(workspace, MOST)):
        says = f"{count_of(run.pages, 'page')} fetched, {count_of(run.goals, 'called goal')}, {run.unsure} unsure"
        yield KeptThing(str(run.id), says, run.seeds[0] if run.seeds else "", run.started_at, run.strategy)


def _rules(workspace: Workspace) -> Iterator[KeptThing]:
    rules = workspace.rules() if workspace.has_rules() else {}
    for name, rule_set in sorted(rules.items()):
        fields = ", ".join(
            dict.fromkeys([*(each.name for each in rule_set.fields), *(each.field for each in rule_set.structured)])
        )
        yield KeptThing(name, fields or ("a list" if rule_set.entries else "nothing"), "", rule_set.repaired, "wrap")


def _records(workspace: Workspace) -> Iterator[KeptThing]:
    for number, record, at in KeptView(workspace.database).records():
        says = "; ".join(f"{name}: {', '.join(values)}" for name, values in record.fields.items())
        yield KeptThing(str(number), says, record.url, at, record.made_by)


_LISTS: Mapping[Kind, Callable[[Workspace], Iterator[KeptThing]]] = {
    "trails": _trails,
    "marks": _marks,
    "answers": _answers,
    "runs": _runs,
    "rules": _rules,
    "records": _records,
}
