"""A person's word on the fields of a document: the record follows, it holds when the document is tagged again, and it can be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tag.test_tag import paper
from trailmark.datatypes import Record, Response
from trailmark.errors import InputError
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.tag_corrections import read_corrections
from trailmark.tag.tagged_text import NO_FIELD
from trailmark.verbs.correct_document import correct, given_of, open_document
from trailmark.verbs.tag import tag
from trailmark.verbs.undo import undo
from trailmark.workspace import Workspace

URL = "http://a.example/paper.pdf"


def fetched(folder: Path) -> Workspace:
    """A workspace in which a paper was fetched and tagged."""
    workspace = Workspace.create(folder)
    with ArchiveWriter(folder / "archive") as writer:
        answer = Response(URL, 200, (("Content-Type", "application/pdf"),), paper())
        workspace.keep_page(URL, answer, writer)
    tag(workspace, jobs=1)
    return workspace


def header(workspace: Workspace) -> Record:
    return next(workspace.database.records("paper", url=URL))


def test_a_correction_changes_the_record_holds_over_tagging_and_is_undone(tmp_path: Path) -> None:
    with fetched(tmp_path / "w") as workspace:
        before = header(workspace)
        opened = open_document(workspace, URL)
        part = opened.read.parts[0]
        assert [word.text for word in part.words[0]] == ["Walks", "of", "Sites"]
        correct(workspace, opened, part.key, 0, 2, "note")
        after = header(workspace)
        assert "Walks of Sites" in after.fields["note"]
        assert after.probabilities["note"][after.fields["note"].index("Walks of Sites")] == 1.0
        assert after.sources["note"][0].startswith("page=1&xywh=")
        assert tag(workspace, jobs=1).unchanged == 1
        tag(workspace, jobs=1, again=True)
        assert header(workspace).fields == after.fields
        undo(workspace)
        assert header(workspace).fields == before.fields
        assert read_corrections(workspace.database) == []
        assert tag(workspace, jobs=1).unchanged == 1


def test_a_second_correction_of_a_part_keeps_the_first_and_no_field_takes_a_value_away(tmp_path: Path) -> None:
    with fetched(tmp_path / "w") as workspace:
        opened = open_document(workspace, URL)
        part = opened.read.parts[0]
        correct(workspace, opened, part.key, 0, 1, "")
        correct(workspace, opened, part.key, 2, 2, "author")
        labels = given_of(workspace, URL)[part.key]
        assert labels[:4] == (NO_FIELD, NO_FIELD, "author", None)
        assert "Walks" not in str(header(workspace).fields)


def test_words_and_fields_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with fetched(tmp_path / "w") as workspace:
        opened = open_document(workspace, URL)
        key = opened.read.parts[0].key
        for part, first, last, field in (
            ("x", 0, 0, "title"),
            (key, 2, 1, "title"),
            (key, 0, 10**6, "title"),
            (key, -1, 0, ""),
            (key, 0, 0, "<b>"),
        ):
            with pytest.raises(InputError):
                correct(workspace, opened, part, first, last, field)
        assert read_corrections(workspace.database) == []


def test_only_documents_that_were_tagged_are_opened_and_only_as_they_were(tmp_path: Path) -> None:
    with fetched(tmp_path / "w") as workspace:
        with pytest.raises(InputError, match="was not tagged here"):
            open_document(workspace, "file:///etc/hostname")
        file = tmp_path / "mine.pdf"
        file.write_bytes(paper())
        tag(workspace, [file], jobs=1)
        assert open_document(workspace, file.as_uri()).read.document is not None
        file.write_bytes(paper() + b"\n% more")
        with pytest.raises(InputError, match="not at hand as it was"):
            open_document(workspace, file.as_uri())
