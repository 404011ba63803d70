"""The command line: one file per verb in this folder, gathered here.

Exit codes: 0 done; 1 it ran and found a problem; 2 bad usage or bad input, with one sentence on stderr.
What was asked, what came of it and every error stand in the workspace's log; see log_file.py.
"""

from __future__ import annotations

import importlib
import io
import logging
import os
import sys
import time
import traceback
import warnings
from pathlib import Path
from types import TracebackType

import click

# Our matrices are small: a second thread of the linear algebra only gets in the way (measured: 1.7 times the work).
# Said before numpy is loaded, which reads it once.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import trailmark
from trailmark.cli.complaint import complain
from trailmark.cli.log_file import LogFile, log_to, logging_to, set_verbosity
from trailmark.cli.logged_words import without_secrets
from trailmark.cli.verb_list import VERBS
from trailmark.errors import SettingsError, TrailmarkError, WorkspaceBusy, WorkspaceError
from trailmark.quoting import terminal_text, unicode_text

_log = logging.getLogger(__name__ if __name__ != "__main__" else "trailmark.cli.main")
WORDS = "trailmark.words"
"""Where click keeps for us what was typed."""


class Verbs(click.Group):
    """Loads a verb's module only when that verb is called, so that `trailmark --help` answers at once."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[WORDS] = list(args)
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(VERBS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"trailmark.cli.{cmd_name}").verb
        return command


@click.command(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "-w",
    "--workspace",
    "folder",
    type=click.Path(path_type=Path),
    default=Path(),
    metavar="DIR",
    help="The workspace (default: the current folder).",
)
@click.option(
    "-v",
    "--verbose",
    "verbosity",
    count=True,
    help="Show on stderr what goes to the workspace's log; -vv: every detail, to both.",
)
@click.version_option(trailmark.__version__, message="trailmark %(version)s")
@click.pass_context
def cli(context: click.Context, folder: Path, verbosity: int) -> None:
    """Shown the way once, finds the rest.

    \b
    A first look, on a generated web:   trailmark demo
    A workspace of your own:            trailmark init my-project
                                        trailmark -w my-project teach trails.jsonl
    """
    context.obj = folder
    log_to(folder)
    if verbosity:
        set_verbosity(verbosity)
    words = unicode_text(" ".join(without_secrets(context.meta[WORDS])))
    _log.info("trailmark %s: %s", trailmark.__version__, words)


def main(arguments: list[str] | None = None) -> None:
    """Run a verb; turn every expected error into one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a letter shows its number instead
            stream.reconfigure(errors="backslashreplace")
    warnings.showwarning = _say_warning
    sys.excepthook = _say_fault
    log = LogFile()
    try:
        code = run(arguments, log)
    except Exception as error:
        if log.path is None or not log.path.exists():
            raise
        what = f"{type(error).__name__}: {error}".rstrip(". :")
        complain(f"{what}. This is a fault in Trailmark, not in what you did; {log.path} tells more.")
        code = 1
    sys.exit(code)


def run(arguments: list[str] | None = None, log: LogFile | None = None) -> int:
    """As `main`, with the exit code as the answer; an unexpected error is logged and raised."""
    started = time.monotonic()
    log = log or LogFile()
    with logging_to(log):
        try:
            code = _run(arguments, log)
            _log.info("ended with exit code %d after %.1f seconds", code, time.monotonic() - started)
        except Exception:
            _log.exception("ended by an unexpected error after %.1f seconds", time.monotonic() - started)
            raise
        finally:
            log.write_held()
        return code


def _run(arguments: list[str] | None, log: LogFile) -> int:
    """Run a verb; what a person can mend, or wished for, becomes a sentence and an exit code."""
    try:
        result = cli.main(args=arguments, prog_name="trailmark", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 2
    except click.UsageError as error:
        folder = _folder(log)
        log.forget()
        path = error.ctx.command_path if error.ctx else "trailmark"
        return _trouble(f"{error.format_message().rstrip('.')}. Try '{path} --help'.", folder=folder)
    except click.ClickException as error:
        return _trouble(error.format_message())
    except TrailmarkError as error:
        folder = _folder(log)
        if isinstance(error, WorkspaceError | SettingsError) and not isinstance(error, WorkspaceBusy):
            log.forget()
        _log.debug("where it was raised", exc_info=True)
        return _trouble(str(error), error.exit_code, folder=folder)
    except (KeyboardInterrupt, click.Abort):
        return _trouble("stopped; what was done is kept, run the same command to go on.", 130)
    except (BrokenPipeError, SystemExit):
        # The reader of a pipe (head, less) went away: not an error of ours, though both libraries would end with 1.
        # What is still buffered goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        _log.debug("where it was raised", exc_info=True)
        return _trouble(_os_sentence(error))


def _folder(log: LogFile) -> Path | None:
    """The workspace that the call was about, as it was named."""
    return log.path.parent.parent if log.path is not None else None


def _trouble(sentence: str, code: int = 2, *, folder: Path | None = None) -> int:
    """Say why it ended, on stderr and in the log; the exit code."""
    _log.error("%s", unicode_text(sentence))
    complain(sentence, folder)
    return code


def _say_warning(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
    """Our own warnings as a sentence; those of libraries are for their developers."""
    ours = category.__module__.startswith("trailmark.")
    logging.getLogger("py.warnings").log(
        logging.WARNING if ours else logging.INFO, "%s: %s", category.__name__, message
    )
    if ours:
        complain(f"warning: {message}")


def _say_fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A fault of ours with its traceback; what a page says in it must not drive the terminal either."""
    for line in "".join(traceback.format_exception(kind, error, trace)).rstrip("\n").split("\n"):
        click.echo(terminal_text(line), err=True)


def _os_sentence(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{(error.strerror or str(error)).lower()}."


if __name__ == "__main__":
    main()
