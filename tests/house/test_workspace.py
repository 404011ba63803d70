"""The workspace as a library: what it makes, what it refuses, and how several of them share a folder."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from trailmark import Response, Settings, Workspace
from trailmark.errors import InputError, NotAWorkspace, SettingsError, WorkspaceBusy, WorkspaceError
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.show import show
from trailmark.verbs.status import status
from trailmark.verbs.taught_pages import TAUGHT_MEANWHILE
from trailmark.verbs.teach import teach, teach_annotations
from trailmark.verbs.teach_report import TeachReport
from trailmark.workspace import settings_in

SITE = "http://dept.example/"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Workspace.create(tmp_path / "w").close()
    return tmp_path / "w"


def test_a_new_workspace_has_the_defaults(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        assert workspace.settings == Settings()
        assert workspace.archive_folder.is_dir()


def test_the_flow_of_the_package_docstring(small_web: Any, tmp_path: Path) -> None:
    with Workspace.create(tmp_path / "new") as workspace:
        report = teach(workspace, [small_web.file(*small_web.good())], [small_web.archive])
        assert report.good == 2
        assert status(workspace).counts["trails"] == 2


def test_only_a_workspace_is_opened(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(NotAWorkspace, match="trailmark init"):
        Workspace.open(tmp_path)
    with pytest.raises(WorkspaceError, match="is a workspace already"):
        Workspace.create(folder)
    (folder / "trailmark.toml").write_text("[nonsense]\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="nonsense"):
        Workspace.open(folder)


def test_settings_without_a_workspace_are_the_defaults(tmp_path: Path, folder: Path) -> None:
    assert settings_in(tmp_path) == Settings()
    (folder / "trailmark.toml").write_text("[read]\nwindow = 3\n", encoding="utf-8")
    assert settings_in(folder).read.window == 3


def test_archives_that_are_given_win_over_the_workspace(folder: Path, tmp_path: Path) -> None:
    newer = tmp_path / "newer.warc.gz"
    with Workspace.open(folder) as workspace:
        with ArchiveWriter(workspace.archive_folder) as writer:
            workspace.keep_page(SITE, Response(SITE, 200, (("Content-Type", "Text/HTML; charset=x"),), b"own"), writer)
        with ArchiveWriter(newer) as writer:
            writer.write(Response(SITE, 200, body=b"given"))
        with workspace.replay() as replay:
            assert replay.fetch(SITE).body == b"own"
        with workspace.replay([newer]) as replay:
            assert replay.fetch(SITE).body == b"given"
            assert replay.fetch(SITE + "other").status == 404
        page = workspace.database.page(SITE)
        assert page is not None
        assert (page.content_type, page.status, page.archive) == ("text/html", 200, "pages-00001.warc.gz")


def test_a_page_asked_under_another_url_is_found_under_both(folder: Path) -> None:
    moved = Response(SITE + "new", 200, (), b"here", redirects=(SITE + "old",))
    with Workspace.open(folder) as workspace:
        with ArchiveWriter(workspace.archive_folder) as writer:
            workspace.keep_page(SITE + "old", moved, writer)
        with workspace.replay() as replay:
            assert replay.fetch(SITE + "old").url == replay.fetch(SITE + "new").url == SITE + "new"


def test_progress_sees_every_trail(folder: Path, small_web: Any) -> None:
    seen: list[tuple[str, Any]] = []

    def watch(items: Iterable[Any], label: str) -> Iterator[Any]:
        for item in items:
            seen.append((label, item.line))
            yield item

    with Workspace.open(folder) as workspace:
        teach(workspace, [small_web.file(*small_web.good())], [small_web.archive], progress=watch)
    assert seen == [("checking trails", 1), ("checking trails", 2)]


def test_one_teacher_at_a_time_beside_a_walk(folder: Path, small_web: Any) -> None:
    (folder / "trailmark.toml").write_text("[store]\nbusy_timeout = 0.05\n", encoding="utf-8")
    file = small_web.file(*small_web.good())
    with Workspace.open(folder) as workspace:
        archive = workspace.archive_folder
        with (
            ArchiveWriter(archive),
            ArchiveWriter(archive / TAUGHT_MEANWHILE),
            pytest.raises(WorkspaceBusy, match="another process"),
        ):
            teach(workspace, [file], [small_web.archive])
        assert teach(workspace, [file], [small_web.archive]).good == 2


def test_a_writer_waits_for_another_and_then_says_so(folder: Path, small_web: Any) -> None:
    (folder / "trailmark.toml").write_text("[store]\nbusy_timeout = 0.05\n", encoding="utf-8")
    file = small_web.file(*small_web.good())
    with Workspace.open(folder) as first, Workspace.open(folder) as second, first.database.transaction():
        with pytest.raises(WorkspaceBusy):
            teach(second, [file], [small_web.archive])
        assert status(second).counts["trails"] == 0, "readers never wait"


def test_two_teachers_of_annotations_at_once(folder: Path, tmp_path: Path) -> None:
    files = []
    for name in ("a", "b"):
        lines = [f'{{"url": "{SITE}{n}", "field": "{name}", "value": "{n}"}}' for n in range(200)]
        files.append(tmp_path / f"{name}.jsonl")
        files[-1].write_text("\n".join(lines), encoding="utf-8")
    reports: list[TeachReport] = []

    def teach(file: Path) -> None:
        with Workspace.open(folder) as workspace:
            reports.append(teach_annotations(workspace, [file]))

    threads = [threading.Thread(target=teach, args=(file,)) for file in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [report.new for report in reports] == [200, 200]
    with Workspace.open(folder) as workspace:
        assert status(workspace).counts["annotations"] == 400


def test_a_missing_file_stops_before_anything_is_kept(folder: Path, small_web: Any, tmp_path: Path) -> None:
    file = small_web.file(*small_web.good())
    with Workspace.open(folder) as workspace:
        with pytest.raises(InputError, match="does not exist"):
            teach(workspace, [file, tmp_path / "missing.jsonl"], [small_web.archive])
        assert status(workspace).counts["trails"] == 0


def test_show_needs_a_url(folder: Path, small_web: Any) -> None:
    with Workspace.open(folder) as workspace:
        with pytest.raises(InputError, match="absolute http or https"):
            show(workspace, "people/", [small_web.archive])
        report = show(workspace, SITE + "people/", [str(small_web.archive)])
    assert (report.page.title, report.status) == ("People", 200)
