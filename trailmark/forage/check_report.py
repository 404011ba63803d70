"""What a check of a run says: how far it has come, and how many of the pages that were found are right as far as that was measured."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.forage.precision import FEWEST
from trailmark.quoting import count_of, shell_command, terminal_text
from trailmark.report import SHORT, Json, Report


@dataclass(frozen=True)
class CheckReport(Report):
    """How far a check has come, and what it says of all pages that the run found."""

    run: int
    goals: int
    """Pages that are called goals now, with all answers."""
    pages: int
    """Pages that were called goals when the sample was drawn: what the figures speak of."""
    answers: int
    right: int
    skipped: int
    left: int
    """Pages of the sample that can still be asked about."""
    share: float | None
    """Estimated share of the pages that are right; None while it can't be told."""
    low: float | None
    """Bounds of the 95 % interval."""
    high: float | None
    goal: str = ""
    """The goal whose pages are counted, where the run looked for several; empty for all that it found."""

    @property
    def _kind(self) -> str:
        return f" ({terminal_text(self.goal[:SHORT])})" if self.goal else ""

    @property
    def _pages(self) -> str:
        return f"{self.pages} pages{self._kind} it found"

    @property
    def _how(self) -> str:
        which = f" {shell_command('--goal', self.goal)}" if self.goal else ""
        return f"measure it with trailmark check {self.run}{which}"

    @property
    def summary(self) -> str:
        """One line for a person."""
        if not self.pages:
            return f"Run {self.run} found no goals{self._kind}: there is nothing to check."
        if self.pages == 1:
            return self._of_one()
        if self.share is None or self.low is None or self.high is None:
            return self._untold()
        if self.answers == self.pages:
            return f"All {self._pages} were checked: {self.right} are right."
        bounds = f"between {100 * self.low:.0f} and {100 * self.high:.0f} %"
        called = count_of(self.goals, "page a goal", "pages goals")
        now = f" With your answers it calls {called} now." if self.goals != self.pages else ""
        return f"Of the {self._pages}, {in_parts(self.share)} are right ({bounds}), from {self.answers} answers.{now}"

    def _of_one(self) -> str:
        if not self.answers:
            return f"Whether the one page{self._kind} it found is right is not measured yet: {self._how}."
        return f"The one page{self._kind} it found was checked: it is {'right' if self.right else 'not right'}."

    def _untold(self) -> str:
        if not self.answers:
            return f"How many of the {self._pages} are right is not measured yet: {self._how}."
        many = "1 answer is" if self.answers == 1 else f"{self.answers} answers are"
        return f"{many} too few to tell how many of the {self._pages} are right; {min(FEWEST, self.pages)} are needed: {self._how}."

    def __str__(self) -> str:
        return self.summary

    def to_json(self) -> dict[str, Json]:
        """What `--json` prints."""
        return {**super().to_json(), "summary": self.summary}


def in_parts(share: float) -> str:
    """A share -> the nearest of a few plain fractions, in words."""
    if share >= 0.975 or share < 0.05:
        return "nearly all" if share > 0.5 else "hardly any"
    parts = [(part, whole) for whole in (2, 3, 4, 5, 10) for part in range(1, whole)]
    part, whole = min(parts, key=lambda each: (abs(each[0] / each[1] - share), each[1]))
    return f"about {part} of {whole}"
