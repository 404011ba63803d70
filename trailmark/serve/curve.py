"""The harvest curve as an SVG path: goals found against pages fetched, in a box of 600 by 200."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH, HEIGHT = 600, 200


def harvest_path(points: Sequence[tuple[int, int]], pages: int) -> str:
    """The path's `d`: steps up where a goal was found, level up to the last page."""
    return curve_in(points, pages, pages, max((goals for _, goals in points), default=0))


def curve_in(points: Sequence[tuple[int, int]], pages: int, most_pages: int, most_goals: int) -> str:
    """The same in a box that is as wide and high as so many pages and goals: for several curves in one box."""
    wide, high = max(most_pages, 1), most_goals or 1
    words, height = [f"M0,{HEIGHT}"], float(HEIGHT)
    for page, goals in points[1:]:
        x = WIDTH * min(page / wide, 1.0)
        words.append(f"L{x:.1f},{height:.1f}")
        height = HEIGHT * (1 - goals / high)
        words.append(f"L{x:.1f},{height:.1f}")
    end = WIDTH * min(max(pages, 1) / wide, 1.0)
    return "".join([*words, f"L{end:g},{height:.1f}"])


def ticks(pages: int, goals: int) -> dict[str, list[tuple[float, int]]]:
    """(place, number) along both sides: none, about half and all; each number once, where it belongs."""
    across = [(WIDTH * number / max(pages, 1), number) for number in sorted({0, pages // 2, pages})]
    up = [(HEIGHT * (1 - number / max(goals, 1)), number) for number in sorted({0, goals // 2, goals})]
    return {"across": across, "up": up}
