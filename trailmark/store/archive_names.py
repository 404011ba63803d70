"""What a person calls an archive -> the files that are meant: a file, a folder, names with `*`, on a disk or in an object store."""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import unquote, urlsplit

from trailmark.errors import ArchiveError, InputError
from trailmark.store.remote_path import SCHEMES, RemotePath

SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".warc.xz")
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_WILD = re.compile(r"[*?\[]")


def path_named(name: str | Path) -> Path:
    """A name, `file://` or `s3://` address -> its path; raises InputError for an address of another kind.

    The web is refused on purpose: what may be fetched from there is for `forage` to say.
    """
    if isinstance(name, Path):
        return name
    address = _ADDRESS.match(name)
    if address is None:
        return Path(name)
    scheme = address[1].lower()
    if scheme == "file":
        return _local(name)
    if scheme not in SCHEMES:
        known = ", ".join(f"{each}://" for each in ("file", *SCHEMES))
        raise InputError(
            f"{name} is no address that files are read from: name a file, or an address that begins with {known}."
        )
    path = RemotePath(f"{scheme}://{name[address.end() :]}")
    if len(path.parts) < 2:
        raise InputError(f"{name} names no bucket: write {scheme}://bucket/name.")
    if "@" in path.parts[1]:  # what stands before it may be a secret, and is not repeated
        raise InputError(
            f"An address that begins with {scheme}:// names no user: write {scheme}://bucket/name, and put credentials in the environment."
        )
    return path


def _local(name: str) -> Path:
    parts = urlsplit(name)
    if parts.netloc not in ("", "localhost"):
        raise InputError(f"{name} is on another machine: write file:///path for a file of this one.")
    return Path(unquote(parts.path))


def archives_named(names: Iterable[str | Path]) -> list[Path]:
    """Names of archives -> the archives: of a folder all that are below it, by name; of a name with `*` all that it stands for.

    Raises ArchiveError where a folder or a pattern has none. A file is believed to be one: who opens it sees.
    """
    return [archive for name in names for archive in _expanded(path_named(name))]


def _expanded(path: Path) -> list[Path]:
    wild = bool(_WILD.search(str(path)))
    try:
        if isinstance(path, RemotePath):
            if path.name.endswith(SUFFIXES) and (not wild or path.is_file()):
                return [path]  # to ask for each of thousands would take longer than to read some
            files: list[Path] = list(path.matches() if wild else path.files())
            lone = len(files) == 1 and files[0] == path
        else:
            if path.is_file() or not (wild or path.is_dir()):
                return [path]
            found = glob.glob(str(path), recursive=True) if not path.is_dir() else path.rglob("*")  # noqa: PTH207 - the pattern may be absolute
            files, lone = sorted(map(Path, found)), False
    except OSError as error:
        raise ArchiveError(f"{path} can't be read ({error.strerror}): check the name and its permissions.") from error
    if lone:
        return files
    archives = [
        file for file in files if file.name.endswith(SUFFIXES) and (isinstance(file, RemotePath) or file.is_file())
    ]
    if not archives:
        raise ArchiveError(f"{path} holds no web archive: name a file, or a folder with *.warc.gz files.")
    return archives
