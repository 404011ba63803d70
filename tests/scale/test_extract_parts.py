"""Archives to a data set of records, part by part: the same records as on one machine, whoever is killed."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.scale.shop_pages import archives, item, locally, new_workspace, told, write
from trailmark.errors import InputError
from trailmark.extract.known_pages import KnownPages
from trailmark.extract.lifter import Lifter
from trailmark.settings import StoreSettings
from trailmark.store.archive import ArchiveWarning, read_archive
from trailmark.store.archive_parts import deal_archive, entries_in
from trailmark.store.data_set import DataSet
from trailmark.store.data_set_view import DataSetView
from trailmark.store.parquet_part import PartWriter
from trailmark.verbs.extract_parts import extract_parts
from trailmark.verbs.hands import OwnHands
from trailmark.verbs.lift_part import PartLifter
from trailmark.verbs.process_hands import ProcessHands
from trailmark.workspace import Workspace, change_setting

pytest.importorskip("pyarrow", reason="pyarrow is not installed: make test")


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_workspace(tmp_path_factory.mktemp("learnt"))


@pytest.fixture
def workspace(learnt: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(learnt, tmp_path / "w"))


def to_data_set(workspace: Path, named: Sequence[Path | str], out: Path | str, **more: Any) -> Any:
    with Workspace.open(workspace) as opened:
        return extract_parts(opened, named, out, **more)


def in_data_set(out: Path) -> list[tuple[str, str, str, str]]:
    return told(DataSetView(DataSet(out)).records())


def test_the_records_are_those_of_one_machine(workspace: Path, tmp_path: Path) -> None:
    named = archives(tmp_path / "pages", 3, 40)
    report = to_data_set(workspace, [tmp_path / "pages"], tmp_path / "out")
    wanted = locally(workspace, named)
    assert len(wanted) == 80
    assert in_data_set(tmp_path / "out") == wanted
    assert (report.records, report.without_rules, report.extracted, report.unchanged) == (80, 40, 80, 0)
    assert report.fields == {"title": 80, "price": 80}
    assert DataSetView(DataSet(tmp_path / "out")).kinds() == {"item": 80}
    # Nothing changed: nothing is done again, and the figures are the same.
    again = to_data_set(workspace, named, tmp_path / "out", hands=Refusing())
    assert (again.records, again.extracted, again.unchanged) == (80, 0, 80)
    assert in_data_set(tmp_path / "out") == wanted


def test_the_report_is_that_of_one_machine(workspace: Path, tmp_path: Path) -> None:
    from trailmark.verbs.extract import extract

    named = archives(tmp_path / "pages", 3, 50)
    write(named[1], [("http://alder.example/odd", "<html><body><p>Nothing of the kind</p></body></html>")])
    parts = to_data_set(workspace, named, tmp_path / "out").to_json()
    with Workspace.open(workspace) as opened:
        alone = extract(opened, named, jobs=1, dry_run=True).to_json()
    for report in (parts, alone):
        report.pop("dry_run")
        report.pop("summary")
    assert parts == alone


class Refusing(OwnHands):
    """May deal archives, and lift nothing."""

    def answers(self, work: Callable[[Any], Any], tasks: Sequence[Any], **more: Any) -> Iterator[tuple[int, Any]]:
        assert not isinstance(work, PartLifter) or not tasks
        return super().answers(work, tasks, **more)


def test_the_same_input_gives_the_same_bytes(workspace: Path, tmp_path: Path) -> None:
    named = archives(tmp_path / "pages", 2, 30)
    files = []
    for name in ("one", "two"):
        to_data_set(workspace, named, tmp_path / name, hands=ProcessHands(2) if name == "two" else None)
        folder = tmp_path / name
        files.append({str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()})
    assert files[0] == files[1]
    assert sum(name.endswith(".parquet") for name in files[0]) == 2


class Stopping(OwnHands):
    """Every worker dies when its part is whole, before it takes back that it began; the part is given to another."""

    def answers(self, work: Callable[[Any], Any], tasks: Sequence[Any], **more: Any) -> Iterator[tuple[int, Any]]:
        for place, answer in super().answers(work, tasks, **more):
            if isinstance(work, PartLifter):
                note = work.out / "_begun" / tasks[place].part.name
                note.write_bytes(b"1")
                answer = work(tasks[place])
            yield place, answer


def test_a_part_that_was_whole_leaves_no_note_that_it_was_begun(workspace: Path, tmp_path: Path) -> None:
    report = to_data_set(workspace, archives(tmp_path / "pages", 2, 30), tmp_path / "out", hands=Stopping())
    assert report.records == 40
    assert not list((tmp_path / "out" / "_begun").iterdir())


def test_an_archive_that_is_named_twice_is_taken_once(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (archive,) = archives(tmp_path / "pages", 1, 30)
    (tmp_path / "beside").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "w")
    monkeypatch.chdir(tmp_path / "beside")
    names: list[Path | str] = [archive, f"../pages/{archive.name}", "../pages", f"{tmp_path}/w/../pages/{archive.name}"]
    assert to_data_set(workspace, names, tmp_path / "out").records == 20
    for name in (*names, f"{tmp_path}/link/../pages"):
        assert to_data_set(workspace, [name], tmp_path / "out", hands=Refusing()).unchanged == 20
    assert in_data_set(tmp_path / "out") == locally(workspace, [archive])


def test_processes_end_with_the_one_that_gave_them_work(tmp_path: Path) -> None:
    """Killed, it can't tell them."""
    driver = (
        "import os, time\n"
        "from trailmark.verbs.process_hands import ProcessHands\n"
        "def work(task):\n"
        f"    open('{tmp_path}/child', 'w').write(str(os.getpid()))\n"
        "    time.sleep(0.2)\n"
        f"    os.rename('{tmp_path}/child', '{tmp_path}/ready')\n"
        "    time.sleep(60)\n"
        "list(ProcessHands(1).answers(work, [0]))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", driver])
    try:
        assert _soon((tmp_path / "ready").is_file)
    finally:
        process.kill()
        process.wait()
    child = int((tmp_path / "ready").read_text())
    assert _soon(
        lambda: not Path(f"/proc/{child}/cmdline").is_file() or not Path(f"/proc/{child}/cmdline").read_bytes()
    )


