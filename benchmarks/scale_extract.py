"""Extraction of archives to a data set: pages a core-second on this machine and on a Ray cluster of it, and the most memory that was held.

    python -m benchmarks.scale_extract [--pages 10000] [--files 20] [--workers 1 2] [--ray-data]

Pages are those of four sites of the generated web (`trailmark.demo`), again and again under other addresses until there are enough; rules are
learnt from two pages of each template that has records. What is measured is the run from archives to Parquet files, after the cluster was started. Processor time is
that of the workers, as they count it themselves while they lift a part. On a machine that is busy with other things the core-seconds count,
not the clock; the load stands beside.

With `--ray-data` the same parts go through Ray Data's executor (`from_items(...).map(...)`) as well.
"""

from __future__ import annotations

import argparse
import logging
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trailmark.verbs.hands import OwnHands


class Timed:
    """Work that also says what it cost: seconds of the processor, and the most memory of its process in MB."""

    def __init__(self, work: Callable[[Any], Any]) -> None:
        self.work = work

    def __call__(self, task: Any) -> tuple[Any, float, int, float]:
        before = time.process_time()
        answer = self.work(task)
        spent = time.process_time() - before
        return answer, spent, os.getpid(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class TimedHands:
    """Hands whose work is measured in the worker."""

    def __init__(self, hands: Any) -> None:
        self.hands, self.seconds, self.memory = hands, 0.0, dict[int, float]()

    def answers(self, work: Callable[[Any], Any], tasks: Sequence[Any], **more: Any) -> Iterator[tuple[int, Any]]:
        for place, (answer, spent, process, memory) in self.hands.answers(Timed(work), tasks, **more):
            self.seconds += spent
            self.memory[process] = memory
            yield place, answer


class RayDataHands:
    """The same tasks through the executor of Ray Data, to see what that costs."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def answers(self, work: Callable[[Any], Any], tasks: Sequence[Any], **_: Any) -> Iterator[tuple[int, Any]]:
        import pickle

        import ray

        shared = ray.put(work)

        class Worker:
            def __init__(self) -> None:
                self.work = ray.get(shared)

            def __call__(self, row: dict[str, Any]) -> dict[str, Any]:
                place, task = pickle.loads(row["task"])
                return {"answer": pickle.dumps((place, self.work(task)))}

        rows = [{"task": pickle.dumps(pair)} for pair in enumerate(tasks)]
        data: Any = ray.data
        mapped = data.from_items(rows, override_num_blocks=len(rows)).map(Worker, concurrency=self.workers, num_cpus=1)
        for row in mapped.iter_rows():
            yield pickle.loads(row["answer"])


def prepare(folder: Path, pages: int, files: int) -> tuple[Path, list[Path]]:
    """A workspace with rules for four sites of the generated web, and archives of so many of their pages, under as many addresses."""
    from trailmark.datatypes import Annotation
    from trailmark.demo import DemoWeb
    from trailmark.store.archive_writer import ArchiveWriter
    from trailmark.verbs.cluster import cluster
    from trailmark.verbs.wrap import wrap
    from trailmark.workspace import Workspace

    web = DemoWeb(sites=4, pages=100)
    truth = {url: record for site in web for url, record in site.records.items()}
    found = [response for site in web for response in site.responses() if response.status == 200]
    few = folder / "few.warc.gz"
    with ArchiveWriter(few) as writer:
        for response in found:
            writer.write(response)
    with Workspace.create(folder / "w") as workspace:
        groups = cluster(workspace, [few]).clusters
        marked = [url for each in groups for url in [url for url in each.pages if url in truth][:2]]
        marks = [
            Annotation(url, field, value)
            for url in marked
            for field, values in truth[url].fields.items()
            for value in values[:1]
        ]
        workspace.database.add_annotations(marks, "marks")
        wrap(workspace)
    made: list[Path] = []
    for number in range(files):
        made.append(folder / f"pages-{number:05d}.warc.gz")
        with ArchiveWriter(made[-1]) as writer:
            for at in range(pages * number // files, pages * (number + 1) // files):
                response = found[at % len(found)]
                writer.write(replace(response, url=f"{response.url}?copy={at // len(found)}"))
    return folder / "w", made


def measured(label: str, workspace: Path, archives: list[Path], out: Path, hands: Any) -> tuple[float, float]:
    """One run -> pages a core-second, pages a second."""
    from trailmark.verbs.extract_parts import extract_parts
    from trailmark.workspace import Workspace

    timed = TimedHands(hands)
    here, began = time.process_time(), time.perf_counter()
    with Workspace.open(workspace) as opened:
        report = extract_parts(opened, archives, out, timed)
    clock = time.perf_counter() - began
    here = time.process_time() - here
    pages = report.extracted + report.without_rules
    spent = timed.seconds if isinstance(hands, OwnHands) else timed.seconds + here
    print(
        f"{label:28s} {pages / spent:7.1f} pages a core-second, {pages / clock:7.1f} a second; {report.rows} records; "
        f"most memory of a worker {max(timed.memory.values()):.0f} MB; load {os.getloadavg()[0]:.1f}",
        flush=True,
    )
    return pages / spent, pages / clock


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--ray-data", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        workspace, archives = prepare(folder, chosen.pages, chosen.files)
        size = sum(archive.stat().st_size for archive in archives) / 1e6
        print(f"{chosen.pages} pages in {len(archives)} archives of {size:.0f} MB; load {os.getloadavg()[0]:.1f}")
        alone, _ = measured("local, 1 process", workspace, archives, folder / "local", OwnHands())
        for workers in chosen.workers:
            _on_ray(chosen, workers, workspace, archives, folder, alone)
            # Beside each, local once more: on a busy machine a core-second is not always the same.
            alone, _ = measured("local, 1 process", workspace, archives, folder / f"local-{workers}", OwnHands())
    print(
        f"most memory of the process that hands out: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"
    )
    return 0


def _on_ray(
    chosen: argparse.Namespace, workers: int, workspace: Path, archives: list[Path], folder: Path, alone: float
) -> None:
    import ray

    from trailmark.scale.ray_hands import RayHands

    ray.init("local", num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    try:
        kinds: dict[str, Any] = {f"ray, {workers} workers": RayHands(most_workers=workers)}
        if chosen.ray_data:
            kinds[f"ray data, {workers} workers"] = RayDataHands(workers)
        for label, hands in kinds.items():
            each, _ = measured(label, workspace, archives, folder / label.replace(", ", "-").replace(" ", "-"), hands)
            print(f"{'':28s} {each / alone:.2f} of local by core-seconds")
    finally:
        ray.shutdown()


if __name__ == "__main__":
    sys.exit(main())
