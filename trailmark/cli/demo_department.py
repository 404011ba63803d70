"""A department of the generated web whose courses have material: one command from its address to packages for a learning system."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trailmark.cli.demo_walk import live_settings, served
from trailmark.cli.forage_progress import ForageProgress
from trailmark.cli.printing import Printer
from trailmark.demo import DemoWeb
from trailmark.quoting import count_of, shell_command
from trailmark.verbs.package_site import package_site
from trailmark.workspace import Workspace

SITES, PAGES, BUDGET = 6, 100, 120
"""Sites among which one is looked for that asks for no pause between two requests: nobody waits for minutes then."""


def pack_department(out: Path, seed: int, printer: Printer) -> dict[str, Any]:
    """Walk a department over a real server with a workspace that was taught nothing, and pack the courses that are found."""
    web = DemoWeb(sites=SITES, seed=seed, pages=PAGES, classes=True)
    number = next((n for n in range(SITES) if "crawl-delay" not in web.site(n).plan.robots.lower()), 0)
    with served(web, printer) as server, Workspace.create(out / "department") as workspace:
        workspace.settings = live_settings(workspace.settings)
        root = server.root(number)
        with ForageProgress() as progress:
            report = package_site(
                workspace, root, out / "department-packages", budget=BUDGET, progress=printer.progress, watch=progress.watch
            )  # fmt: skip
        there = len(server.web.site(number).course_homes)
    packages = report.packed.packages if report.packed is not None else ()
    items, copies = sum(each.items for each in packages), sum(each.copies for each in packages)
    command = shell_command(
        "trailmark", "-w", out / "department", "package", "--from", root, "--out", out / "department-packages"
    )
    printer.say(f"   {command}")
    printer.say(
        f"   {count_of(report.pages, 'page')} walked, {count_of(len(packages), 'package')} of the {there} courses there are: "
        f"{count_of(items, 'item')}, {count_of(copies, 'copy', 'copies')} of pages under an open licence: {out / 'department-packages'}",
        style="bold",
    )
    return {
        "pages": report.pages,
        "courses_there": there,
        "packages": len(packages),
        "items": items,
        "copies": copies,
        "faults": report.packed.faults if report.packed is not None else 0,
    }
