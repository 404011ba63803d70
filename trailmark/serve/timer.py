"""The timer of the app: now and then it begins what is due by the schedule of each workspace, and tells of jobs that ended.

It remembers nothing: when something was last done is read off the jobs, so that a restart neither forgets nor repeats.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator

from trailmark.errors import TrailmarkError
from trailmark.serve.notices import Told, notice_of
from trailmark.serve.projects import Projects
from trailmark.serve.schedule import BACK, TITLES, VERBS, schedule
from trailmark.serve.state import AppState
from trailmark.verbs.notices import tell

_log = logging.getLogger(__name__)
EVERY = 20.0
"""Seconds between two looks."""


class Timer:
    """Looks after all workspaces of an app."""

    def __init__(self, projects: Projects, clock: Callable[[], float] = time.time) -> None:
        self._projects, self._clock = projects, clock
        self.stopped = threading.Event()

    def run(self) -> None:
        """Look until it is stopped."""
        while not self.stopped.wait(EVERY):
            self.look()

    def look(self) -> None:
        """Begin what is due, tell what is new; trouble in one workspace is not the others'."""
        for state in self._states():
            try:
                self._begin(state)
                for job in Told(state).news():
                    notice = notice_of(state, job)
                    if notice is not None:
                        tell(state.settings, notice)
            except (TrailmarkError, OSError) as error:
                _log.warning("the timer could not look after %s: %s", state.folder, error)

    def _states(self) -> Iterator[AppState]:
        for name in self._projects.names() or ("",):
            try:
                yield self._projects.state(name)
            except TrailmarkError as error:
                _log.warning("the timer could not open %s: %s", name, error)

    def _begin(self, state: AppState) -> None:
        """One task at a time: what is due beside it comes at a later look."""
        if state.jobs.active():
            return
        for scheduled in schedule(state):
            if scheduled.due(self._clock()) and scheduled.words is not None:
                task = scheduled.task
                state.jobs.start(VERBS[task], *scheduled.words, title=TITLES[task], back=BACK[task])
                return
