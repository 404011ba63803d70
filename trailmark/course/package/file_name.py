"""Titles -> names of files that every system unzips as they are, and what is wrong with names that others chose."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

LONGEST_STEM = 40
LONGEST_PART, LONGEST_PATH = 100, 180
"""Characters of a folder's or file's name, and of a whole path: older systems stop at 260, with the folder it is unzipped into."""
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_BETWEEN = re.compile(r"[^a-z0-9]+")


def file_stem(text: str, otherwise: str = "item") -> str:
    """A title -> small letters, digits and hyphens, at most 40 of them; `otherwise` where it has none of these."""
    letters = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    stem = _BETWEEN.sub("-", letters).strip("-")[:LONGEST_STEM].strip("-")
    return f"x-{stem}" if _RESERVED.fullmatch(stem) else stem or otherwise


def name_faults(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The paths of a package -> (path, what is wrong with it): what would unzip badly somewhere, or outside of its folder."""
    seen: dict[str, str] = {}
    for name in names:
        fault = _fault(name)
        if fault:
            yield name, fault
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            yield name, f"differs from {other!r} in capital letters only"


def _fault(name: str) -> str:
    """What is wrong with a path; empty where nothing is."""
    parts = name.removesuffix("/").split("/")
    if name.startswith("/") or "\\" in name or ":" in name or ".." in parts:
        return "leads out of the package's folder"
    if len(name) > LONGEST_PATH or any(len(part) > LONGEST_PART for part in parts):
        return "is too long"
    if any(_RESERVED.fullmatch(part) for part in parts):
        return "is a name that Windows keeps for devices"
    if any(part.endswith((".", " ")) for part in parts):
        return "ends in a point or a blank, which Windows drops"
    if not all(_PLAIN.fullmatch(part) for part in parts):
        return "has other letters than A-Z, a-z, 0-9, point, hyphen and underscore"
    return ""
