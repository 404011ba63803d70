"""Notices: what a job that ended means to somebody who is not looking, and how they are told: a webhook, a command that sends mail."""

from __future__ import annotations

import json
import logging
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from trailmark.errors import TrailmarkError
from trailmark.quoting import json_text
from trailmark.report import Report
from trailmark.serve.jobs import Job
from trailmark.serve.keys import write_private
from trailmark.serve.state import AppState
from trailmark.verbs.found import new_goals
from trailmark.verbs.pipeline import UNWELL

_log = logging.getLogger(__name__)
WATCHED = ("forage", "extract", "monitor")
"""Verbs whose jobs are told of."""
MOST_NAMED = 20
MAIL_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Notice(Report):
    """Something that somebody should know."""

    kind: Literal["trouble", "goals", "test"]
    workspace: str
    title: str
    lines: tuple[str, ...]
    job: str = ""

    @property
    def text(self) -> str:
        """For a person."""
        return "\n".join([f"{self.title} ({self.workspace})", "", *self.lines, ""])


def notice_of(state: AppState, job: Job) -> Notice | None:
    """A job that ended -> what is told of it; None where all is as it was, or a person ended it."""
    name = state.folder.resolve().name
    if job.verb not in WATCHED or job.active or job.state in ("paused", "stopped"):
        return None
    if job.state in ("failed", "broken"):
        return Notice("trouble", name, f"{job.title}: could not be done", (job.message or "It broke off.",), job.id)
    report = state.jobs.report(job.id)
    if job.verb == "monitor":
        broken = _broken(report)
        return (
            Notice("trouble", name, f"{len(broken)} groups of pages need a look", broken[:MOST_NAMED], job.id)
            if broken
            else None
        )
    run = report.get("run") if job.verb == "forage" else None
    if not isinstance(run, int):
        return None
    with state.workspace() as workspace:
        found = new_goals(workspace, run)
    return (
        Notice("goals", name, f"Run {run} found {len(found)} new pages", found[:MOST_NAMED], job.id) if found else None
    )


def tell(state: AppState, notice: Notice) -> list[str]:
    """Send a notice by all ways that the settings name; what went wrong, a sentence each."""
    settings, wrong = state.settings, []
    if settings.serve.webhook:
        from trailmark.forage.webhook import send_json

        try:
            send_json(settings.serve.webhook, json_text(notice.to_json()).encode(), settings.forage)
        except TrailmarkError as error:
            wrong.append(str(error))
    if settings.serve.mail_command:
        wrong += _mail(settings.serve.mail_command, notice.text)
    for sentence in wrong:
        _log.warning("a notice was not sent: %s", sentence)
    return wrong


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


def _broken(report: Mapping[str, Any]) -> tuple[str, ...]:
    clusters = report.get("clusters", ())
    named = [each for each in clusters if isinstance(each, dict) and each.get("status") in UNWELL]
    return tuple(f"{each.get('cluster')}: {each.get('status')}" for each in named)


def _mail(command: Sequence[str], text: str) -> list[str]:
    try:
        subprocess.run(list(command), input=text.encode(), check=True, capture_output=True, timeout=MAIL_SECONDS)  # noqa: S603 - the owner's own words, no shell
    except (OSError, subprocess.SubprocessError) as error:
        return [f"the mail command did not work: {error}"]
    return []
