"""A request opens the workspace at most once, reads its draft once and its clusters once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor
from trailmark.serve.options import Options
from trailmark.teach.trail_draft import draft_from_json
from trailmark.verbs import demonstrate
from trailmark.verbs.cluster import cluster
from trailmark.verbs.learn import learn
from trailmark.verbs.teach import teach
from trailmark.workspace import Workspace

SITE = "http://dept.example/"


@pytest.fixture
def counts(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each of these was read."""
    counter: Counter[str] = Counter()

    def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            counter[name] += 1
            return function(*arguments, **options)

        return call

    opened = counted("workspace", Workspace.open)
    monkeypatch.setattr(Workspace, "open", classmethod(lambda _cls, folder, **_: opened(folder)))
    monkeypatch.setattr(demonstrate, "draft_from_json", counted("draft", draft_from_json))
    monkeypatch.setattr(Workspace, "clusters", counted("clusters", Workspace.clusters))
    return counter


@pytest.fixture
def teacher(folder: Path, small_archive: Path) -> Visitor:
    return Visitor(folder, Options(archives=(small_archive,)))


def frame_address(text: str) -> str:
    found = re.search(r'<iframe[^>]* src="([^"]+)"', text)
    assert found
    return found[1].replace("&amp;", "&")


@pytest.mark.slow
def test_a_click_and_what_follows_it(teacher: Visitor, counts: Counter[str]) -> None:
    begun = teacher.post("/teach", site=SITE)
    path = begun.url.path
    counts.clear()
    shown = teacher.get(path)
    assert counts == {"draft": 1, "workspace": 1}, "the page with the trail beside it"
    counts.clear()
    frame = teacher.get(frame_address(shown.text))
    assert counts == {"draft": 1}, "the page in the frame"
    link = re.search(r'href="(/teach/[^"]+/go\?[^"]+)"[^>]*>People<', frame.text)
    assert link
    counts.clear()
    assert teacher.get(link[1].replace("&amp;", "&"), follow_redirects=False).status_code == 303
    assert counts == {"draft": 1}, "the click itself"
    csrf = teacher.csrf
    for words in ({"outcome": "goal"}, {"which": "links", "link": "0", "outcome": "fail"}):
        counts.clear()
        teacher.http.post(f"{path}/save", data={"csrf": csrf, **words}, follow_redirects=False)
        assert counts == {"draft": 1, "workspace": 1}, words
    counts.clear()
    teacher.http.post(f"{path}/step", data={"csrf": csrf, "do": "undo"}, follow_redirects=False)
    assert counts == {"draft": 1}


@pytest.mark.slow
def test_the_pages_of_clusters_and_of_what_was_learnt(small_web: Any, folder: Path, counts: Counter[str]) -> None:
    with Workspace.open(folder) as workspace:
        teach(workspace, [small_web.file(*small_web.good())], [small_web.archive])
        learn(workspace)
        cluster(workspace, archives=[small_web.archive])
        known = workspace.clusters()[0].cluster
    visitor = Visitor(folder, Options(archives=(small_web.archive,)))
    for address, reads in (
        ("/annotate", {"workspace": 2, "clusters": 1}),  # once more for titles that were never read
        (f"/annotate/cluster?id={known.id}", {"workspace": 1, "clusters": 1}),
        (f"/learnt/page?url={SITE}", {"workspace": 1}),
    ):
        counts.clear()
        answer = visitor.get(address, follow_redirects=False)
        assert answer.status_code == 200, (address, visitor.said(visitor.get("/")))
        assert counts == reads, address
        if "<iframe" in answer.text:
            counts.clear()
            assert visitor.get(frame_address(answer.text)).status_code == 200
            assert max(counts.values(), default=0) <= 1, f"the frame of {address}: {counts}"
    sent = {"csrf": visitor.csrf, "id": known.id, "url": known.pages[0], "field": "price"}
    for words in ({"do": "absent"}, {"do": "confirm"}, {"do": "unmark", "absent": "1"}):
        counts.clear()
        visitor.http.post("/annotate/cluster", data={**sent, **words}, follow_redirects=False)
        assert counts == {"workspace": 1, "clusters": 1}, words
