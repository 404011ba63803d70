"""The page about updates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.conftest import SITE, SmallWeb
from tests.serve.app_visitor import Visitor
from trailmark.serve.options import Options


def test_an_update_is_begun_by_a_button_and_shown(trailmark: Any, workspace: Path, small_web: SmallWeb) -> None:
    file = small_web.file(*small_web.good())
    for words in (
        ("teach", file, "--replay", small_web.archive),
        ("learn", "--quick"),
        ("forage", SITE, "--replay", small_web.archive),
    ):
        assert trailmark("-w", workspace, *words).code == 0
    visitor = Visitor(workspace, Options(archives=(small_web.archive,)))
    idle = visitor.get("/updates").text
    assert "No site is due for another walk." in idle
    assert "1 site is not due" in idle
    assert "update --tell" in idle
    assert visitor.post("/updates", do="all").status_code == 200
    (job,) = visitor.state.jobs.all()
    assert visitor.wait(job.id)["state"] == "done"
    shown = visitor.get("/updates").text
    assert "1 site walked again" in shown
    (update,) = visitor.get("/api/updates").json()["updates"]
    assert (update["id"], update["failed"]) == (1, False)
    assert visitor.post("/updates", do="all").url.path == "/updates"
