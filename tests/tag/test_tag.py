"""`tag` from end to end: papers made here, a tagger learnt here, records and BibTeX that another program reads."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import bibtexparser
import pytest

from tests.read.made_pdf import Piece, broken_pdfs, made_pdf
from trailmark.cli.main import run
from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.tag import tag
from trailmark.workspace import Workspace

HEADER = [
    ("Walks of Sites", "title"),
    ("Ada Lovelace and Alan Turing", "author"),
    ("Abstract", "abstract"),
    ("We walk", "abstract"),
]
REFERENCE = [
    ("[1]", "O"),
    ("A. Turing.", "author"),
    ("On Walks.", "title"),
    ("Journal of Sites,", "journal"),
    ("pp. 3-9,", "pages"),
    ("1936.", "date"),
]


def paper(title: str = "Walks of Sites") -> bytes:
    first = [
        Piece(150, 80, title, 18, bold=True),
        Piece(200, 110, "Ada Lovelace and Alan Turing", 12),
        Piece(72, 150, "Abstract", 12, bold=True),
        Piece(72, 170, "We walk"),
        Piece(72, 200, "1 Introduction", 12, bold=True),
        *(Piece(72, 220 + 14 * n, f"Text of the body [{n}] goes on and on in line {n}") for n in range(8)),
    ]
    last = [Piece(72, 80, "References", 12, bold=True)]
    for n in range(1, 4):
        last += [
            Piece(72, 80 + 28 * n, f"[{n}] A. Turing. On Walks."),
            Piece(90, 94 + 28 * n, "Journal of Sites, pp. 3-9, 1936."),
        ]
    return made_pdf([first, last])


def tagged(path: Path, rows: list[tuple[str, str]]) -> Path:
    lines = [[[word, label] for word in text.split()] for text, label in rows]
    path.write_text(json.dumps({"id": 1, "lines": lines}) + "\n")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Workspace.create(tmp_path / "w").close()
    for name, rows in (("headers", HEADER), ("references", REFERENCE)):
        file = tagged(tmp_path / f"{name}.jsonl", rows)
        assert run(["-w", str(tmp_path / "w"), "tag", "--train", str(file), "--name", name]) == 0
    (tmp_path / "paper.pdf").write_bytes(paper())
    return tmp_path


def call(folder: Path, *words: object) -> int:
    return run(["-w", str(folder / "w"), "tag", *map(str, words)])


def test_a_paper_becomes_records_with_places_and_probabilities(folder: Path) -> None:
    assert call(folder, folder / "paper.pdf", "--out", folder / "out.jsonl", "--sources") == 0
    header, *references = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    assert (header["kind"], header["fields"]["title"]) == ("paper", ["Walks of Sites"])
    assert header["fields"]["author"] == ["Ada Lovelace", "Alan Turing"]
    assert header["fields"]["author_normal"] == ["Lovelace, Ada", "Turing, Alan"]
    assert header["sources"]["title"][0].startswith("page=1&xywh=150.0,")
    assert 0 < header["probabilities"]["title"][0] <= 1
    for record in (header, *references):
        doubtful = [name for name, chances in record["probabilities"].items() if min(chances) < 0.8]
        assert record.get("unsure", []) == doubtful
    assert [each["fields"]["number"] for each in references] == [["1"], ["2"], ["3"]]
    first = references[0]["fields"]
    assert first["text"] == ["[1] A. Turing. On Walks. Journal of Sites, pp. 3-9, 1936."]
    assert (first["pages_normal"], first["date_normal"]) == (["3-9"], ["1936"])
    assert references[0]["sources"]["pages"][0].startswith("page=2&xywh=")


def test_a_database_is_written_too(folder: Path) -> None:
    assert call(folder, folder / "paper.pdf", "--out", folder / "out.sqlite") == 0
    with closing(sqlite3.connect(folder / "out.sqlite")) as connection:
        assert connection.execute("SELECT COUNT(*) FROM records").fetchone() == (4,)


def test_bibtex_is_read_by_another_program(folder: Path) -> None:
    assert call(folder, folder / "paper.pdf", "--out", folder / "out.bib") == 0
    library = bibtexparser.parse_string(  # type: ignore[attr-defined]
        (folder / "out.bib").read_text()
    )
    assert not library.failed_blocks
    assert len(library.entries) == 4
    entry = library.entries[0].fields_dict
    assert (entry["title"].value, entry["author"].value) == ("Walks of Sites", "Lovelace, Ada and Turing, Alan")
    assert library.entries[1].entry_type == "article"


def test_a_document_is_tagged_again_only_where_something_changed(folder: Path) -> None:
    with Workspace.open(folder / "w") as workspace:
        assert tag(workspace, [folder / "paper.pdf"]).unchanged == 0
        again = tag(workspace, [folder / "paper.pdf"])
        assert (again.unchanged, again.papers, again.references) == (1, 1, 3)
        assert len(list(workspace.database.records())) == 4
        (folder / "paper.pdf").write_bytes(paper("Other Walks of Sites"))
        assert tag(workspace, [folder / "paper.pdf"]).unchanged == 0
        assert len(list(workspace.database.records())) == 4


def test_archives_and_broken_documents(folder: Path) -> None:
    pdf = (("Content-Type", "application/pdf"),)
    with ArchiveWriter(folder / "site.warc.gz") as writer:
        writer.write(Response("http://a.example/p.pdf", 200, pdf, paper()))
        writer.write(Response("http://a.example/", 200, (("Content-Type", "text/html"),), b"<p>A page</p>"))
        for name, body in broken_pdfs().items():
            if body:
                writer.write(Response(f"http://a.example/{name}", 200, pdf, body))
    with Workspace.open(folder / "w") as workspace:
        report = tag(workspace, archives=[folder / "site.warc.gz"], jobs=1)
    assert report.papers == 1
    assert report.documents == 1 + len(broken_pdfs()) - 1
    assert report.failed + report.no_papers == len(broken_pdfs()) - 1
    assert any("password" in problem.reason for problem in report.problems)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--train", "x.jsonl"], "belong together"),
        (["--train", "missing.jsonl", "--name", "x"], "can't be read"),
        (["--train", "headers.jsonl", "--name", "../x"], "can't be the name"),
        (["missing.pdf"], "is no file"),
        (["paper.pdf", "--model", "talks"], "trailmark -w {w} tag --train TAGGED.jsonl --name talks"),
        (["paper.pdf", "--out", "x.doc"], "can't be written"),
        ([], "no document to tag"),
    ],
)
def test_bad_input_is_one_sentence(
    folder: Path, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert call(folder, *words) == 2
    assert sentence.format(w=folder / "w") in capsys.readouterr().err.replace("\n", " ")
