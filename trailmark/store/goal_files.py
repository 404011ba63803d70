"""What was learnt of each goal, as files in models/: a navigator, its picture and its report, named after the goal.

models/navigator-GOAL.npz           the navigator
                     .svg           the same as a picture
                     .json          the report of how it was learnt; .before.json is that of the time before

GOAL is spelt as `quoting.file_name` spells it: a goal may be called anything, in any language. A workspace that was made when there
was one goal only has `navigator.npz` and so on; it counts as the goal that its report names until that is learnt again.
"""

from __future__ import annotations

import json
from pathlib import Path

from trailmark.quoting import file_name, file_name_text

NAVIGATOR, PICTURE, REPORT, REPORT_BEFORE = ".npz", ".svg", ".json", ".before.json"
_ENDINGS = (NAVIGATOR, PICTURE, REPORT, REPORT_BEFORE)
_NAME = "navigator"
UNNAMED = "goal"
"""A goal whose pages bear no label."""


class GoalFiles:
    """The files of all goals in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def goals(self) -> list[str]:
        """Goals that have a navigator, by name."""
        files = sorted(self._folder.glob(f"{_NAME}*{NAVIGATOR}"))
        return sorted({goal for file in files if (goal := self._goal(file.name.removesuffix(NAVIGATOR))) is not None})

    def file(self, goal: str, ending: str = NAVIGATOR) -> Path:
        """Where the file of a goal is: that of an earlier version, where only that is there."""
        stem = self._stem(goal)
        old = not self._path(stem, NAVIGATOR).exists() and self._path(_NAME, NAVIGATOR).exists()
        return self._path(_NAME if old and self._goal(_NAME) == goal else stem, ending)

    def take_over(self) -> None:
        """Give the files of an earlier version the name of their goal, unless it has files of its own."""
        goal = self._goal(_NAME)
        if not self._path(_NAME, NAVIGATOR).exists() or goal is None:
            return
        stem = self._stem(goal)
        taken = self._path(stem, NAVIGATOR).exists()
        for ending in _ENDINGS:
            if self._path(_NAME, ending).exists():
                if taken:
                    self._path(_NAME, ending).unlink()
                else:
                    self._path(_NAME, ending).replace(self._path(stem, ending))

    def forget(self, goal: str) -> None:
        """Remove what was learnt of a goal."""
        for ending in _ENDINGS:
            self._path(self._stem(goal), ending).unlink(missing_ok=True)

    def _stem(self, goal: str) -> str:
        return f"{_NAME}-{file_name(goal)}"

    def _path(self, stem: str, ending: str) -> Path:
        return self._folder / f"{stem}{ending}"

    def _goal(self, stem: str) -> str | None:
        """The goal of files with that name; None where they are not named after a goal."""
        if stem == _NAME:
            return self._reported(stem) or UNNAMED
        if not stem.startswith(f"{_NAME}-"):
            return None
        goal = file_name_text(stem.removeprefix(f"{_NAME}-"))
        if goal is None:  # too long for its file: the report has it whole
            goal = self._reported(stem)
            return goal if goal is not None and self._stem(goal) == stem else None
        return goal

    def _reported(self, stem: str) -> str | None:
        try:
            goal = json.loads(self._path(stem, REPORT).read_text(encoding="utf-8"))["goal"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return goal if isinstance(goal, str) else None
