"""`update`: all that is due, in one go."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import HTML, PAGES, SITE, SmallWeb
from trailmark import forage
from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.run_table import RunTable
from trailmark.store.update_table import one_update
from trailmark.verbs.revisit import due_revisits
from trailmark.verbs.runs import runs
from trailmark.verbs.update import past_updates, update
from trailmark.workspace import Workspace

DAY = 86_400.0


@pytest.fixture
def walked(trailmark: Any, workspace: Path, small_web: SmallWeb) -> Path:
    """A workspace that has learnt the small web and walked it once."""
    file = small_web.file(*small_web.good())
    for words in (
        ("teach", file, "--replay", small_web.archive),
        ("learn", "--quick"),
        ("forage", SITE, "--replay", small_web.archive),
    ):
        assert trailmark("-w", workspace, *words).code == 0
    return workspace


def archive_with(folder: Path, changed: dict[str, str]) -> Path:
    """The small web after some time."""
    path = folder / "later.warc.gz"
    with ArchiveWriter(path) as writer:
        for place, body in (PAGES | changed).items():
            writer.write(Response(SITE + place, 200, HTML, body.encode()))
    return path


def goals(folder: Path) -> list[str]:
    with Workspace.open(folder) as workspace:
        rows = workspace.database.connection.execute("SELECT final_url FROM fetches WHERE goal ORDER BY n").fetchall()
    return [url for (url,) in rows]


def part(report: dict[str, Any], name: str) -> dict[str, Any]:
    (found,) = (each for each in report["parts"] if each["part"] == name)
    return dict(found)


def test_nothing_is_due_in_a_new_workspace_and_after_a_walk(trailmark: Any, workspace: Path, walked: Path) -> None:
    ended = trailmark("-w", walked, "update", "--json")
    assert ended.code == 0
    assert {each["state"] for each in ended.report["parts"]} == {"nothing due"}
    with Workspace.open(walked) as opened:
        assert len(runs(opened).runs) == 1


def test_what_changed_is_found_and_counted(trailmark: Any, walked: Path, small_web: SmallWeb, tmp_path: Path) -> None:
    (goal, *_) = goals(walked)
    same = trailmark("-w", walked, "update", "--all", "--replay", small_web.archive, "--json").report
    assert [site["news"] for site in same["sites"]] == [0]
    place = goal.removeprefix(SITE)
    later = archive_with(tmp_path, {place: PAGES[place].replace("</body>", "<p>One more paper</p></body>") + " "})
    changed = trailmark("-w", walked, "update", "--all", "--replay", later, "--json").report
    assert [site["news"] for site in changed["sites"]] == [1]
    assert part(changed, "forage")["state"] == "done"
    shown = trailmark("-w", walked, "update", "--list", "--json").report["updates"]
    assert [each["id"] for each in shown] == [2, 1]
    assert "1 goal new or changed" in shown[0]["says"]


def test_a_site_is_due_when_its_time_has_come(walked: Path) -> None:
    with Workspace.open(walked) as workspace:
        began = runs(workspace).runs[0]
        now = _seconds(began.started_at)
        soon = due_revisits(workspace, now=now + 6 * DAY, archived=True)
        late = due_revisits(workspace, now=now + 8 * DAY, archived=True)
        online = due_revisits(workspace, now=now + 8 * DAY)
    assert (soon.revisits, soon.waiting) == ((), 1)
    assert [seed.url for seed in late.seeds] == [SITE]
    assert online.seeds == [], "an archive does not change"


def _seconds(when: str) -> float:
    from datetime import datetime

    return datetime.fromisoformat(when).timestamp()


def test_an_update_that_was_stopped_is_taken_up_by_the_next(walked: Path, small_web: SmallWeb) -> None:
    calls = []
    add = RunTable.add_fetch

    def stopping(self: RunTable, *row: Any) -> None:
        calls.append(row)
        if len(calls) == 4:
            raise KeyboardInterrupt
        add(self, *row)

    with Workspace.open(walked) as workspace:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(RunTable, "add_fetch", stopping)
            with pytest.raises(KeyboardInterrupt):
                update(workspace, archives=[small_web.archive], everything=True)
        assert past_updates(workspace).updates[0].failed
        begun = [run.id for run in runs(workspace).runs]
        assert len(begun) == 2
        report = update(workspace, archives=[small_web.archive])
        assert [run.id for run in runs(workspace).runs] == begun
        assert all(run.finished_at for run in runs(workspace).runs)
        assert report.parts[1].state == "done"


def test_moments_of_updates_are_read_on_one_line(trailmark: Any, workspace: Path) -> None:
    assert trailmark("-w", workspace, "update").code == 0
    listed = trailmark("-w", workspace, "update", "--list").out
    assert re.search(r"\b\d{4}-\d\d-\d\d \d\d:\d\d .* \d{4}-\d\d-\d\d \d\d:\d\d .*Nothing was due", listed)


def test_two_updates_do_not_run_at_once(trailmark: Any, walked: Path) -> None:
    with one_update(walked):
        ended = trailmark("-w", walked, "update")
    assert ended.code == 2
    assert "being updated by another process" in ended.err
    assert trailmark("-w", walked, "update").code == 0


def test_a_part_that_fails_is_said_and_the_others_go_on(
    trailmark: Any, walked: Path, small_web: SmallWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    from trailmark.errors import InputError
    from trailmark.verbs import update as module

    def broken(*_: object, **__: object) -> None:
        raise InputError("the pen broke")

    monkeypatch.setattr(module, "tag", broken)
    ended = trailmark("-w", walked, "update", "--all", "--replay", small_web.archive, "--json")
    assert ended.code == 1
    assert part(ended.report, "tag") | {"seconds": 0} == {
        "part": "tag", "state": "failed", "says": "the pen broke", "seconds": 0,
    }  # fmt: skip
    assert part(ended.report, "forage")["state"] == "done"
    assert part(ended.report, "organise")["state"] == "nothing due"


def test_forage_update_takes_no_roots_and_walks_what_is_due(
    trailmark: Any, walked: Path, small_web: SmallWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert trailmark("-w", walked, "forage", SITE, "--update").code == 2
    idle = trailmark("-w", walked, "forage", "--update", "--replay", small_web.archive, "--json")
    assert idle.report == {"revisits": [], "waiting": 1}
    (walked / "trailmark.toml").write_text("[forage]\nrevisit_days = 0.0\n", encoding="utf-8")
    report = trailmark("-w", walked, "forage", "--update", "--replay", small_web.archive, "--json").report
    assert [site["site"] for site in report["sites"]] == [SITE]
    assert report["run"] == 2


def test_a_site_keeps_the_scope_that_it_was_walked_in(walked: Path, small_web: SmallWeb) -> None:
    with Workspace.open(walked) as workspace:
        forage(workspace, SITE + "people/", archives=[small_web.archive], scope="prefix")
        due = due_revisits(workspace, everything=True, archived=True)
    assert {(seed.url, seed.scope) for seed in due.seeds} == {(SITE, "domain"), (SITE + "people/", "prefix")}


def test_the_portal_is_published_where_the_settings_name_a_folder(trailmark: Any, tmp_path: Path) -> None:
    from tests.serve.portal_world import library

    folder = library(tmp_path / "w", settings={"publish_to": "site"})
    report = trailmark("-w", folder, "update", "--json").report
    assert part(report, "publish")["state"] == "done"
    assert (folder / "site" / "index.html").is_file()
    again = trailmark("-w", folder, "update", "--json").report
    assert part(again, "publish")["state"] == "nothing due"
