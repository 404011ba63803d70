"""Commands that a sentence suggests, with the workspace they are meant for: what is printed can be pasted."""

from __future__ import annotations

import re
from pathlib import Path

import click

from trailmark.cli.verb_list import VERBS, WITHOUT_WORKSPACE
from trailmark.quoting import shell_command

_COMMAND = re.compile(rf"\btrailmark (?=(?:{'|'.join(sorted(VERBS.keys() - WITHOUT_WORKSPACE))})\b)")


def with_workspace(text: str, folder: Path | None) -> str:
    """A sentence -> the same, each command of ours in it naming the workspace, where that is not the current folder."""
    if folder is None or "trailmark " not in text or folder.resolve() == Path.cwd().resolve():
        return text
    named = f"{shell_command('trailmark', '-w', folder)} "
    return _COMMAND.sub(lambda _: named, text)


def workspace_of_the_call() -> Path | None:
    """The workspace that the command line names just now."""
    context = click.get_current_context(silent=True)
    return context.find_root().obj if context is not None else None
