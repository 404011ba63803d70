"""Verdicts on fetched pages against their labels: figures that can be worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.forage_answers import answers_report, nearest_to_even
from evals.forage_figures import mean_of_means
from evals.forage_report import Walked, beside_goal_alone, forage_report
from evals.verdicts import (
    FIGURES,
    JudgedFetch,
    PageVerdict,
    calibration_error,
    page_verdicts,
    reliability,
    settled,
    verdict_figures,
)
from evals.web_kinds import kind_of
from trailmark.store.benchmark_web import BenchmarkWeb
from trailmark.strategy import Judgement


def fetch(url: str, chance: float, *, family: str = "f", site: str = "r") -> JudgedFetch:
    return JudgedFetch(url, site, family, Judgement("", chance >= 0.5, chance))


def verdict(truth: bool, goal: bool | None, chance: float) -> PageVerdict:
    return PageVerdict("u", truth, goal, chance)


def test_an_unsure_goal_is_missed_and_an_unsure_other_is_no_mistake() -> None:
    pages = [
        verdict(True, True, 0.9),
        verdict(True, None, 0.55),
        verdict(False, None, 0.5),
        verdict(False, True, 0.8),
        verdict(False, False, 0.1),
    ]
    figures = verdict_figures(pages)
    assert figures["precision"] == 0.5
    assert figures["recall"] == 0.5
    assert figures["f1"] == 0.5
    assert figures["unsure"] == 0.4
    assert figures["average_precision"] == pytest.approx((1 + 2 / 3) / 2, abs=1e-4)


def test_nothing_called_and_nothing_there() -> None:
    missed = verdict_figures([verdict(True, False, 0.2), verdict(False, False, 0.1)])
    assert (missed["precision"], missed["recall"], missed["f1"]) == (0.0, 0.0, 0.0)
    empty = verdict_figures([verdict(False, False, 0.2)])
    assert empty["precision"] is empty["recall"] is empty["f1"] is empty["average_precision"] is None
    assert empty["calibration_error"] == 0.2
    assert verdict_figures([]) == dict.fromkeys(FIGURES)


def test_calibration_over_bins_of_equal_count() -> None:
    chances = np.array([0.1] * 10 + [0.9] * 10)
    truth = np.array([False] * 10 + [True] * 5 + [False] * 5)
    bins = reliability(chances, truth, bins=2)
    assert [(each["pages"], round(each["predicted"], 3), each["observed"]) for each in bins] == [
        (10, 0.1, 0.0),
        (10, 0.9, 0.5),
    ]
    assert calibration_error(chances, truth, bins=2) == pytest.approx(0.25)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([True, False, None]), st.floats(0, 1)), max_size=40))
def test_figures_are_shares(pages: list[tuple[bool, bool | None, float]]) -> None:
    figures = verdict_figures(verdict(*page) for page in pages)
    assert all(value is None or 0 <= value <= 1 for value in figures.values())
    if (precision := figures["precision"]) and (recall := figures["recall"]):
        assert math.isclose(figures["f1"] or 0, 2 * precision * recall / (precision + recall), abs_tol=2e-4)


def test_answers_have_the_last_word() -> None:
    fetches = [fetch("a", 0.6), fetch("b", 0.4)]
    verdicts, chances = zip(*settled(fetches), strict=True)
    assert verdicts == (True, None)
    assert chances == pytest.approx((0.6, 0.4))
    (first, better), second = settled(fetches, {"b": True})
    assert (first, second) == (True, (True, 1.0))
    assert better > 0.6, "a yes about one page speaks for its neighbours"
    assert [page.truth for page in page_verdicts(fetches, {"b"})] == [False, True]


# --- pooled over sites, then over goals -----------------------------------------------------------------------------


def walked(case: str, goal: str, fetches: list[JudgedFetch], goals: set[str]) -> Walked:
    figures = {
        "area": 0.5,
        "area_of_pages": 0.6,
        "seconds_per_page": 0.0,
        "pages_to_75%_by_oracle": None,
        "site_share_to_75%": None,
        "found": {"25%": 0.5},
    }
    about = {"case": case, "group": "lab-a", "kind": "lab", "web": "lab-a", "goal": goal, "strategy": "path"}
    return Walked(about | figures, tuple(fetches), frozenset(goals))


def test_pages_of_all_sites_are_pooled_and_goals_count_alike() -> None:
    walks = [
        walked("fold 1: x", "x", [fetch("a", 0.9), fetch("b", 0.8), fetch("c", 0.7)], {"a", "d"}),
        walked("fold 1: x", "x", [fetch("d", 0.9)], {"a", "d"}),
        walked("fold 2: x", "x", [fetch("e", 0.9), fetch("f", 0.1)], {"e", "f"}),
        walked("fold 1: y", "y", [fetch("g", 0.9)], {"g"}),
    ]
    report = forage_report(walks)
    assert [row["precision"] for row in report["walks"]] == [0.3333, 1.0, 1.0, 1.0]
    assert report["cases"]["fold 1: x"]["path"]["precision"] == 0.5  # two of four pages, not the mean of two walks
    lab = report["groups"]["lab"]["path"]
    assert lab["precision"] == pytest.approx((3 / 5 + 1) / 2)
    assert lab["recall"] == pytest.approx((3 / 4 + 1) / 2)
    assert report["groups"]["lab-a"]["path"]["f1"] == lab["f1"] == report["groups"]["modern"]["path"]["f1"]


def test_the_mean_of_means_leaves_out_what_is_not_there() -> None:
    means = mean_of_means(
        [{"f1": 0.5, "worst_area": 0.2, "x": {"y": 1.0}}, {"f1": None, "worst_area": 0.4, "x": {"y": 0}}]
    )
    assert means == {"f1": 0.5, "worst_area": 0.2, "x": {"y": 0.5}}


def test_kinds_of_webs() -> None:
    def web(name: str, *roots: str) -> BenchmarkWeb:
        return BenchmarkWeb(name, roots, Path("a"), Path("b"), {})

    assert kind_of(web("anything", "r")) == "universities"
    assert kind_of(web("conf-b", "r", "s")) == "conf"
    assert kind_of(web("uci-labs-a", "r", "s")) == "old labs"
    assert kind_of(web("many", "r", "s")) == "many"


# --- a simulated teacher --------------------------------------------------------------------------------------------


def test_the_page_nearest_to_even_is_asked_about_and_families_take_turns() -> None:
    fetches = [
        fetch("a", 0.5, family="x"),
        fetch("b", 0.51, family="x"),
        fetch("c", 0.7, family="y"),
        fetch("d", 0.9, family="z"),
    ]
    asked: dict[str, bool] = {}
    while (url := nearest_to_even(fetches, page_verdicts(fetches, {"b"}, asked), asked)) is not None:
        asked[url] = True
    assert list(asked) == ["a", "c", "d", "b"]


def test_answers_mend_the_pages_they_are_about() -> None:
    fetches = [fetch(f"{number}", 0.5 + number / 100) for number in range(12)]
    report = answers_report([walked("only: x", "x", fetches, {"11"})])
    lines = report["groups"]["lab"]["path"]
    assert [lines[count]["precision"] for count in ("0", "20")] == [0.0833, 1.0]
    assert [lines[count]["unsure"] for count in ("0", "20")] == [0.0, 0.0]
    assert lines["20"]["f1_of_unasked"] is None
    assert report["cases"]["only: x"]["path"]["20"]["f1"] == 1.0


def test_what_other_goals_do_is_set_beside_the_goal_alone() -> None:
    everything = [walked("fold 1: x", "x", [fetch("a", 0.9), fetch("b", 0.8)], {"a"})]
    alone = [walked("fold 1: x", "x", [fetch("a", 0.9), fetch("b", 0.1)], {"a"})]
    (line,) = beside_goal_alone(everything, alone)
    assert (line["web"], line["goal"], line["strategy"]) == ("lab-a", "x", "path")
    assert (line["precision_all"], line["precision_goal"]) == (0.5, 1.0)
    assert line["area_all"] == line["area_goal"]