def _soon(true: Callable[[], bool], seconds: float = 30.0) -> bool:
    end = time.monotonic() + seconds
    while not true() and time.monotonic() < end:
        time.sleep(0.05)
    return true()


def test_a_large_archive_is_taken_in_stretches(workspace: Path, tmp_path: Path) -> None:
    (large,) = archives(tmp_path / "pages", 1, 600)
    change_setting(workspace, "scale", "part_bytes", 100_000)
    dealt = deal_archive(large, 100_000)
    assert len(dealt.parts) > 2
    found = [entry.response.url for part in dealt.parts for entry in entries_in(part, StoreSettings())]
    assert found == [response.url for response in read_archive(large)]
    to_data_set(workspace, [large], tmp_path / "out")
    assert in_data_set(tmp_path / "out") == locally(workspace, [large])


def test_an_archive_that_holds_an_archive_is_dealt_at_its_own_records(tmp_path: Path) -> None:
    """Bytes that look like the beginning of a record stand in the body of a page that is an archive itself."""
    inner = write(tmp_path / "inner.warc.gz", [item("alder", n)[:2] for n in range(300)]).read_bytes()
    from trailmark.datatypes import Response
    from trailmark.store.archive_writer import ArchiveWriter

    outer = tmp_path / "outer.warc.gz"
    with ArchiveWriter(outer) as writer:
        for number in range(5):
            writer.write(Response(f"http://a.example/{number}.warc.gz", 200, (), inner + os.urandom(1000)))
    dealt = deal_archive(outer, 100_000)
    found = [entry.response.url for part in dealt.parts for entry in entries_in(part, StoreSettings())]
    assert found == [f"http://a.example/{number}.warc.gz" for number in range(5)]


def test_an_archive_that_grew_is_made_anew_and_not_doubled(workspace: Path, tmp_path: Path) -> None:
    (archive,) = archives(tmp_path / "pages", 1, 600)
    change_setting(workspace, "scale", "part_bytes", 100_000)
    to_data_set(workspace, [archive], tmp_path / "out")
    write(archive, [item("birch", n)[:2] for n in range(5000, 5400)])
    to_data_set(workspace, [archive], tmp_path / "out")
    assert in_data_set(tmp_path / "out") == locally(workspace, [archive])
    named = {file.path for file in DataSet(tmp_path / "out").standing().files()}
    there = {str(file.relative_to(tmp_path / "out")) for file in (tmp_path / "out").rglob("*.parquet")}
    assert there == named, "what an earlier version left is swept away"


