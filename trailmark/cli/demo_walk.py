"""The second half of the demo: some of the rest of the generated web is walked, over a real server, and what was found is checked."""

from __future__ import annotations

import errno
import json
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trailmark.cli.forage import print_foraged
from trailmark.cli.forage_progress import ForageProgress
from trailmark.cli.printing import Printer
from trailmark.demo import DemoWeb, serve
from trailmark.demo.server import DemoServer
from trailmark.settings import Settings
from trailmark.verbs.check import check
from trailmark.verbs.forage import forage
from trailmark.verbs.runs import goal_trails
from trailmark.workspace import Workspace

LIVE_SITES, LIVE_BUDGET = 4, 60
SHOWN_GOALS = 6
CHECKED = 10
USUAL_PORT = 8747
"""Addresses of pages have it in them, and which pages are asked about is drawn by their addresses."""


WAIT, BETWEEN = 60.0, 0.2
"""Seconds that are waited for the usual port, which another demo holds only while it walks; and between two tries."""


def served(web: DemoWeb, printer: Printer, wait: float = WAIT) -> DemoServer:
    """The web on its usual port, so that the demo is the same at every start; on another where that stays taken."""
    until, told = time.monotonic() + wait, False
    while True:
        try:
            return serve(web, USUAL_PORT)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() >= until:
                break
        if not told:
            printer.say(
                f"   Port {USUAL_PORT} is taken, by another demo perhaps: waiting for it, {wait:.0f} seconds at most."
            )
            told = True
        time.sleep(BETWEEN)
    printer.say(f"   Port {USUAL_PORT} can't be had: another is taken, and addresses and sizes of files differ by it.")
    return serve(web)


def walk_live(out: Path, web: DemoWeb, taught: int, printer: Printer) -> tuple[dict[str, Any], DemoWeb]:
    """Forage some sites that were not taught over a real local server, with robots, throttling and all; the web as it was served."""
    with served(web, printer) as server, Workspace.open(out / "workspace") as workspace:
        quick = _walked_live(web, taught)
        roots = [server.root(number) for number in quick]
        workspace.settings = live_settings(workspace.settings)
        with ForageProgress() as progress:
            report = forage(workspace, roots, log=out / "forage.jsonl", watch=progress.watch)
        truth = {url for number in quick for url in server.web.site(number).goals("publications")}
    print_foraged(replace(report, goals=report.goals[:SHOWN_GOALS]), printer)
    lines = (out / "forage.jsonl").read_text(encoding="utf-8").splitlines()
    counts = _verdict_counts([(fetch["url"], fetch["goal"]) for fetch in map(json.loads, lines)], truth)
    printer.say(
        f"   Of the {len(truth)} goal pages there are on these sites, {counts['goal_pages_fetched']} were fetched; "
        f"each site had {LIVE_BUDGET} fetches."
    )
    printer.say(
        f"   Of the {counts['called_goals']} pages it called goals, {counts['called_right']} are; "
        f"it left {counts['unsure']} unsure, of which {counts['unsure_goals']} are goals.",
        style="bold",
    )
    return {"run": report.run, "pages": report.pages, "goal_pages": len(truth), **counts}, server.web


def check_found(out: Path, web: DemoWeb, run: int, goal: str, printer: Printer) -> dict[str, Any]:
    """A few of the pages that were found are checked as a person would, by what the web knows of them; what the answers make of the run."""
    truth = {url for number in range(web.sites) for url in web.site(number).goals(goal)}
    with Workspace.open(out / "workspace") as workspace:
        checked = check(workspace, lambda page, _: "goal" if page.url in truth else "fail", run, count=CHECKED)
        called = [page.url for page in goal_trails(workspace, run, most=checked.goals)]
    right = sum(url in truth for url in called)
    printer.say(f"   {checked.summary}")
    printer.say(f"   Of the {len(called)} pages it calls goals now, {right} are.", style="bold")
    return {**checked.to_json(), "called_goals": len(called), "called_right": right}


def _verdict_counts(verdicts: Sequence[tuple[str, bool | None]], truth: Collection[str]) -> dict[str, int]:
    """Fetched URLs with the verdict on each, and the true goals -> how many were called goals or left unsure, and how many of these are goals."""
    called, unsure = ([url for url, goal in verdicts if goal is wanted] for wanted in (True, None))
    return {
        "goal_pages_fetched": len({url for url, _ in verdicts if url in truth}),
        "called_goals": len(called),
        "called_right": sum(url in truth for url in called),
        "unsure": len(unsure),
        "unsure_goals": sum(url in truth for url in unsure),
    }


def _walked_live(web: DemoWeb, taught: int) -> list[int]:
    """A site that asks for a pause between two requests gets it; the demo takes others first, so that nobody waits a minute."""
    rest = range(taught, web.sites)
    slow = {number for number in rest if "crawl-delay" in web.site(number).plan.robots.lower()}
    return sorted(rest, key=lambda number: (number in slow, number))[: min(LIVE_SITES, max(1, len(rest) - len(slow)))]


def live_settings(settings: Settings) -> Settings:
    """The generated web lives on this machine: no pause is owed to anybody, and its hosts are allowed by name."""
    return replace(
        settings,
        forage=replace(
            settings.forage,
            contact="https://trailmark.test/demo",
            allow_hosts=("*.localhost",),
            delay=0.0,
            site_budget=LIVE_BUDGET,
        ),
    )
