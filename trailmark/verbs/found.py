"""What a walk found, to be looked through: pages in bands by their chance, with what people said of them.

1. `found_pages` lists them, sorted and filtered. 2. `next_found` is the page to be looked at next: of all pages the next of the sample by which the share of
right ones is measured, of a part of them the one that is least sure. 3. `answer_found` keeps a person's word at once. 4. `pages_for_records`
names the pages that go on to records unless other ones are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trailmark.errors import InputError
from trailmark.report import Report
from trailmark.store.found_view import CHECKED, ORDERS, FoundRow, FoundView, Wanted
from trailmark.store.run_table import RunTable
from trailmark.store.wanted_pages import pages_to_lift
from trailmark.verbs.check import answer_check, keep_found_answer, keep_sample, next_check
from trailmark.verbs.named_paths import NamedPaths
from trailmark.verbs.runs import find_run
from trailmark.workspace import Workspace

BANDS: Mapping[str, tuple[float, float]] = {"sure": (0.9, 2.0), "likely": (0.5, 0.9), "doubtful": (0.0, 0.5)}
"""Band -> chances from the one up to the other, which is left out."""


@dataclass(frozen=True)
class FoundPage(Report):
    """A page that a run found."""

    n: int
    url: str
    title: str
    site: str
    label: str
    goal_name: str
    goal: bool | None
    """What the run calls it; None where it is unsure."""
    goal_probability: float
    band: str
    checked: bool | None
    """What a person said of it: right or not; None where nobody did."""
    keywords: tuple[str, ...] = ()
    """Those that stand on it, where the run looked for keywords."""


@dataclass(frozen=True)
class FoundReport(Report):
    """One page of a list of what a run found."""

    run: int
    count: int
    """Of all that was asked for."""
    bands: Mapping[str, int]
    """Pages in each band, of all that the run found and nobody called wrong."""
    pages: tuple[FoundPage, ...]


@dataclass(frozen=True)
class FoundQuestion(Report):
    """A page to be looked at, with the way to it."""

    page: FoundPage
    trail: tuple[str, ...]


def band_of(chance: float) -> str:
    """A chance -> the name of its band."""
    return next(name for name, (least, below) in BANDS.items() if least <= chance < below)


def found_pages(
    workspace: Workspace,
    run: int,
    *,
    band: str = "",
    least: float = 0.0,
    containing: str = "",
    checked: str = "",
    order: str = "chance",
    most: int = 50,
    skip: int = 0,
) -> FoundReport:
    """The number of a run -> the pages it found: of one band, with at least this chance, with these letters, checked or not."""
    find_run(workspace, run)
    view, wanted = FoundView(workspace.database), _wanted(band, least, containing, checked)
    if order not in ORDERS:
        raise InputError(f"Pages can be sorted by {', '.join(ORDERS)}; not by '{order[:20]}'.")
    count, rows = view.pages(run, wanted, order=order, most=most, skip=skip)
    return FoundReport(run, count, band_counts(workspace, run), tuple(map(_page, rows)))


def every_found(workspace: Workspace, run: int) -> Iterator[FoundPage]:
    """The number of a run -> all pages it found, in the order of fetching."""
    find_run(workspace, run)
    return map(_page, FoundView(workspace.database).every(run))


def band_counts(workspace: Workspace, run: int) -> dict[str, int]:
    """The number of a run -> how many of the pages it found are in each band, without those that a person called wrong."""
    counts = dict.fromkeys(BANDS, 0)
    for _, chance in FoundView(workspace.database).chances(run):
        counts[band_of(chance)] += 1
    return counts


def band_harvest(workspace: Workspace, run: int) -> dict[str, list[tuple[int, int]]]:
    """The number of a run -> for each band (pages fetched, pages found up to then of this band and of surer ones)."""
    curves: dict[str, list[tuple[int, int]]] = {name: [(0, 0)] for name in BANDS}
    names = list(BANDS)
    for n, chance in FoundView(workspace.database).chances(run):
        for name in names[names.index(band_of(chance)) :]:
            curves[name].append((n, curves[name][-1][1] + 1))
    return curves


def next_found(
    workspace: Workspace, run: int, *, band: str = "", least: float = 0.0, containing: str = "", skip: int = 0
) -> FoundQuestion | None:
    """The number of a run -> the page to look at next; None where all were looked at.

    Of all pages it is the next of the sample that measures the share of right ones; of a part it is the least sure one, so many being passed over.
    """
    view = FoundView(workspace.database)
    if not (band or least or containing):
        asked = next_check(workspace, run)
        row = None if asked is None else view.page(run, asked.url)
    else:
        _, some = view.pages(run, _wanted(band, least, containing, "no"), order="doubt", most=1, skip=skip)
        row = next(iter(some), None)
    return None if row is None else FoundQuestion(_page(row), tuple(RunTable(workspace.database).trail(run, row.n)))


def answer_found(workspace: Workspace, run: int, url: str, answer: str, archives: NamedPaths = ()) -> None:
    """A page that a run found and `goal`, `fail`, or "" to skip -> the answer kept, the run settled anew with it."""
    find_run(workspace, run)
    if url in keep_sample(workspace, run):
        answer_check(workspace, run, url, answer, archives)
    elif FoundView(workspace.database).page(run, url) is None:
        raise InputError(f"{url} is not one of the pages that run {run} found.")
    elif answer:
        keep_found_answer(workspace, run, url, answer, archives)


def pages_for_records(workspace: Workspace) -> tuple[str, ...]:
    """A workspace -> the pages that go on to records by default: those called goals by a run or checked right, without those checked wrong."""
    return tuple(sorted(pages_to_lift(workspace.database).pages))


def new_goals(workspace: Workspace, run: int) -> tuple[str, ...]:
    """The number of a run -> the pages that it calls goals and no earlier run did."""
    return tuple(FoundView(workspace.database).new_goals(run))


def _wanted(band: str, least: float, containing: str, checked: str) -> Wanted:
    if band and band not in BANDS:
        raise InputError(f"The bands are {', '.join(BANDS)}; there is no '{band[:20]}'.")
    if checked not in CHECKED:
        raise InputError(f"Pages are {', '.join(filter(None, CHECKED))} checked; not '{checked[:20]}'.")
    low, high = BANDS[band] if band else (0.0, 2.0)
    return Wanted(max(low, least), high, containing, checked)


def _page(row: FoundRow) -> FoundPage:
    facts = (row.n, row.url, row.title, row.site, row.label, row.goal_name, row.goal, row.goal_probability)
    return FoundPage(*facts, band_of(row.goal_probability), row.answer, row.keywords)
