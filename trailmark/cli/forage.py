"""`trailmark forage URL...`"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import click

from trailmark.cli.complaint import complain
from trailmark.cli.forage_progress import ForageProgress
from trailmark.cli.printing import FILE, Printer, json_option, on_option, replay_option
from trailmark.cli.taking_back import forget_kept, list_kept, taking_back
from trailmark.cli.telling import telling
from trailmark.forage.forage_report import ForageReport, GoalReport, SiteReport
from trailmark.forage.harvest_picture import FORMATS
from trailmark.forage.own_strategy import is_own
from trailmark.forage.scope import SCOPES
from trailmark.quoting import count_of
from trailmark.scale.places import hands_on
from trailmark.serve.job_words import JOB_VARIABLE, RUN_FILE
from trailmark.verbs.dealt_forage import dealt_forage
from trailmark.verbs.forage import forage
from trailmark.verbs.revisit import due_revisits
from trailmark.verbs.runs import in_words
from trailmark.verbs.strategies import STRATEGIES
from trailmark.workspace import Workspace

SHOWN_SITES, SHOWN_GOALS, SHOWN_PROBLEMS, SHOWN_KEYWORDS = 40, 20, 20, 8


def _drawable(context: click.Context, option: click.Parameter, file: Path | None) -> Path | None:
    del context, option
    if file is not None and file.suffix.lower() not in FORMATS:
        raise click.BadParameter(f"{file} must end in {', '.join(FORMATS)}")
    return file


def _known_strategy(context: click.Context, option: click.Parameter, name: str) -> str:
    del context, option
    if name not in STRATEGIES and not is_own(name):
        raise click.BadParameter(
            f"there is no strategy '{name}'; choose from {', '.join(STRATEGIES)}, or name a class of yours as package.module:Class"
        )
    return name


@click.command("forage")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option(
    "--seeds",
    "seed_files",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="More roots: one URL a line, its scope after it.",
)
@replay_option
@click.option("--budget", type=click.IntRange(0), help="Pages to fetch in all (0: no limit).")
@click.option("--site-budget", type=click.IntRange(0), help="Pages to fetch from one site (0: no limit).")
@click.option(
    "--strategy",
    metavar="NAME",
    callback=_known_strategy,
    default="path",
    show_default=True,
    help=f"How the next page is chosen: {', '.join(STRATEGIES)}, or package.module:Class, a class of your own.",
)
@click.option(
    "--goal",
    "goals",
    multiple=True,
    metavar="NAME",
    help="Look for this goal only (repeatable; without it, for all that were learnt, in one walk).",
)
@click.option(
    "--keywords",
    "keyword_files",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Look for pages that speak of these, without any trail: one keyword a line, its weight behind a tab; or a topics file (.json).",
)
@click.option(
    "--keywords-from",
    multiple=True,
    metavar="COURSE",
    help="The same with the title, item titles, headings and key phrases of a course, by its id or address.",
)
@click.option(
    "--documents", is_flag=True, help="Fetch the PDF and PostScript files that goal pages link to, for `tag` to read."
)
@click.option("--scope", type=click.Choice(SCOPES), help="How far a site reaches from its root.")
@click.option("--log", type=FILE, metavar="FILE", help="Write one JSON line for each fetch.")
@click.option(
    "--plot",
    "picture",
    type=FILE,
    metavar="FILE",
    callback=_drawable,
    help="Draw goals found and harvest rate against pages fetched (.png, .svg, .pdf), with earlier runs of other strategies over the same roots.",
)
@click.option("--again", is_flag=True, help="Begin anew, though the same was run before.")
@on_option
@click.option("--update", "updating", is_flag=True, help="Walk sites again that were walked before, where it pays.")
@taking_back("runs")
@json_option
@click.pass_obj
@telling
def verb(
    folder: Path,
    urls: tuple[str, ...],
    seed_files: tuple[Path, ...],
    archives: tuple[Path, ...],
    strategy: str,
    goals: tuple[str, ...],
    keyword_files: tuple[Path, ...],
    keywords_from: tuple[str, ...],
    documents: bool,
    log: Path | None,
    picture: Path | None,
    again: bool,
    place: str,
    updating: bool,
    listing: bool,
    forgotten: tuple[str, ...],
    yes: bool,
    as_json: bool,
    budget: int | None,
    site_budget: int | None,
    scope: str | None,
) -> int:
    """Walk sites never seen, from their roots to goal pages, fetching little else.

    Run the same command again after Ctrl-C or a crash, and it goes on where it stopped; a run that used its budget up
    goes on when it is given more. What was fetched is in the workspace's archive.

    \b
    trailmark -w my-project forage http://www.example.edu/ --budget 500
    trailmark -w my-project forage --seeds roots.txt --site-budget 100 --log fetches.jsonl
    trailmark -w my-project forage http://www.example.edu/ --replay site.warc.gz --strategy breadth
    trailmark -w my-project forage http://www.example.edu/ --goal course --goal faculty
    trailmark -w my-project forage http://www.example.edu/ --keywords keywords.txt --budget 200
    trailmark -w my-project forage http://www.example.edu/ --documents
    trailmark -w my-project forage --seeds roots.txt --on ray://head:10001
    trailmark -w my-project forage --update
    trailmark -w my-project forage --list
    trailmark -w my-project forage --forget 3
    """
    if listing:
        return list_kept(folder, "runs", as_json)
    if forgotten:
        return forget_kept(folder, "runs", [*forgotten, *urls], yes=yes, as_json=as_json)
    if updating and (urls or seed_files):
        raise click.UsageError("--update walks the sites that were walked before: name no URL and no --seeds")
    if not updating and not urls and not seed_files:
        raise click.UsageError("name at least one URL, or --seeds with a file of them")
    printer = Printer(as_json)
    with Workspace.open(folder) as workspace, hands_on(place) as hands, ForageProgress() as progress:
        due = due_revisits(workspace, archived=bool(archives)) if updating else None
        if due is not None and not due.revisits:
            printer.say(f"No site is due for another walk; {count_of(due.waiting, 'site')} waiting.")
            printer.report(due)
            return 0
        walk: Callable[..., ForageReport] = (
            partial(forage, watch=progress.watch)
            if hands is None
            else partial(dealt_forage, hands=hands, watch=progress.watch_parts)
        )
        report = walk(
            workspace,
            due.seeds if due is not None else [*map(_with_scheme, urls), *seed_files],
            archives=archives,
            strategy=strategy,
            goal=goals,
            keywords=keyword_files,
            keywords_from=keywords_from,
            documents=documents,
            budget=budget,
            site_budget=site_budget,
            scope=scope,
            log=log,
            again=again or updating,
            picture=picture,
            begun=_tell_job,
        )
    _say_bad_lines(report)
    print_foraged(report, printer)
    printer.report(report)
    return 1 if report.bad_seeds else 0


def _tell_job(run: int) -> None:
    """The number of the run for the app, where this is a job of it."""
    folder = os.environ.get(JOB_VARIABLE)
    if folder and Path(folder).is_dir():
        (Path(folder) / RUN_FILE).write_text(f"{run}\n", encoding="ascii")


def _with_scheme(url: str) -> str:
    """What stands in the place of a URL is one: on the command line files are named with --seeds."""
    return url if "://" in url else f"http://{url}"


def _say_bad_lines(report: ForageReport) -> None:
    for bad in report.bad_seeds[:SHOWN_PROBLEMS]:
        complain(f"{bad.file}, line {bad.line}: {bad.reason}.")
    if (more := len(report.bad_seeds) - SHOWN_PROBLEMS) > 0:
        complain(f"and {more} more; --json lists them all.")


def print_foraged(report: ForageReport, printer: Printer) -> None:
    """What came of a run, for a person."""
    if report.already_done:
        printer.say("This was run before; nothing was fetched. Begin anew with --again, or give it a larger --budget.")
    elif report.resumed:
        printer.say("An earlier run was taken up where it stopped.")
    rows = [(site.site, site.pages, site.goals, site.unsure, site.harvest_rate, site.ended) for site in report.sites]
    printer.table("Sites", ["site", "pages", "goals", "unsure", "harvest", "why it ended"], rows[:SHOWN_SITES])
    if len(rows) > SHOWN_SITES:
        printer.say(f"... and {count_of(len(rows) - SHOWN_SITES, 'more site')}; --json lists them all.")
    _print_reasons(report.sites, printer)
    _print_goals(report.goals, printer)
    _print_keyword_pages(report, printer)
    if report.skipped:
        printer.say("Left alone: " + ", ".join(f"{count} ({reason})" for reason, count in report.skipped.items()))
    if report.soft_404s:
        printer.say(f"{count_of(report.soft_404s, 'page')} answered with 200 and said that there is no such page.")
    if report.problems:
        printer.say(f"{count_of(len(report.problems), 'page')} could not be judged, the first: {report.problems[0]}")
    if report.goals_by_name:
        printer.say("By goal: " + ", ".join(f"{count} {name}" for name, count in report.goals_by_name.items()) + ".")
    printer.say(
        f"{count_of(report.pages, 'page')} fetched, {count_of(report.goals_found, 'goal')} found (harvest {report.harvest_rate:.3f}), {report.unsure} unsure, "
        f"{report.pages_per_second:.1f} pages a second.",
        style="bold",
    )
    if report.goals_found:
        printer.say(f"How many of them are right is measured by asking: trailmark check {report.run}.", style="dim")


def _print_reasons(sites: Sequence[SiteReport], printer: Printer) -> None:
    """What the reasons mean, in a line; then what became of sites of which no page came."""
    ended = dict.fromkeys(site.ended for site in sites if site.ended)
    if ended:
        printer.say("; ".join(f"{reason}: {in_words(reason)}" for reason in ended) + ".", style="dim")
    explained = [site for site in sites if site.why]
    for site in explained[:SHOWN_PROBLEMS]:
        printer.say(f"{site.site} ({site.ended}): {site.why}.")
    if len(explained) > SHOWN_PROBLEMS:
        printer.say(f"... and {len(explained) - SHOWN_PROBLEMS} more; --json lists them all.")


def _print_keyword_pages(report: ForageReport, printer: Printer) -> None:
    """The likeliest pages that keywords found, and which keywords found most."""
    for page in report.keyword_pages[:SHOWN_GOALS]:
        printer.say(f"{page.goal_probability:.2f}  {page.url}  {page.title[:80]}")
        printer.say("      " + ", ".join(page.keywords[:SHOWN_KEYWORDS]), style="dim")
    if (more := len(report.keyword_pages) - SHOWN_GOALS) > 0:
        printer.say(f"... and {count_of(more, 'more page')}; --json lists them all.")
    if report.pages_by_keyword:
        most = [f"{keyword} ({count})" for keyword, count in report.pages_by_keyword.items()][:SHOWN_KEYWORDS]
        printer.say("Keywords that stand on most pages: " + ", ".join(most) + ".")
        printer.say(
            "Nothing was taught, so none of them is called a goal: say which are right with trailmark check "
            f"{report.run}, or search them: trailmark organise, then trailmark search.",
            style="dim",
        )


def _print_goals(goals: Sequence[GoalReport], printer: Printer) -> None:
    for goal in goals[:SHOWN_GOALS]:
        printer.say(f"{goal.goal_probability:.2f}  {goal.url}{f'  ({goal.goal_name})' if goal.goal_name else ''}")
        if len(goal.trail) > 1:
            printer.say("      " + " > ".join(goal.trail[:-1]), style="dim")
    if len(goals) > SHOWN_GOALS:
        printer.say(f"... and {count_of(len(goals) - SHOWN_GOALS, 'more goal')}; --json lists them all.")
