"""A data set of Parquet files: parts that were written whole or not at all, by many writers at once, on a disk or in an object store.

    records/kind=item/PART-VERSION.parquet    the rows of a part, apart by kind
    records/_aside/PART-VERSION.parquet       what could not be read, with the reason
    records/_done/PART.json                   the manifest of a part, put there last
    records/_done/compacted.json              what several parts were brought together in

A file counts when a manifest names it, so a writer that was killed leaves nothing that counts. The names are made of the part and of the
version of what made it: who does the part again writes the same names, and nothing is doubled. Names that begin with `_` are passed over by
other programs that read such folders.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from trailmark.errors import InputError, WorkspaceError
from trailmark.store.placed_file import bytes_of, files_below, place_bytes, relative

DONE, ASIDE_FOLDER, COMPACTED, SUFFIX = "_done", "_aside", "compacted.json", ".parquet"
FORMAT = 1
_OWN = re.compile(rf"({ASIDE_FOLDER}|[a-z_]+=[^/\0]*(/[a-z_]+=[^/\0]*)*)/[A-Za-z0-9_]+-[A-Za-z0-9]+\{SUFFIX}")
"""The names of files of data sets, as `PartWriter` and compaction give them."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of a data set."""

    path: str
    """Below the data set's folder."""
    size: int
    """In bytes."""
    parts: Mapping[str, int]
    """The parts that its rows are of, with how many of each."""

    @property
    def rows(self) -> int:
        return sum(self.parts.values())

    @property
    def folder(self) -> str:
        return self.path.rpartition("/")[0]

    @property
    def aside(self) -> bool:
        return self.folder == ASIDE_FOLDER


@dataclass(frozen=True, slots=True)
class PartManifest:
    """What is said of a part when it is done."""

    part: str
    version: str
    """A digest of all that decided what its rows are."""
    files: tuple[DataFile, ...]
    notes: Mapping[str, Any] = field(default_factory=dict)
    """What was counted while it was made, as JSON, for who made it."""
    compacted: bool = False
    """Whether its rows are in files that hold those of other parts too."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A data set at one moment: which parts are in it, and the files that hold them."""

    parts: Mapping[str, PartManifest]
    compacted: tuple[DataFile, ...]
    """Files with rows of several parts."""

    def files(self, *, aside: bool = False) -> list[DataFile]:
        """The files that count, by name."""
        own = [each for part in self.parts.values() for each in part.files]
        return sorted((each for each in (*own, *self.compacted) if each.aside == aside), key=lambda each: each.path)

    def gone(self, file: DataFile) -> list[str]:
        """Parts of a file of several that were written anew since: their rows in it count no more."""
        return [part for part in file.parts if not self._counts(file, part)]

    def _counts(self, file: DataFile, part: str) -> bool:
        return self.parts[part].compacted or file in self.parts[part].files

    def manifest_of(self, file: DataFile) -> str:
        """Where the manifest is that names a file, below the data set's folder."""
        name = COMPACTED if file in self.compacted else f"{next(iter(file.parts), '')}.json"
        return f"{DONE}/{name}"

    def live_rows(self, file: DataFile) -> int:
        """Rows of a file that count."""
        return sum(rows for part, rows in file.parts.items() if self._counts(file, part))

    def rows(self, *, aside: bool = False) -> Counter[str]:
        """How many rows that count each folder has."""
        counts = Counter[str]()
        for each in self.files(aside=aside):
            counts[each.folder] += self.live_rows(each)
        return counts


