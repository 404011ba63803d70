"""`trailmark extract`: only what changed, in order, whatever the pages hold, and stopped at any time."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from trailmark.datatypes import Annotation, Response
from trailmark.extract.crew import CHUNK
from trailmark.extract.lifter import Lifter
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.cluster import cluster
from trailmark.verbs.extract import extract
from trailmark.verbs.wrap import wrap
from trailmark.workspace import Workspace

HTML = (("Content-Type", "text/html; charset=utf-8"),)
SITE = "http://shop.example/"


def body(number: int, *, price: str = "") -> bytes:
    notes = "".join(f"<li>note {number} {n}</li>" for n in range(number % 3))
    cost = price or f"${number}.50"
    return (
        f"<html><head><title>Item {number}</title></head><body><div class='item'><h1>Thing number {number}</h1>"
        f"<p><b>Price:</b> <span class='now'>{cost}</span></p><ul>{notes}</ul></div></body></html>"
    ).encode()


def write(path: Path, pages: Iterable[tuple[str, bytes]]) -> Path:
    with ArchiveWriter(path) as writer:
        for url, content in pages:
            writer.write(Response(url, 200, HTML, content))
    return path


def items(numbers: Iterable[int]) -> list[tuple[str, bytes]]:
    return [(f"{SITE}{number}", body(number)) for number in numbers]


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with rules; its pages are in an archive beside it."""
    folder = tmp_path_factory.mktemp("learnt")
    archive = write(folder / "a.warc.gz", items(range(12)))
    with Workspace.create(folder / "w") as workspace:
        cluster(workspace, [archive])
        marks = [
            Annotation(f"{SITE}{n}", field, value)
            for n in (1, 2)
            for field, value in (("title", f"Thing number {n}"), ("price", f"${n}.50"))
        ]
        workspace.database.add_annotations(marks, "marks")
        wrap(workspace)
    return folder


