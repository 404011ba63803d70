"""What a large crawl takes, worked out on paper from figures measured on one machine: core hours, network, storage, money, and how long politeness makes it.

    python -m benchmarks.scale_cost [--pages 250000000] [--sites 10000] [--forage-ms 6.4] [--extract-ms 5.2] [--page-kb 33] [--kept-kb 8] ...

Every figure is an option: put in what `benchmarks/scale.py`, `benchmarks/extracting.py` and a crawl of one's own say, and the prices of one's own provider.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Measured:
    """Figures of one page, one site and one machine, and what providers ask."""

    pages: float = 250e6
    sites: float = 10_000
    forage_ms: float = 6.4
    """Of processor time, to choose, fetch, judge and archive a page."""
    overhead: float = 0.15
    """More of it where the walk is dealt to a cluster, as a share."""
    extract_ms: float = 5.2
    page_kb: float = 33.0
    """Of a page as it is served, unpacked."""
    packed_share: float = 0.35
    """Of that which travels, where a server packs its answers."""
    kept_kb: float = 8.0
    """Of a page in a packed WARC."""
    row_bytes: float = 160.0
    """Of a fetch in a packed table."""
    record_bytes: float = 300.0
    delay: float = 1.0
    """Seconds between two requests to one host."""
    cores: float = 64
    worker_mb: float = 400.0
    part_sites: float = 50
    """Sites that a worker walks at once."""
    months: float = 1.0
    """For which what was fetched is kept."""
    core_hour: float = 0.041
    """Dollars."""
    gb_month: float = 0.023
    thousand_puts: float = 0.005
    object_mb: float = 256.0
    """Of an archive in storage."""


@dataclass(frozen=True)
class Cost:
    """What it comes to."""

    forage_core_hours: float
    extract_core_hours: float
    core_dollars: float
    network_tb: float
    stored_tb: float
    storage_dollars: float
    hours_by_cores: float
    """If nothing but the cores held it up."""
    hours_by_parts: float
    """If each worker asks the sites of its part as often as politeness lets it, and no faster."""
    hours_by_politeness: float
    """If nothing but the delay did: the largest sites, as large as the mean, walked all at once."""
    hosts_at_once: float
    """Sites that must be walked at once so that the cores have something to do."""
    requests_a_second: float
    """Over all hosts, when the cores are the bound."""
    memory_gb: float

    @property
    def dollars(self) -> float:
        return self.core_dollars + self.storage_dollars


def cost_of(measured: Measured) -> Cost:
    """Figures of one page -> what all pages take."""
    forage = measured.pages * measured.forage_ms * (1 + measured.overhead) / 3.6e6
    extract = measured.pages * measured.extract_ms / 3.6e6
    stored = measured.pages * (measured.kept_kb * 1e3 + measured.row_bytes + measured.record_bytes) / 1e12
    puts = stored * 1e6 / measured.object_mb
    rate = measured.cores * 1e3 / (measured.forage_ms * (1 + measured.overhead))
    return Cost(
        forage,
        extract,
        (forage + extract) * measured.core_hour,
        measured.pages * measured.page_kb * measured.packed_share / 1e9,
        stored,
        stored * 1e3 * measured.gb_month * measured.months + puts / 1e3 * measured.thousand_puts,
        forage / measured.cores,
        measured.pages * measured.delay / (measured.cores * measured.part_sites) / 3600,
        measured.pages / measured.sites * measured.delay / 3600,
        rate * measured.delay,
        rate,
        measured.cores * measured.worker_mb / 1e3,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for each in fields(Measured):
        parser.add_argument(f"--{each.name.replace('_', '-')}", type=float, default=each.default)
    measured = Measured(**vars(parser.parse_args()))
    cost = cost_of(measured)
    rows = [
        ("core hours to forage", f"{cost.forage_core_hours:,.0f}"),
        ("core hours to extract", f"{cost.extract_core_hours:,.0f}"),
        ("dollars for cores", f"{cost.core_dollars:,.0f}"),
        ("network, TB", f"{cost.network_tb:,.1f}"),
        ("stored, TB", f"{cost.stored_tb:,.1f}"),
        (f"dollars to keep it {measured.months:g} months", f"{cost.storage_dollars:,.0f}"),
        ("dollars in all", f"{cost.dollars:,.0f}"),
        (f"hours to forage on {measured.cores:g} cores", f"{cost.hours_by_cores:,.1f}"),
        (f"hours with {measured.part_sites:g} sites a worker", f"{cost.hours_by_parts:,.1f}"),
        ("hours that politeness asks for at least", f"{cost.hours_by_politeness:,.1f}"),
        ("sites walked at once so that cores are busy", f"{cost.hosts_at_once:,.0f}"),
        ("requests a second over all hosts", f"{cost.requests_a_second:,.0f}"),
        ("memory of all workers, GB", f"{cost.memory_gb:,.0f}"),
    ]
    wide = max(len(name) for name, _ in rows)
    print(*(f"{name:<{wide}}  {value:>12}" for name, value in rows), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
