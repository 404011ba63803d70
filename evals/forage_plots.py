"""Plots of a forage report: PathLearner's figures 4 and 7, Cora's figures 5 and 6."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from trailmark.quoting import figure_text

LINES = ("oracle", "path", "path-plain", "distance", "future", "focused", "context", "breadth")
STEPS = 200
EARLY = 0.25
"""Share of the budget that counts as the early stage (Cora's figure 6)."""


def draw(report: dict[str, Any], folder: Path) -> list[Path]:
    """All plots of a report, as PNG files."""
    folder.mkdir(parents=True, exist_ok=True)
    figures = {
        "forage-harvest.png": by_case(report, "harvest", "harvest rate"),
        "forage-goals.png": by_case(report, "curve", "share of goals found"),
        "forage-mean.png": mean_curves(report),
        "forage-early.png": mean_curves(report, until=EARLY),
    }
    for name, figure in figures.items():
        figure.savefig(folder / name, dpi=110)
    return [folder / name for name in figures]


def draw_curves(report: dict[str, Any], folder: Path) -> list[Path]:
    """The learning curves, as a PNG file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "forage-learning-curve.png"
    learning_curves(report["curve"]).savefig(file, dpi=110)
    return [file]


def learning_curves(curves: dict[str, Any]) -> Figure:
    """Area and F1 of verdicts by what was taught, a line a kind of webs."""
    figure = Figure(figsize=(10, 7), layout="constrained")
    shown = [(way, points) for way, points in curves.items() if points]
    for row, (name, title) in enumerate((("area_of_pages", "area"), ("f1", "F1 of verdicts"))):
        for column, (way, points) in enumerate(shown):
            axes = figure.add_subplot(2, len(shown), row * len(shown) + column + 1)
            counts = [int(count) for count in points]
            for group in dict.fromkeys(group for groups in points.values() for group in groups):
                values = [groups.get(group, {}).get(name) for groups in points.values()]
                axes.plot(
                    counts, [np.nan if value is None else value for value in values], "o-", label=figure_text(group)
                )
            axes.set(xscale="log", ylim=(0, 1.02), xlabel=f"{way} taught", ylabel=title)
            axes.set_xticks(counts, labels=[str(count) for count in counts])
            axes.minorticks_off()
    figure.axes[0].legend(frameon=False, fontsize=7)
    return figure


def by_case(report: dict[str, Any], curve: str, title: str) -> Figure:
    """One small plot a case, one line a strategy (PathLearner's figures 4 and 7)."""
    cases = _curves(report, "case", curve)
    columns = min(4, len(cases))
    rows = -(-len(cases) // columns)
    figure = Figure(figsize=(3.4 * columns, 2.8 * rows), layout="constrained")
    for number, (name, lines) in enumerate(cases.items(), start=1):
        axes = figure.add_subplot(rows, columns, number)
        _lines(axes, lines, reach=report["reach"])
        axes.set_title(figure_text(name), fontsize=8)
        if number == 1:
            axes.legend(frameon=False, fontsize=7)
    figure.supxlabel("pages fetched, in lengths of the oracle's walk")
    figure.supylabel(title)
    return figure


def mean_curves(report: dict[str, Any], *, until: float = 1.0) -> Figure:
    """Share of goals found, the mean over the walks of each group of webs (Cora's figure 5; the first part: figure 6)."""
    groups = _curves(report, "group", "curve")
    figure = Figure(figsize=(4.2 * len(groups), 3.6), layout="constrained")
    for number, (name, lines) in enumerate(groups.items(), start=1):
        axes = figure.add_subplot(1, len(groups), number)
        _lines(axes, lines, reach=report["reach"])
        axes.set_xlim(0, report["reach"] * until)
        axes.set_title(figure_text(name), fontsize=9)
        axes.legend(frameon=False, fontsize=7)
    figure.supxlabel("pages fetched, in lengths of the oracle's walk")
    figure.supylabel("share of goals found")
    return figure


def _curves(report: dict[str, Any], key: str, curve: str) -> dict[str, dict[str, list[float]]]:
    """Case or group -> strategy -> mean curve over its walks, brought to one length."""
    found: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    grid = np.linspace(0.0, 1.0, STEPS)
    for row in report["walks"]:
        values = np.asarray(row[curve])
        stretched = np.interp(grid, np.linspace(0.0, 1.0, len(values)), values)
        found[row[key]][row["strategy"]].append(stretched)
    return {
        name: {line: np.mean(lines[line], axis=0).tolist() for line in LINES if line in lines}
        for name, lines in found.items()
    }


def _lines(axes: Any, lines: dict[str, list[float]], *, reach: int) -> None:
    for name, values in lines.items():
        style = ":" if name == "oracle" else "-"
        axes.plot(np.linspace(0, reach, len(values)), values, style, label=name, linewidth=1.2, color=_COLOURS[name])
    axes.set_ylim(0, 1.02)
    axes.tick_params(labelsize=7)


_COLOURS = {name: f"C{number}" for number, name in enumerate(LINES)}
