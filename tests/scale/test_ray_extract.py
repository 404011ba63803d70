"""Archives to a data set on a Ray cluster whose workers are killed at random: nothing is lost, nothing is doubled."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.scale.shop_pages import archives, locally, new_workspace, told
from trailmark.scale.ray_hands import RayHands
from trailmark.store.archive_names import path_named
from trailmark.store.data_set import DataSet
from trailmark.store.data_set_view import DataSetView
from trailmark.verbs.extract_parts import extract_parts
from trailmark.verbs.lift_part import PartLifter
from trailmark.workspace import Workspace

pytestmark = [pytest.mark.slow, pytest.mark.cluster]
KILLS, KILLS_OF_A_PART, LAST_PAGE = 20, 3, 80


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    module: Any = pytest.importorskip("ray", reason="Ray is not installed: make test-cluster")
    module.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield module
    module.shutdown()


class Mortal:
    """Work of which the process is killed at a random page, up to so many times in all, and so many for each part."""

    def __init__(self, work: PartLifter, notes: Path) -> None:
        self.work, self.notes = work, notes

    def __call__(self, task: Any) -> Any:
        deaths = len(list(self.notes.glob(f"{task.part.name}-*")))
        if deaths >= KILLS_OF_A_PART or len(list(self.notes.iterdir())) >= KILLS:
            return self.work(task)
        pages, last, begun = count(), random.Random().randrange(LAST_PAGE), self.work._task

        def fatal(entry: Any) -> Any:
            if next(pages) == last:
                (self.notes / f"{task.part.name}-{deaths}").touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return begun(entry)

        self.work._task = fatal  # type: ignore[method-assign]
        try:
            return self.work(task)
        finally:
            self.work._task = begun  # type: ignore[method-assign]


class MortalHands(RayHands):
    """Hands of whom many die."""

    notes: Path

    def answers(self, work: Callable[[Any], Any], tasks: Sequence[Any], **more: Any) -> Iterator[tuple[int, Any]]:
        return super().answers(Mortal(work, self.notes) if isinstance(work, PartLifter) else work, tasks, **more)


def test_twenty_workers_are_killed_and_the_records_are_those_of_one_machine(ray: Any, tmp_path: Path) -> None:
    workspace = new_workspace(tmp_path)
    named = archives(tmp_path / "pages", 8, 300)
    hands = MortalHands()
    hands.notes = tmp_path / "notes"
    hands.notes.mkdir()
    with Workspace.open(workspace) as opened:
        report = extract_parts(opened, named, tmp_path / "out", hands)
    assert len(list(hands.notes.iterdir())) >= KILLS, "so many were killed"
    view = DataSetView(DataSet(tmp_path / "out"))
    wanted = locally(workspace, named)
    assert told(view.records()) == wanted
    assert (view.count(), view.count_aside(), report.records) == (len(wanted), 0, len(wanted))
    there = {str(file.relative_to(tmp_path / "out")) for file in (tmp_path / "out").rglob("*.parquet")}
    assert there == {file.path for file in view.standing.files()}, "nothing is left of those who died"


def test_from_a_store_to_a_store(ray: Any, tmp_path: Path, object_store: Any, trailmark: Callable[..., Any]) -> None:
    workspace = new_workspace(tmp_path)
    named = archives(tmp_path / "pages", 3, 60)
    for file in named:
        object_store.put(file, f"pages/{file.name}")
    out = f"s3://{object_store.bucket}/records/"
    from tests.store.object_store import environment

    ray.shutdown()
    ray.init(
        "local",
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        runtime_env={"env_vars": environment(object_store.endpoint)},
    )
    ended = trailmark(
        *("-w", workspace, "extract", "--archive", f"s3://{object_store.bucket}/pages/", "--on", "ray"),
        *("--out", out, "--json"),
    )
    assert ended.code == 0, ended.err
    assert told(DataSetView(DataSet(path_named(out))).records()) == locally(workspace, named)
