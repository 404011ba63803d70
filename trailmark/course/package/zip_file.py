"""Files by their paths -> a zip file, the same bytes every time."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from typing import IO

_OLDEST = (1980, 1, 1, 0, 0, 0)
"""The earliest time that a zip file can say: a package tells by its metadata when things were fetched, not by its files."""
_UNIX, _READABLE = 3, 0o100644 << 16


def write_zip(files: Mapping[str, bytes], target: IO[bytes]) -> None:
    """Write files in the order of their paths, with one time and one mode."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for path in sorted(files):
            entry = zipfile.ZipInfo(path, _OLDEST)
            entry.create_system, entry.external_attr, entry.compress_type = _UNIX, _READABLE, zipfile.ZIP_DEFLATED
            packed.writestr(entry, files[path])
