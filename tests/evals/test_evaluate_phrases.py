"""`trailmark evaluate phrases`: the shape of its report, and that phrases of a syllabus held out are found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals import phrases
from evals.phrases import METHODS, evaluate_phrases
from tests.course.map_world import AUTOMATON, GRAMMAR, LIFE, PUSHDOWN, TURING
from trailmark.datatypes import Response
from trailmark.errors import InputError
from trailmark.store.archive_writer import ArchiveWriter

LECTURES = [
    "Regular grammars",
    "Finite automata and a finite automaton",
    "A pushdown automaton",
    "The tape of a Turing machine",
]
TEXTS = [GRAMMAR, AUTOMATON, PUSHDOWN, TURING]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two webs of a course each: lectures with texts, a page that lists them."""
    (tmp_path / "courses").mkdir()
    (tmp_path / "webs").mkdir()
    lines = []
    for web in ("east", "west"):
        home = f"http://{web}.example/"
        items = [
            {"page": home, "url": f"{home}{n}.html", "text": text, "heading": "Lectures", "type": "lecture", "case": 1}
            for n, text in enumerate(LECTURES)
        ]
        lines.append(json.dumps({"course": home, "web": web, "items": items}))
        with ArchiveWriter(tmp_path / "webs" / f"{web}.warc.gz", date="2000-01-01T00:00:00Z") as writer:
            for n, text in enumerate(TEXTS):
                body = f"<h1>{LECTURES[n]}</h1>" + f"<p>{text}</p>" * 3 + f"<p>{LIFE}</p>"
                writer.write(Response(f"{home}{n}.html", 200, (("Content-Type", "text/html"),), body.encode()))
    (tmp_path / "courses" / "all.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path / "courses"


def test_the_shape_of_a_report(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrases, "FEWEST_GOLD", 1)
    monkeypatch.setattr(phrases, "FEWEST_LETTERS", 1)
    monkeypatch.setattr(phrases, "COMMON", 2.0)
    report = evaluate_phrases(data)
    assert (report["task"], report["courses"]) == ("phrases", 2)
    assert list(report["methods"]) == list(METHODS)
    assert report["methods"]["ours"]["webs"].keys() == {"east", "west"}
    assert report["methods"]["ours"]["precision_at_10"] >= 0.2
    assert report["recommended"]["mean_reciprocal_rank"].keys() == {"bm25", "ours"}
    pairs = report["recommended"]["of_one_course"]
    assert all(0 <= share <= 1 for share in (pairs["alike"], pairs["others"]))
    assert report["drafted"]["weeks"] == 8
    assert report["drafted"]["in_first_3"]["ours"] >= 0.25, (
        "titles are gone, and texts still tell, though each stands in two courses and is proposed of one"
    )
    assert report["before"]["any"]["same_order"] == 1.0, "both courses teach the same in the same order"


def test_what_can_not_be_measured_is_told(data: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing can be measured"):
        evaluate_phrases(data)
    with pytest.raises(InputError, match=r"no \.jsonl file"):
        evaluate_phrases(tmp_path)
