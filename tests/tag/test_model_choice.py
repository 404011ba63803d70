"""Which kind of model is kept: the one that errs least on parts it did not learn from, and the figures say so."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from trailmark.cli.main import run
from trailmark.tag import model_choice as module
from trailmark.tag.model_choice import CRF, HMM, LEAST_DOCUMENTS, MOST_DOCUMENTS, PARTS, KindError, model_choice
from trailmark.tag.models import read_tagger
from trailmark.tag.tagged_text import TaggedDocument
from trailmark.tag.words import Tag, Word
from trailmark.verbs.train_tagger import train_tagger
from trailmark.workspace import Workspace

TAUGHT = ("Ada", "name"), ("Lovelace", "name"), ("walks", "verb"), ("home.", "place")


def document(number: int) -> TaggedDocument:
    pairs = TAUGHT[number % 2 :]
    return TaggedDocument((tuple(Word(text) for text, _ in pairs),), (tuple(label for _, label in pairs),))


class Stubborn:
    """A tagger that says the same of every word."""

    def __init__(self, label: str) -> None:
        self.name, self.labels, self.label = "stubborn", (label,), label

    def tag(self, documents: Sequence[Any]) -> list[list[list[Tag]]]:
        return [[[Tag(self.label, 1.0) for _ in line] for line in document] for document in documents]


@pytest.mark.parametrize(("crf", "hmm", "best"), [("name", "verb", CRF), ("verb", "name", HMM), ("name", "name", CRF)])
def test_the_kind_that_errs_least_is_kept_and_of_two_alike_the_one_that_sees_layout(
    monkeypatch: pytest.MonkeyPatch, crf: str, hmm: str, best: str
) -> None:
    learnt: list[int] = []

    def learner(label: str) -> Any:
        def learn(documents: Sequence[TaggedDocument], _name: str, _entries: object) -> Stubborn:
            learnt.append(len(documents))
            return Stubborn(label)

        return learn

    monkeypatch.setattr(module, "LEARNERS", {CRF: learner(crf), HMM: learner(hmm)})
    choice = model_choice([document(number) for number in range(30)], "mine", [])
    assert choice.model == best
    shares = {"name": 45 / 105, "verb": 30 / 105}  # of 105 words, 45 are names and 30 verbs
    assert choice.errors == tuple(
        KindError(kind, round(1 - shares[label], 4)) for kind, label in ((CRF, crf), (HMM, hmm))
    )
    assert (choice.documents, choice.parts) == (30, PARTS)
    assert learnt == [20] * 2 * PARTS


def test_too_little_text_is_not_measured() -> None:
    choice = model_choice([document(number) for number in range(LEAST_DOCUMENTS - 1)], "mine", [])
    assert (choice.model, choice.errors, choice.documents) == (CRF, (), 0)


def test_of_much_text_some_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    stubborn: Any = lambda *_: Stubborn("name")  # noqa: E731 - three of them are wanted in one line
    monkeypatch.setattr(module, "LEARNERS", {CRF: stubborn, HMM: stubborn})
    choice = model_choice([document(number) for number in range(10 * MOST_DOCUMENTS)], "mine", [])
    assert LEAST_DOCUMENTS <= choice.documents <= MOST_DOCUMENTS
    long = TaggedDocument((tuple(Word("Ada") for _ in range(500)),), (("name",) * 500,))
    assert model_choice([long] * 200, "mine", []).documents <= module.MOST_WORDS // 500 + 1


@pytest.mark.parametrize("kind", [CRF, HMM])
def test_train_keeps_the_kind_that_was_chosen_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "LEARNERS", {kind: module.LEARNERS[kind]})
    file = tmp_path / "tagged.jsonl"
    lines = [
        {"tokens": [w for w, _ in TAUGHT[n % 2 :]], "labels": [la for _, la in TAUGHT[n % 2 :]]} for n in range(30)
    ]
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with Workspace.create(tmp_path / "w") as workspace:
        report = train_tagger(workspace, file, "mine")
        tagger = read_tagger((tmp_path / "w/models/mine.tagger").read_bytes(), "mine")
    assert report.choice.model == kind
    assert [each.model for each in report.choice.errors] == [kind]
    assert type(tagger).__name__ == {CRF: "CrfTagger", HMM: "HmmTagger"}[kind]
    said = [tag.label for tag in tagger.tag([[[Word("Ada"), Word("walks"), Word("home.")]]])[0][0]]
    assert said == ["name", "verb", "place"]
    assert run(["-w", str(tmp_path / "w"), "tag", "--train", str(file), "--name", "mine"]) == 0
    name = {CRF: "conditional random field", HMM: "hidden Markov model"}[kind]
    assert f"The {name} is kept: where each of 3 parts of 30 documents" in " ".join(capsys.readouterr().out.split())
