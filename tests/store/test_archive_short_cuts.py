"""A gzip member of which next to nothing is left is counted as lost; an empty one is none."""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path

import pytest

from trailmark.datatypes import Response
from trailmark.store.archive import ArchiveWarning, read_archive
from trailmark.store.warc_record import response_record

HTML = (("Content-Type", "text/html"),)
MEMBERS = [
    gzip.compress(response_record(Response(f"http://a.example/{n}", 200, HTML, b"<title>x</title>"))) for n in range(6)
]


@pytest.mark.parametrize("kept", [4, 11, 20, 40, 60, 100, 200])
def test_a_member_that_was_cut_short_is_told_of(tmp_path: Path, kept: int) -> None:
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(b"".join([*MEMBERS[:2], MEMBERS[2][:kept], *MEMBERS[3:]]))
    with pytest.warns(ArchiveWarning, match="damaged after 2 whole records: 1 could not be read"):
        assert [page.url[-1] for page in read_archive(archive)] == ["0", "1", "3", "4", "5"]


@pytest.mark.parametrize("number", [1, 3])
def test_empty_members_are_no_loss(tmp_path: Path, number: int) -> None:
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(b"".join([*MEMBERS[:2], gzip.compress(b"") * number, *MEMBERS[2:]]))
    with warnings.catch_warnings():
        warnings.simplefilter("error", ArchiveWarning)
        assert len(list(read_archive(archive))) == 6
