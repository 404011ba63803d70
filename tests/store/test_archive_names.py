"""Archives by their names: files, folders, patterns, and addresses of an object store."""

from __future__ import annotations

import importlib
import pickle
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import PAGES, SITE, SmallWeb
from trailmark.errors import ArchiveError, InputError
from trailmark.store import remote_path
from trailmark.store.archive import read_archive
from trailmark.store.archive_index import ArchiveIndex
from trailmark.store.archive_names import archives_named, path_named
from trailmark.store.remote_path import RemotePath
from trailmark.store.replay import Replay


@pytest.mark.parametrize(
    "name",
    [
        "http://a.test/x.warc.gz",
        "https://a.test/x.warc.gz",
        "HTTP://127.0.0.1/",
        "ftp://a/x",
        "gs://b/x",
        "memory://x",
        "s3://",
    ],
)
def test_the_web_and_unknown_stores_are_no_archives(name: str) -> None:
    with pytest.raises(InputError, match=r"no address|no bucket"):
        path_named(name)


def test_credentials_in_an_address_are_refused_and_not_repeated() -> None:
    with pytest.raises(InputError, match="credentials in the environment") as told:
        path_named("s3://me:hidden@bucket/x.warc.gz")
    assert "hidden" not in str(told.value)


def test_a_chain_of_schemes_is_the_name_of_an_object() -> None:
    """fsspec would follow `a::b`; here it is a name like any other."""
    assert path_named("s3://b/x::http://inside/") == RemotePath("s3://b/x::http:/inside")
    assert path_named("simplecache::s3://b/x").parts[0].startswith("simplecache")


def test_names_of_files_are_paths() -> None:
    assert path_named("a/b.warc") == Path("a/b.warc")
    assert path_named("file:///tmp/with%20blank.warc") == Path("/tmp/with blank.warc")
    with pytest.raises(InputError, match="another machine"):
        path_named("file://elsewhere/x.warc")
    far = path_named("s3://bucket/a/b.warc.gz")
    assert (str(far), far.name, str(far.parent)) == ("s3://bucket/a/b.warc.gz", "b.warc.gz", "s3://bucket/a")
    assert str(pickle.loads(pickle.dumps(far))) == str(far)


