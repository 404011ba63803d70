"""The second half of the demo: some of the rest of the generated web is walked, over a real server."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from trailmark.cli.forage import print_foraged
from trailmark.cli.forage_progress import ForageProgress
from trailmark.cli.printing import Printer
from trailmark.demo import DemoWeb, serve
from trailmark.settings import Settings
from trailmark.verbs.forage import forage
from trailmark.workspace import Workspace

LIVE_SITES, LIVE_BUDGET = 4, 60
SHOWN_GOALS = 6


def walk_live(out: Path, web: DemoWeb, taught: int, printer: Printer) -> tuple[dict[str, Any], DemoWeb]:
    """Forage some sites that were not taught over a real local server, with robots, throttling and all; the web as it was served."""
    with serve(web) as server, Workspace.open(out / "workspace") as workspace:
        quick = _walked_live(web, taught)
        roots = [server.root(number) for number in quick]
        workspace.settings = _live_settings(workspace.settings)
        with ForageProgress() as progress:
            report = forage(workspace, roots, log=out / "forage.jsonl", watch=progress.watch)
        truth = {url for number in quick for url in server.web.site(number).goals("publications")}
    fetched = [json.loads(line)["url"] for line in (out / "forage.jsonl").read_text(encoding="utf-8").splitlines()]
    print_foraged(replace(report, goals=report.goals[:SHOWN_GOALS]), printer)
    right = len(truth.intersection(fetched))
    printer.say(
        f"   Of the {len(truth)} goal pages there are on these sites, {right} were fetched; each site had {LIVE_BUDGET} fetches."
    )
    return {"pages": report.pages, "goal_pages": len(truth), "goal_pages_fetched": right}, server.web


def _walked_live(web: DemoWeb, taught: int) -> list[int]:
    """A site that asks for a pause between two requests gets it; the demo takes others first, so that nobody waits a minute."""
    rest = range(taught, web.sites)
    slow = {number for number in rest if "crawl-delay" in web.site(number).plan.robots.lower()}
    return sorted(rest, key=lambda number: (number in slow, number))[: min(LIVE_SITES, max(1, len(rest) - len(slow)))]


def _live_settings(settings: Settings) -> Settings:
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
