"""What `teach` reports: how many trails, or marked values, were kept, and which lines were left out."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trailmark.quoting import count_of
from trailmark.report import Json, Report
from trailmark.teach import Problem
from trailmark.verbs.contradictions import Contradiction

_log = logging.getLogger(__name__)
MOST_LOGGED = 50
"""Lines left out that are named in the log."""


@dataclass(frozen=True, slots=True)
class TeachReport(Report):
    """How many were new, how many known already, and what was left out for which reason."""

    kind: Literal["trails", "annotations"]
    """What was taught."""
    new: int
    known_already: int
    problems: tuple[Problem, ...] = ()
    sites: tuple[str, ...] = ()
    """First pages of the sites that the trails are on; marked values have none."""
    contradictions: tuple[Contradiction, ...] = ()
    """Pages of these trails that are both wanted and not wanted now."""

    @property
    def good(self) -> int:
        """Those that could be used, new or not."""
        return self.new + self.known_already

    @property
    def summary(self) -> str:
        """One line for a person."""
        again = f" {self.known_already} known already." if self.known_already else ""
        left_out = f" {len(self.problems)} left out." if self.problems else ""
        return f"Imported {count_of(self.new, self.kind.removesuffix('s'))}.{again}{left_out}"

    def __str__(self) -> str:
        return self.summary

    def to_json(self) -> dict[str, Json]:
        """What `--json` prints: the number of new ones stands under the name of what was taught."""
        problems: list[Json] = [{"file": p.source, "line": p.line, "reason": p.reason} for p in self.problems]
        counts: dict[str, Json] = {self.kind: self.new, "known_already": self.known_already, "good": self.good}
        sites: dict[str, Json] = {"sites": list(self.sites)} if self.kind == "trails" else {}
        both: dict[str, Json] = {"contradictions": [each.to_json() for each in self.contradictions]}
        return {**counts, "problems": problems, "summary": self.summary, **sites, **(both if sites else {})}


def teach_report(
    kind: Literal["trails", "annotations"],
    new: int,
    known: int,
    problems: Sequence[Problem],
    sites: Sequence[str] = (),
    both: Sequence[Contradiction] = (),
) -> TeachReport:
    """Counts and problems -> the report; what is left out goes to the log too."""
    for problem in problems[:MOST_LOGGED]:
        _log.warning("%s, line %d is left out: %s", problem.source, problem.line, problem.reason)
    return TeachReport(kind, new, known, tuple(problems), tuple(sites), tuple(both))


def joined(reports: Sequence[TeachReport]) -> TeachReport:
    """Several reports on trails -> one, as if they had been taught together."""
    return TeachReport(
        "trails",
        sum(report.new for report in reports),
        sum(report.known_already for report in reports),
        tuple(problem for report in reports for problem in report.problems),
        tuple(sorted({site for report in reports for site in report.sites})),
        tuple(dict.fromkeys(each for report in reports for each in report.contradictions)),
    )
