"""Foraging measured on generated sites: figures that can be worked out by hand, and a whole report."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.forage import evaluate_forage
from evals.forage_cases import Case, Selection, make_cases, sampled_cases
from evals.forage_curve import fewer_sites, fewer_trails, learning_curves
from evals.forage_figures import fetches_to, found_shares, walk_figures
from evals.forage_plots import draw, draw_curves
from evals.forage_single import single_goal_table
from evals.forage_walk import FetchOrder
from trailmark.datatypes import Response, Step, Trail
from trailmark.demo import DemoWeb
from trailmark.errors import InputError
from trailmark.progress import silent
from trailmark.store.benchmark_web import write_web

GOALS = frozenset("abcd")
BEST = FetchOrder(("r", "a", "b", "c", "d"))
STRATEGIES = ("path", "path-plain", "focused", "future", "context", "breadth", "distance", "oracle")


def test_the_oracle_has_area_one() -> None:
    figures = walk_figures(BEST, BEST, GOALS, site_pages=10)
    assert figures["area"] == figures["area_of_pages"] == 1.0
    assert figures["found"]["25%"] == 1.0
    assert figures["pages_to_75%_by_oracle"] == 1.0
    assert figures["site_share_to_75%"] == 0.4
    assert figures["goals"] == 4


def test_missing_pages_cost_fetches_but_not_pages() -> None:
    late = FetchOrder(("r", None, None, "a", "b", "c", "d"))
    figures = walk_figures(late, BEST, GOALS, site_pages=10)
    assert figures["area_of_pages"] == 1.0 > figures["area"]
    assert figures["fetches_to_75%"] == 6
    assert figures["pages_to_75%"] == 4


def test_a_goal_that_cannot_be_reached_is_not_counted() -> None:
    assert walk_figures(BEST, BEST, GOALS | {"far"}, site_pages=10)["goals"] == 4


def test_a_walk_that_stops_short_never_gets_there() -> None:
    assert fetches_to(("r", "a"), GOALS) is None
    figures = walk_figures(FetchOrder(("r", "a")), BEST, GOALS, site_pages=10)
    assert figures["pages_to_75%"] is None
    assert figures["found"]["100%"] == 0.25


@pytest.mark.slow
@given(st.lists(st.sampled_from(["a", "b", "x", "y", None]), max_size=12, unique=True), st.integers(1, 20))
def test_shares_only_grow_and_have_the_length_asked_for(fetched: list[str | None], length: int) -> None:
    shares = found_shares(fetched, GOALS, length)
    assert shares.shape == (length,)
    assert np.all(np.diff(shares) >= 0)
    assert shares[-1] <= 1


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two webs of one site, and a web of three."""
    folder = tmp_path_factory.mktemp("webs")
    for name, numbers in (("one", (0,)), ("two", (1,)), ("many", (2, 3, 4))):
        sites = [DemoWeb(sites=6, pages=100).site(number) for number in numbers]
        write_web(
            folder,
            name=name,
            roots=[site.root for site in sites],
            responses=[response for site in sites for response in site.responses()],
            labels={url: label for site in sites for url, label in site.labels.items()},
            trails_by_goal={"course": [trail for site in sites for trail in site.trails("course", 8)]},
            source="generated",
        )
    return folder


@pytest.mark.slow
def test_cases_teach_on_other_sites_only(folder: Path) -> None:
    cases = list(make_cases(folder))
    assert {case.group for case in cases} == {"webs of one site", "many"}
    assert {case.kind for case in cases} == {"universities", "many"}
    assert len(cases) == 5
    for case in cases:
        walked = {site.root for site in case.sites}
        assert walked.isdisjoint(trail.site for _, trails in case.taught for trail in trails)


@pytest.mark.slow
def test_trails_of_other_goals_on_taught_sites_are_the_contrast(tmp_path: Path) -> None:
    sites = [DemoWeb(sites=3, pages=60).site(number) for number in range(3)]
    write_web(
        tmp_path,
        name="many",
        roots=[site.root for site in sites],
        responses=[response for site in sites for response in site.responses()],
        labels={url: label for site in sites for url, label in site.labels.items()},
        trails_by_goal={
            goal: [trail for site in sites for trail in site.trails(goal, 4)] for goal in ("course", "faculty")
        },
        source="generated",
    )
    for case in make_cases(tmp_path, Selection(taught="all")):
        ((_, others),) = case.contrast
        assert others
        assert {trail.site for trail in others}.isdisjoint(site.root for site in case.sites)
        assert all(trail.outcome == "goal" and trail.steps[-1].label != case.goal for trail in others)
    assert all(not case.contrast for case in make_cases(tmp_path))
    report = evaluate_forage(tmp_path, strategies=("path",), goals=("course",), taught="all", answers=True)
    assert [(line["web"], line["goal"]) for line in report["beside"]] == [("many", "course")]
    assert set(report["answers"]["groups"]["many"]["path"]) == {"0", "5", "10", "20"}
    assert "forage-answers.png" in {file.name for file in draw(report, tmp_path)}


def test_less_is_taught_and_what_was_taught_stays(folder: Path) -> None:
    case = next(case for case in make_cases(folder) if case.group == "many")

    def taught(less: Case) -> list[Trail]:
        return [trail for _, trails in less.taught for trail in trails]

    few, more = taught(fewer_trails(case, 2)), taught(fewer_trails(case, 4))
    assert sum(trail.outcome == "goal" for trail in few) == 2
    assert sum(trail.outcome == "goal" for trail in more) == 4
    assert any(trail.outcome == "fail" for trail in few)
    assert all(any(trail is other for other in more) for trail in few)
    assert len({trail.site for trail in taught(fewer_sites(case, 1))}) == 1
    assert taught(fewer_sites(case, 8)) == taught(fewer_trails(case, 1000)) == taught(case)


