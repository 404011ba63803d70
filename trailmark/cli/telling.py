"""`--tell`: who is told when a verb that nobody watches has ended, as the app tells of its own jobs; for lines of cron."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from trailmark.cli.complaint import complain
from trailmark.cli.printing import reported
from trailmark.errors import TrailmarkError


def telling(command: Callable[..., Any]) -> Callable[..., Any]:
    """A verb -> the same with `--tell`."""

    @wraps(command)
    def told(folder: Path, *words: Any, tell: bool, **more: Any) -> Any:
        if not tell:
            return command(folder, *words, **more)
        try:
            code = command(folder, *words, **more)
        except TrailmarkError as error:
            _tell_trouble(folder, str(error))
            raise
        except Exception as error:
            _tell_trouble(
                folder, f"It broke off ({type(error).__name__}); logs/trailmark.log in the workspace tells what."
            )
            raise
        _tell_end(folder)
        return code

    option = click.option(
        "--tell",
        is_flag=True,
        help="Tell by the webhook and the mail command of the settings if it broke or found something new (for cron).",
    )
    return option(told)


def _verb() -> str:
    return click.get_current_context().info_name or ""


def _tell_trouble(folder: Path, sentence: str) -> None:
    from trailmark.verbs.notices import Notice

    _send(folder, Notice("trouble", folder.resolve().name, f"trailmark {_verb()}: could not be done", (sentence,)))


def _tell_end(folder: Path) -> None:
    from trailmark.verbs.notices import notice_of_report
    from trailmark.workspace import Workspace

    with Workspace.open(folder) as workspace:
        _send(folder, notice_of_report(workspace, _verb(), reported()))


def _send(folder: Path, notice: Any) -> None:
    """What goes wrong with it is a sentence: it changes nothing of what the verb did."""
    from trailmark.verbs.notices import tell
    from trailmark.workspace import settings_in

    try:
        settings = settings_in(folder)
    except TrailmarkError as error:
        complain(f"Nobody was told: {error}")
        return
    if not settings.serve.webhook and not settings.serve.mail_command:
        complain("--tell: there is nobody to tell; name a webhook or a mail_command in [serve] of trailmark.toml.")
    elif notice is not None:
        for sentence in tell(settings, notice):
            complain(f"A notice was not sent: {sentence}")
