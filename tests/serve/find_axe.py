"""Where axe-core is, if it is to be had: it belongs to others, and is not kept here. `python -m tests.serve.find_axe` fetches it with npm.

The variable TRAILMARK_AXE names an axe.min.js of one's own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "trailmark" / "axe"
FILE = Path("node_modules") / "axe-core" / "axe.min.js"
MISSING = "axe-core is not here; `python -m tests.serve.find_axe` fetches it with npm"


def find() -> Path | None:
    """The file; None where there is none."""
    named = os.environ.get("TRAILMARK_AXE")
    path = Path(named) if named else CACHE / FILE
    return path if path.is_file() else None


def install() -> None:
    """Fetch it with npm; SystemExit where that can't be done."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm was not found: name an axe.min.js with TRAILMARK_AXE.")
    CACHE.mkdir(parents=True, exist_ok=True)
    command = [npm, "install", "--no-save", "--ignore-scripts", "--prefix", str(CACHE), "axe-core@4"]
    if subprocess.run(command, check=False).returncode or find() is None:
        raise SystemExit("npm could not fetch axe-core.")


if __name__ == "__main__":
    install()
    sys.stdout.write(f"{find()}\n")
