"""Data sets of Parquet files: what is written whole counts, the rest does not; pages of rows; the same rows after compaction."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Record
from trailmark.errors import InputError, TrailmarkError
from trailmark.store import data_set_compaction, placed_file
from trailmark.store.data_set import DataSet, data_set_named
from trailmark.store.data_set_compaction import compact
from trailmark.store.data_set_view import DataSetView
from trailmark.store.parquet_part import GROUP, PartWriter
from trailmark.store.parquet_schema import RECORDS, record_of, record_row

pytest.importorskip("pyarrow", reason="pyarrow is not installed: make test")


def record(number: int, kind: str = "item", word: str = "") -> Record:
    return Record(f"http://a.test/{number}", kind, {"title": (f"Item {number}", word), "price": ("1",)}, "rule:a/1")


def put(data_set: DataSet, part: str, records: list[Record], version: str = "v1") -> None:
    with PartWriter(data_set, RECORDS, part, version) as writer:
        writer.add(record_row(each, part) for each in records)
        writer.end({"pages": len(records)})


texts = st.text(max_size=6)
values = st.dictionaries(texts, st.lists(texts, max_size=3).map(tuple), max_size=3)


@given(st.builds(Record, texts, texts, values, texts, values, st.lists(texts, max_size=2).map(tuple), st.booleans()))
def test_a_record_comes_back_as_it_was(given_record: Record) -> None:
    from trailmark.store.parquet_part import table_of

    table = table_of([record_row(given_record, "p")], RECORDS.schema())
    assert record_of(table.to_pylist()[0]) == given_record


def test_pages_of_records(tmp_path: Path) -> None:
    data_set = DataSet(tmp_path)
    all_of_them = [record(n) for n in range(GROUP + 300)]
    put(data_set, "a", all_of_them[:20])
    put(data_set, "b", all_of_them[20:])
    put(data_set, "c", [record(7, "paper", "Särk"), record(8, "odd/kind ?")])
    view = DataSetView(data_set)
    assert view.kinds() == {"item": GROUP + 300, "odd/kind ?": 1, "paper": 1}
    for skip in (0, 15, 19, 20, 5000, GROUP + 10, GROUP + 290, GROUP + 400):
        count, found = view.page("item", skip=skip, most=30)
        assert count == GROUP + 300
        assert found == all_of_them[skip : skip + 30]
    assert (
        view.page("item", containing="ITEM 77", most=3, skip=1)[1]
        == [each for each in all_of_them if "Item 77" in str(each.fields)][1:4]
    )
    assert view.page(containing="särk")[0] == 1
    assert view.page(containing="a.test/8")[0] == len([each for each in all_of_them if "a.test/8" in each.url]) + 1
    assert view.page("missing") == (0, [])
    assert list(view.records()) == [*all_of_them, record(8, "odd/kind ?"), record(7, "paper", "Särk")]


def test_a_part_that_was_not_ended_does_not_count(tmp_path: Path) -> None:
    data_set = DataSet(tmp_path)
    put(data_set, "a", [record(1)])
    with PartWriter(data_set, RECORDS, "b", "v1") as writer:
        writer.add([record_row(record(2), "b")])
    assert DataSetView(data_set).count() == 1
    (tmp_path / "kind=item" / "b-v1.parquet").write_bytes(b"half a file")
    assert DataSetView(data_set).count() == 1
    assert data_set.sweep(["b"]) == 1
    assert data_set.sweep(["a", "b"]) == 0


def test_a_part_that_is_written_again_takes_its_own_place(tmp_path: Path) -> None:
    data_set = DataSet(tmp_path)
    put(data_set, "a", [record(1), record(2, "paper")])
    put(data_set, "a", [record(1)])
    assert list(DataSetView(data_set).records()) == [record(1)]
    put(data_set, "a", [record(3)], "v2")
    assert list(DataSetView(data_set).records()) == [record(3)]
    assert data_set.sweep(["a"]) == 2


def test_what_is_no_data_set_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no data set"):
        data_set_named(tmp_path)
    (tmp_path / "_done").mkdir()
    own = {"path": "kind=x/a-v.parquet", "size": 1, "parts": {"a": 1}}
    odd = {"path": "../x.parquet", "size": 1, "parts": {"a": 1}}
    part = {"format": 1, "part": "a", "version": "v", "files": [], "notes": {}}
    wrong = [
        {**part, "part": "../../x"},
        {**part, "files": [odd]},
        {**part, "files": 7},
        {**part, "files": [{**odd, "path": "/x"}]},
        {**part, "files": [{**odd, "path": "kind=\0/a-v.parquet"}]},
        {**part, "files": [{**own, "parts": {"b": 1}}]},
        {**part, "files": [{**own, "parts": {}}]},
        {**part, "part": "b", "files": []},
    ]
    for content in (
        b"{",
        b"[]",
        b'{"format": 99}',
        b'{"format": 1, "part": "a"}',
        *(json.dumps(each).encode() for each in wrong),
    ):
        (tmp_path / "_done" / "a.json").write_bytes(content)
        with pytest.raises(TrailmarkError, match=r"a\.json"):
            DataSet(tmp_path).standing()
    (tmp_path / "_done" / "a.json").unlink()
    for parts, files in (({"../x": {"version": "v", "notes": {}}}, []), ({}, [odd]), ({}, [own]), ([], [])):
        told = json.dumps({"format": 1, "parts": parts, "files": files})
        (tmp_path / "_done" / "compacted.json").write_bytes(told.encode())
        with pytest.raises(TrailmarkError, match=r"compacted\.json"):
            DataSet(tmp_path).standing()


def test_a_store_that_refuses_is_told_in_a_sentence(object_store: Any) -> None:
    from trailmark.store.archive_names import path_named

    with pytest.raises(TrailmarkError, match="can't be written"):
        put(DataSet(path_named("s3://no-such-bucket/records/")), "a", [record(1)])
    with pytest.raises(TrailmarkError):
        data_set_named(path_named("s3://no-such-bucket/records/"))


def _files(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def test_compaction_keeps_every_row_and_its_place(tmp_path: Path) -> None:
    data_set = DataSet(tmp_path)
    for number in range(6):
        records = [record(number * 10 + n, ("item", "paper")[n % 2]) for n in range(10)]
        put(data_set, f"part{number}", records)
    before, page = list(DataSetView(data_set).records()), DataSetView(data_set).page("item", skip=7, most=9)
    done = compact(data_set)
    assert (done.files_before, done.files, done.rows) == (12, 2, 60)
    assert list(DataSetView(data_set).records()) == before
    assert DataSetView(data_set).page("item", skip=7, most=9) == page
    assert len(_files(tmp_path)) == 3
    there = {name: (tmp_path / name).read_bytes() for name in _files(tmp_path)}
    assert compact(data_set).files == 2
    assert {name: (tmp_path / name).read_bytes() for name in _files(tmp_path)} == there
    assert {part.version for part in data_set.standing().parts.values()} == {"v1"}, "what was done is known still"


def test_a_part_of_a_compacted_file_is_made_anew(tmp_path: Path) -> None:
    data_set = DataSet(tmp_path)
    for number in range(3):
        put(data_set, f"part{number}", [record(number * 10 + n) for n in range(4)])
    compact(data_set)
    put(data_set, "part1", [record(99)], "v2")
    wanted = [record(n) for n in (0, 1, 2, 3, 20, 21, 22, 23, 99)]
    by_url = sorted(DataSetView(data_set).records(), key=lambda each: each.url)
    assert by_url == sorted(wanted, key=lambda each: each.url)
    assert DataSetView(data_set).count() == 9
    assert DataSetView(data_set).page(skip=0, most=20)[0] == 9
    assert DataSetView(data_set).page(containing="item 1")[0] == 1
    put(data_set, "part2", [], "v2")
    assert DataSetView(data_set).count() == 5
    compact(data_set)
    assert sorted(each.url for each in DataSetView(data_set).records()) == sorted(
        f"http://a.test/{n}" for n in (0, 1, 2, 3, 99)
    )
    assert sum(name.endswith(".parquet") for name in _files(tmp_path)) == 1


@pytest.mark.parametrize("steps", range(8))
def test_compaction_that_is_stopped_anywhere_shows_every_row_once(
    steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_set = DataSet(tmp_path)
    for number in range(3):
        put(data_set, f"part{number}", [record(number * 10 + n) for n in range(4)])
    wanted = list(DataSetView(data_set).records())
    left = [steps]

    def counted(known: Any) -> Any:
        def step(*values: Any, **more: Any) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return known(*values, **more)

        return step

    monkeypatch.setattr(data_set_compaction, "place", counted(placed_file.place))
    monkeypatch.setattr(DataSet, "put_compacted", counted(DataSet.put_compacted))
    monkeypatch.setattr(Path, "unlink", counted(Path.unlink))
    with contextlib.suppress(KeyboardInterrupt):
        compact(data_set)
    monkeypatch.undo()
    assert list(DataSetView(data_set).records()) == wanted
    compact(data_set)
    assert list(DataSetView(data_set).records()) == wanted
    assert [name for name in _files(tmp_path) if name.endswith(".parquet")] == [data_set.standing().files()[0].path]


def test_what_is_made_again_counts_after_compaction_too(tmp_path: Path) -> None:
    """A page was set aside because memory was short: the same rules lift it, when it is tried again."""
    data_set = DataSet(tmp_path)
    for part in ("a", "b"):
        put(data_set, part, [record(1)])
    compact(data_set)
    put(data_set, "b", [record(1), record(2)])
    for _ in range(2):
        urls = sorted(each.url for each in DataSetView(data_set).records())
        assert urls == ["http://a.test/1", "http://a.test/1", "http://a.test/2"]
        compact(data_set)


def test_only_files_of_the_data_set_are_swept(tmp_path: Path) -> None:
    """Another data set below its folder, and what other programs put there, is not its own."""
    below = DataSet(tmp_path / "records")
    put(below, "workspace", [record(1)])
    put(DataSet(tmp_path), "a", [record(2)])
    (tmp_path / "kind=item" / "my own.parquet").write_bytes(b"of somebody else")
    (tmp_path / "lamps-1.parquet").write_bytes(b"of somebody else")
    assert DataSet(tmp_path).sweep() == 0
    compact(DataSet(tmp_path))
    DataSet(tmp_path).sweep(["workspace"])
    assert list(DataSetView(below).records()) == [record(1)]
    assert (tmp_path / "kind=item" / "my own.parquet").is_file()
    assert (tmp_path / "lamps-1.parquet").is_file()


def test_a_part_that_ends_while_others_are_swept_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data_set, known = DataSet(tmp_path), DataSet.standing
    put(data_set, "a", [record(1)])

    def late(self: DataSet) -> Any:
        found = known(self)
        put(self, "a", [record(2)], "v2")
        return found

    monkeypatch.setattr(DataSet, "standing", late)
    data_set.sweep(["a"])
    monkeypatch.undo()
    assert list(DataSetView(data_set).records()) == [record(2)]


def test_a_part_that_is_written_while_others_are_compacted_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_set, known = DataSet(tmp_path), DataSet.put_compacted
    put(data_set, "a", [record(1)])
    put(data_set, "b", [record(2)])

    def late(self: DataSet, *values: Any) -> None:
        known(self, *values)
        put(self, "a", [record(3)], "v2")

    monkeypatch.setattr(DataSet, "put_compacted", late)
    compact(data_set)
    monkeypatch.undo()
    assert sorted(each.url for each in DataSetView(data_set).records()) == ["http://a.test/2", "http://a.test/3"]


def test_who_reads_while_others_compact_misses_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data_set, known = DataSet(tmp_path), DataSet._read
    for number in range(3):
        put(data_set, f"part{number}", [record(number)])

    def slow(self: DataSet, file: Path) -> Any:
        found = known(self, file)
        monkeypatch.setattr(DataSet, "_read", known)
        compact(data_set)
        return found

    monkeypatch.setattr(DataSet, "_read", slow)
    assert DataSetView(data_set).count() == 3
    assert list(DataSetView(data_set).records()) == [record(0), record(1), record(2)]


@pytest.mark.parametrize("damage", ["cut", "gone", "foreign", "foreign types", "bits"])
def test_a_file_that_is_damaged_is_told_with_what_to_do(damage: str, tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    data_set = DataSet(tmp_path)
    put(data_set, "a", [record(n) for n in range(300)])
    put(data_set, "b", [record(1)])
    file = tmp_path / "kind=item" / "a-v1.parquet"
    whole = file.read_bytes()
    if damage == "cut":
        file.write_bytes(whole[: len(whole) // 2])
    elif damage == "gone":
        file.unlink()
    elif damage == "foreign":
        parquet.write_table(pyarrow.table({"a": [1, 2]}), file)
    elif damage == "foreign types":
        parquet.write_table(pyarrow.table({name: [1] for name in RECORDS.schema().names}), file)
    else:
        file.write_bytes(whole[:200] + bytes(each ^ 0x5A for each in whole[200:600]) + whole[600:])
    view = DataSetView(data_set)
    for look in (lambda: list(view.records()), view.page, lambda: view.page(containing="x")):
        with pytest.raises(TrailmarkError, match=r"a-v1\.parquet .*(name a data set of records|write its part again)"):
            look()
    if damage != "foreign types":
        with pytest.raises(TrailmarkError, match=r"a-v1\.parquet .*remove .*_done/a\.json, and write its part again"):
            compact(data_set)
