"""What is done again by itself, and when: walks, records, visits. While the app runs its timer does it; otherwise a line for cron."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trailmark.serve.jobs import Job
from trailmark.serve.state import AppState
from trailmark.settings import ServeSettings
from trailmark.store.run_table import RunTable

HOUR = 3600.0
Task = Literal["crawl", "update", "watch"]
VERBS: dict[Task, str] = {"crawl": "forage", "update": "extract", "watch": "monitor"}
TITLES: dict[Task, str] = {
    "crawl": "Walking again, by the schedule",
    "update": "Lifting records again, by the schedule",
    "watch": "Visiting bellwether pages, by the schedule",
}
BACK: dict[Task, str] = {"crawl": "/runs", "update": "/records", "watch": "/alarms"}
PLACES = ("--log", "--plot")
"""Words of a walk that name files, which a second walk does not write over."""


@dataclass(frozen=True, slots=True)
class Scheduled:
    """One task of the schedule."""

    task: Task
    hours: float
    """0 for never."""
    last: float | None
    """When its verb was last begun as a job, in seconds since 1970."""
    words: tuple[str, ...] | None
    """What follows the verb; None where there is nothing to do again yet."""

    def due(self, now: float) -> bool:
        """Whether it is to be begun now."""
        if not self.hours or self.words is None:
            return False
        return self.last is None or now - self.last >= self.hours * HOUR

    @property
    def next(self) -> float | None:
        """When it is begun next; None where it is not."""
        if not self.hours or self.words is None:
            return None
        return (self.last or 0.0) + self.hours * HOUR


def schedule(state: AppState) -> list[Scheduled]:
    """The workspace that a page is about -> its three tasks, as the settings and the jobs so far have it."""
    settings, jobs = state.settings.serve, state.jobs.all()
    return [
        Scheduled(task, _hours(settings, task), _last(jobs, verb), _words(state, task, jobs))
        for task, verb in VERBS.items()
    ]


def cron_line(folder: str, scheduled: Scheduled) -> str:
    """A task -> the line by which cron does it instead; empty where it is never done."""
    if not scheduled.hours or scheduled.words is None:
        return ""
    words = shlex.join(["trailmark", "-w", folder, VERBS[scheduled.task], "--tell", *scheduled.words])
    if not words.isprintable():  # a line break in it would begin another line of cron
        return ""
    return (
        f"{_cron_time(scheduled.hours)} {words.replace('%', chr(92) + '%')}"  # cron reads a bare % as the end of a line
    )


def _cron_time(hours: float) -> str:
    if hours < 1:
        return f"*/{max(round(hours * 60), 1)} * * * *"
    if hours < 24:
        return f"0 */{round(hours)} * * *" if round(hours) < 24 else "0 3 * * *"
    days = round(hours / 24)
    return "0 3 * * *" if days == 1 else f"0 3 */{min(days, 31)} * *"


def _hours(settings: ServeSettings, task: Task) -> float:
    return {"crawl": settings.crawl_hours, "update": settings.update_hours, "watch": settings.watch_hours}[task]


def _last(jobs: Sequence[Job], verb: str) -> float | None:
    return max((job.started for job in jobs if job.verb == verb), default=None)


def _words(state: AppState, task: Task, jobs: Sequence[Job]) -> tuple[str, ...] | None:
    if task == "crawl":
        return _walk_again(state, jobs)
    with state.workspace() as workspace:
        if not workspace.has_rules():
            return None
    return tuple(state.archive_words("--archive" if task == "update" else "--replay"))


def _walk_again(state: AppState, jobs: Sequence[Job]) -> tuple[str, ...] | None:
    """The words of the last walk that was begun as a job, or else the seeds of the last run; begun anew, as sites change."""
    job = next((job for job in jobs if job.verb == "forage"), None)
    if job is not None:
        return (*_without_files(job.arguments), *(() if "--again" in job.arguments else ("--again",)))
    with state.workspace() as workspace:
        run = RunTable(workspace.database).last()
    if run is None:
        return None
    archives = [word for archive in run.asked.get("archives", ()) for word in ("--replay", str(archive))]
    goals = [word for goal in run.asked.get("goals", ()) for word in ("--goal", str(goal))]
    seeds = [str(seed[0]) for seed in run.asked["seeds"]]
    return (*seeds, "--strategy", str(run.asked["strategy"]), *goals, *archives, "--again")


def _without_files(words: Sequence[str]) -> list[str]:
    return [word for at, word in enumerate(words) if word not in PLACES and (at == 0 or words[at - 1] not in PLACES)]
