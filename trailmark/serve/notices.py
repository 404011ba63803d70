"""Notices of jobs: what one that ended means to somebody who is not looking, and which were told of."""

from __future__ import annotations

import json
from collections.abc import Sequence

from trailmark.quoting import json_text
from trailmark.serve.jobs import Job
from trailmark.serve.keys import write_private
from trailmark.serve.state import AppState
from trailmark.verbs.notices import TOLD_OF, Notice, notice_of_report


def notice_of(state: AppState, job: Job) -> Notice | None:
    """A job that ended -> what is told of it; None where all is as it was, or a person ended it."""
    if job.verb not in TOLD_OF or job.active or job.state in ("paused", "stopped"):
        return None
    if job.state in ("failed", "broken"):
        name = state.folder.resolve().name
        return Notice("trouble", name, f"{job.title}: could not be done", (job.message or "It broke off.",), job.id)
    with state.workspace() as workspace:
        return notice_of_report(workspace, job.verb, state.jobs.report(job.id), job.id)


class Told:
    """Which jobs of a workspace were told of: those that had ended before it was first asked are not told of at all."""

    def __init__(self, state: AppState) -> None:
        self._state, self._path = state, state.folder / "serve" / "told.json"

    def news(self) -> list[Job]:
        """Jobs that ended since the last time, the first first; from now on they count as told."""
        ended = [job for job in self._state.jobs.all() if not job.active]
        known = self._known()
        self._keep(sorted(f"{job.id} {job.started}" for job in ended))
        if known is None:
            return []
        return [job for job in reversed(ended) if f"{job.id} {job.started}" not in known]

    def _known(self) -> frozenset[str] | None:
        try:
            return frozenset(json.loads(self._path.read_bytes()))
        except (OSError, ValueError, TypeError):
            return None

    def _keep(self, names: Sequence[str]) -> None:
        if self._known() != frozenset(names):
            write_private(self._path, json_text(list(names)).encode())
