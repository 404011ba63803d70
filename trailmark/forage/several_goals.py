"""One walk that looks for several goals and shares its fetches: a strategy made of one strategy a goal.

Every page is shown to each. A link is worth what it is worth to the goal that wants it most; a page is what it is most surely taken for.
What each strategy wants to remember of a link stands side by side in one row, with the lengths before it, so that a run that is taken
up again can tell them apart. For one goal nothing of this is needed: its strategy walks alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from trailmark.datatypes import Page
from trailmark.forage.learning_walk import LearningWalk
from trailmark.strategy import Floats, FollowedLink, Judgement, Rescore, Strategy, Visit


def several_goals(parts: Sequence[Strategy], goals: Sequence[str]) -> Strategy:
    """One strategy a goal -> one for all; that of the only goal as it is."""
    return parts[0] if len(parts) == 1 else SeveralGoals(parts, goals)


class SeveralGoals:
    """The strategies of several goals as one; they are of one kind, and so is its name."""

    def __init__(self, parts: Sequence[Strategy], goals: Sequence[str]) -> None:
        self._parts, self._goals = tuple(parts), tuple(goals)
        self.name = self._parts[0].name
        self.judges = any(part.judges for part in parts)
        self.learns = any(part.learns for part in parts)

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        """A page and the link that led to it -> what the likeliest goal makes of it, and the best of all scores of its links."""
        memories = _apart(link.memory, len(self._parts))
        visits = [
            part.visit(page, replace(link, memory=memory)) for part, memory in zip(self._parts, memories, strict=True)
        ]
        judgement = _likeliest([visit.judgement for visit in visits], self._goals)
        scores = np.max([visit.scores for visit in visits], axis=0)
        return Visit(judgement, scores, _side_by_side(visits), self._rescore(link.site, visits))

    def _rescore(self, site: str, visits: Sequence[Visit]) -> Rescore | None:
        """Once one goal has the links that wait scored anew, all score them: the others as they did last."""
        if all(visit.rescore is None for visit in visits):
            return None
        scorings = [visit.rescore or _scoring(part, site) for visit, part in zip(visits, self._parts, strict=True)]
        known = [score for score in scorings if score is not None]
        return lambda link: max(score(link) for score in known)


def _scoring(part: Strategy, site: str) -> Rescore | None:
    return part.scoring(site) if isinstance(part, LearningWalk) else None


def _likeliest(judgements: Sequence[Judgement], goals: Sequence[str]) -> Judgement:
    """The judgement of the goal that a page is most surely, with its name; a verdict counts more than a chance."""
    surest = [(each.goal is True, each.goal is None, each.goal_probability) for each in judgements]
    best = surest.index(max(surest))
    return replace(judgements[best], goal_name=goals[best])


def _side_by_side(visits: Sequence[Visit]) -> Floats | None:
    """The memories of each link in one row: their lengths, then the memories themselves."""
    rows = [visit.memories for visit in visits]
    if all(row is None for row in rows):
        return None
    many = len(visits[0].scores)
    filled = [np.zeros((many, 0)) if row is None else row for row in rows]
    lengths = np.tile([float(row.shape[1]) for row in filled], (many, 1))
    return np.hstack([lengths, *filled])


def _apart(memory: Floats | None, parts: int) -> list[Floats | None]:
    """The memory of a link as each strategy gave it."""
    if memory is None:
        return [None] * parts
    ends = np.cumsum(memory[:parts]).astype(int)[:-1]
    return [part if part.size else None for part in np.split(memory[parts:], ends)]
