"""What a run that was dealt fetched goes to a storage: pages by site with a list beside, fetches as a data set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.scale.served_web import fetched, new_workspace, served
from trailmark.cluster import site_of
from trailmark.datatypes import Response
from trailmark.errors import TrailmarkError
from trailmark.settings import StoreSettings
from trailmark.store import archive_index
from trailmark.store.archive import addresses_of, read_archive
from trailmark.store.archive_listing import listed_addresses
from trailmark.store.archive_names import archives_named, path_named
from trailmark.store.archive_parts import deal_archive, entries_in
from trailmark.store.archive_shipping import ship_pages
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.data_set import DataSet
from trailmark.store.parquet_schema import arrow
from trailmark.store.replay import Replay
from trailmark.verbs.dealt_forage import dealt_forage
from trailmark.workspace import Workspace, change_setting

pytest.importorskip("pyarrow", reason="pyarrow is not installed: make test")


def rows_of(data_set: DataSet) -> list[dict[str, Any]]:
    rows = []
    for file in data_set.standing().files():
        with (data_set.folder / file.path).open("rb") as stream:
            rows += arrow().parquet.read_table(stream).to_pylist()
    return sorted(rows, key=lambda row: int(row["n"]))


def run(folder: Path, seeds: list[str], **more: Any) -> Any:
    with Workspace.open(folder) as workspace:
        return dealt_forage(workspace, seeds, strategy="breadth", **more)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["folder", "store"])
def test_a_run_is_shipped_as_its_parts_end(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    storage = str(tmp_path / "storage")
    if kind == "store":
        storage = f"s3://{request.getfixturevalue('object_store').bucket}/prefix"
    folder = new_workspace(tmp_path / "w")
    change_setting(folder, "scale", "storage", storage)
    with served(5) as server:
        seeds = [server.root(number) for number in range(5)]
        run(folder, seeds, budget=30)
        run(folder, seeds, budget=60)
    shipped = archives_named([f"{storage}/pages"])
    assert len(shipped) == 3, "an archive for each part"
    assert [path.name for path in shipped] == [f"run-00001-part-{part:05d}.warc.gz" for part in range(3)]
    with Workspace.open(folder) as workspace:
        kept = sorted((page.url, page.body) for file in workspace.archives() for page in read_archive(file))
    assert sorted((page.url, page.body) for path in shipped for page in read_archive(path)) == kept
    for path in shipped:
        sites = [site_of(page.url) for page in read_archive(path)]
        assert len(dict.fromkeys(sites)) == sum(one != two for one, two in zip([None, *sites], sites, strict=False)), (
            "the pages of a site stand together"
        )
    rows = rows_of(DataSet(path_named(storage) / "fetches"))
    assert [(row["url"], row["status"], row["site"], row["depth"]) for row in rows] == fetched(folder)
    assert {row["run"] for row in rows} == {1}
    with Workspace.open(folder) as workspace, Replay(shipped) as replay:
        for url, *_ in fetched(folder)[:20]:
            page = workspace.database.page(url)
            assert page is not None
            assert replay.fetch(url).content_hash == page.content_hash


def test_the_list_says_what_reading_does(tmp_path: Path, small_archive: Path) -> None:
    target = tmp_path / "shipped.warc.gz"
    first = ship_pages([small_archive], target, "2026-01-31", settings=StoreSettings())
    assert first is not None
    size = target.stat().st_size
    listed = listed_addresses(target, size)
    assert listed is not None
    with target.open("rb") as stream:
        assert listed == list(addresses_of(stream, target))
    assert listed_addresses(target, size + 1) is None, "of another archive"
    lines = (tmp_path / "shipped.warc.gz.cdxj").read_text().splitlines()
    key, time, told = lines[1].split(" ", 2)
    assert (key.partition(")")[0], time) == ("example,dept", "20260131")
    told = json.loads(told)
    with target.open("rb") as stream:
        stream.seek(int(told["offset"]))
        member = stream.read(int(told["length"]))
    assert member.startswith(b"\x1f\x8b")
    before = target.read_bytes(), target.stat().st_mtime_ns
    ship_pages([small_archive], target, "2026-01-31", settings=StoreSettings())
    assert (target.read_bytes(), target.stat().st_mtime_ns) == before, "what is there is not shipped again"
    for content in (b"", b"!meta {", b"nonsense\nx", b'!meta {"format": "CDXJ 1.0", "size": 1}\nshort'):
        (tmp_path / "shipped.warc.gz.cdxj").write_bytes(content)
        assert listed_addresses(target, size) is None
    parts = deal_archive(target, 100).parts
    assert sum(len(list(entries_in(part, StoreSettings()))) for part in parts) == len(listed)


def test_an_address_with_other_ends_of_lines_is_listed(tmp_path: Path) -> None:
    urls = ["http://a.test/\u2028x", "http://a.test/\x85y", "http://a.test/z"]
    with ArchiveWriter(tmp_path / "odd.warc.gz") as writer:
        for url in urls:
            writer.write(Response(url, 200, (("Content-Type", "text/html"),), b"page"))
    target = tmp_path / "shipped.warc.gz"
    ship_pages([tmp_path / "odd.warc.gz"], target, "2026-01-31", settings=StoreSettings())
    listed = listed_addresses(target, target.stat().st_size)
    assert listed is not None
    assert [url for url, _ in listed] == urls


def test_an_archive_in_a_store_is_indexed_by_its_list(
    tmp_path: Path, small_archive: Path, object_store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = path_named(f"s3://{object_store.bucket}/pages/x.warc.gz")
    ship_pages([small_archive], target, "2026-01-31", settings=StoreSettings())

    def refused(*_: object) -> None:
        raise AssertionError("the archive was read through")

    monkeypatch.setattr(archive_index, "addresses_of", refused)
    with Replay([target]) as replay:
        assert replay.fetch("http://dept.example/").status == 200


@pytest.mark.slow
def test_a_storage_that_does_not_answer_stops_the_run_which_goes_on_later(tmp_path: Path, object_store: Any) -> None:
    folder = new_workspace(tmp_path / "w")
    change_setting(folder, "scale", "storage", "s3://no-such-bucket/x")
    with served(2) as server:
        seeds = [server.root(number) for number in range(2)]
        with pytest.raises(TrailmarkError, match="can't be written"):
            run(folder, seeds, site_budget=6)
        change_setting(folder, "scale", "storage", f"s3://{object_store.bucket}/x")
        report = run(folder, seeds, site_budget=6)
        asked = [each for each in server.asked if each[1] != "/robots.txt"]
        assert len(asked) == len(set(asked)) == 12
    assert (report.resumed, report.pages) == (True, 12)
    assert len(archives_named([f"s3://{object_store.bucket}/x/pages/"])) == 1
