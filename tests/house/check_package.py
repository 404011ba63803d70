"""Is what would be published whole? `python tests/house/check_package.py dist` (a step of `make package`).

Takes the wheel and the sdist of a folder, compares what they hold with the files of the repository, installs the wheel into an
environment with nothing else in it, and runs the demo there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
import venv
import zipfile
from email.parser import HeaderParser
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE = 900


def tracked(*parts: str) -> set[str]:
    """Files of the repository below some of its parts, as git knows them; files not yet added included."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", *parts],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return {name for name in listed.split("\0") if name and (ROOT / name).is_file()}


def missing_from_wheel(wheel: Path) -> set[str]:
    """Files of the package that a wheel lacks."""
    with zipfile.ZipFile(wheel) as archive:
        return tracked("trailmark") - set(archive.namelist())


def missing_from_sdist(sdist: Path) -> set[str]:
    """Files of the repository that an sdist lacks; what concerns git alone is not for it."""
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    return tracked() - held - {".gitignore"}


def metadata(wheel: Path) -> dict[str, str]:
    """The last value of each header of a wheel's metadata."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return dict(HeaderParser().parsestr(archive.read(name).decode("utf-8")).items())


def run_demo(wheel: Path, folder: Path) -> None:
    """Install a wheel into a bare environment in a folder, and see the demo find, lift and draw."""
    venv.create(folder / "env", with_pip=True, symlinks=True)
    python = folder / "env/bin/python"
    # The tree of the repository must not lend what the wheel lacks.
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}

    def call(*command: object) -> str:
        words = [str(word) for word in command]
        ended = subprocess.run(
            words, cwd=folder, env=clean, timeout=PATIENCE, stdout=subprocess.PIPE, text=True, check=False
        )
        if ended.returncode:
            raise SystemExit(f"{' '.join(words)} ended with {ended.returncode}.")
        return ended.stdout

    call(
        python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-c", ROOT / "constraints.txt", wheel
    )
    command = folder / "env/bin/trailmark"
    assert call(command, "--version").split() == ["trailmark", metadata(wheel)["Version"]]
    report = json.loads(call(command, "demo", "--out", "demo-out", "--json"))
    assert report["live"]["goal_pages_fetched"] > 0, "the demo found nothing"
    assert report["lifted"]["records"] > 0, "the demo lifted no records"
    for picture in report["pictures"]:
        assert (folder / picture).stat().st_size > 0


def main(dist: Path) -> None:
    (wheel,), (sdist,) = list(dist.glob("*.whl")), list(dist.glob("*.tar.gz"))
    for file, missing in ((wheel, missing_from_wheel(wheel)), (sdist, missing_from_sdist(sdist))):
        if missing:
            raise SystemExit(f"{file.name} lacks {', '.join(sorted(missing))}.")
    with tempfile.TemporaryDirectory() as folder:
        run_demo(wheel, Path(folder))
    print(f"{wheel.name} and {sdist.name} are whole; the demo runs from the wheel alone.")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
