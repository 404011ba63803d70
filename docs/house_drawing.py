"""The imports of the package -> a drawing of its rooms, for docs/why/house.md.

Nothing here says how it should be: the arrows are what the modules import. What they may import is held by tests/house/test_house.py.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "trailmark"
WIDTH = 110

Rooms = Mapping[str, frozenset[str]]
"""Room -> rooms that its modules import."""


def rooms_imported() -> dict[str, frozenset[str]]:
    """Every room of the package (a folder, or a module beside the folders) -> the others that it imports."""
    found: dict[str, set[str]] = {}
    for module in sorted(PACKAGE.rglob("*.py")):
        room = module.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if room != "__init__":
            found.setdefault(room, set()).update(_targets(module))
    return {room: frozenset((targets & found.keys()) - {room}) for room, targets in found.items()}


def _targets(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith("trailmark."))


def floors(rooms: Rooms) -> list[list[str]]:
    """Rooms -> floors, the lowest first: a room is one floor above the highest that it imports, so every arrow points down."""
    height: dict[str, int] = {}
    while len(height) < len(rooms):
        ready = [room for room in rooms if room not in height and rooms[room] <= height.keys()]
        if not ready:
            raise ValueError(f"the rooms {sorted(rooms.keys() - height.keys())} import one another in a circle")
        height |= {room: 1 + max((height[target] for target in rooms[room]), default=-1) for room in ready}
    return [sorted(room for room in rooms if height[room] == floor) for floor in range(max(height.values()) + 1)]


def next_arrows(rooms: Rooms) -> dict[str, list[str]]:
    """Room -> rooms that it imports, but for those that are reached over another of them anyway."""
    beyond = {room: _reached(rooms, room) for room in rooms}
    return {
        room: sorted(target for target in targets if not any(target in beyond[other] for other in targets))
        for room, targets in rooms.items()
    }


def _reached(rooms: Rooms, start: str) -> frozenset[str]:
    seen: set[str] = set()
    waiting = list(rooms[start])
    while waiting:
        room = waiting.pop()
        if room not in seen:
            seen.add(room)
            waiting += rooms[room]
    return frozenset(seen)


def drawing(rooms: Rooms) -> str:
    """A text that shows the floors from the top, each room with its arrows; arrows over other arrows are left out."""
    arrows = next_arrows(rooms)
    wide = max(map(len, rooms))
    lines = []
    for floor in reversed(floors(rooms)):
        lines.append("-" * WIDTH)
        for room in floor:
            targets = "  ".join(arrows[room])
            lines.append(f"  {room:<{wide}}  {'-> ' if targets else ''}{targets}".rstrip())
    return "\n".join([*lines, "=" * WIDTH])
