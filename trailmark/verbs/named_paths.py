"""Files that a person or a program names: one or several, as text or as paths."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

from trailmark.store.archive_names import path_named

NamedPaths: TypeAlias = str | Path | Iterable[str | Path]


def named_paths(paths: NamedPaths) -> list[Path]:
    """`"a"`, `Path("a")` or several of them -> their paths. A lone name is one file, not a file for each of its letters."""
    if isinstance(paths, str | Path):
        return [path_named(paths)]
    return [path_named(path) for path in paths]
