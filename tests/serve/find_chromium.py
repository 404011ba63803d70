"""Finds a Chromium for the browser tests, or installs one: `python tests/serve/find_chromium.py` (a step of `make test`).

In order: the one named in TRAILMARK_CHROMIUM, one of the system, the one that playwright downloaded. Where there is none: the
system's package where that may be installed, else playwright's download.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MISSING = "no Chromium was found: install one (apt-get install chromium, or python -m playwright install chromium), or name it in TRAILMARK_CHROMIUM"
PATIENCE = 600
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


def find() -> str | None:
    """Path of a Chromium, or None."""
    named = os.environ.get("TRAILMARK_CHROMIUM")
    if named:
        return named if Path(named).exists() else None
    return next((path for name in NAMES if (path := shutil.which(name))), None) or _downloaded()


def _downloaded() -> str | None:
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    found = sorted(folder.glob("chromium-*/chrome-linux*/chrome")) + sorted(
        folder.glob("chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium")
    )
    return str(found[-1]) if found else None


def ways(*, system: bool) -> list[tuple[str, list[str]]]:
    """Ways to get a Chromium in the order in which they are tried: what is done, in words, and the command.

    `system` says whether packages of the system may be installed here.
    """
    package = ["apt-get", "install", "-y", "-q", "--no-install-recommends", "chromium"]
    download = ("downloading Chromium with playwright", [sys.executable, "-m", "playwright", "install", "chromium"])
    if not system:
        return [download]
    return [
        ("installing the system's package 'chromium'", package),
        ("that gave none; renewing the system's list of packages", ["apt-get", "update", "-q"]),
        ("installing the system's package 'chromium' once more", package),
        download,
    ]


def install() -> None:
    """One way after the other, until one gives a Chromium."""
    print(
        "The browser tests need a Chromium, and there is none yet. It is installed once; this takes a few minutes.",
        flush=True,
    )
    for words, command in ways(system=bool(shutil.which("apt-get")) and os.geteuid() == 0):
        print(f"  {words} ({shlex.join(command)}) ...", flush=True)
        try:
            subprocess.run(
                command,
                check=False,
                timeout=PATIENCE,
                capture_output=True,
                env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            print(f"  that did not work: {error}", flush=True)
        if find():
            return


if __name__ == "__main__":
    if not find():
        install()
    path = find()
    print(f"Browser tests use {path}." if path else f"Browser tests are skipped: {MISSING}.")
