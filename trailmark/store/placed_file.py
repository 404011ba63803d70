"""Files that take their place when they are whole, on a disk or in an object store, and what stands in a folder of either."""

from __future__ import annotations

import shutil
from pathlib import Path

from trailmark.errors import WorkspaceError
from trailmark.store.json_lines import written_whole
from trailmark.store.remote_path import RemotePath


def place(file: Path, target: Path) -> None:
    """A local file -> the same at its place; it is gone from where it was, or not needed there any more."""
    try:
        if isinstance(target, RemotePath):
            target.put(file)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            file.replace(target)
        except OSError:  # another file system
            with file.open("rb") as source, written_whole(target) as whole:
                shutil.copyfileobj(source, whole)
    except OSError as error:
        raise _unwritable(target, error) from error


def place_bytes(data: bytes, target: Path) -> None:
    """A few bytes -> a file with these, whole."""
    try:
        if isinstance(target, RemotePath):
            target.write_bytes(data)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(target) as whole:
            whole.write(data)
    except OSError as error:
        raise _unwritable(target, error) from error


def files_below(folder: Path) -> list[Path]:
    """All files below a folder, by name; none where it is not there. Those that are being written are left out."""
    try:
        if isinstance(folder, RemotePath):
            return list(folder.files())
        return sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise WorkspaceError(
            f"{folder} can't be read ({error.strerror}): check the address and what is allowed there."
        ) from error


def bytes_of(file: Path) -> bytes | None:
    """What a file holds; None where it is not there."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WorkspaceError(f"{file} can't be read ({error.strerror}): check its permissions.") from error


def relative(file: Path, folder: Path) -> str:
    """The name of a file below a folder, with slashes."""
    return "/".join(file.parts[len(folder.parts) :])


def _unwritable(target: Path, error: OSError) -> WorkspaceError:
    return WorkspaceError(f"{target} can't be written ({error.strerror}): check the address and what is allowed there.")
