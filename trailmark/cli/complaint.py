"""What is wrong, as one sentence on stderr: file names, arguments and pages are quoted in it, so nothing in it steers the terminal."""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.named_commands import with_workspace, workspace_of_the_call
from trailmark.quoting import terminal_text


def complain(sentence: object, folder: Path | None = None) -> None:
    """Say it after the program's name; commands in it name the workspace."""
    click.echo(
        f"trailmark: {terminal_text(with_workspace(str(sentence), folder or workspace_of_the_call()))}", err=True
    )
