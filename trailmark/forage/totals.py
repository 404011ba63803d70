"""What a run has done so far, beyond what its fetches tell."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

_log = logging.getLogger(__name__)
MOST_PROBLEMS = 100


@dataclass(slots=True)
class Totals:
    """Counts over all sites and all parts of a run."""

    fetched: int = 0
    goals: int = 0
    unsure: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    """Links left alone, by trap or refusal."""
    problems: list[str] = field(default_factory=list)
    """Pages on which reading or judging failed; the run goes on without their links."""
    missing: int = 0
    """Pages that answered with 200 and said that they do not exist."""

    def trouble(self, url: str, error: Exception) -> None:
        """Note a page that could not be judged; called where the error is handled, so that its traceback is at hand."""
        if len(self.problems) < MOST_PROBLEMS:
            _log.warning("%s could not be judged", url, exc_info=error)
            self.problems.append(f"{url}: {type(error).__name__}: {error}")

    def notes(self) -> dict[str, Any]:
        """What can't be told from the fetches, to be kept for when the run is taken up."""
        return {"skipped": dict(self.skipped), "problems": self.problems, "missing": self.missing}

    def recall(self, notes: Mapping[str, Any]) -> None:
        """Go on counting from what was kept."""
        self.skipped = Counter(notes.get("skipped", {}))
        self.problems = list(notes.get("problems", ()))
        self.missing = int(notes.get("missing", 0))
