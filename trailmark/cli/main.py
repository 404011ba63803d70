"""The command line: one file per verb in this folder, gathered here.

Exit codes: 0 done; 1 it ran and found a problem; 2 bad usage or bad input, with one sentence on stderr.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
import warnings
from pathlib import Path

import click

# Our matrices are small: a second thread of the linear algebra only gets in the way (measured: 1.7 times the work).
# Said before numpy is loaded, which reads it once.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import trailmark
from trailmark.errors import TrailmarkError

VERBS = {
    "init": "Make a new workspace.",
    "teach": "Import demonstrated click paths, or marked values.",
    "learn": "Learn the way from the trails that were taught.",
    "forage": "Walk the learnt way on other sites.",
    "cluster": "Group pages by template, and choose the pages worth annotating.",
    "wrap": "Learn rules from annotated pages.",
    "extract": "Lift records off pages by the rules that were learnt.",
    "export": "Write records, or the rules that made them, to a file.",
    "serve": "Open the web app: teach by clicking, watch it walk.",
    "monitor": "Visit pages again: do the rules still work, and can they be mended?",
    "show": "Show what Trailmark sees in a page.",
    "status": "Say what the workspace holds, and what to do next.",
    "evaluate": "Measure a table of the papers on benchmark data.",
    "demo": "The whole flow on a generated web.",
}
"""In the order in which a person meets them; each is a module of this folder with a command `verb`.
The sentence stands here too, so that listing the verbs does not load them all."""


class Verbs(click.Group):
    """Loads a verb's module only when that verb is called, so that `trailmark --help` answers at once."""

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
@click.version_option(trailmark.__version__, message="trailmark %(version)s")
@click.pass_context
def cli(context: click.Context, folder: Path) -> None:
    """Shown the way once, finds the rest.

    \b
    A first look, on a generated web:   trailmark demo
    A workspace of your own:            trailmark init my-project
                                        trailmark -w my-project teach trails.jsonl
    """
    context.obj = folder


def main(arguments: list[str] | None = None) -> None:
    """Run a verb; turn every expected error into one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a letter shows its number instead
            stream.reconfigure(errors="backslashreplace")
    warnings.showwarning = _say_warning
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """As `main`, with the exit code as the answer."""
    try:
        result = cli.main(args=arguments, prog_name="trailmark", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 2
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "trailmark"
        click.echo(f"trailmark: {error.format_message().rstrip('.')}. Try '{path} --help'.", err=True)
        return 2
    except click.ClickException as error:
        click.echo(f"trailmark: {error.format_message()}", err=True)
        return 2
    except TrailmarkError as error:
        click.echo(f"trailmark: {error}", err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("trailmark: stopped; what was done is kept, run the same command to go on.", err=True)
        return 130
    except (BrokenPipeError, SystemExit):
        # The reader of a pipe (head, less) went away: not an error of ours, though both libraries would end with 1.
        # What is still buffered goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        click.echo(f"trailmark: {_os_sentence(error)}", err=True)
        return 2


def _say_warning(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
    """Our own warnings as a sentence; those of libraries are for their developers."""
    if category.__module__.startswith("trailmark."):
        click.echo(f"trailmark: warning: {message}", err=True)


def _os_sentence(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{(error.strerror or str(error)).lower()}."


if __name__ == "__main__":
    main()
