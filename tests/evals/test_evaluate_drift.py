"""The evaluation of drift, on a made-up shop of two dates."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.drift import evaluate_drift
from evals.value_scores import f1, value_scores
from trailmark.datatypes import Response
from trailmark.errors import InputError
from trailmark.store.archive_writer import ArchiveWriter

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def old_page(number: int) -> str:
    return (
        f"<html><body><div class='top'><p>Home</p></div><div class='item'><h1>Thing {number}</h1><table class='facts'><tr>"
        f"<th>Maker</th><td>House {number} Ltd</td></tr><tr><th>Room</th><td>R{number % 7}</td></tr></table></div></body></html>"
    )


def new_page(number: int) -> str:
    return (
        f"<html><body><header class='bar'><nav>Start</nav></header><main class='thing'><section class='head'><b class='n'>"
        f"Thing {number}</b></section><section class='who'><span class='label'>by</span><span class='maker'>House {number} Ltd"
        f"</span></section><footer class='end'>imprint</footer></main></body></html>"
    )


def write(folder: Path, name: str, later: Callable[[int], str]) -> None:
    for step, design in (("t0", old_page), ("t1", later)):
        with ArchiveWriter(folder / f"{name}.{step}.warc.gz") as writer:
            for number in range(14):
                writer.write(Response(f"http://{name}.example/{number}", 200, HTML, design(number).encode()))
    truth = [
        {
            "url": f"http://{name}.example/{n}",
            "values": {"title": [f"Thing {n}"], "maker": [f"House {n} Ltd"], "colour": ["unseen"]},
        }
        for n in range(14)
    ]
    (folder / f"{name}.truth.jsonl").write_text("".join(json.dumps(each) + "\n" for each in truth), encoding="utf-8")


@pytest.mark.slow
def test_changed_and_unchanged_apart(tmp_path: Path, trailmark: Callable[..., Any]) -> None:
    write(tmp_path, "moved", new_page)
    write(tmp_path, "stayed", old_page)
    report = evaluate_drift(tmp_path)
    assert report["fields"] == ["maker", "title"], "what no page prints is not asked for"
    changed, unchanged = report["changed"], report["unchanged"]
    assert (changed["templates"], changed["flagged"], changed["broke"], changed["found_broken"]) == (1, 1, 2, 2)
    assert (unchanged["templates"], unchanged["flagged"], unchanged["false_alarms"]) == (1, 0, 0)
    assert unchanged["reused"] == 2
    assert changed["f1"]["t0"] == changed["f1"]["t1 after"] == changed["set_f1"]["t1 after"] == 1.0
    assert changed["f1"]["t1 before"] < 0.1
    assert changed["f1"]["absolute path at t1"] == 0.0
    assert changed["kept_after_repair"]["f1"] == 1.0
    ended = trailmark("evaluate", "drift", "--data", tmp_path, "--test", "stayed", "--json")
    assert ended.report["all"]["templates"] == 1
    assert "rules repaired" in ended.err


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a folder"):
        evaluate_drift(tmp_path / "none")
    with pytest.raises(InputError, match="two dates"):
        evaluate_drift(tmp_path)


def test_scores_of_values() -> None:
    scores = value_scores([(["a", "x"], ["a", "b"]), ([], ["c"]), ([], [])])
    assert scores == {"f1": f1(1, 0, 1), "set_f1": f1(1, 1, 2)}
    assert value_scores([]) == {"f1": 1.0, "set_f1": 1.0}