def test_some_folds_of_each_web_and_goal_are_drawn(folder: Path) -> None:
    cases = list(make_cases(folder))
    numbers = sampled_cases(cases, 2)
    assert numbers == sampled_cases(cases, 2)
    assert sorted(cases[number].web for number in numbers) == ["many", "many", "one", "two"]
    assert sampled_cases(cases, 9) == list(range(len(cases)))


@pytest.mark.slow
def test_learning_curves_are_over_the_same_walks_at_every_point(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evals.forage_curve.COUNTS", {"trails": (1, 4), "sites": (2, 8)})
    curves = learning_curves(folder, Selection(test=("many",)), progress=silent)
    assert set(curves["trails"]) == {"1", "4"}
    assert set(curves["sites"]) == {"2", "8"}
    assert all(set(groups) == {"many"} for points in curves.values() for groups in points.values())
    assert curves["sites"]["2"] == curves["sites"]["8"]  # two sites are taught, the third is walked
    (file,) = draw_curves({"curve": curves}, tmp_path)
    assert file.stat().st_size > 5000


@pytest.fixture(scope="module")
def report(folder: Path) -> dict[str, object]:
    return evaluate_forage(folder, strategies=STRATEGIES, test=("two",))


@pytest.mark.slow
def test_every_strategy_is_measured_and_the_taught_ones_beat_breadth(
    report: dict[str, dict[str, dict[str, dict[str, float]]]],
) -> None:
    means = report["groups"]["webs of one site"]
    assert set(means) == set(STRATEGIES)
    assert means["oracle"]["area"] == 1.0
    assert all(0 <= means[name]["area"] <= 1 for name in STRATEGIES)
    assert means["path"]["area_of_pages"] > means["breadth"]["area_of_pages"]


@pytest.mark.slow
def test_plots_are_drawn(report: dict[str, object], tmp_path: Path) -> None:
    files = draw(report, tmp_path)
    assert {file.name for file in files} >= {"forage-mean.png", "forage-reliability.png", "forage-verdicts.png"}
    assert all(file.stat().st_size > 5000 for file in files)


def test_unknown_names_are_refused(folder: Path) -> None:
    with pytest.raises(InputError, match="no strategy 'magic'"):
        evaluate_forage(folder, strategies=("magic",))
    with pytest.raises(InputError, match="no web 'nine'"):
        evaluate_forage(folder, test=("nine",))
    with pytest.raises(InputError, match="can be walked"):
        evaluate_forage(folder, goals=("nothing",))


# --- sites with one goal -------------------------------------------------------------------------------------------


def _one_goal_sites(folder: Path) -> None:
    """Three sites: root -> about -> contact, and news beside it."""
    roots = [f"http://{name}.test/" for name in ("ash", "elm", "oak")]
    responses, labels, trails = [], {}, []
    for root in roots:
        links = {
            root: [*(f"news/{n}" for n in range(6)), "about"],
            f"{root}about": ["staff", "contact"],
            f"{root}contact": [],
            f"{root}staff": [],
        } | {f"{root}news/{n}": ["about"] for n in range(6)}
        for url, targets in links.items():
            body = "".join(f"<p><a href='{root}{target}'>{target}</a></p>" for target in targets)
            title = url.removeprefix(root).rstrip("0123456789/")
            page = f"<title>{title}</title><body>{title} page {body}".encode()
            responses.append(Response(url, 200, (("content-type", "text/html"),), page))
        labels[f"{root}contact"] = "contact"
        way = (Step(root), Step(f"{root}about"), Step(f"{root}contact", "contact"))
        trails += [Trail(root, "goal", way), Trail(root, "fail", (Step(root), Step(f"{root}news/1")))]
    write_web(
        folder,
        name="small",
        roots=roots,
        responses=responses,
        labels=labels,
        trails_by_goal={"contact": trails},
        source="made up",
    )


@pytest.mark.slow
def test_sites_with_one_goal_are_told_by_the_share_fetched_before_it(tmp_path: Path) -> None:
    _one_goal_sites(tmp_path)
    table = evaluate_forage(tmp_path, strategies=("path", "future", "breadth", "oracle"))["single_goal"]["small"]
    assert set(table) == {"path", "future", "future, 4 bins", "future, 5 bins", "breadth", "oracle"}
    assert all(line["sites"] == line["found"] == 3 for line in table.values())
    assert table["oracle"]["share"] == pytest.approx(0.3)  # root, about, contact of ten pages
    assert table["breadth"]["share"] == 1.0  # news, staff and then contact
    assert table["oracle"]["share"] <= table["path"]["share"] < table["breadth"]["share"]
    assert table["breadth"]["paper"] == 0.38
    assert table["path"]["paper"] is None


def test_a_goal_that_was_not_found_costs_the_whole_site() -> None:
    rows = [
        {"group": "g", "strategy": "path", "found": True, "share": 0.2},
        {"group": "g", "strategy": "path", "found": False, "share": 1.0},
    ]
    assert single_goal_table(rows) == {"g": {"path": {"share": 0.6, "sites": 2, "found": 1, "paper": None}}}
