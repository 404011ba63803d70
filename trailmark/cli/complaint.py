"""What is wrong, as one sentence on stderr: file names, arguments and pages are quoted in it, so nothing in it steers the terminal."""

from __future__ import annotations

import click

from trailmark.quoting import terminal_text


def complain(sentence: object) -> None:
    """Say it after the program's name."""
    click.echo(f"trailmark: {terminal_text(str(sentence))}", err=True)
