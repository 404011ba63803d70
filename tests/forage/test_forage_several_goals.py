"""One walk for several goals: each strategy sees what it would see alone, the best score counts, the likeliest goal is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Link, Page
from trailmark.forage.several_goals import SeveralGoals, several_goals
from trailmark.forage.site_queue import SiteQueue
from trailmark.strategy import Floats, FollowedLink, Judgement, Rescore, Visit

PAGE = Page("http://a.example/", links=(Link("http://a.example/1", "one"), Link("http://a.example/2", "two")))
ROOT = FollowedLink("http://a.example/", "http://a.example/", 1)


@dataclass
class Scripted:
    """Says what it is told to say, and remembers what it was shown."""

    judgement: Judgement
    scores: Sequence[float] = (0.0, 0.0)
    memories: Floats | None = None
    rescore: Rescore | None = None
    name: str = "scripted"
    judges: bool = True
    learns: bool = False
    seen: list[Floats | None] = field(default_factory=list)

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        assert page is PAGE
        self.seen.append(link.memory)
        return Visit(self.judgement, np.array(self.scores), self.memories, self.rescore)


@dataclass
class Waiting:
    key: int
    url: str = ""
    base: float = 0.0


def test_one_goal_walks_as_it_is() -> None:
    only = Scripted(Judgement("course", True, 0.9))
    assert several_goals([only], ["course"]) is only


def test_the_best_score_of_all_goals_counts() -> None:
    parts = [Scripted(Judgement("", False, 0.1), (0.2, 0.8)), Scripted(Judgement("", False, 0.2), (0.5, 0.1))]
    walk = SeveralGoals(parts, ["course", "faculty"])
    assert walk.visit(PAGE, ROOT).scores.tolist() == [0.5, 0.8]
    assert (walk.name, walk.judges, walk.learns) == ("scripted", True, False)


@pytest.mark.parametrize(
    ("judgements", "name"),
    [
        ((Judgement("course", True, 0.6), Judgement("faculty", True, 0.9)), "faculty"),
        ((Judgement("course", True, 0.9), Judgement("faculty", True, 0.9)), "course"),  # of equals the first
        ((Judgement("list", False, 0.3), Judgement("faculty", True, 0.2)), "faculty"),  # a verdict counts more
        ((Judgement("list", False, 0.3), Judgement("list", False, 0.1)), "course"),
    ],
)
def test_the_likeliest_goal_is_named(judgements: Sequence[Judgement], name: str) -> None:
    judgement = SeveralGoals([Scripted(each) for each in judgements], ["course", "faculty"]).visit(PAGE, ROOT).judgement
    assert judgement.goal_name == name
    assert judgement.goal == any(each.goal for each in judgements)


@given(st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=2, max_size=4))
def test_each_goal_gets_its_own_memory_back(widths: list[int | None]) -> None:
    memories = [
        None if width is None else np.arange(2.0 * width).reshape(2, width) + 100 * n for n, width in enumerate(widths)
    ]
    parts = [Scripted(Judgement("", False, 0.0), memories=memory) for memory in memories]
    first = SeveralGoals(parts, [str(n) for n in range(len(parts))])
    rows = first.visit(PAGE, ROOT).memories
    # Taken up again, another object that has seen nothing yet gets the row.
    later = [Scripted(Judgement("", False, 0.0), memories=memory) for memory in memories]
    again = SeveralGoals(later, [str(n) for n in range(len(later))])
    row = None if rows is None else rows[1]
    again.visit(PAGE, FollowedLink(ROOT.site, "http://a.example/2", 2, 1, row))
    for part, memory in zip(later, memories, strict=True):
        expected = None if memory is None or not memory.shape[1] else memory[1].tolist()
        assert (None if part.seen[0] is None else part.seen[0].tolist()) == expected


def test_links_that_wait_are_scored_by_the_goal_that_wants_them_most() -> None:
    one = Scripted(Judgement("", False, 0.0), rescore=lambda link: float(link.key))
    other = Scripted(Judgement("", False, 0.0), rescore=lambda link: 10.0 - link.key)
    silent = Scripted(Judgement("", False, 0.0))
    rescore = SeveralGoals([one, other, silent], ["a", "b", "c"]).visit(PAGE, ROOT).rescore
    assert rescore is not None
    assert [rescore(Waiting(2)), rescore(Waiting(9))] == [8.0, 9.0]
    assert SeveralGoals([silent, silent], ["a", "b"]).visit(PAGE, ROOT).rescore is None


def test_a_site_ends_at_its_first_goal_only_once_each_was_found() -> None:
    site = SiteQueue(0, "http://a.example/", surest={"course": 0.0, "faculty": 0.0})
    site.meet_goal("course", 0.9)
    assert site.goal_probability == 0.0
    site.meet_goal("faculty", 0.7)
    site.meet_goal("faculty", 0.6)
    assert site.goal_probability == 0.7
    alone = SiteQueue(0, "http://a.example/")
    alone.meet_goal("", 0.8)
    alone.meet_goal("", 0.6)
    assert alone.goal_probability == 0.8
