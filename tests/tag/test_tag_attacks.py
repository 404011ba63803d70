"""`tag` where something goes wrong: killed in the middle, run twice at once, hostile documents, names, models and tagged text."""

# ruff: noqa: F811 - a fixture of another module is named by its arguments

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import bibtexparser
import pytest

from tests.read.made_pdf import Piece, broken_pdfs, made_pdf, pdf_of
from tests.tag.test_tag import call, folder, paper  # noqa: F401 - a fixture
from trailmark.cli.main import run
from trailmark.datatypes import Response
from trailmark.store.archive import ArchiveWarning
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.tag.document_tagger import TaggedOutcome
from trailmark.verbs import tag as tag_verb
from trailmark.verbs.tag import tag
from trailmark.verbs.tag_sources import documents_of
from trailmark.verbs.train_tagger import train_tagger
from trailmark.workspace import Workspace

KILLED = """
import os, signal, sys
from collections.abc import Callable
from pathlib import Path
from trailmark.verbs import tag as verb
from trailmark.workspace import Workspace
verb.BATCH = 2
kept = verb._TagRun._keep
def keep(self, batch, bodies):
    kept(self, batch, bodies)
    if self.counts["records"] >= 5:
        os.kill(os.getpid(), signal.SIGKILL)
verb._TagRun._keep = keep
with Workspace.open(Path(sys.argv[1])) as workspace:
    verb.tag(workspace, sys.argv[2:], jobs=1)
"""


def papers(folder: Path, count: int) -> list[Path]:
    files = [folder / f"paper{number}.pdf" for number in range(count)]
    for number, file in enumerate(files):
        file.write_bytes(paper(f"Walks of Site {number}"))
    return files


def kept_titles(workspace: Workspace) -> list[str]:
    return sorted(record.fields["title"][0] for record in workspace.database.records() if record.kind == "paper")


def test_a_run_that_was_killed_goes_on_and_nothing_is_lost_or_doubled(folder: Path) -> None:
    files = papers(folder, 8)
    script = [sys.executable, "-c", KILLED, str(folder / "w"), *map(str, files)]
    killed = subprocess.run(script, check=False, capture_output=True)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    with Workspace.open(folder / "w") as workspace:
        before = kept_titles(workspace)
        assert 0 < len(before) < 8
        report = tag(workspace, files, jobs=1)
        assert (report.unchanged, report.papers, report.references) == (len(before), 8, 24)
        assert kept_titles(workspace) == [f"Walks of Site {number}" for number in range(8)]
        assert len(list(workspace.database.records())) == 32


