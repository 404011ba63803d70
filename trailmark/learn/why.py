"""Why a page or a link is taken for what it is, as it is reported: the strongest reasons, and the others as one sum."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trailmark.learn.explanation import Explanation, Reason, Term
from trailmark.report import Json, Report

MOST_REASONS = 12
"""Parts of an explanation that are reported; the rest is summed up in one."""


@dataclass(frozen=True)
class LinkScore(Report):
    """A link with its score."""

    url: str
    anchor: str
    score: float


@dataclass(frozen=True)
class LinkWhy(Report):
    """A link with its score, and why it got it."""

    url: str
    anchor: str
    score: float
    label: str
    """The kind of page that it most likely leads to."""
    chance: float
    terms: tuple[Term, ...]
    """Shares of the score, one a label."""
    log_odds: float
    why: tuple[Reason, ...]
    """Parts of the log-odds."""

    def to_json(self) -> dict[str, Json]:
        """Each term with the value that it adds."""
        terms: list[Json] = [
            {"label": term.label, "chance": term.chance, "reward": term.reward, "value": term.value}
            for term in self.terms
        ]
        return {**super().to_json(), "terms": terms}


@dataclass(frozen=True)
class PageWhy(Report):
    """What the navigator takes a page for, and why."""

    url: str
    title: str
    site: str
    path: tuple[str, ...]
    """Pages that led to it; empty where it was judged without a way to it."""
    run: int | None
    """The run whose verdict this is; None where no run has read the page."""
    label: str
    goal: bool | None
    """None where it is unsure."""
    goal_probability: float
    explained: str
    """The label that `log_odds` and `why` speak of: the page's own, or what it is most like where that has none."""
    chances: Mapping[str, float]
    log_odds: float
    why: tuple[Reason, ...]
    """Parts of the log-odds, the strongest first."""


def reasons_of(why: Explanation) -> tuple[Reason, ...]:
    """The strongest parts, and the sum of the others, so that what is reported still adds up."""
    rest = [part.value for part in why.parts[MOST_REASONS:]]
    parts = why.parts[:MOST_REASONS]
    return (*parts, Reason(f"{len(rest)} smaller things", sum(rest), "rest")) if rest else parts