@pytest.fixture
def folder(learnt: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    source, copy = sqlite3.connect(learnt / "w/trailmark.db"), tmp_path / "w"
    for name in ("archive", "models", "logs"):
        (copy / name).mkdir(parents=True)
    (copy / "trailmark.toml").write_bytes((learnt / "w/trailmark.toml").read_bytes())
    (copy / "models/rules.json").write_bytes((learnt / "w/models/rules.json").read_bytes())
    target = sqlite3.connect(copy / "trailmark.db")
    source.backup(target)
    source.close()
    target.close()
    return copy


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
def test_every_value_says_where_it_stood(folder: Path, tmp_path: Path) -> None:
    archive = write(tmp_path / "b.warc.gz", items(range(20, 23)))
    with Workspace.open(folder) as workspace:
        extract(workspace, [archive], out=tmp_path / "plain.jsonl")
        extract(workspace, [archive], out=tmp_path / "traced.jsonl", sources=True)
        record = next(workspace.database.records(url=f"{SITE}21"))
    assert record.sources["price"] == ("/html[1]/body[1]/div[1]/p[1]/span[1]/text()[1]",)
    assert list(lines(tmp_path / "plain.jsonl")[1]) == ["url", "kind", "fields", "made_by"]
    traced = lines(tmp_path / "traced.jsonl")[1]
    assert traced["sources"]["title"] == ["/html[1]/body[1]/div[1]/h1[1]/text()[1]"]


@pytest.mark.slow
def test_processes_side_by_side_write_the_same_file(folder: Path, tmp_path: Path) -> None:
    archive = write(tmp_path / "b.warc.gz", items(range(8 * CHUNK)))
    with Workspace.open(folder) as workspace:
        for jobs in (1, 2):
            report = extract(workspace, [archive], out=tmp_path / f"{jobs}.csv", jobs=jobs, again=True)
            assert report.records == report.extracted == 8 * CHUNK
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()


def test_what_did_not_change_is_not_extracted_again(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lifted: list[str] = []
    call = Lifter.__call__

    def counted(self: Lifter, page: tuple[Response, str | None, bool]) -> Any:
        lifted.append(page[0].url)
        return call(self, page)

    monkeypatch.setattr(Lifter, "__call__", counted)
    first = write(tmp_path / "b.warc.gz", items(range(30)))
    pages = items(range(30))
    pages[4] = (pages[4][0], body(4, price="$99.99"))
    second = write(tmp_path / "c.warc.gz", pages)
    with Workspace.open(folder) as workspace:
        report = extract(workspace, [first], out=tmp_path / "1.jsonl", jobs=1)
        assert (report.extracted, report.unchanged, len(lifted)) == (30, 0, 30)
        lifted.clear()
        report = extract(workspace, [first], out=tmp_path / "2.jsonl", jobs=1)
        assert (report.extracted, report.unchanged, lifted) == (0, 30, [])
        assert report.records == 30
        report = extract(workspace, [second], out=tmp_path / "3.jsonl", jobs=1)
        assert lifted == [f"{SITE}4"]
        assert len(list(workspace.database.records())) == 30
        lifted.clear()
        assert extract(workspace, [second], jobs=1, again=True).extracted == len(lifted) == 30
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    changed = [
        a["fields"]["price"]
        for a, b in zip(lines(tmp_path / "3.jsonl"), lines(tmp_path / "1.jsonl"), strict=True)
        if a != b
    ]
    assert changed == [["$99.99"]]


def test_new_rules_extract_all_again_and_forget_what_they_no_longer_find(folder: Path, tmp_path: Path) -> None:
    archive = write(tmp_path / "b.warc.gz", items(range(5)))
    with Workspace.open(folder) as workspace:
        assert extract(workspace, [archive]).extracted == 5
        rules = json.loads((folder / "models/rules.json").read_text(encoding="utf-8"))
        rules["rules"][0]["fields"] = [f for f in rules["rules"][0]["fields"] if f["field"] == "title"]
        (folder / "models/rules.json").write_text(json.dumps(rules), encoding="utf-8")
        assert extract(workspace, [archive]).extracted == 5
        assert [list(record.fields) for record in workspace.database.records()] == [["title"]] * 5


def test_a_page_that_no_longer_has_anything_loses_its_record(folder: Path, tmp_path: Path) -> None:
    with Workspace.open(folder) as workspace:
        extract(workspace, [write(tmp_path / "b.warc.gz", items([1]))])
        empty = b"<html><body><p>gone</p></body></html>"
        report = extract(workspace, [write(tmp_path / "c.warc.gz", [(f"{SITE}1", empty)])])
        assert report.records == 0
        assert list(workspace.database.records()) == []


def test_a_page_that_goes_wrong_is_named_and_passed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from trailmark.extract import lifter
    from trailmark.read import tree_of as real

    def trip(response: Response) -> Any:
        if response.url.endswith("/3"):
            raise RecursionError("too deep")
        return real(response)

    monkeypatch.setattr(lifter, "tree_of", trip)
    archive = write(tmp_path / "b.warc.gz", items(range(6)))
    with Workspace.open(folder) as workspace:
        report = extract(workspace, [archive], jobs=1)
        assert (report.records, report.failed) == (5, 1)
        assert report.named["failed"] == (f"{SITE}3 (RecursionError: too deep)",)
        monkeypatch.setattr(lifter, "tree_of", real)
        report = extract(workspace, [archive], jobs=1)
        assert (report.records, report.extracted) == (6, 1), "it is tried again"


def test_a_file_that_can_not_be_written_loses_nothing_that_was_done(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import trailmark.verbs.record_output

    def full(records: Iterable[Any], *_: Any, **__: Any) -> None:
        for number, _record in enumerate(records):
            if number == 3:
                raise OSError(28, "no space left on device")

    monkeypatch.setattr(trailmark.verbs.record_output, "write_records", full)
    archive = write(tmp_path / "b.warc.gz", items(range(10)))
    with Workspace.open(folder) as workspace:
        with pytest.raises(OSError, match="no space"):
            extract(workspace, [archive], out=tmp_path / "out.csv", jobs=1)
        assert len(list(workspace.database.records())) == 4
    assert not (tmp_path / "out.csv").exists()


HOSTILE = (
    b"",
    b"\x00\xff\xfe" * 50,
    b"<html>" + b"<div>" * 5000 + b"deep",
    b"<html><body>" + b"<span class='now'>$1</span>" * 3000,
    "<html><body><h1>=cmd|' /C calc'!A0</h1><b>Price:</b> <span class='now'>\u202e$1.50\x1b[2J</span>".encode(),
    b"%PDF-1.4 \x89PNG",
)


def test_hostile_pages_never_stop_a_run_nor_say_what_they_do_not_hold(folder: Path, tmp_path: Path) -> None:
    pages = [(f"{SITE}bad{number}", content) for number, content in enumerate(HOSTILE)]
    archive = write(tmp_path / "b.warc.gz", [*items([1]), *pages, *items([2])])
    with Workspace.open(folder) as workspace:
        report = extract(workspace, [archive], out=tmp_path / "out.csv")
        assert report.failed == 0
        for record in workspace.database.records():
            for value in (value for values in record.fields.values() for value in values):
                held = dict([*pages, *items([1, 2])])[record.url].decode("utf-8", "replace")
                assert "".join(value.split()) in "".join(held.split())
    assert {f"{SITE}1", f"{SITE}2"} <= {row.split(",")[0] for row in (tmp_path / "out.csv").read_text().splitlines()}


def test_the_report_tells_a_person_where_to_look(folder: Path, tmp_path: Path, trailmark: Any) -> None:
    pages = items(range(40))
    pages[7] = (pages[7][0], body(7).replace(b"<p><b>Price:</b> <span class='now'>$7.50</span></p>", b"<p>sold</p>"))
    pages.append(("http://other.example/", b"<html><body>elsewhere</body></html>"))
    archive = write(tmp_path / "b.warc.gz", pages)
    report = trailmark("-w", folder, "extract", "--archive", archive, "--jobs", 1, "--json").report
    assert report["fill"] == {"title": 1.0, "price": 0.975}
    assert report["unsure"] == [
        {"rules": "shop.example/1", "field": "price", "lacking": 1, "share": 0.975, "pages": [f"{SITE}7"]}
    ]
    assert report["without_rules"] == 1
    said = trailmark("-w", folder, "extract", "--archive", archive).out
    assert "98%" in said
    assert "http://other.example/" in said
    assert "41 pages" not in said
    assert "40 pages were known from an earlier run" in said


def test_bad_usage(folder: Path, tmp_path: Path, trailmark: Any) -> None:
    assert "records can't be written as '.ods'" in trailmark("-w", folder, "extract", "--out", tmp_path / "a.ods").err
    assert "no records in" in trailmark("-w", folder, "export", tmp_path / "a.csv").err
    archive = write(tmp_path / "b.warc.gz", items(range(3)))
    assert trailmark("-w", folder, "extract", "--archive", archive).code == 0
    for arguments, sentence in (
        (("a.csv", "--kind", "cat"), "no records of kind 'cat'; there are: item"),
        (("a.csv", "--field", "colour"), "No record has a field 'colour'; there are: title, price"),
        (("a.xml", "--rules"), "name a file that ends in .xslt, .py or .json"),
        (("a.py", "--rules", "--cluster", "x"), "no rules for a cluster 'x'"),
        (("a.py", "--rules", "--kind", "x"), "are for records"),
    ):
        ended = trailmark("-w", folder, "export", tmp_path / arguments[0], *arguments[1:])
        assert (ended.code, sentence in ended.err) == (2, True), ended.err


def test_records_leave_as_files_and_show_where_they_stood(folder: Path, tmp_path: Path, trailmark: Any) -> None:
    archive = write(tmp_path / "b.warc.gz", items(range(3)))
    assert trailmark("-w", folder, "extract", "--archive", archive).code == 0
    report = trailmark("-w", folder, "export", tmp_path / "a.csv", "--field", "price", "--json").report
    assert (report["records"], report["fields"]) == (3, {"price": 3})
    rows = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()
    assert rows[:2] == ["url,kind,price,made_by", f"{SITE}0,item,$0.50,rule:shop.example/1"]
    assert trailmark("-w", folder, "export", tmp_path / "r.py", "--rules").code == 0
    assert "def extract(" in (tmp_path / "r.py").read_text(encoding="utf-8")
    shown = trailmark("-w", folder, "show", f"{SITE}2", "--record", "--replay", archive, "--json").report
    (record,) = shown["records"]
    price = next(each for each in record["values"] if each["field"] == "price")
    assert price["around"] == "Thing number 2 Price: [$2.50] note 2 0 note 2 1"
    assert price["rule"]
    assert "Price: [$2.50]" in trailmark("-w", folder, "show", f"{SITE}2", "--record", "--replay", archive).out
    assert "no record of" in trailmark("-w", folder, "show", f"{SITE}77", "--record").err


@pytest.mark.slow
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_is_stopped_goes_on(way: signal.Signals, folder: Path, tmp_path: Path) -> None:
    count = 1600
    archive = write(tmp_path / "b.warc.gz", items(range(count)))
    out = tmp_path / "out.jsonl"
    command = [sys.executable, "-m", "trailmark.cli.main", "-w", str(folder), "extract"]
    command += ["--archive", str(archive), "--out", str(out), "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for(lambda: rows(folder) > 0, process)
        process.send_signal(way)
        _, err = process.communicate(timeout=120)
    assert "Traceback" not in err
    if way == signal.SIGINT and process.returncode:
        assert process.returncode == 130
        assert "what was done is kept" in err
    done = rows(folder)
    assert 0 < done <= count
    with Workspace.open(folder) as workspace:
        report = extract(workspace, [archive], out=out, jobs=1)
        assert (report.records, report.unchanged) == (count, done)
        assert len(list(workspace.database.records())) == count
    assert [record["url"] for record in lines(out)] == [url for url, _ in items(range(count))]


def rows(folder: Path) -> int:
    connection = sqlite3.connect(folder / "trailmark.db")
    try:
        return int(connection.execute("SELECT count(*) FROM extractions").fetchone()[0])
    finally:
        connection.close()


def wait_for(happened: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 120
    while not happened():
        assert process.poll() is None or happened(), "it ended before anything was kept"
        assert time.monotonic() < until
        time.sleep(0.005)