def test_two_runs_at_once_keep_each_record_once(folder: Path) -> None:
    files = papers(folder, 6)
    script = "import sys; from trailmark.cli.main import run; sys.exit(run(sys.argv[1:]))"
    command = [sys.executable, "-c", script, "-w", str(folder / "w"), "tag", *map(str, files)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(2)]
    said = [process.communicate(timeout=120)[0].decode() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    with Workspace.open(folder / "w") as workspace:
        assert len(kept_titles(workspace)) == 6
        assert len(list(workspace.database.records())) == 24


def test_one_document_at_two_addresses_gives_entries_that_another_program_tells_apart(folder: Path) -> None:
    shutil.copy(folder / "paper.pdf", folder / "copy.pdf")
    assert call(folder, folder / "paper.pdf", folder / "copy.pdf", "--out", folder / "out.bib") == 0
    library = bibtexparser.parse_string((folder / "out.bib").read_text())  # type: ignore[attr-defined]
    assert not library.failed_blocks
    assert len({entry.key for entry in library.entries}) == 8


def wrong_table() -> bytes:
    """Every offset in the table is wrong by some bytes."""
    good = paper()
    start = good.rindex(b"xref\n0")
    return good[:start] + good[start:].replace(b" 00000 n", b" 00000 n").replace(b"00000000", b"00000033")


def nested_forms(depth: int = 3000) -> bytes:
    """A page whose picture holds a picture, and so on."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"]
    objects.append(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>"
    )
    objects.append("<< /Length 5 >>\nstream\n/X Do\nendstream")
    for number in range(depth):
        inner = f"<< /X {6 + number} 0 R >>" if number + 1 < depth else "<< /X 5 0 R >>"
        objects.append(
            f"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject {inner} >> /Length 5 >>\nstream\n/X Do\nendstream"
        )
    return pdf_of(objects)


HOSTILE: dict[str, Callable[[], bytes]] = {
    "wrong_table.pdf": wrong_table,
    "nested_forms.pdf": nested_forms,
    "many_words.pdf": lambda: made_pdf([[Piece(72, 72, "word " * 200_000)]]),
    "all_on_one_spot.pdf": lambda: made_pdf([[Piece(72, 72, "over") for _ in range(5000)]]),
    "far_away.pdf": lambda: made_pdf([[Piece(1e30, -1e30, "far", 1e20), Piece(72, 72, "near", 0)]]),
}
NAMES = [
    "-rf.pdf",
    "a b\n\x1b[31m.pdf",
    "%00%2f.pdf",
    "ü\u202egnp.pdf",
    "#?&=.pdf",
    os.fsdecode(b"\xff\xfe.pdf"),
    "n" * 240 + ".pdf",
]


def test_a_folder_of_hostile_documents_is_gone_through_and_each_is_answered_for(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    home = folder / "docs"
    home.mkdir()
    for name in NAMES:
        (home / name).write_bytes(paper())
    for name, make in HOSTILE.items():
        (home / name).write_bytes(make())
    for name, body in broken_pdfs().items():
        (home / name).write_bytes(body)
    files = sorted(home.iterdir())
    assert (
        run(["-w", str(folder / "w"), "tag", "--json", "--out", str(folder / "o.jsonl"), "--", *map(str, files)]) == 0
    )
    report = json.loads(capsys.readouterr().out)
    assert report["documents"] == len(files)
    rows = [json.loads(line) for line in (folder / "o.jsonl").read_text().splitlines()]
    titled = [row for row in rows if row["kind"] == "paper" and row["fields"].get("title") == ["Walks of Sites"]]
    assert len(titled) >= len(NAMES)
    assert all(problem["reason"] and "\x1b" not in problem["place"] for problem in report["problems"])


def slow(*_: object) -> object:
    def work(response: Response) -> TaggedOutcome:
        if "slow" in response.url:
            threading.Event().wait(60)
        if "large" in response.url:
            bytearray(3_000_000_000)
        return TaggedOutcome("no paper")

    return work


def test_a_document_that_takes_too_long_or_too_much_is_named_and_the_others_go_on(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tag_verb, "make_tagger", slow)
    (folder / "w" / "trailmark.toml").write_text("[tag]\nseconds = 1.0\nmemory = 1000000000\n")
    files = [folder / name for name in ("slow.pdf", "large.pdf", "fine.pdf")]
    for file in files:
        file.write_bytes(paper())
    with Workspace.open(folder / "w") as workspace:
        report = tag(workspace, files, jobs=2)
    reasons = {problem.place.rpartition("/")[2]: problem.reason for problem in report.problems}
    assert (report.failed, report.no_papers) == (2, 1)
    assert "took more than 1 seconds" in reasons["slow.pdf"]
    assert "raise seconds or memory in [tag]" in reasons["large.pdf"]


def test_a_file_that_is_gone_when_its_turn_comes_is_named_and_the_others_go_on(folder: Path) -> None:
    files = papers(folder, 2)
    with Workspace.open(folder / "w") as workspace:
        run_ = documents_of(workspace, files, [], every_kind=False)
        files[0].unlink()
        assert [response.url for response in run_ if response.status == 200] == [files[1].as_uri()]


def test_what_was_found_stays_where_a_later_run_fails_on_the_same_bytes(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Workspace.open(folder / "w") as workspace:
        tag(workspace, [folder / "paper.pdf"])
        monkeypatch.setattr(tag_verb, "make_tagger", failing)
        report = tag(workspace, [folder / "paper.pdf"], again=True)
        assert (report.failed, len(list(workspace.database.records()))) == (1, 4)


def failing(*_: object) -> object:
    return lambda _: TaggedOutcome("failed", note="the machine was busy")


@pytest.mark.parametrize("out", ["missing/out.bib", "paper.pdf/out.bib", "folder.bib"])
def test_an_output_that_can_not_be_written_is_one_sentence(
    folder: Path,
    out: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "folder.bib").mkdir()
    assert call(folder, folder / "paper.pdf", "--out", folder / out) == 2
    said = capsys.readouterr().err.replace("\n", "")
    assert f"{folder / out}:" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("body", [b"", b"PK\x03\x04", b"\x00" * 1000])
def test_a_damaged_tagger_is_refused_in_a_sentence(
    folder: Path,
    body: bytes,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (folder / "w" / "models" / "headers.tagger").write_bytes(body)
    assert call(folder, folder / "paper.pdf") == 2
    assert "learn it again" in capsys.readouterr().err


def test_a_tagger_under_another_name_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    models = folder / "w" / "models"
    shutil.copy(models / "references.tagger", models / "headers.tagger")
    assert call(folder, folder / "paper.pdf") == 2
    assert "holds the tagger 'references', not 'headers'" in capsys.readouterr().err.replace("\n", " ")


def test_hostile_tagged_text_is_named_by_line_and_the_rest_is_learnt(folder: Path) -> None:
    rows = [
        '{"tokens": ["a\u2028b", "c\x85d"], "labels": ["x", "y"]}',
        '{"tokens": ["a"], "labels": ["\\ud800"]}',
        '{"tokens": ["a"], "labels": ["\\u0000x"]}',
        '{"text": "ab", "spans": [[0, 1, "\\udfff"]]}',
        "[" * 100_000,
        '{"tokens": ["a"], "labels": [NaN]}',
    ]
    file = folder / "hostile.jsonl"
    file.write_text("\n".join(rows), encoding="utf-8")
    with Workspace.open(folder / "w") as workspace:
        report = train_tagger(workspace, file, "mine")
    assert report.documents == 1
    assert [problem.place for problem in report.problems] == [f"{file}:{number}" for number in range(2, 7)]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'\n{"tokens": ["a"]}\n', "(line 2: 'labels' must be a list"),
        (b'{"tokens": ["a"], "labels": ["x"]}\n{"tokens": ["M\xfcller"], "labels": ["x"]}', "line 2: it is no UTF-8 text; save"),
        (b'{"tokens": ["a"], "labels": ["x"]}', "every word of it is 'x'"),
        (b'{"tokens": [], "labels": []}', "it has no words"),
        (None, "name a file of tagged text"),
    ],
)  # fmt: skip
def test_tagged_text_of_no_use_is_named_with_its_file_and_line(
    folder: Path, body: bytes | None, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "useless.jsonl"
    if body is not None:
        file.write_bytes(body)
    assert call(folder, "--train", file, "--name", "mine") == 2
    said = capsys.readouterr().err.replace("\n", " ")
    assert "useless.jsonl" in said
    assert told in said


def test_lines_that_are_left_out_are_counted_where_not_all_are_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "some.jsonl"
    file.write_text('{"tokens": ["a", "b"], "labels": ["x", "y"]}\n' + "nonsense\n" * 7)
    assert call(folder, "--train", file, "--name", "mine") == 0
    said = capsys.readouterr().out
    assert "learnt from 1 document with 2 words" in said
    assert "2 more lines were left out" in said


def test_too_many_labels_are_refused_before_anything_is_learnt(folder: Path) -> None:
    names = [f"l{number}" for number in range(600)]
    file = folder / "labels.jsonl"
    file.write_text(json.dumps({"tokens": names, "labels": names}))
    assert call(folder, "--train", file, "--name", "mine") == 2
    assert not (folder / "w" / "models" / "mine.tagger").exists()


def test_an_archive_that_ends_in_the_middle_gives_what_it_has(folder: Path) -> None:
    pdf = (("Content-Type", "application/pdf"),)
    whole = folder / "site.warc.gz"
    with ArchiveWriter(whole) as writer:
        for number in range(3):
            writer.write(Response(f"http://a.example/{number}.pdf", 200, pdf, paper(f"Walks {number}")))
    whole.write_bytes(whole.read_bytes()[:-200])
    with Workspace.open(folder / "w") as workspace, pytest.warns(ArchiveWarning, match="cut off"):
        assert tag(workspace, archives=[whole]).papers >= 2


def test_an_address_in_several_archives_is_taken_as_it_was_last(folder: Path) -> None:
    pdf = (("Content-Type", "application/pdf"),)
    archives = [folder / f"{name}.warc.gz" for name in ("old", "new")]
    for archive, title in zip(archives, ("Walks of Old", "Walks of New"), strict=True):
        with ArchiveWriter(archive) as writer:
            writer.write(Response("http://a.example/same.pdf", 200, pdf, paper(title)))
            writer.write(Response(f"http://a.example/{title[-3:]}.pdf", 200, pdf, paper(title)))
    with ArchiveWriter(archives[1]) as writer:
        writer.write(Response("http://a.example/same.pdf", 503, pdf, b""))
    with Workspace.open(folder / "w") as workspace:
        for known in (0, 3):
            report = tag(workspace, archives=archives, out=folder / "out.bib")
            assert (report.documents, report.unchanged) == (3, known)
            assert kept_titles(workspace) == ["Walks of New", "Walks of New", "Walks of Old"]
            assert (folder / "out.bib").read_text().count("title = {Walks of Old}") == 1
