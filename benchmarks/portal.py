"""The portal on generated items, with readers at once that are played by a load tool: how long they wait, and what happens at ten times that load.

    python -m benchmarks.portal [--items 50000] [--readers 20] [--seconds 30] [--think 1.0] [--keep DIR] [--locust PATH]

Readers go as people do: half of their pages are items, the others searches (a third of them narrowed), topics and the first page; items and words are drawn so that a few are asked
for often and most of them hardly ever. Between two pages a reader thinks for about `--think` seconds (0: they never do, which is no reader but a flood). The load comes from Locust, which brings
much along and has an environment of its own: `python -m venv /tmp/load && /tmp/load/bin/pip install locust`, then `--locust /tmp/load/bin/locust`. Server and readers share the machine's cores.
Aims with 20 readers on two cores: median below 50 ms, the slowest twentieth begins below 200 ms; with ten times as many, answers are 200 or 503, and none fails otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.search import Row, Writer

CITES = 6
"""Citations of an item, to earlier ones."""
READER = """
import json, os, random
from locust import FastHttpUser, task, between, constant
with open(os.environ["PORTAL_WORDS"], encoding="utf-8") as file:
    KNOWN = json.load(file)
THINK = float(os.environ["PORTAL_THINK"])


def drawn(choices):
    return choices[min(len(choices) - 1, int(len(choices) ** random.random()) - 1)]


class Reader(FastHttpUser):
    wait_time = between(THINK / 2, THINK * 3 / 2) if THINK else constant(0)

    def ask(self, path, name):
        with self.client.get(path, name=name, catch_response=True) as answer:
            if answer.status_code == 503 and answer.headers.get("Retry-After"):
                answer.request_meta["name"] = "told to come back"
                answer.success()

    @task(10)
    def item(self):
        self.ask("/item/" + drawn(KNOWN["items"]), "item")

    @task(4)
    def search(self):
        self.ask("/search?q=" + drawn(KNOWN["words"]) + "+" + drawn(KNOWN["words"]), "search")

    @task(2)
    def narrowed(self):
        self.ask("/search?q=" + drawn(KNOWN["words"]) + "&year=" + str(random.randint(1950, 2026)), "search, narrowed")

    @task(3)
    def topic(self):
        sort = random.choice(["rank", "cited", "surveys", "seminal", "year"])
        self.ask("/topic/" + drawn(KNOWN["topics"]) + "?sort=" + sort + "&page=" + str(random.randint(1, 5)), "topic")

    @task(1)
    def home(self):
        self.ask("/", "home")
