"""Plots of a forage report: PathLearner's figures 4 and 7, Cora's figures 5 and 6; how right verdicts are, and how much teaching it takes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from trailmark.quoting import figure_text

LINES = ("oracle", "path", "path-plain", "path-plain-best", "distance", "future", "focused", "context", "breadth")
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
    if report["reliability"]:
        figures["forage-reliability.png"] = reliability_plot(report)
        figures["forage-verdicts.png"] = verdicts_by_kind(report)
    if "answers" in report:
        figures["forage-answers.png"] = answers_plot(report["answers"])
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
    groups_of = dict.fromkeys(group for _, points in shown for groups in points.values() for group in groups)
    colours = {group: f"C{number}" for number, group in enumerate(groups_of)}
    for row, (name, title) in enumerate((("area_of_pages", "area"), ("f1", "F1 of verdicts"))):
        for column, (way, points) in enumerate(shown):
            axes = figure.add_subplot(2, len(shown), row * len(shown) + column + 1)
            counts = [int(count) for count in points]
            for group, colour in colours.items():
                values = [groups.get(group, {}).get(name) for groups in points.values()]
                heights = [np.nan if value is None else value for value in values]
                axes.plot(counts, heights, "o-", label=figure_text(group), color=colour)
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


def reliability_plot(report: dict[str, Any]) -> Figure:
    """What was promised against what came, a small plot a kind of webs; beside each point its number of pages."""
    kinds = report["reliability"]
    columns = min(4, len(kinds))
    rows = -(-len(kinds) // columns)
    figure = Figure(figsize=(3.4 * columns, 3.2 * rows), layout="constrained")
    for number, (kind, strategies) in enumerate(kinds.items(), start=1):
        axes = figure.add_subplot(rows, columns, number)
        axes.plot([0, 1], [0, 1], ":", color="grey", linewidth=1)
        name = _shown(strategies)
        bins = strategies[name]
        axes.plot([part["predicted"] for part in bins], [part["observed"] for part in bins], "o-", linewidth=1.2)
        for part in bins:
            place = (part["predicted"], part["observed"])
            axes.annotate(str(part["pages"]), place, fontsize=6, xytext=(3, -7), textcoords="offset points")
        axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        axes.set_title(figure_text(f"{kind}: {name}"), fontsize=8)
        axes.tick_params(labelsize=7)
    figure.supxlabel("goal probability")
    figure.supylabel("share of goals (numbers: pages)")
    return figure


def verdicts_by_kind(report: dict[str, Any]) -> Figure:
    """Precision and recall of the verdicts, a pair of bars a kind of webs."""
    kinds = [*report["reliability"]]
    names = [_shown(report["reliability"][kind]) for kind in kinds]
    figure = Figure(figsize=(max(5.0, 1.3 * len(kinds)), 4), layout="constrained")
    axes = figure.add_subplot()
    places = np.arange(len(kinds))
    for shift, value in ((-0.2, "precision"), (0.2, "recall")):
        heights = [report["groups"][kind][name][value] or 0.0 for kind, name in zip(kinds, names, strict=True)]
        axes.bar_label(axes.bar(places + shift, heights, 0.38, label=value), fmt="%.2f", fontsize=7)
    axes.set(ylim=(0, 1.08), title=f"Verdicts of {names[0]} on the pages fetched")
    axes.set_xticks(places, labels=[figure_text(kind) for kind in kinds], fontsize=8)
    axes.legend(frameon=False)
    return figure


def answers_plot(answers: dict[str, Any]) -> Figure:
    """Precision, recall and F1 by number of answers, a line a kind of webs."""
    figure = Figure(figsize=(11, 4), layout="constrained")
    for number, value in enumerate(("precision", "recall", "f1"), start=1):
        axes = figure.add_subplot(1, 3, number)
        for kind, strategies in answers["groups"].items():
            lines = strategies[_shown(strategies)]
            heights = [np.nan if line[value] is None else line[value] for line in lines.values()]
            axes.plot([int(count) for count in lines], heights, "o-", label=figure_text(kind))
        axes.set(ylim=(0, 1.02), xlabel="answers after the walk", title="F1" if value == "f1" else value)
        axes.set_xticks(answers["counts"])
    figure.axes[0].legend(frameon=False, fontsize=7)
    return figure


def _shown(strategies: Iterable[str]) -> str:
    """The strategy that a plot for one is about: `path`, or the first there is."""
    names = list(strategies)
    return "path" if "path" in names else names[0]


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
