"""A picture of one site: every page as a dot at its distance from the root, goals, milestones and decoys by colour."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.figure import Figure

from trailmark.datatypes import Trail
from trailmark.demo.web import DemoSite
from trailmark.quoting import figure_text

COLOURS = {"goal": "#1a9850", "milestone": "#4575b4", "decoy": "#f46d43", "other": "#cccccc"}
SIZES = {"goal": 42.0, "milestone": 30.0, "decoy": 24.0, "other": 8.0}


def site_map(site: DemoSite, goal: str, trail: Trail | None = None) -> Figure:
    """Rings are clicks from the root; a grey line is the first link found to a page; the thick line is one trail."""
    parents = _first_links(site)
    places = _places(site.root, parents)
    figure = Figure(figsize=(9, 9), layout="constrained")
    axes = figure.add_subplot()
    for url, parent in parents.items():
        if parent is not None:
            axes.plot(*zip(places[parent], places[url], strict=True), color="#e4e4e4", linewidth=0.5, zorder=1)
    for kind in reversed(COLOURS):
        dots = [places[url] for url in parents if _kind(site, url, goal) == kind]
        if dots:
            x, y = zip(*dots, strict=True)
            axes.scatter(x, y, s=SIZES[kind], color=COLOURS[kind], label=f"{kind} ({len(dots)})", zorder=2)
    if trail is not None:
        _draw_trail(axes, [places[step.url] for step in trail.steps if step.url in places])
    axes.set_title(figure_text(f"{site.host}: {len(parents)} pages, goal '{goal}'; each ring is one more click"))
    axes.legend(loc="lower right", frameon=False)
    axes.set_aspect("equal")
    axes.axis("off")
    return figure


def _draw_trail(axes: object, points: Sequence[tuple[float, float]]) -> None:
    x, y = zip(*points, strict=True)
    axes.plot(x, y, color="#222222", linewidth=2.0, marker="o", markersize=4, label="a trail", zorder=3)  # type: ignore[attr-defined]


def _kind(site: DemoSite, url: str, goal: str) -> str:
    label = site.labels.get(url)
    if label is not None:
        return "goal" if label == goal else "milestone"
    return "decoy" if goal in site.kinds.get(url, "") else "other"


def _first_links(site: DemoSite) -> dict[str, str | None]:
    """Breadth-first: page -> the page that links to it first."""
    parents: dict[str, str | None] = {site.root: None}
    queue = [site.root]
    for url in queue:
        for link in (site.follow(target) for target in site.links.get(url, ())):
            if link not in parents and link in site.links:
                parents[link] = url
                queue.append(link)
    return parents


def _places(root: str, parents: dict[str, str | None]) -> dict[str, tuple[float, float]]:
    """Rings around the root; a page gets an arc as wide as the number of leaves below it."""
    children: dict[str, list[str]] = {url: [] for url in parents}
    for url, parent in parents.items():
        if parent is not None:
            children[parent].append(url)
    leaves: dict[str, int] = {}
    for url in reversed(parents):  # children come after their parents
        leaves[url] = sum(leaves[child] for child in children[url]) or 1
    places: dict[str, tuple[float, float]] = {}
    open_arcs = [(root, 0, 0.0, 2 * math.pi)]
    for url, ring, start, width in open_arcs:
        angle = start + width / 2
        places[url] = (ring * math.cos(angle), ring * math.sin(angle))
        for child in children[url]:
            share = width * leaves[child] / leaves[url]
            open_arcs.append((child, ring + 1, start, share))
            start += share
    return places
