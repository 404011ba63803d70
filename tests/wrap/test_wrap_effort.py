"""Counting the pages that a person must annotate, and how precise sure values are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from evals.wrapping import evaluate_wrap
from evals.wrapping_effort import effort_totals, pages_until_right
from evals.wrapping_scores import Pair, field_scores, sure_scores, total_of
from tests.wrap.test_wrap_cold_start import archive


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
    pairs: list[Pair] = [(["a"], ["a"]), (["b"], ["c"]), ([], ["d"]), (["e", "f"], ["f", "e"])]
    scores = field_scores(pairs)
    assert (scores["right"], scores["wrong"], scores["missed"], scores["whole"]) == (2, 1, 2, 2)
    sure = sure_scores(pairs, [True, False, True, True])
    assert sure == {"sure_right": 2, "sure_wrong": 0, "sure_and_wrong": 0.0, "left_out": 0.25}
    total = total_of([row_of(pairs, [True, False, True, True])], 1, "rules")
    assert total["sure"] == 1.0
    assert total["share_of_sure"] == 2 / 3
    assert total["micro"]["precision"] == 2 / 3


def row_of(pairs: list[Pair], sure: list[bool]) -> dict[str, Any]:
    row = {"annotated": 1, "learner": "rules", "findable": 1.0}
    return {**row, **sure_scores(pairs, sure), **field_scores(pairs)}


def test_a_sure_and_wrong_answer_is_told_from_one_that_was_left_out() -> None:
    wrong = row_of([(["a"], ["b"]), (["c"], [])], [True, True])
    silent = row_of([([], ["b"]), (["c"], ["c"])], [True, True])
    assert (wrong["sure_and_wrong"], wrong["left_out"]) == (1.0, 0.0)
    assert (silent["sure_and_wrong"], silent["left_out"]) == (0.0, 0.5)
    total = total_of([wrong, silent], 1, "rules")
    assert (total["sure_and_wrong"], total["left_out"], total["missed"]) == (0.5, 1 / 3, 2 / 3)


def test_fields_that_no_page_has_are_in_no_mean_and_those_never_found_are() -> None:
    absent = row_of([([], []), ([], [])], [True, True])
    never = {**row_of([([], ["a"]), ([], ["b"])], [True, True]), "findable": 0.0}
    right = row_of([(["a"], ["a"])], [True])
    total = total_of([absent, never, right], 1, "rules")
    assert total["fields"] == 2
    assert total["macro"]["f1"] == 0.5
    assert total["macro_of_sound_truth"]["f1"] == 1.0


def test_a_page_that_can_not_be_read_is_missed(tmp_path: Path) -> None:
    archive(tmp_path / "kind-site.warc.gz", "site.example", ["", *(f"<p>a</p><b>{n}</b>" for n in range(6))])
    truth = [{"url": f"http://site.example/book/{n}", "values": {"x": [str(n - 1)]}} for n in range(7)]
    (tmp_path / "kind-site.truth.jsonl").write_text("".join(json.dumps(each) + "\n" for each in truth))
    report = evaluate_wrap(tmp_path, pages=(1,))
    (row,) = [row for row in report["sites"] if row["learner"] == "rules"]
    assert (row["pages"], row["right"], row["missed"], row["left_out"]) == (6, 5, 1, 1 / 6)
