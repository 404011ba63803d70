"""How verbs talk: tables and progress for people, one JSON report on stdout for machines.

With `--json` everything meant for people goes to stderr, so that stdout holds the report and nothing else.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from trailmark.cli.logged_words import figures
from trailmark.cli.named_commands import with_workspace, workspace_of_the_call
from trailmark.quoting import json_text, terminal_text
from trailmark.report import Report
from trailmark.store.archive_names import path_named

_log = logging.getLogger(__name__)
_REPORTED = "trailmark.reported"

T = TypeVar("T")
Command = TypeVar("Command", bound=Callable[..., Any])

FILE = click.Path(path_type=Path)
"""Existence is checked where the file is opened: one place, one sentence."""


class _Archive(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.3 on
    """A file, a folder, or an address of either."""

    name = "archive"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        del param, ctx
        return path_named(value)


ARCHIVE = _Archive()


def json_option(command: Command) -> Command:
    """`--json` after the verb."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON report on stdout.")(command)


def replay_option(command: Command) -> Command:
    """`--replay ARCHIVE`, repeatable."""
    return click.option(
        "--replay",
        "archives",
        type=ARCHIVE,
        multiple=True,
        metavar="ARCHIVE",
        help="Take pages from this web archive instead of the network (repeatable).",
    )(command)


def on_option(command: Command) -> Command:
    """`--on PLACE`."""
    return click.option(
        "--on",
        "place",
        default="local",
        metavar="PLACE",
        show_default=True,
        help="Where it is done: local, ray (a cluster of this machine), or the address of a cluster, ray://host:10001.",
    )(command)


def archive_option(help_sentence: str) -> Callable[[Command], Command]:
    """What is done with the archive's pages -> the option `--archive ARCHIVE`, repeatable."""
    return click.option("--archive", "archives", type=ARCHIVE, multiple=True, metavar="ARCHIVE", help=help_sentence)


def all_named(archives: tuple[Path, ...], more: Sequence[str]) -> tuple[Path, ...]:
    """`--archive *.warc.xz` as a shell spells it out: names after the first belong to the option too, and to nothing else."""
    if more and not archives:
        raise click.UsageError(f"Got unexpected extra argument ({more[0]})")
    return (*archives, *map(path_named, more))


class Printer:
    """Says things to a person on stdout, or on stderr where stdout is for the JSON report."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.console = Console(stderr=as_json, highlight=False, soft_wrap=True)

    def say(self, text: str = "", *, style: str | None = None) -> None:
        """A line as it is: crawled text may hold brackets that look like markup, so none is interpreted."""
        self.console.print(shown(with_workspace(text, workspace_of_the_call()), style))

    def table(self, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        """A table; numbers stand on the right. Pages name fields and labels, so headings are no markup either."""
        cells = [[_cell(value) for value in row] for row in rows]
        table = Table(title=shown(title), title_justify="left", title_style="bold", header_style="bold")
        for number, column in enumerate(columns):
            right = bool(cells) and all(isinstance(row[number][1], int | float) for row in cells)
            table.add_column(shown(column), justify="right" if right else "left", overflow="fold")
        for row in cells:
            table.add_row(*(shown(text) for text, _ in row))
        self.console.print(table)

    def progress(self, items: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
        """The items, with a bar on stderr while they go by; silent where stderr is not a terminal."""
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
        )
        console = Console(stderr=True)
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
            yield from bar.track(items, description=terminal_text(label), total=total)

    def report(self, report: Report | Mapping[str, Any]) -> None:
        """The JSON report, where it was asked for; its figures go to the log in any case."""
        values = report.to_json() if isinstance(report, Report) else report
        if line := figures(values):
            _log.info("report: %s", line)
        context = click.get_current_context(silent=True)
        if context is not None:
            context.meta[_REPORTED] = values
        if self.as_json:
            click.echo(_json(values))


@contextmanager
def parts_bar() -> Iterator[Callable[[int, int], None]]:
    """Within the block: (parts that are done, parts) -> a bar on stderr; silent where stderr is not a terminal."""
    columns = (SpinnerColumn(), TextColumn("parts"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("parts", total=None)
        yield lambda done, parts: bar.update(task, completed=done, total=parts)


def reported() -> Mapping[str, Any]:
    """What the verb that runs reported last; empty where it has not yet."""
    values: Mapping[str, Any] = click.get_current_context().meta.get(_REPORTED, {})
    return values


def _json(report: Mapping[str, Any]) -> str:
    """Readable where stdout can hold it; escaped where it can't: another charset, a file name that is not text."""
    text = json_text(report)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return json.dumps(report)
    return text


def _cell(value: object) -> tuple[str, object]:
    if isinstance(value, float):
        return f"{value:.3f}", value
    return str(value), value


def shown(text: str, style: str | None = None) -> Text:
    """Text for the terminal: no markup, and no escape sequence of a page's title drives it."""
    return Text(terminal_text(text), style=style or "")