def test_folders_and_patterns_of_a_disk(small_archive: Path, tmp_path: Path) -> None:
    for name in ("b.warc.gz", "a.warc.gz", "deep/c.warc.gz", "deep/note.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(small_archive, tmp_path / name)
    assert [path.name for path in archives_named([tmp_path])] == ["a.warc.gz", "b.warc.gz", "c.warc.gz"]
    assert [path.name for path in archives_named([f"{tmp_path}/*.warc.gz"])] == ["a.warc.gz", "b.warc.gz"]
    assert [path.name for path in archives_named([f"file://{tmp_path}/deep"])] == ["c.warc.gz"]
    assert archives_named([tmp_path / "missing.warc"]) == [tmp_path / "missing.warc"]
    (tmp_path / "[odd].warc.gz").write_bytes(small_archive.read_bytes())
    assert archives_named([tmp_path / "[odd].warc.gz"]) == [tmp_path / "[odd].warc.gz"]
    (tmp_path / "empty").mkdir()
    for nothing in (tmp_path / "empty", tmp_path / "*.zip"):
        with pytest.raises(ArchiveError, match="holds no web archive"):
            archives_named([nothing])


def test_an_archive_of_a_store_is_read_as_a_file_is(small_archive: Path, object_store: Any, tmp_path: Path) -> None:
    address = object_store.put(small_archive, "pages/small.warc.gz")
    object_store.put(small_archive, "pages/2/other.warc.gz")
    object_store.put(small_archive, "pages/2/other.txt")
    assert list(read_archive(address)) == list(read_archive(small_archive))
    names = [str(path) for path in archives_named([f"s3://{object_store.bucket}/pages/"])]
    assert names == [f"s3://{object_store.bucket}/pages/{name}" for name in ("2/other.warc.gz", "small.warc.gz")]
    assert len(archives_named([f"s3://{object_store.bucket}/pages/*.gz"])) == 1
    index = tmp_path / "index.db"
    with Replay([address], index=index) as replay:
        assert replay.fetch(SITE + "go?7").body == PAGES["contact/"].encode()
    with ArchiveIndex([address], index) as known:
        assert known.refresh() == 0, "what was indexed is not read again"


def test_verbs_take_addresses(
    small_web: SmallWeb, object_store: Any, trailmark: Callable[..., Any], tmp_path: Path
) -> None:
    address = object_store.put(small_web.archive, "pages/small.warc.gz")
    folder = f"s3://{object_store.bucket}/pages/"
    ended = trailmark("show", SITE, "--replay", folder, "--json")
    assert ended.report["title"] == "The Department"
    trailmark("init", tmp_path / "w")
    assert trailmark("-w", tmp_path / "w", "teach", small_web.file(*small_web.good()), "--replay", address).code == 0
    assert trailmark("-w", tmp_path / "w", "cluster", "--archive", folder).code == 0
    # What was clustered is remembered by its address.
    from trailmark.workspace import Workspace

    with Workspace.open(tmp_path / "w") as workspace:
        assert str(workspace.archives()[-1]) == folder.rstrip("/")
        with workspace.replay(all_known=True) as replay:
            assert replay.fetch(SITE).status == 200


def test_what_a_store_refuses_is_one_sentence(
    small_archive: Path, object_store: Any, trailmark: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(address: str) -> str:
        ended = trailmark("show", SITE, "--replay", address)
        assert ended.code == 2
        assert ended.err.count("\n") == 1, ended.err
        return str(ended.err)

    assert "no such object or bucket" in said(f"s3://{object_store.bucket}/missing.warc.gz")
    assert "no such object or bucket" in said("s3://no-such-bucket/pages/") or "holds no" in said(
        "s3://no-such-bucket/pages/"
    )
    assert "no address that files are read from" in said("http://127.0.0.1/x.warc.gz")
    address = object_store.put(small_archive, "small.warc.gz")
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{nobody.getsockname()[1]}")
        assert "does not answer" in said(address)

    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError("Access Denied")

    monkeypatch.setenv("AWS_ENDPOINT_URL", object_store.endpoint)
    monkeypatch.setattr(RemotePath(address).filesystem, "open", forbidden)
    monkeypatch.setattr(RemotePath(address).filesystem, "info", forbidden)
    assert "refuses it" in said(address)


def test_a_store_that_stops_answering_is_no_damaged_archive(
    small_archive: Path, object_store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = object_store.put(small_archive, "small.warc.gz")
    file = RemotePath(address).open("rb")

    def fails(_: int) -> bytes:
        raise ConnectionError("gone")

    monkeypatch.setattr(file._file, "read", fails)
    with pytest.raises(ArchiveError, match="can't be read any further"):
        file.read(10)


def test_without_the_extra_one_sentence_names_the_command(
    trailmark: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    load = importlib.import_module

    def without(name: str, package: str | None = None) -> Any:
        if name in ("fsspec", "s3fs"):
            raise ImportError(name)
        return load(name, package)

    remote_path._filesystem.cache_clear()
    monkeypatch.setattr(importlib, "import_module", without)
    ended = trailmark("show", SITE, "--replay", "s3://bucket/x.warc.gz")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "pip install 'trailmark[scale]'" in ended.err


def test_odd_names_of_objects(small_archive: Path, object_store: Any) -> None:
    odd = object_store.put(small_archive, "odd/x[1]*.warc.gz")
    assert list(map(str, archives_named([odd]))) == [odd]
    bucket = RemotePath(f"s3://{object_store.bucket}")
    bucket.filesystem.put_file(str(small_archive), f"{object_store.bucket}/twice//a.warc.gz")
    object_store.put(small_archive, "twice/a.warc.gz")
    with pytest.raises(ArchiveError, match=r"twice//a\.warc\.gz.*rename it"):
        archives_named([f"s3://{object_store.bucket}/twice/"])