class DataSet:
    """A data set by its folder; nothing is opened or made before it is asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def standing(self) -> Standing:
        """What is in it now."""
        own: dict[str, PartManifest] = {}
        for file in files_below(self.folder / DONE):
            if file.name == COMPACTED or not file.name.endswith(".json"):
                continue
            if value := self._read(file):
                found = _manifest(value, file)
                own[found.part] = found
        # Read after the others: a manifest that was removed meanwhile is in it. One that stands for itself was put there since.
        compacted = self._read(self.folder / DONE / COMPACTED)
        manifests: dict[str, PartManifest] = {}
        try:
            files = tuple(_file(each) for each in compacted.get("files", ()))
            for part, entry in compacted.get("parts", {}).items():
                manifests[_name(part)] = PartManifest(part, entry["version"], (), entry["notes"], compacted=True)
            _check_parts(files, manifests)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise _no_manifest(self.folder / DONE / COMPACTED) from error
        return Standing(dict(sorted((manifests | own).items())), files)

    def done(self, part: str, version: str) -> PartManifest | None:
        """The manifest of a part, where it was made by this version."""
        value = self._read(self.folder / DONE / f"{part}.json")
        found = _manifest(value, self.folder / DONE / f"{part}.json") if value else None
        return found if found is not None and found.version == version else None

    def put_manifest(self, manifest: PartManifest) -> None:
        """From now on the part counts, as it was written."""
        value = {"format": FORMAT, **asdict(manifest)}
        place_bytes(_json(value), self.folder / DONE / f"{manifest.part}.json")

    def put_compacted(self, parts: Mapping[str, PartManifest], files: Sequence[DataFile]) -> None:
        """From now on these files hold these parts."""
        entries = {name: {"version": each.version, "notes": dict(each.notes)} for name, each in parts.items()}
        value = {"format": FORMAT, "parts": entries, "files": [asdict(each) for each in files]}
        place_bytes(_json(value), self.folder / DONE / COMPACTED)

    def sweep(self, parts: Sequence[str] | None = None) -> int:
        """Remove files of these parts, or of all, that no manifest names: what writers left that were killed. How many there were."""
        wanted, there = set(parts or ()), list(self._parquet())  # before the manifests: a part may end meanwhile
        standing = self.standing()
        named = {each.path for each in (*standing.files(), *standing.files(aside=True))}
        gone = [
            file
            for name, file in there
            if name not in named and (parts is None or file.name.partition("-")[0] in wanted)
        ]
        for file in gone:
            file.unlink(missing_ok=True)
        return len(gone)

    def _parquet(self) -> Iterator[tuple[str, Path]]:
        """Files that are called as those of a data set are; what else stands below its folder, another data set too, is not its own."""
        for file in files_below(self.folder):
            name = relative(file, self.folder)
            if _OWN.fullmatch(name):
                yield name, file

    def _read(self, file: Path) -> Any:
        data = bytes_of(file)
        if data is None:
            return {}
        try:
            value = json.loads(data)
        except ValueError as error:
            raise _no_manifest(file) from error
        if not isinstance(value, dict) or value.get("format") != FORMAT:
            raise WorkspaceError(f"{file} is of another version of Trailmark: read it with that one.")
        return value


def data_set_named(folder: Path) -> DataSet:
    """A folder that should hold a data set -> it; raises InputError where it holds none."""
    found = DataSet(folder)
    if not files_below(folder / DONE):
        raise InputError(f"{folder} holds no data set: write one with trailmark extract --out {folder}/")
    return found


def _manifest(value: Any, file: Path) -> PartManifest:
    try:
        part, files = _name(value["part"]), tuple(_file(each) for each in value["files"])
        if file.name != f"{part}.json":
            raise ValueError("it is of another part")
        _check_parts(files, [part])
        return PartManifest(part, str(value["version"]), files, dict(value["notes"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _no_manifest(file) from error


def _check_parts(files: Iterable[DataFile], parts: Container[str]) -> None:
    """Raises ValueError where rows of files are of parts that nothing is known of."""
    if any(not each.parts or any(part not in parts for part in each.parts) for each in files):
        raise ValueError("a file holds rows of another part")


def _no_manifest(file: Path) -> WorkspaceError:
    return WorkspaceError(f"{file} is no manifest of a data set: remove it, and write its part again.")


def _name(part: Any) -> str:
    """The name of a part, which is a file's too: nothing that leads elsewhere."""
    if not re.fullmatch(r"[A-Za-z0-9_]{1,100}", str(part)):
        raise ValueError(f"{part!r:.60} names no part")
    return str(part)


def _file(value: Any) -> DataFile:
    path = str(value["path"])
    if not _OWN.fullmatch(path):
        raise ValueError("a file of a data set is below its folder, and is called as those are")
    return DataFile(path, int(value["size"]), {_name(part): int(rows) for part, rows in value["parts"].items()})


def _json(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode()
