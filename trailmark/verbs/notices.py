"""Notices: what the end of a verb means to somebody who is not looking, and how they are told: a webhook, a command that sends mail."""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from trailmark.errors import TrailmarkError
from trailmark.quoting import count_of, json_text
from trailmark.report import Report
from trailmark.settings import Settings
from trailmark.verbs.found import new_goals
from trailmark.verbs.pipeline import UNWELL
from trailmark.workspace import Workspace

_log = logging.getLogger(__name__)
TOLD_OF = ("forage", "extract", "monitor", "update")
"""Verbs that people are told of."""
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


def notice_of_report(workspace: Workspace, verb: str, report: Mapping[str, Any], job: str = "") -> Notice | None:
    """What a verb reported when it was done, as JSON -> what is told of it; None where all is as it was."""
    name = workspace.folder.resolve().name
    if verb == "monitor":
        broken = _broken(report)
        title = f"{count_of(len(broken), 'group')} of pages {'needs' if len(broken) == 1 else 'need'} a look"
        return Notice("trouble", name, title, broken[:MOST_NAMED], job) if broken else None
    if verb == "update":
        failed = _failed(report)
        title = f"{count_of(len(failed), 'part')} of an update could not be done"
        return Notice("trouble", name, title, failed, job) if failed else None
    run = report.get("run") if verb == "forage" else None
    found = new_goals(workspace, run) if isinstance(run, int) else ()
    title = f"Run {run} found {count_of(len(found), 'new page')}"
    return Notice("goals", name, title, found[:MOST_NAMED], job) if found else None


def tell(settings: Settings, notice: Notice) -> list[str]:
    """Send a notice by all ways that the settings name; what went wrong, a sentence each."""
    wrong = []
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


def _broken(report: Mapping[str, Any]) -> tuple[str, ...]:
    clusters = report.get("clusters", ())
    named = [each for each in clusters if isinstance(each, dict) and each.get("status") in UNWELL]
    return tuple(f"{each.get('cluster')}: {each.get('status')}" for each in named)


def _failed(report: Mapping[str, Any]) -> tuple[str, ...]:
    parts = [each for each in report.get("parts", ()) if isinstance(each, dict) and each.get("state") == "failed"]
    return tuple(f"{each.get('part')}: {each.get('says')}" for each in parts)


def _mail(command: Sequence[str], text: str) -> list[str]:
    try:
        subprocess.run(list(command), input=text.encode(), check=True, capture_output=True, timeout=MAIL_SECONDS)  # noqa: S603 - the owner's own words, no shell
    except (OSError, subprocess.SubprocessError) as error:
        return [f"the mail command did not work: {error}"]
    return []
