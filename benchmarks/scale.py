"""`forage --on ray` against `forage`, and what is left of it when workers and nodes are killed, on the generated web.

    python -m benchmarks.scale overhead [--sites 200] [--site-budget 30] [--part-sites 50]
    python -m benchmarks.scale nodes    three nodes; one is killed in the middle, one is added
    python -m benchmarks.scale memory   [--out memory.csv]: memory of each process over time; a picture beside it
    python -m benchmarks.scale kills    [--kills 20]: workers are killed at random moments

The server is a process of its own and its processor time counts for nobody; every answer waits `--latency` seconds, so that requests that
overlap are seen to. `overhead` compares runs of the same pages: seconds on the clock, and seconds of processor over all processes.
Starting Ray is told apart. The others exit with 1 where the pages or the goals are not those of an undisturbed run, where a page is twice in
the books, or where a host saw two requests at once.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.ray_nodes import ray_nodes
from benchmarks.served_sites import ServedSites, served_sites
from benchmarks.taught_workspace import taught_workspace
from benchmarks.watched_processes import WatchedProcesses, workers
from trailmark.forage.forage_report import ForageReport
from trailmark.scale.ray_hands import RayHands
from trailmark.store.parts_standing import PartsStanding
from trailmark.store.run_table import RunTable
from trailmark.verbs.dealt_forage import dealt_forage
from trailmark.verbs.forage import forage
from trailmark.verbs.hands import Hands
from trailmark.workspace import Workspace

SETTINGS = """[forage]
contact = "bench@example.org"
allow_hosts = ["*.localhost"]
delay = 0.0
obey_robots = false
[scale]
part_sites = {part_sites}
"""


@dataclass(frozen=True)
class Walked:
    """What came of a run, as the books and the server have it."""

    pages: Counter[tuple[str, str]]
    """(site, URL) of every fetch."""
    goals: frozenset[str]
    asked: Counter[tuple[str, str]]
    most_at_once: int


class Bench:
    """A web that is served, workspaces to walk it, and the options."""

    def __init__(self, options: argparse.Namespace, server: ServedSites, folder: Path) -> None:
        self.options, self.server, self.folder = options, server, folder

    def workspace(self, name: str) -> Path:
        settings = SETTINGS.format(part_sites=self.options.part_sites)
        return taught_workspace(self.folder / name, settings, taught=self.options.strategy == "path")

    def whole(self, folder: Path) -> ForageReport:
        with Workspace.open(folder) as workspace:
            return forage(workspace, self.server.roots(), **self._asked)

    def walked(self, folder: Path, hands: Hands) -> int:
        """A run that is dealt -> its pages; nothing else is held in memory."""
        with Workspace.open(folder) as workspace:
            return dealt_forage(workspace, self.server.roots(), hands, **self._asked).pages

    def dealt(self, folder: Path, hands: Hands | None, watch: Callable[[PartsStanding], None] | None = None) -> Walked:
        with Workspace.open(folder) as workspace:
            dealt_forage(workspace, self.server.roots(), hands, watch=watch, **self._asked)
            fetches = [fetch for _, fetch in RunTable(workspace.database).fetches(1)]
        asked, most = self.server.log()
        pages = Counter((fetch.site, fetch.url) for fetch in fetches)
        return Walked(pages, frozenset(fetch.url for fetch in fetches if fetch.goal), asked, most)

    @property
    def _asked(self) -> dict[str, Any]:
        most = self.options.site_budget
        return {"strategy": self.options.strategy, "site_budget": most, "budget": self.options.sites * most}


def overhead(bench: Bench) -> int:
    """Seconds of local runs and of runs on Ray, in turn."""
    rates: dict[str, list[tuple[float, float]]] = {
        "local": [],
        "dealt, no Ray": [],
        "ray, 1 worker": [],
        "ray, 2 workers": [],
    }

    def measure(name: str, number: int, run: Callable[[Path], int]) -> None:
        folder = bench.workspace(f"{name} {number}".replace(",", ""))
        with WatchedProcesses(bench.options.not_ours) as watched:
            pages = run(folder)
        bench.server.log()
        rates[name].append((pages / watched.wall, pages / watched.cpu()))
        print(
            f"{name:15} {pages:7} pages {watched.wall:7.1f} s {pages / watched.wall:7.1f} pages a second; "
            f"{watched.cpu():7.1f} s of processor ({watched.shares()}), {pages / watched.cpu():6.1f} pages each; load {os.getloadavg()[0]:.1f}",
            flush=True,
        )

    _loaded(0)  # here as there: loading is not what is measured
    for number in range(bench.options.times):
        measure("local", number, lambda folder: bench.whole(folder).pages)
        measure("dealt, no Ray", number, partial(_dealt_pages, bench, None))
        begun = time.monotonic()
        with ray_nodes(2):
            print(f"Ray started in {time.monotonic() - begun:.1f} s")
            for many in (1, 2):
                name = f"ray, {many} worker{'s' * (many > 1)}"
                hands = RayHands(most_workers=many)
                # Its processes load Trailmark once: told apart as well.
                begun = time.monotonic()
                list(hands.answers(_loaded, range(many)))
                print(f"{name}: workers ready in {time.monotonic() - begun:.1f} s")
                measure(name, number, partial(_dealt_pages, bench, hands))
                hands.leave()
    best = {name: (max(wall for wall, _ in each), max(cpu for _, cpu in each)) for name, each in rates.items()}
    local = best.pop("local")
    for name, (wall, cpu) in best.items():
        print(
            f"{name} / local: {wall / local[0]:.2f} of the pages a second, {cpu / local[1]:.2f} of those a processor-second"
        )
    return 0


def _dealt_pages(bench: Bench, hands: Hands | None, folder: Path) -> int:
    return bench.dealt(folder, hands).pages.total()


def _loaded(number: int) -> int:
    """Loads what a walk needs."""
    import trailmark.forage.crawl
    import trailmark.verbs.walk_part  # noqa: F401

    return number


def nodes(bench: Bench) -> int:
    """Three nodes; one is killed at a third of the pages, one is added at two thirds."""
    calm = bench.dealt(bench.workspace("calm"), None)
    third = calm.pages.total() / 3
    done: list[str] = []
    with ray_nodes(1, 1, 1) as cluster:

        def disturb(standing: PartsStanding) -> None:
            if not done and standing.pages >= third:
                cluster.remove_node(cluster.list_all_nodes()[-1], allow_graceful=False)
                done.append(f"a node was killed at {standing.pages} pages")
            elif len(done) == 1 and standing.pages >= 2 * third:
                cluster.add_node(num_cpus=1)
                done.append(f"one was added at {standing.pages}")

        found = bench.dealt(bench.workspace("disturbed"), RayHands(), disturb)
    print("; ".join(done))
    return _compared(calm, found) or int(len(done) < 2)


def kills(bench: Bench) -> int:
    """Workers are killed one after the other, at random moments."""
    calm = bench.dealt(bench.workspace("calm"), None)
    random.seed(bench.options.seed)
    killed, over = 0, threading.Event()

    def kill_some() -> None:
        nonlocal killed
        while killed < bench.options.kills and not over.wait(random.expovariate(1 / bench.options.between)):
            if at_work := workers():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(random.choice(at_work), signal.SIGKILL)
                    killed += 1

    with ray_nodes(2):
        thread = threading.Thread(target=kill_some, daemon=True)
        thread.start()
        found = bench.dealt(bench.workspace("killed"), RayHands(most_deaths=bench.options.kills + 1))
        over.set()
        thread.join()
    print(f"{killed} workers were killed")
    return _compared(calm, found) or int(killed < bench.options.kills)


def memory(bench: Bench) -> int:
    """Megabytes of each process over time."""
    with ray_nodes(2), WatchedProcesses(bench.options.not_ours) as watched:
        pages = bench.walked(bench.workspace("memory"), RayHands())
    watched.written(bench.options.out)
    _draw(watched, bench.options.out.with_suffix(".png"))
    print(f"{pages} pages of {bench.options.sites} sites in {watched.wall:.0f} s; samples in {bench.options.out}")
    for kind in ("driver", "worker", "raylet", "gcs"):
        for pid in dict.fromkeys(each.pid for each in watched.samples if each.kind == kind):
            values = [each.megabytes for each in watched.samples if each.pid == pid]
            if len(values) >= 8:
                quarters = [values[len(values) * part // 4 - 1] for part in (1, 2, 3, 4)]
                print(
                    f"{kind:7} {pid:8}: {', '.join(f'{value:.0f}' for value in quarters)} MB after each quarter of its life"
                )
    return 0


def _draw(watched: WatchedProcesses, file: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.6), layout="constrained")
    axes = figure.add_subplot(1, 1, 1)
    for pid, kind in {each.pid: each.kind for each in watched.samples}.items():
        if kind != "other":
            rows = [(each.seconds, each.megabytes) for each in watched.samples if each.pid == pid]
            axes.plot(*zip(*rows, strict=True), label=f"{kind} {pid}")
    axes.set_xlabel("seconds")
    axes.set_ylabel("resident megabytes")
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False, fontsize="small")
    figure.savefig(file)


def _compared(calm: Walked, found: Walked) -> int:
    twice = {page: many for page, many in found.pages.items() if many > calm.pages.get(page, 1)}
    wrong = {
        "pages lost": len(calm.pages.keys() - found.pages.keys()),
        "pages more": len(found.pages.keys() - calm.pages.keys()),
        "pages twice in the books": len(twice),
        "goals that differ": len(calm.goals ^ found.goals),
        "hosts asked twice at once": int(found.most_at_once > 1),
    }
    print(
        f"{calm.pages.total()} pages, {len(calm.goals)} goals undisturbed; {found.pages.total()}, {len(found.goals)} disturbed"
    )
    print(", ".join(f"{name}: {many}" for name, many in wrong.items()))
    print(
        f"asked again: {(found.asked - calm.asked).total()} of {calm.asked.total()} requests; load {os.getloadavg()[0]:.1f}"
    )
    return int(any(wrong.values()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("overhead", "nodes", "memory", "kills"))
    parser.add_argument("--sites", type=int, default=200)
    parser.add_argument("--pages", type=int, default=100, help="pages of a site, about")
    parser.add_argument("--site-budget", type=int, default=30)
    parser.add_argument("--part-sites", type=int, default=50)
    parser.add_argument("--strategy", choices=("path", "breadth"), default="path")
    parser.add_argument("--latency", type=float, default=0.005, help="seconds that each answer waits")
    parser.add_argument(
        "--times", type=int, default=1, help="rounds of `overhead`, of which the best of each kind counts"
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--between", type=float, default=3.0, help="seconds between two kills, on average")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("memory.csv"), help="file of `memory`")
    options = parser.parse_args()
    print(
        f"{options.sites} sites, at most {options.site_budget} pages of each, parts of {options.part_sites}, strategy {options.strategy}"
    )
    what = {"overhead": overhead, "nodes": nodes, "memory": memory, "kills": kills}[options.what]
    with tempfile.TemporaryDirectory() as folder, served_sites(options.sites, options.pages, options.latency) as server:
        options.not_ours = [server.pid]
        return what(Bench(options, server, Path(folder)))


if __name__ == "__main__":
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.exit(main())
