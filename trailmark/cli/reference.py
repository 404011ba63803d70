"""The generated parts of the documentation: `python -m trailmark.cli.reference docs/reference` (or `make docs`)."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trailmark.cli.main import cli
from trailmark.settings import settings_reference


def pages() -> dict[str, str]:
    """File name -> text of every generated page."""
    return {"cli.md": cli_reference(), "settings.md": settings_reference()}


def cli_reference() -> str:
    """docs/reference/cli.md: the help of every verb, as it prints."""
    parts = [
        "# Command line",
        "",
        "Written from the verbs' own help texts by `make docs`.",
        "",
        *_block(cli, ["trailmark"]),
    ]
    with click.Context(cli, info_name="trailmark") as context:
        for name in cli.list_commands(context):
            command = cli.get_command(context, name)
            assert command is not None
            parts += ["", f"## trailmark {name}", "", *_block(command, ["trailmark", name])]
    return "\n".join(parts) + "\n"


def _block(command: click.Command, words: list[str]) -> list[str]:
    # click keeps the help option that it made first: the whole command line's settings are given, as when it runs.
    whole = click.Context(cli, info_name=words[0], **cli.context_settings)
    context = click.Context(command, info_name=words[-1], parent=whole) if words[1:] else whole
    context.terminal_width = context.max_content_width = 110
    return ["```", command.get_help(context).strip(), "```"]


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")
        click.echo(f"wrote {folder / name}")
