"""Plots of evaluation reports, as matplotlib figures."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from trailmark.quoting import figure_text


def learning_curve(report: dict[str, Any]) -> Figure:
    """F1 of the goal against the number of trails that were taught, one line a group of webs."""
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for name, tables in report["tables"].items():
        points = {int(count): point["f1"] for count, point in tables["learning curve"].items()}
        axes.plot(list(points), list(points.values()), marker="o", label=figure_text(name))
        whole = tables["table 3"]["crf"]["goal"]
        if whole and points:
            axes.axhline(whole["f1"], color=axes.lines[-1].get_color(), linestyle=":", linewidth=1)
    axes.set(xscale="log", xlabel="trails taught", ylabel="F1 of the goal", ylim=(0, 1.02))
    axes.set_xticks([2, 4, 8, 16], labels=["2", "4", "8", "16"])
    axes.set_title("How many examples it takes (dotted: all trails)")
    axes.legend(frameon=False)
    return figure


def tagging_curve(report: dict[str, Any]) -> Figure:
    """Word error and macro F1 against the number of tagged documents that were learnt from, one line a kind of models."""
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    for place, (score, title) in enumerate((("word_error", "word error"), ("macro_f1", "macro F1"))):
        axes = figure.add_subplot(1, 2, place + 1)
        for model, points in report["curve"].items():
            heights = [scores[score] for scores in points.values()]
            axes.plot([int(count) for count in points], heights, marker="o", label=figure_text(model))
        axes.set(xscale="log", xlabel="tagged documents", ylabel=title, ylim=(0, None))
        counts = sorted({int(count) for points in report["curve"].values() for count in points})
        axes.set_xticks(counts, labels=[str(count) for count in counts])
        axes.minorticks_off()
        axes.legend(frameon=False)
    figure.suptitle(figure_text(f"{report['task']}: how much tagged text it takes"))
    return figure
