"""`extract --out FOLDER/`: archives, part by part, to a data set of records, by whoever `hands` are.

1. Archives are dealt in parts of some megabytes. 2. A part that is in the data set already, made of the same archive by the same rules, is not
made again. 3. Each of the others is lifted by one worker, which writes its records and then says that it is done: whoever dies, the same
command goes on with what is there. 4. What was counted of each part is put together in the order of the parts.

The workspace gives rules and clusters, and keeps nothing of it. Changes that people made to records are not made here.
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from trailmark.errors import InputError
from trailmark.extract.extract_report import ExtractReport, KeptRecords
from trailmark.extract.known_pages import KnownPages
from trailmark.extract.page_scope import PageScope
from trailmark.extract.tally import Tally
from trailmark.store.archive import ArchiveWarning, packing_of
from trailmark.store.archive_names import archives_named, path_named
from trailmark.store.archive_parts import DealtArchive, deal_archive
from trailmark.store.data_set import DataSet, PartManifest, Standing
from trailmark.store.data_set_view import DataSetView
from trailmark.store.parquet_schema import arrow
from trailmark.store.remote_path import RemotePath
from trailmark.store.wanted_pages import clusters_of_pages
from trailmark.verbs.hands import Hands, OwnHands, in_order
from trailmark.verbs.lift_part import LiftErrand, PartLifter
from trailmark.verbs.page_run import PageRun
from trailmark.workspace import Workspace

FORMAT = 1
"""Raised when parts must be made again because what is written of them changed."""
RETIRED = "retired"
"""Version of a part that is no part of its archive any more."""


def extract_parts(
    workspace: Workspace,
    archives: Sequence[str | Path],
    out: str | Path,
    hands: Hands | None = None,
    *,
    borrow: bool | None = None,
    again: bool = False,
    watch: Callable[[int, int], None] | None = None,
) -> ExtractReport:
    """Archives, else all that the workspace knows -> the records of their pages in the data set at `out`.

    `watch` is told how many parts of how many are done.
    """
    arrow()
    named = list(dict.fromkeys(map(_one_name, archives_named(archives or workspace.archives()))))
    if not named:
        raise InputError("There is no archive to extract from: name one with --archive.")
    for archive in named:
        packing_of(archive)
    run = _PartsRun(workspace, DataSet(path_named(out)), named, hands or OwnHands(), borrow=borrow)
    return run.lifted(again=again, watch=watch or _unwatched)


def _one_name(archive: Path) -> Path:
    """An archive -> its name from the root, which is the same however it was named, and for every worker; links are left as they are."""
    if isinstance(archive, RemotePath):
        return archive
    plain = Path(os.path.normpath(archive.absolute()))
    return plain if plain.resolve() == archive.resolve() else archive.resolve()  # `..` after a link leads elsewhere


def _unwatched(done: int, parts: int) -> None:
    del done, parts


class _PartsRun:
    """One run over parts."""

    def __init__(
        self, workspace: Workspace, data_set: DataSet, archives: Sequence[Path], hands: Hands, *, borrow: bool | None
    ) -> None:
        self.data_set, self.archives, self.hands = data_set, archives, hands
        self.settings = workspace.settings
        rules = workspace.rules()
        wrap = self.settings.wrap if borrow is None else replace(self.settings.wrap, borrow=borrow)
        run = PageRun(workspace, rules, PageScope(), wrap, again=False, dry=True)
        self.lifter = PartLifter(
            out=data_set.folder.absolute(),
            recruit=run.recruit,
            store_settings=self.settings.store,
            sites=frozenset(run.sites),
            known=KnownPages(clusters_of_pages(workspace.database)),
            fields={name: list(names) for name, names in run.tally.fields.items()},
        )
        decisive = [FORMAT, run.version, self.lifter.known.digest(), repr(self.settings.store)]
        self.version = hashlib.sha256(json.dumps(decisive).encode()).hexdigest()
        self.separator = self.settings.export.separator

    def lifted(self, *, again: bool, watch: Callable[[int, int], None]) -> ExtractReport:
        dealt = self._dealt()
        errands = [LiftErrand(part, self._version(each), again) for each in dealt for part in each.parts]
        standing = self.data_set.standing()
        retired = self._retire(standing, {errand.part.name for errand in errands})
        done = {
            place: standing.parts[errand.part.name].notes
            for place, errand in enumerate(errands)
            if not again and _is_done(standing, errand)
        }
        left = [place for place in range(len(errands)) if place not in done]
        fresh = {}
        watch(len(done), len(errands))
        for place, answer in self.hands.answers(self.lifter, [errands[place] for place in left]):
            fresh[left[place]] = answer.notes
            watch(len(done) + len(fresh), len(errands))
        self.data_set.sweep([*retired, *(errand.part.name for errand in errands)])
        tally = Tally(self.lifter.fields)
        for place in range(len(errands)):
            notes = fresh.get(place) or done[place]
            tally.add(notes, fresh=place in fresh)
            for sentence in notes["warnings"]:
                warnings.warn(sentence, ArchiveWarning, stacklevel=4)
        return tally.report(KeptRecords(lambda: DataSetView(self.data_set).records(), self.separator))

    def _dealt(self) -> list[DealtArchive]:
        """Every archive in parts, in the order of the archives; large ones are walked over, side by side."""
        deal = partial(deal_archive, most_bytes=self.settings.scale.part_bytes)
        dealt = list(in_order(self.hands, deal, self.archives))
        for sentence in (sentence for each in dealt for sentence in each.warnings):
            warnings.warn(sentence, ArchiveWarning, stacklevel=5)
        return dealt

    def _version(self, dealt: DealtArchive) -> str:
        return hashlib.sha256(f"{self.version}\0{dealt.state}".encode()).hexdigest()[:32]

    def _retire(self, standing: Standing, wanted: set[str]) -> list[str]:
        """Parts of these archives that were dealt otherwise before, when an archive was shorter, count no more. Their names."""
        archives = {str(archive) for archive in self.archives}
        retired = [
            manifest
            for name, manifest in standing.parts.items()
            if name not in wanted and manifest.notes.get("archive") in archives
        ]
        for manifest in retired:
            if manifest.version != RETIRED:
                self.data_set.put_manifest(PartManifest(manifest.part, RETIRED, (), manifest.notes))
        return [manifest.part for manifest in retired]


def _is_done(standing: Standing, errand: LiftErrand) -> bool:
    known = standing.parts.get(errand.part.name)
    return known is not None and known.version == errand.version
