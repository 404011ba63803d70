"""The table of a cold start in `trailmark evaluate wrap`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals.cold_start import evaluate_cold_start
from trailmark.cli.printing import Printer


def print_cold_start(printer: Printer, data: Path, sites: Sequence[str]) -> list[dict[str, Any]]:
    """Fields of a site with no page annotated, by the number of sites of its kind that teach."""
    totals = evaluate_cold_start(data, sites=sites, progress=printer.progress)
    if not totals:
        return []
    kinds = list(totals[-1]["kinds"])
    rows = [
        (
            each["seeds"],
            *(each["macro"][name] for name in ("precision", "recall", "f1")),
            *map(each["kinds"].get, kinds),
        )
        for each in totals
    ]
    title = "No page annotated: fields found through other sites of the kind, macro over site and field"
    printer.table(title, ["sites that teach", "precision", "recall", "F1", *kinds], rows)
    return totals
