"""A walk writes the workspace's archive for hours: people teach, answer and check meanwhile."""

from __future__ import annotations

import threading
from pathlib import Path

from tests.conftest import SmallWeb
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.taught_pages import TAUGHT_MEANWHILE
from trailmark.verbs.teach import teach
from trailmark.workspace import Workspace


def test_trails_are_taught_while_a_walk_writes_the_archive(workspace: Path, small_web: SmallWeb) -> None:
    with Workspace.open(workspace) as opened, ArchiveWriter(opened.archive_folder):
        report = teach(opened, [small_web.file(*small_web.good())], [small_web.archive])
        assert report.good
        pages = {step.url for trail in opened.database.trails() for step in trail.steps}
        assert (opened.archive_folder / TAUGHT_MEANWHILE).stat().st_size
        with opened.replay([]) as replay:
            assert {replay.fetch(url).status for url in pages} == {200}
    with Workspace.open(workspace) as opened, opened.replay([]) as replay:
        assert {replay.fetch(url).status for url in pages} == {200}


def test_several_who_teach_at_once_beside_a_walk_wait_for_each_other(workspace: Path, small_web: SmallWeb) -> None:
    good = small_web.good()
    files = [small_web.file(good[0]), small_web.file(*good)]
    wrong: list[BaseException] = []

    def show(file: Path) -> None:
        try:
            with Workspace.open(workspace) as mine:
                teach(mine, [file], [small_web.archive])
        except BaseException as error:  # noqa: BLE001
            wrong.append(error)

    with Workspace.open(workspace) as opened, ArchiveWriter(opened.archive_folder):
        threads = [threading.Thread(target=show, args=(file,)) for file in files for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not wrong
        assert len(list(opened.database.trails())) == len(good)


def test_what_is_at_hand_takes_no_lock(workspace: Path, small_web: SmallWeb) -> None:
    with Workspace.open(workspace) as opened:
        teach(opened, [small_web.file(*small_web.good())], [small_web.archive])
        with ArchiveWriter(opened.archive_folder):
            teach(opened, [small_web.file(*small_web.good())], [small_web.archive])
        assert not (opened.archive_folder / TAUGHT_MEANWHILE).exists()
