"""Archives that unpack to far more than they are, and a disk that has no room for them."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from trailmark.datatypes import Response
from trailmark.errors import ArchiveError
from trailmark.settings import StoreSettings
from trailmark.store import archive_unpacking
from trailmark.store.archive_index import ArchiveIndex
from trailmark.store.archive_unpacking import unpack
from trailmark.store.warc_record import response_record

PACKERS: dict[str, Callable[[bytes], bytes]] = {".xz": lzma.compress, ".gz": gzip.compress, ".zst": zstandard.compress}


def _bomb(folder: Path, ending: str, pack: Callable[[bytes], bytes], size: int = 3_000_000) -> Path:
    path = folder / f"bomb.warc{ending}"
    pages = [Response(f"http://a.example/{n}", 200, body=bytes(size // 2)) for n in range(2)]
    path.write_bytes(pack(b"".join(map(response_record, pages))))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("ending", PACKERS)
def test_an_archive_that_unpacks_to_far_more_is_refused(
    tmp_path: Path, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_unpacking, "ALWAYS_ALLOWED", 1_000_000)
    path = _bomb(tmp_path, ending, PACKERS[ending])
    target = io.BytesIO()
    with pytest.raises(ArchiveError, match=r"bomb\.warc.* unpacks to more than .*store\.unpacked_ratio"):
        unpack(path, target, ratio=100)
    assert len(target.getvalue()) <= 1_000_000
    with pytest.raises(ArchiveError, match="unpacked_ratio"):
        ArchiveIndex([path], settings=StoreSettings(unpacked_ratio=20))
    with ArchiveIndex([path], settings=StoreSettings(unpacked_ratio=100_000)) as index:
        assert len(list(index.urls())) == 2


class _FullDisk(io.BytesIO):
    def write(self, chunk: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_called_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _bomb(tmp_path, ".xz", lzma.compress)
    monkeypatch.setattr("tempfile.TemporaryFile", _FullDisk)
    with pytest.raises(ArchiveError, match=r"bomb\.warc\.xz can't be unpacked .*the disk is full.*make room"):
        ArchiveIndex([path])
