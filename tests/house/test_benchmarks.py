"""`make bench` gives every benchmark what it takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_signatures_takes_the_folder_that_it_is_given(tmp_path: Path, small_archive: Path) -> None:
    (tmp_path / "webs").mkdir()
    (tmp_path / "webs" / "a.warc.gz").write_bytes(small_archive.read_bytes())
    program = ROOT / "benchmarks" / "signatures.py"
    ended = subprocess.run(
        [sys.executable, str(program), str(tmp_path), "--pages", "4"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert ended.returncode == 0, ended.stderr
    assert "pages, " in ended.stdout


@pytest.mark.slow
def test_search_is_measured_beside_the_scan() -> None:
    program = ROOT / "benchmarks" / "search.py"
    ended = subprocess.run(
        [sys.executable, str(program), "--items", "60", "--queries", "14"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert ended.returncode == 0, ended.stderr
    assert "one more item" in ended.stdout