def test_a_writer_that_is_killed_leaves_nothing_doubled(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = archives(tmp_path / "pages", 2, 30)
    end = PartWriter.end
    died: list[str] = []

    def dies_before_the_manifest(self: Any, notes: Any) -> Any:
        if not died:
            died.append(self.part)
            monkeypatch.setattr(DataSet, "put_manifest", _raise)
            try:
                return end(self, notes)
            finally:
                monkeypatch.undo()
        return end(self, notes)

    monkeypatch.setattr(PartWriter, "end", dies_before_the_manifest)
    with pytest.raises(KeyboardInterrupt):
        to_data_set(workspace, named, tmp_path / "out")
    assert list((tmp_path / "out").rglob("*.parquet"))
    assert in_data_set(tmp_path / "out") == []
    to_data_set(workspace, named, tmp_path / "out")
    assert in_data_set(tmp_path / "out") == locally(workspace, named)


def _raise(*_: object) -> None:
    raise KeyboardInterrupt


def test_other_rules_make_the_parts_anew(workspace: Path, tmp_path: Path) -> None:
    named = archives(tmp_path / "pages", 2, 30)
    to_data_set(workspace, named, tmp_path / "out")
    with Workspace.open(workspace) as opened:
        rules = list(opened.rules().values())
        opened.keep_rules(rules[:1])
    to_data_set(workspace, named, tmp_path / "out")
    assert in_data_set(tmp_path / "out") == locally(workspace, named)
    assert 0 < len(in_data_set(tmp_path / "out")) < 40


def test_what_goes_wrong_is_set_aside_with_its_reason(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (archive,) = archives(tmp_path / "pages", 1, 30)
    lift = Lifter._lift

    def fragile(self: Any, response: Any, known: Any, **more: Any) -> Any:
        if response.url.endswith("1003"):
            raise ValueError("seven")
        return lift(self, response, known, **more)

    monkeypatch.setattr(Lifter, "_lift", fragile)
    data = archive.read_bytes()
    archive.write_bytes(data[: len(data) - 40])
    with pytest.warns(ArchiveWarning, match="damaged"):
        report = to_data_set(workspace, [archive], tmp_path / "out")
    view = DataSetView(DataSet(tmp_path / "out"))
    assert next((page.url, page.reason) for page in view.aside()) == ("http://birch.example/1003", "ValueError: seven")
    assert "damaged" in view.aside()[1].reason
    assert (report.failed, view.count_aside()) == (1, 2)


def test_a_page_that_kills_its_worker_is_set_aside(
    workspace: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = archives(tmp_path / "pages", 2, 40)
    lift = Lifter._lift

    def deadly(self: Any, response: Any, known: Any, **more: Any) -> Any:
        if response.url.endswith("1006"):
            os._exit(9)
        return lift(self, response, known, **more)

    monkeypatch.setattr(Lifter, "_lift", deadly)
    monkeypatch.delitem(sys.modules, "s3fs", raising=False)  # a process that begins anew would not be deadly
    report = to_data_set(workspace, named, tmp_path / "out", hands=ProcessHands(2))
    view = DataSetView(DataSet(tmp_path / "out"))
    assert [(page.url, page.reason) for page in view.aside()] == [("http://birch.example/1006", "its process died")]
    assert report.failed == 1
    monkeypatch.undo()
    wanted = [row for row in locally(workspace, named) if row[0] != "http://birch.example/1006"]
    assert in_data_set(tmp_path / "out") == wanted
    assert not list((tmp_path / "out" / "_begun").iterdir())


def test_in_an_object_store(workspace: Path, tmp_path: Path, object_store: Any, trailmark: Callable[..., Any]) -> None:
    named = archives(tmp_path / "pages", 2, 30)
    for file in named:
        object_store.put(file, f"pages/{file.name}")
    out = f"s3://{object_store.bucket}/records/"
    ended = trailmark(
        "-w",
        workspace,
        "extract",
        "--archive",
        f"s3://{object_store.bucket}/pages/",
        "--out",
        out,
        "--jobs",
        "1",
        "--json",
    )
    assert ended.code == 0, ended.err
    assert ended.report["records"] == 40
    from trailmark.store.archive_names import path_named

    assert in_data_set(path_named(out)) == locally(workspace, named)


def test_what_the_command_refuses(workspace: Path, tmp_path: Path, trailmark: Callable[..., Any]) -> None:
    ended = trailmark("-w", workspace, "extract", "--out", f"{tmp_path}/out/")
    assert ended.code == 2
    assert "--out FOLDER/" in ended.err
    (tmp_path / "file").write_text("no folder")
    named = archives(tmp_path / "pages", 1, 10)
    ended = trailmark("-w", workspace, "extract", "--archive", named[0], "--out", f"{tmp_path}/file/", "--jobs", "1")
    assert (ended.code, ended.err.count("\n")) == (2, 1), ended.err
    with pytest.raises(InputError):
        to_data_set(workspace, [named[0]], "http://a.test/records/")


def test_known_pages_are_those_of_a_dict() -> None:
    dice = random.Random(3)
    known = {f"http://a.test/{n}": dice.choice(["x/1", "x/2", None]) for n in range(500)}
    pages = KnownPages(known)
    assert all(pages.cluster(url) == name for url, name in known.items())
    assert pages.cluster("http://a.test/none") is None
    assert pages.digest() == KnownPages(dict(reversed(known.items()))).digest()
    assert pages.digest() != KnownPages({**known, "http://b.test/": "x/1"}).digest()
    assert KnownPages({}).cluster("x") is None
