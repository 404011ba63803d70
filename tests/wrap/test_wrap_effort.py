"""Counting the pages that a person must annotate, and how precise sure values are."""

from __future__ import annotations

from collections.abc import Callable

from evals.wrapping_effort import effort_totals, pages_until_right
from evals.wrapping_scores import field_scores, total_of


def test_the_first_page_with_a_fault_is_annotated_next() -> None:
    asked: list[list[int]] = []

    def learnt(annotated: list[int]) -> Callable[[int], bool]:
        asked.append(list(annotated))
        return lambda page: page not in (3, 1) or {3, 1} <= set(annotated)

    assert pages_until_right([5, 2, 3, 1], learnt) == {"annotated": 3, "right": True}
    assert asked == [[5], [5, 3], [5, 3, 1]]


def test_who_finds_faults_without_end_gives_up() -> None:
    assert pages_until_right(range(20), lambda _: lambda _: False, most=4) == {"annotated": 4, "right": False}
    assert pages_until_right([7], lambda _: lambda _: False) == {"annotated": 1, "right": True}


def test_totals_name_the_sites_that_never_came_right() -> None:
    one, never = {"annotated": 1, "right": True}, {"annotated": 6, "right": False}
    sites = [
        {"site": "a", "all_fields": one, "sound_truth": one},
        {"site": "b", "all_fields": never, "sound_truth": one},
    ]
    totals = effort_totals(sites)
    assert totals["all_fields"] == {"mean": 3.5, "after_one": 1, "never": ["b"], "sites": 2}
    assert totals["sound_truth"] == {"mean": 1.0, "after_one": 2, "never": [], "sites": 2}
    assert effort_totals([])["all_fields"]["mean"] == 0.0


def test_sure_values_have_their_own_precision() -> None:
    scores = field_scores([(["a"], ["a"]), (["b"], ["c"]), ([], ["d"]), (["e", "f"], ["f", "e"])])
    assert (scores["right"], scores["wrong"], scores["missed"], scores["whole"]) == (2, 1, 2, 2)
    row = {"annotated": 1, "learner": "rules", "findable": 1.0, "sure_right": 2, "sure_wrong": 0, **scores}
    total = total_of([row], 1, "rules")
    assert total["sure"] == 1.0
    assert total["share_of_sure"] == 2 / 3
    assert total["micro"]["precision"] == 2 / 3
