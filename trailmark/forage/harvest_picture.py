"""The picture of a run: goals found and harvest rate against pages fetched, with other strategies on the same sites beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from trailmark.quoting import figure_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")


def harvest_picture(walks: Mapping[str, Sequence[bool]]) -> Figure:
    """`walks` tell for each strategy, fetch by fetch, whether the page was a goal; the first is the run that was made."""
    from matplotlib.figure import Figure  # it takes a second to load

    figure = Figure(figsize=(9.0, 3.6), layout="constrained")
    totals, harvest = figure.add_subplot(1, 2, 1), figure.add_subplot(1, 2, 2)
    for number, (name, goals) in enumerate(walks.items()):
        counts = np.cumsum(np.asarray(goals, dtype=np.float64))
        pages = np.arange(1, counts.size + 1)
        width = 2.0 if number == 0 else 1.0
        totals.plot(pages, counts, label=figure_text(name), linewidth=width)
        harvest.plot(pages, counts / pages, label=figure_text(name), linewidth=width)
    for axes, title in ((totals, "goals found"), (harvest, "harvest rate")):
        axes.set_xlabel("pages fetched")
        axes.set_ylabel(title)
        axes.set_ylim(bottom=0)
        axes.spines[["top", "right"]].set_visible(False)
    totals.legend(frameon=False)
    return figure
