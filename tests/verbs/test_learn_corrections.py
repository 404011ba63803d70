"""What was corrected becomes tagged text, and taggers learn from it beside what they learnt from before."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tag.test_tag import HEADER, tagged
from tests.verbs.test_correct_document import URL, fetched, header
from trailmark.errors import InputError
from trailmark.tag.tagged_text import parse_tagged
from trailmark.verbs.correct_document import correct, open_document
from trailmark.verbs.learn_corrections import WEIGHT, learn_corrections, write_corrections
from trailmark.verbs.tag import tag
from trailmark.verbs.train_tagger import base_key, train_tagger
from trailmark.verbs.undo import undo


def test_corrections_are_tagged_text_that_can_be_read_again(tmp_path: Path) -> None:
    with fetched(tmp_path / "w") as workspace:
        opened = open_document(workspace, URL)
        correct(workspace, opened, opened.read.parts[0].key, 0, 2, "note")
        assert write_corrections(workspace, "headers", tmp_path / "c.jsonl") == 1
        assert write_corrections(workspace, "references", tmp_path / "r.jsonl") == 0
    documents, problems = parse_tagged((tmp_path / "c.jsonl").read_text().splitlines(), "c")
    assert problems == []
    assert documents[0].labels[0] == ("note", "note", "note")


def test_a_tagger_learns_from_corrections_and_its_own_tagged_text(tmp_path: Path) -> None:
    with fetched(tmp_path / "w") as workspace:
        with pytest.raises(InputError, match="Nothing was corrected yet"):
            learn_corrections(workspace)
        file = tagged(tmp_path / "headers.jsonl", [*HEADER, ("Some University", "affiliation")])
        train_tagger(workspace, file, "headers")
        tag(workspace, jobs=1)
        opened = open_document(workspace, URL)
        correct(workspace, opened, opened.read.parts[0].key, 9, 10, "affiliation")
        before = opened.read.parts[0].flat[9].label
        assert learn_corrections(workspace) == {"headers": 1}
        # The correction taken back, the tagger says of itself what it learnt.
        undo(workspace)
        tag(workspace, jobs=1)
        found = open_document(workspace, URL).read.parts[0]
        assert (before, found.flat[9].label) == ("abstract", "affiliation")
        assert "affiliation" in header(workspace).fields
        file.unlink()
        correct(workspace, open_document(workspace, URL), found.key, 3, 3, "author")
        with pytest.raises(InputError, match=r"headers.jsonl, from which 'headers' was learnt, can't be read"):
            learn_corrections(workspace)


def test_without_tagged_text_of_ones_own_generated_papers_are_learnt_from_again(tmp_path: Path) -> None:
    with fetched(tmp_path / "w") as workspace:
        opened = open_document(workspace, URL)
        correct(workspace, opened, opened.read.parts[0].key, 0, 2, "title")
        for _ in range(2):
            assert learn_corrections(workspace, papers=3) == {"headers": 1}
        assert json.loads(workspace.database.meta("tagger headers learnt from") or "") == {"generated": 3}
        report = tag(workspace, jobs=1)
        assert report.ready == ("references",)


def test_learning_again_keeps_the_kind_of_model_and_what_taught_it_layout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learnt: list[tuple[int, str]] = []

    def learn(documents: Sequence[object], _name: str, _texts: Sequence[str] = (), *, model: str = "crf") -> bytes:
        learnt.append((len(documents), model))
        return b"a tagger"

    monkeypatch.setattr("trailmark.verbs.train_tagger.GENERATED", 3)
    monkeypatch.setattr("trailmark.verbs.learn_corrections.learn_tagger", learn)
    with fetched(tmp_path / "w") as workspace:
        file = tagged(tmp_path / "headers.jsonl", [*HEADER, ("Say\u2028so", "affiliation")])
        file.write_text((file.read_text(encoding="utf-8").strip() + "\n") * 4, encoding="utf-8")
        train_tagger(workspace, file, "headers")
        tag(workspace, jobs=1)
        opened = open_document(workspace, URL)
        correct(workspace, opened, opened.read.parts[0].key, 9, 10, "affiliation")
        base = json.loads(workspace.database.meta(base_key("headers")) or "")
        workspace.database.set_meta(base_key("headers"), json.dumps(base | {"model": "hmm"}))
        learn_corrections(workspace)
    assert base["model"] == "crf"
    assert learnt == [(4 + 3 + WEIGHT, "hmm")]
