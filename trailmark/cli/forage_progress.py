"""What a person sees while sites are walked: a line for each of a few sites, and totals."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from trailmark.cli.printing import shown
from trailmark.forage.forage_run import ForageRun
from trailmark.forage.site_queue import SiteQueue
from trailmark.quoting import count_of
from trailmark.store.parts_standing import PartsStanding

MOST_SITES = 12


class ForageProgress:
    """Live on stderr; silent where that is no terminal."""

    def __init__(self) -> None:
        self._console = Console(stderr=True)
        self._live = Live(console=self._console, auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def watch(self, run: ForageRun) -> None:
        if self._console.is_terminal:
            self._live.update(progress_table(run), refresh=True)

    def watch_parts(self, standing: PartsStanding) -> None:
        """A run that was dealt: its totals over all parts."""
        if self._console.is_terminal:
            self._live.update(parts_line(standing), refresh=True)


def parts_line(standing: PartsStanding) -> Text:
    """How a run stands that was dealt, in a line."""
    return Text(
        f"{standing.parts_done} of {count_of(standing.parts, 'part')} done; {standing.ended} of {count_of(standing.sites, 'site')} ended, "
        f"{count_of(standing.pages, 'page')}, {count_of(standing.goals, 'goal')}",
        style="bold",
    )


def progress_table(run: ForageRun) -> Table:
    """All of few sites; of many those that go on and gave most. And the totals."""
    table = Table(header_style="bold", expand=False)
    for column in ("site", "pages", "goals", "unsure", "harvest", "queue", ""):
        table.add_column(column, justify="left" if column in ("site", "") else "right", overflow="ellipsis")
    sites = run.forager.sites
    foremost = sorted(sites, key=lambda site: (bool(site.ended), -site.goals))[:MOST_SITES]
    for site in sorted(foremost, key=lambda site: site.number):
        table.add_row(*_row(site))
    if len(sites) > MOST_SITES:
        table.add_row(Text(f"... and {len(sites) - MOST_SITES} more", style="dim"))
    totals, seconds = run.forager.totals, run.elapsed()
    harvest = totals.goals / totals.fetched if totals.fetched else 0.0
    ended = sum(bool(site.ended) for site in sites)
    queue = sum(site.queued for site in sites)
    pace = f"{totals.fetched / seconds:.1f} pages/s" if seconds else ""
    name = Text(f"{count_of(len(sites), 'site')}, {ended} ended", style="bold")
    table.add_row(name, str(totals.fetched), str(totals.goals), str(totals.unsure), f"{harvest:.3f}", str(queue), pace)
    return table


def _row(site: SiteQueue) -> tuple[Text | str, ...]:
    harvest = site.goals / site.pages if site.pages else 0.0
    return (
        shown(site.root),
        str(site.pages),
        str(site.goals),
        str(site.unsure),
        f"{harvest:.3f}",
        str(site.queued),
        shown(f"ended: {site.ended}" if site.ended else ""),
    )
