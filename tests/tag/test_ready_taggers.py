"""The taggers that come with Trailmark: they fit what taggers look at today, tag generated papers, and give way to one's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trailmark.cli.main import run
from trailmark.demo import DemoWeb
from trailmark.tag.models import HEADERS, REFERENCES, read_tagger
from trailmark.verbs.ready_taggers import ready_tagger, tagged_papers
from trailmark.verbs.tag import tag
from trailmark.workspace import Workspace


@pytest.mark.parametrize(("name", "least"), [(HEADERS, 0.9), (REFERENCES, 0.9)])
def test_they_fit_what_taggers_look_at(name: str, least: float) -> None:
    """Where this fails after a change to what taggers look at, `make ready` learns them again."""
    body = ready_tagger(name)
    assert body is not None
    assert len(body) < 1_000_000
    papers = tagged_papers(12, 5)[name]
    tags = read_tagger(body, name).tag([paper.lines for paper in papers])
    pairs = [
        (tag.label, label)
        for rows, paper in zip(tags, papers, strict=True)
        for row, labels in zip(rows, paper.labels, strict=True)
        for tag, label in zip(row, labels, strict=True)
    ]
    assert sum(said == label for said, label in pairs) / len(pairs) >= least


def test_there_is_none_of_another_name() -> None:
    assert ready_tagger("talks") is None


def test_a_workspace_without_taggers_tags_and_says_by_what(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = DemoWeb(sites=2).site(0)
    paper = site.paper(site.papers[0])
    (tmp_path / "paper.pdf").write_bytes(paper.body)
    Workspace.create(tmp_path / "w").close()
    out = tmp_path / "out.csv"
    assert run(["-w", str(tmp_path / "w"), "tag", str(tmp_path / "paper.pdf"), "--out", str(out)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "what comes with Trailmark" in told
    assert "make models" in told
    assert len(out.read_text().splitlines()) == 2 + len(paper.references)
    with Workspace.open(tmp_path / "w") as workspace:
        report = tag(workspace, [tmp_path / "paper.pdf"])
        assert (report.ready, report.unchanged) == ((HEADERS, REFERENCES), 1)


def test_bibtex_teaches_what_words_are_used_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"id": 1, "tokens": ["A.", "Turing.", "Walks.", "1936."], "labels": ["author", "author", "title", "date"]}]
    (tmp_path / "t.jsonl").write_text(json.dumps(rows[0]) + "\n")
    (tmp_path / "b.bib").write_text("@book{x, author={Turing, Alan}, title={Walks}}\n" * 3)
    Workspace.create(tmp_path / "w").close()
    words = ["-w", str(tmp_path / "w"), "tag", "--train", str(tmp_path / "t.jsonl"), "--name", "mine"]
    assert run([*words, "--bibtex", str(tmp_path / "b.bib")]) == 0
    assert "what 3 words are used for" in capsys.readouterr().out
    assert run([*words, "--bibtex", str(tmp_path / "missing.bib")]) == 2
    assert run(["-w", str(tmp_path / "w"), "tag", "--bibtex", str(tmp_path / "b.bib")]) == 2
