"""Packages of npm that tests need, fetched when they run and kept in the user's cache; none of them is part of this project."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PATIENCE = 60


def npm_package(name: str, version: str) -> Path:
    """The folder of a package, without what it depends on; the test is skipped, with the reason, where it can't be had."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trailmark-tests" / f"{name}-{version}"
    folder = cache / "package"
    if folder.is_dir():
        return folder
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"npm is missing, and {name} comes from there")
    cache.mkdir(parents=True, exist_ok=True)
    try:
        done = subprocess.run(
            [npm, "pack", f"{name}@{version}", "--silent"], cwd=cache, capture_output=True, text=True, timeout=PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"npm did not give {name}: {error}")
    packed = sorted(cache.glob("*.tgz"))
    if done.returncode or not packed:
        pytest.skip(f"npm did not give {name}: {done.stderr.strip()[-300:]}")
    shutil.unpack_archive(packed[-1], cache, filter="data")
    return folder