"""


def write_library(folder: Path, items: int) -> dict[str, list[str]]:
    """A workspace with so many items that cite each other, and what readers ask for."""
    from trailmark.store.full_text import refresh_index
    from trailmark.store.organised import Organised
    from trailmark.workspace import Workspace, change_settings

    Workspace.create(folder).close()
    change_settings(folder, {("portal", "rate"): 0, ("portal", "name"): "Generated"})
    writer = Writer()
    rows = [writer.item(number) for number in range(items)]
    cited = list(citations(rows, writer))
    times = Counter(each[5] for each in cited)
    ranks = [
        (row[0], times[row[0]], n % 97 / 1e4, times[row[0]] / 1e5, times[row[0]] / 1e6) for n, row in enumerate(rows)
    ]
    with Organised.open(folder) as organised, organised.transaction() as connection:
        connection.executemany(
            f"INSERT INTO items VALUES (NULL, {', '.join('?' * 14)})",
            [(*row[:9], times[row[0]], *row[10:]) for row in rows],
        )
        connection.executemany("INSERT INTO ranks VALUES (?, ?, ?, ?, ?)", ranks)
        connection.executemany("INSERT INTO citations VALUES (?, ?, ?, ?, ?, ?, ?, ?)", cited)
        connection.executemany(
            "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(row[0], n + 1, row[5], row[0], row[1], row[2], row[0]) for n, row in enumerate(rows)],
        )
        refresh_index(connection)
    words = [word for row in rows[:3000] for word in row[2].split() if word.isascii()]
    return {
        "words": [word for word, _ in Counter(words).most_common()][100:3000],
        "topics": sorted({str(row[7]) for row in rows} | {str(row[7]).rpartition("/")[0] for row in rows}),
    }


def citations(rows: list[Row], writer: Writer) -> Iterator[tuple[object, ...]]:
    """Each item cites a few earlier ones, some of them often."""
    number = 0
    for place, row in enumerate(rows):
        for cited in sorted({*writer.ranks(CITES, max(1, place))}) if place else ():
            number += 1
            yield (
                number + 10_000_000,
                row[0],
                "",
                cited,
                cited,
                rows[cited][0],
                f"It was shown by {rows[cited][3][:40]} before.",
                rows[cited][2],
            )


def load(locust: str, address: str, known: Path, readers: int, seconds: int, think: float, folder: Path) -> int:
    """Let so many readers read, print how long they waited, and say how many pages they got."""
    script = folder / "locustfile.py"
    script.write_text(READER, encoding="utf-8")
    command = [
        locust,
        "--headless",
        "-f",
        str(script),
        "-H",
        address,
        "-u",
        str(readers),
        "-r",
        str(max(1, readers // 4)),
    ]
    command += ["-t", f"{seconds}s", "--json", "--loglevel", "ERROR", "--exit-code-on-error", "0"]
    told = {**os.environ, "PORTAL_WORDS": str(known), "PORTAL_THINK": str(think)}
    ended = subprocess.run(command, check=True, capture_output=True, text=True, env=told)
    every: Counter[float] = Counter()
    failed = 0
    for row in json.loads(ended.stdout):
        times = Counter({float(time): int(count) for time, count in row["response_times"].items()})
        every += times
        failed += row["num_failures"]
        print_row(readers, row["name"], times, row["num_failures"])
    print_row(readers, "all", every, failed)
    print(f"{readers:5d} readers  {sum(every.values()) / seconds:.1f} answers a second", flush=True)
    return sum(every.values())


def print_row(readers: int, name: str, times: Counter[float], failed: int) -> None:
    waits = sorted(times.elements())
    if waits:
        half, slow = waits[len(waits) // 2], waits[min(len(waits) - 1, int(0.95 * len(waits)))]
        print(
            f"{readers:5d} readers  {name:18s} {len(waits):7d} answers  {failed:4d} failed  median {half:6.0f} ms  p95 {slow:6.0f} ms  slowest {waits[-1]:6.0f} ms"
        )


def processor_seconds(process: int) -> float:
    """Seconds of the processor that a process took: others work on the machine too."""
    parts = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def wait_for(address: str) -> None:
    for _ in range(900):
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise SystemExit("the portal did not start")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=50_000)
    parser.add_argument("--readers", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--think", type=float, default=1.0)
    parser.add_argument("--warm", type=int, default=15, help="Seconds that are told apart, at the beginning.")
    parser.add_argument("--port", type=int, default=18766)
    parser.add_argument("--times", type=int, default=10, help="How many times as many readers come in the end.")
    parser.add_argument("--keep", type=Path, help="A folder in which the items are kept, and found the next time.")
    parser.add_argument("--locust", default=shutil.which("locust") or "")
    chosen = parser.parse_args()
    if not chosen.locust:
        print("Locust was not found: name it with --locust (see the top of this file).", file=sys.stderr)
        return 2
    from trailmark.serve.portal.desk import Desk
    from trailmark.workspace import settings_in

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        library = (chosen.keep or folder) / "w"
        if not library.exists():
            library.parent.mkdir(parents=True, exist_ok=True)
            (library.parent / "known.json").write_text(
                json.dumps(write_library(library, chosen.items)), encoding="utf-8"
            )
        known = json.loads((library.parent / "known.json").read_text(encoding="utf-8"))
        began = time.perf_counter()
        desk = Desk(library, settings_in(library))
        print(
            f"{chosen.items} items, {len(os.sched_getaffinity(0))} cores; opened in {time.perf_counter() - began:.1f} s"
        )
        known["items"] = list(desk.catalogue.shelf.addresses)
        desk.close()
        file = folder / "known.json"
        file.write_text(json.dumps(known), encoding="utf-8")
        address = f"http://127.0.0.1:{chosen.port}"
        program = "from trailmark.cli.main import main; main()"
        command = [
            sys.executable,
            "-c",
            program,
            "-w",
            str(library),
            "serve",
            "--portal",
            "--no-open",
            "--port",
            str(chosen.port),
        ]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            wait_for(f"{address}/about")
            print(f"the first {chosen.warm} seconds, with nothing kept ready:")
            load(chosen.locust, address, file, chosen.readers, chosen.warm, chosen.think, folder)
            print("then:")
            for readers in (chosen.readers, chosen.readers * chosen.times):
                before = processor_seconds(server.pid)
                pages = load(chosen.locust, address, file, readers, chosen.seconds, chosen.think, folder)
                used = processor_seconds(server.pid) - before
                print(
                    f"{readers:5d} readers  {1000 * used / max(1, pages):.1f} ms of the processor an answer; load of the machine {os.getloadavg()[0]:.1f}",
                    flush=True,
                )
            wait_for(f"{address}/about")
        finally:
            server.terminate()
            server.wait(20)
    return 0


if __name__ == "__main__":
    sys.exit(main())
