"""`evaluate paths` on small generated webs in the benchmark format."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.paths import draw_examples, evaluate_paths
from evals.plots import learning_curve
from evals.taught_web import make_splits
from trailmark.cli.main import run
from trailmark.demo import DemoWeb
from trailmark.errors import InputError
from trailmark.store.benchmark_web import write_web

GOAL = "publications"


@pytest.fixture(scope="module")
def webs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two webs of one site each, and one of three sites."""
    folder = tmp_path_factory.mktemp("webs")
    web = DemoWeb(sites=5, seed=4, pages=100)
    for name, numbers in {"one": [0], "two": [1], "many": [2, 3, 4]}.items():
        sites = [web.site(number) for number in numbers]
        write_web(
            folder,
            name=name,
            roots=[site.root for site in sites],
            responses=[response for site in sites for response in site.responses()],
            labels={url: label for site in sites for url, label in site.labels.items()},
            trails_by_goal={GOAL: [trail for site in sites for trail in site.trails(GOAL, 8)]},
            source="generated",
        )
    return folder


def quiet(items: Iterable[Any], label: str) -> Iterator[Any]:
    yield from items


@pytest.mark.slow
def test_webs_of_one_site_are_crossed_and_sites_of_others_left_out(webs: Path) -> None:
    splits = make_splits(webs)
    assert [split.name for split in splits] == [
        "two -> one",
        "one -> two",
        *(f"many, fold {n} of 3" for n in (1, 2, 3)),
    ]
    for split in splits:
        train, test = split.train(10, 5), split.test(10, 5)
        assert train
        assert test
        assert not {e.site for e in train} & {e.site for e in test}


def test_train_and_test_can_be_named(webs: Path) -> None:
    splits = make_splits(webs, train=("one", "many"), test=("two",))
    assert [split.name for split in splits] == ["one+many -> two"]
    with pytest.raises(InputError, match="no web 'three'"):
        make_splits(webs, test=("three",))


@pytest.mark.slow
def test_the_report_has_every_table(webs: Path) -> None:
    report = evaluate_paths(webs, test=("one",), train=("two",), curve_counts=(2,), progress=quiet)
    tables = report["tables"]["webs apart"]
    for model in ("naive-bayes", "max-ent", "crf"):
        for row in ("all", "goal", "binary"):
            score = tables["table 3"][model][row]
            assert 0 <= score["f1"] <= 1
            assert score["f1"] <= max(score["precision"], score["recall"]) + 1e-9
    assert set(tables["table 2"]) == {0, 10, 100}
    assert tables["table 2"][100]["goal"] == tables["table 3"]["crf"]["goal"]
    assert 2 in tables["learning curve"]
    assert tables["table 3"]["crf"]["goal"]["f1"] >= 0.5, "the generated sites are alike enough to learn from one"
    json.dumps(report)
    assert learning_curve(report).axes[0].lines


def test_drawn_examples_hold_goals_and_failures(webs: Path) -> None:
    examples = make_splits(webs)[0].train(10, 5)
    drawn = draw_examples(examples, 4, seed=1)
    assert [e.trail.outcome for e in drawn].count("goal") == 2
    assert len(drawn) == 4
    assert draw_examples(examples, 4, seed=1) == drawn
    assert any(draw_examples(examples, 4, seed=seed) != drawn for seed in range(2, 6))


@pytest.mark.slow
def test_the_verb_prints_one_report(webs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["evaluate", "paths", "--data", str(webs), "--train", "one", "--test", "two", "--quick", "--json"]
    assert run(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["task"] == "paths"
    assert report["tables"]["webs apart"]["learning curve"] == {}


def test_bad_folders_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "paths", "--data", str(tmp_path / "none")]) == 2
    said = capsys.readouterr().err
    assert "none" in said
    assert said.count("\n") == 1
