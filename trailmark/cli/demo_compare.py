"""The demo's comparison: `forage` with one strategy after the other, on the same sites with the same few fetches.

The generated web knows its goals, so what is counted is true goals, not what a strategy takes for one.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from trailmark.cli.printing import Printer
from trailmark.demo import DemoWeb
from trailmark.forage.harvest_picture import harvest_picture
from trailmark.verbs.forage import forage
from trailmark.workspace import Workspace

COMPARED = ("path", "focused", "future", "context", "breadth")
BUDGET = 60
"""Fetches that each site is given."""
PARTS = (0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Walk:
    """One strategy's fetches: how many fetches into its site each was, and the goal page that it brought first, if any."""

    turns: Sequence[int]
    goals: Sequence[str | None]

    def found(self, part: float) -> int:
        """Goals found while every site had used up to this part of its budget."""
        return sum(goal is not None for turn, goal in zip(self.turns, self.goals, strict=True) if turn <= part * BUDGET)

    def in_turns(self) -> list[bool]:
        """Whether each fetch brought a goal, the first fetch of every site before the second of any."""
        ordered = sorted(zip(self.turns, self.goals, strict=True), key=lambda fetch: fetch[0])
        return [goal is not None for _, goal in ordered]


def compare(out: Path, web: DemoWeb, archive: Path, taught: int, goal: str, printer: Printer) -> dict[str, Any]:
    """Every strategy on all sites that were not taught, from the archive: a table, a plot, and the share of goals found by each."""
    roots = [web.root(number) for number in range(taught, web.sites)]
    truth = {url for number in range(taught, web.sites) for url in web.site(number).goals(goal)}
    walks = _walks(out, roots, archive, truth, printer)
    rows = [(name, *(walk.found(part) / len(truth) for part in PARTS)) for name, walk in walks.items()]
    title = f"Share of the {len(truth)} goals found on {len(roots)} sites it was not taught on"
    printer.table(title, ["strategy", *(f"at {part:.0%}" for part in PARTS)], rows)
    printer.say(f"   'at 25%' is after a quarter of the {BUDGET} fetches that each site is given.")
    picture = out / "goals-found.png"
    harvest_picture({name: walk.in_turns() for name, walk in walks.items()}).savefig(picture, dpi=110)
    return {"found": {name: share for name, *_, share in rows}, "picture": str(picture)}


def _walks(out: Path, roots: Sequence[str], archive: Path, truth: Collection[str], printer: Printer) -> dict[str, Walk]:
    """Strategy -> its walk. The walks have a copy of the workspace, so that their pages and runs do not stay in it."""
    walks = {}
    with TemporaryDirectory(dir=out, prefix="compare-") as scratch:
        copy = shutil.copytree(out / "workspace", Path(scratch) / "workspace")
        for name in printer.progress(COMPARED, "walking"):
            log = Path(scratch) / f"{name}.jsonl"
            with Workspace.open(copy) as workspace:
                forage(workspace, roots, archives=[archive], strategy=name, scope="host", site_budget=BUDGET, log=log)
            walks[name] = _read_walk(log.read_text(encoding="utf-8").splitlines(), truth)
    return walks


def _read_walk(lines: Iterable[str], truth: Collection[str]) -> Walk:
    """The walk that a log of `forage` tells, in fetch order."""
    turns, goals = [], []
    counts: Counter[str] = Counter()
    waiting = set(truth)
    for fetch in map(json.loads, lines):
        counts[fetch["site"]] += 1
        turns.append(counts[fetch["site"]])
        goals.append(fetch["url"] if fetch["url"] in waiting else None)
        waiting.discard(fetch["url"])
    return Walk(turns, goals)
