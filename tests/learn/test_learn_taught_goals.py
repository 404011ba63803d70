"""Which trails teach which goal: other goals are contrast, and what failed says so of one goal only."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Outcome, Step, Trail
from trailmark.learn.taught_goals import about_goals, goal_of, taught_for, taught_goals

SITE = "http://a.example/"


def trail(end: str, label: str | None = None, outcome: Outcome = "goal") -> Trail:
    return Trail(SITE, outcome, (Step(SITE), Step(SITE + end, label)))


COURSE, FACULTY, UNNAMED = trail("c1", "course"), trail("f1", "faculty"), trail("u1")
NO_COURSE, NO_FACULTY = trail("x1", outcome="fail"), trail("x2", outcome="fail")
ALL = [COURSE, NO_COURSE, FACULTY, NO_FACULTY, UNNAMED]


def test_goals_are_called_by_the_label_of_their_pages() -> None:
    assert taught_goals(ALL) == ["course", "faculty", "goal"]
    assert goal_of(NO_COURSE) is None
    assert taught_goals([NO_COURSE]) == []


def test_what_failed_is_about_the_goal_taught_before_it() -> None:
    assert taught_for(ALL, "course").trails == (COURSE, NO_COURSE)
    assert taught_for(ALL, "faculty").trails == (FACULTY, NO_FACULTY)
    assert taught_for([NO_COURSE, COURSE], "course").trails == (NO_COURSE, COURSE)


def test_trails_to_other_goals_are_contrast_and_what_failed_for_them_is_not() -> None:
    assert taught_for(ALL, "course").contrast == (FACULTY, UNNAMED)
    assert taught_for(ALL, "goal").contrast == (COURSE, FACULTY)


def test_one_goal_alone_is_taught_with_everything() -> None:
    own = [NO_FACULTY, COURSE, NO_COURSE]
    assert taught_for(own, "course").trails == tuple(own)
    assert taught_for(own, "course").contrast == ()


def test_a_page_that_is_taught_as_two_goals_is_no_contrast() -> None:
    both = [trail("p", "course"), trail("p", "faculty"), trail("q", "faculty")]
    assert taught_for(both, "course").trails == (both[0],)
    assert taught_for(both, "course").contrast == (both[2],)
    assert taught_for(both, "faculty").contrast == ()


def test_what_a_trail_says_of_itself_counts_before_its_place() -> None:
    said = replace(NO_FACULTY, about=("course", "goal"))
    trails = [COURSE, FACULTY, said, UNNAMED]
    assert said in taught_for(trails, "course").trails
    assert said in taught_for(trails, "goal").trails
    assert said not in taught_for(trails, "faculty").trails


def test_a_page_named_while_another_goal_was_asked_about_is_a_goal_of_its_own() -> None:
    named = Trail(SITE, "fail", (Step(SITE + "s", "faculty"),), about=("course",))
    trails = [COURSE, FACULTY, named]
    assert taught_for(trails, "faculty").trails == (FACULTY, Trail(SITE, "goal", named.steps))
    assert taught_for(trails, "course").trails == (COURSE, named)


def test_a_lesson_says_what_its_failures_are_about() -> None:
    assert about_goals([NO_COURSE, COURSE, FACULTY, NO_FACULTY]) == [
        replace(NO_COURSE, about=("course",)),
        COURSE,
        FACULTY,
        replace(NO_FACULTY, about=("faculty",)),
    ]
    assert about_goals([NO_COURSE]) == [NO_COURSE]  # nobody knows


TRAILS = st.builds(
    trail,
    st.sampled_from(["a", "b", "c"]),
    st.sampled_from([None, "course", "faculty", "a/b"]),
    st.sampled_from(["goal", "fail"]),
)


@given(st.lists(TRAILS, max_size=12))
def test_every_trail_teaches_one_goal_and_is_contrast_to_no_goal_of_its_own(trails: list[Trail]) -> None:
    parts = {goal: taught_for(trails, goal) for goal in taught_goals(trails)}
    assert sum(len(part.trails) for part in parts.values()) == (len(trails) if parts else 0)
    for goal, part in parts.items():
        assert all(goal_of(each) in (None, goal) for each in part.trails)
        wanted = {each.steps[-1].url for each in part.trails if each.outcome == "goal"}
        assert all(goal_of(each) not in (None, goal) and each.steps[-1].url not in wanted for each in part.contrast)
