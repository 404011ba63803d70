"""`trailmark demo`: the whole flow on the generated web."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import click

from trailmark.cli.demo_compare import compare
from trailmark.cli.demo_courses import type_courses
from trailmark.cli.demo_department import pack_department
from trailmark.cli.demo_organise import organise_papers
from trailmark.cli.demo_papers import papers_found, tag_papers
from trailmark.cli.demo_portal import publish_portal
from trailmark.cli.demo_records import lift_records
from trailmark.cli.demo_walk import CHECKED, check_found, walk_live
from trailmark.cli.learn import print_learnt
from trailmark.cli.log_file import log_to
from trailmark.cli.printing import FILE, Printer, json_option
from trailmark.cli.show import print_page
from trailmark.demo import GOALS, DemoSite, DemoWeb
from trailmark.demo.site_map import site_map
from trailmark.errors import InputError
from trailmark.quoting import count_of, shell_command
from trailmark.settings import Settings
from trailmark.store.benchmark_web import BenchmarkWeb, write_web
from trailmark.store.goal_files import PICTURE
from trailmark.verbs.learn import learn
from trailmark.verbs.show import show_archived
from trailmark.verbs.teach import teach
from trailmark.workspace import Workspace

MARKER = ".trailmark-demo"
GOAL = "publications"
TAUGHT_SITES = 3


@click.command("demo")
@click.option("--out", type=FILE, default=Path("demo-out"), metavar="DIR", help="Where to put it (default: demo-out).")
@click.option("--sites", type=click.IntRange(4, 10_000), default=12, help="How many sites the web has (default: 12).")
@click.option("--seed", type=int, default=1, help="Another number, another web (default: 1).")
@click.option("--web-only", is_flag=True, help="Make the web with its trails, and stop there.")
@json_option
def verb(out: Path, sites: int, seed: int, web_only: bool, as_json: bool) -> None:
    """Make a web of university-like sites, teach it the way, let it learn, walk the rest, lift records, tag papers, type courses, publish a portal.

    \b
    trailmark demo
    trailmark demo --out look --sites 20 --seed 7
    """
    printer = Printer(as_json)
    _fresh_folder(out)
    web = DemoWeb(sites=sites, seed=seed)
    files = _write(web, out / "web", printer)
    report: dict[str, Any] = {"out": str(out), "sites": sites, "seed": seed, "pages": files.pages}
    if web_only:
        printer.report(report)
        return
    report["taught"] = _teach(out, web, files, printer)
    _show_a_page(web, files, printer)
    report["learnt"] = _learn(out, printer)
    printer.say("5. It walks the way on sites it was never taught, over a real server on this machine:", style="bold")
    report["live"], served = walk_live(out, web, TAUGHT_SITES, printer)
    printer.say("6. Side by side with other ways to crawl, on every site that was not taught:", style="bold")
    report["compared"] = compare(out, web, files.archive, TAUGHT_SITES, GOAL, printer)
    printer.say(f"7. {CHECKED} of the pages it found are checked, here by what the web knows of them:", style="bold")
    report["checked"] = check_found(out, served, report["live"]["run"], GOAL, printer)
    printer.say("8. What it found becomes records, from two marked entries of each template:", style="bold")
    report["lifted"], example = lift_records(out, served, printer)
    printer.say(
        "9. The papers that these pages link to are read, and tagged by what comes with Trailmark:", style="bold"
    )
    report["tagged"] = tag_papers(out, served, printer)
    printer.say("10. Course pages become courses, every link with its type:", style="bold")
    report["courses"] = type_courses(out, web, printer)
    printer.say("    From the address of a department to packages, with one command and nothing taught:", style="bold")
    report["department"] = pack_department(out, seed, printer)
    printer.say(
        "11. All of it is put in topics, what papers cite is grouped, and everything can be searched:", style="bold"
    )
    report["organised"] = organise_papers(out, papers_found(out, served), printer)
    printer.say("12. It becomes a site for everyone:", style="bold")
    report["published"] = publish_portal(out, printer)
    report["pictures"] = [report["compared"]["picture"], *_draw(web, out), str(_picture(out))]
    printer.say()
    printer.say(f"Pictures: {', '.join(report['pictures'])}")
    printer.say(f"The web is in {out / 'web'}, the workspace in {out / 'workspace'}. Try:")
    root = _plain_site(web).root
    printer.say("  " + shell_command("trailmark", "-w", out / "workspace", "status"))
    printer.say("  " + shell_command("trailmark", "show", root, "--replay", files.archive))
    if example:
        printer.say("  " + shell_command("trailmark", "-w", out / "workspace", "show", example, "--record"))
    printer.report(report)


def _fresh_folder(out: Path) -> None:
    """An empty folder; one that an earlier demo made is emptied, any other is left alone."""
    if out.exists():
        if not (out / MARKER).exists() and (not out.is_dir() or any(out.iterdir())):
            raise InputError(f"{out} holds something that is not a demo's; choose another folder with --out.")
        for path in out.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    out.mkdir(parents=True, exist_ok=True)
    (out / MARKER).touch()


def _write(web: DemoWeb, folder: Path, printer: Printer) -> BenchmarkWeb:
    printer.say(f"1. A web of {count_of(web.sites, 'site')} is made (seed {web.seed}) ...", style="bold")
    labels: dict[str, str] = {}
    trails: dict[str, list[Any]] = {goal: [] for goal in GOALS}

    def responses() -> Any:
        for site in printer.progress(web, "making sites", web.sites):
            labels.update(site.labels)
            for goal in GOALS:
                trails[goal] += site.trails(goal, 8)
            yield from site.responses()

    # The archive is written first, so labels and trails are complete when their turn comes.
    files = write_web(
        folder,
        name="demo",
        roots=[web.root(number) for number in range(web.sites)],
        responses=responses(),
        labels=labels,
        trails_by_goal=trails,
        source="generated",
        note=f"seed {web.seed}",
    )
    printer.say(f"   {count_of(files.pages, 'page')} in {files.archive}")
    return files


def _teach(out: Path, web: DemoWeb, files: BenchmarkWeb, printer: Printer) -> int:
    printer.say(f"2. It is shown the way to '{GOAL}' on {TAUGHT_SITES} of the sites ...", style="bold")
    roots = [web.root(number) for number in range(TAUGHT_SITES)]
    lines = files.goals[GOAL].read_text(encoding="utf-8").splitlines()
    taught = out / "taught.jsonl"
    taught_lines = [line for line in lines if any(f'"site": "{root}"' in line for root in roots)]
    taught.write_text("\n".join(taught_lines) + "\n", encoding="utf-8")
    with Workspace.create(out / "workspace") as workspace:
        log_to(workspace.folder)
        report = teach(workspace, [taught], [files.archive], progress=printer.progress)
    printer.say(f"   {report.summary}")
    return report.good


def _plain_site(web: DemoWeb) -> DemoSite:
    """The first taught site in plain UTF-8: others are in older character sets, an odd sight for a start."""
    sites = [web.site(number) for number in range(TAUGHT_SITES)]
    return next((site for site in sites if site.who.charset == "utf-8"), sites[0])


def _show_a_page(web: DemoWeb, files: BenchmarkWeb, printer: Printer) -> None:
    site = _plain_site(web)
    url = next(url for url, label in site.labels.items() if label == "faculty-list")
    printer.say("3. What it sees in a page:", style="bold")
    print_page(printer, show_archived(url, [files.archive], Settings()))


def _learn(out: Path, printer: Printer) -> dict[str, Any]:
    printer.say("4. It learns the way:", style="bold")
    with Workspace.open(out / "workspace") as workspace:
        (report,) = learn(workspace, GOAL, progress=printer.progress).goals
    print_learnt(printer, report)
    values = report.to_json()
    return {key: values[key] for key in ("trails", "sites", "features", "reasons", "states", "rewards", "promise")}


def _picture(out: Path) -> Path:
    with Workspace.open(out / "workspace") as workspace:
        return workspace.goal_files.file(GOAL, PICTURE)


def _draw(web: DemoWeb, out: Path) -> list[str]:
    pictures = []
    for number in range(2):
        site = web.site(number)
        goals = [trail for trail in site.trails(GOAL, 8) if trail.outcome == "goal"]
        trail = max(goals, key=lambda trail: len(trail.steps), default=None)  # the longest tells most
        path = out / f"site-map-{site.host}.png"
        site_map(site, GOAL, trail).savefig(path, dpi=110)
        pictures.append(str(path))
    return pictures
