"""The harvest curve as an SVG path: goals found against pages fetched, in a box of 600 by 200."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH, HEIGHT = 600, 200


def harvest_path(points: Sequence[tuple[int, int]], pages: int) -> str:
    """The path's `d`: steps up where a goal was found, level up to the last page."""
    most_pages, most_goals = max(pages, 1), max((goals for _, goals in points), default=0) or 1
    words, height = [f"M0,{HEIGHT}"], float(HEIGHT)
    for page, goals in points[1:]:
        x = WIDTH * min(page / most_pages, 1.0)
        words.append(f"L{x:.1f},{height:.1f}")
        height = HEIGHT * (1 - goals / most_goals)
        words.append(f"L{x:.1f},{height:.1f}")
    return "".join([*words, f"L{WIDTH},{height:.1f}"])


def ticks(pages: int, goals: int) -> dict[str, list[tuple[float, int]]]:
    """(place, number) along both sides: none, half and all."""
    across = [(0.0, 0), (WIDTH / 2, pages // 2), (float(WIDTH), pages)]
    up = (
        [(float(HEIGHT), 0), (0.0, goals)]
        if goals < 2
        else [(float(HEIGHT), 0), (HEIGHT / 2, goals // 2), (0.0, goals)]
    )
    return {"across": across, "up": up}
