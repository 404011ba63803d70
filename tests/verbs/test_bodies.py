"""The running text of a document is searched, and stands in no record."""

from __future__ import annotations

from pathlib import Path

from trailmark.store.body_table import LONGEST, body_digests, keep_bodies, read_bodies, unpacked
from trailmark.verbs.organise import organise
from trailmark.verbs.search import search
from trailmark.verbs.tag import tag
from trailmark.workspace import create

PAPER = """Walks of Sites

Ada Lovelace
University of Nowhere

Abstract
We walk over sites.

1 Introduction
The zebrafish walks where others have walked before [1].

References
[1] John Tanner. Trains of thought in lazy languages. Journal of Memory, 7:1-20, 1991.
"""


def test_words_of_a_body_are_found_and_are_no_field(tmp_path: Path) -> None:
    workspace = create(tmp_path / "ws")
    file = tmp_path / "walks.txt"
    file.write_text(PAPER)
    tag(workspace, [file])
    assert all(
        "zebrafish" not in str(record.fields) or record.kind == "reference" for record in workspace.database.records()
    )
    organise(workspace)
    (hit,) = search(workspace, "zebrafish").hits
    assert "zebrafish" in "".join(part.text for part in hit.snippet)
    file.write_text(PAPER.replace("zebrafish", "giraffe"))
    tag(workspace, [file])
    organise(workspace)
    assert not search(workspace, "zebrafish").hits
    assert search(workspace, "giraffe").hits


def test_a_body_is_bounded_and_one_that_is_gone_is_gone(tmp_path: Path) -> None:
    workspace = create(tmp_path / "ws")
    with workspace.database.transaction() as connection:
        keep_bodies(connection, [("http://a.example/1", "é" * (LONGEST + 5)), ("http://a.example/2", "\udcff x")])
        (packed,) = (body for _, body in read_bodies(connection, ["http://a.example/1"]))
        assert unpacked(packed) == "é" * LONGEST
        keep_bodies(connection, [("http://a.example/1", "")])
        assert list(body_digests(connection).values()) == ["http://a.example/2"]
