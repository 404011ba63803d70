"""`trailmark check`: one key for each page of a sample, and what the keys say of all pages that were found."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from trailmark.cli.ask import read_answer, short_name
from trailmark.cli.printing import Printer, json_option, replay_option
from trailmark.forage.check_report import CheckReport
from trailmark.verbs.check import COUNT, CheckQuestion, check
from trailmark.workspace import Workspace


@click.command("check")
@click.argument("run", type=click.IntRange(1), required=False)
@click.option("--count", type=click.IntRange(0), default=COUNT, show_default=True, help="How many pages to ask about.")
@click.option("--goal", metavar="NAME", help="Only pages found as this goal, where the run looked for several.")
@click.option("--anew", is_flag=True, help="Draw another sample, from the pages that are called goals now.")
@replay_option
@json_option
@click.pass_obj
def verb(
    folder: Path,
    run: int | None,
    count: int,
    goal: str | None,
    anew: bool,
    archives: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Measure how many of the pages that a run found are right, by asking about a sample of them.

    RUN is the number of a run (trailmark status --runs lists them); without it the last one is checked. y: right, n: wrong, s: can't tell,
    q: enough. Five answers give a first figure, twenty a useful one; running it again goes on. Answers teach, as those of questions do.

    \b
    trailmark -w my-project check
    trailmark -w my-project check 3 --count 10
    trailmark -w my-project check --goal course
    trailmark -w my-project check --count 0 --json
    """
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace:
        asker = _asker(printer, count)
        report = check(workspace, asker, run, count=count, anew=anew, archives=archives, goal=goal)
    printer.say(report.summary, style="bold")
    printer.report(report)


def _asker(printer: Printer, count: int) -> Callable[[CheckQuestion, CheckReport], str | None]:
    asked = 0

    def ask(question: CheckQuestion, report: CheckReport) -> str | None:
        nonlocal asked
        asked += 1
        printer.say()
        printer.say(f"Page {asked} of {min(count, asked - 1 + report.left)}", style="bold")
        printer.say(question.url)
        if len(question.trail) > 1:
            printer.say("found over " + " > ".join(question.trail[:-1]), style="dim")
        kind = f"Is it what you want ({short_name(question.goal_name)})?" if question.goal_name else "Is it right?"
        printer.say(f"{kind} y: yes, n: no, s: skip, q: enough")
        return _key()

    return ask


def _key() -> str | None:
    """One key on a terminal, else a line."""
    if not sys.stdin.isatty():
        return read_answer(sys.stdin.readline())
    while (key := click.getchar().lower()) not in ("y", "n", "s", "q", "\r", "\n"):
        pass
    return read_answer(f"{key.strip()}\n")
