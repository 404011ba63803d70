"""Drafts of trails as a library: who waits for whom, what a click may choose, and files that are no drafts."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from trailmark.datatypes import Response
from trailmark.errors import FetchError, InputError
from trailmark.teach import trail_draft
from trailmark.verbs.browse import PageSource
from trailmark.verbs.demonstrate import ClickedLink, Demonstrations
from trailmark.workspace import Workspace

SITE = "http://dept.example/"
PATIENCE = 60


@pytest.fixture
def drafts(tmp_path: Path, small_archive: Path) -> Demonstrations:
    Workspace.create(tmp_path / "w").close()
    return Demonstrations(tmp_path / "w", PageSource(tmp_path / "w", [small_archive]))


def people(_response: Response) -> ClickedLink:
    return ClickedLink(SITE + "people/", "People")


def test_a_draft_that_waits_for_a_slow_page_holds_up_no_other(
    drafts: Demonstrations, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = drafts.begin(SITE)
    quick = next(name for name in iter(lambda: drafts.begin(SITE), "") if drafts._lock(name) is not drafts._lock(slow))
    asked, over, page = threading.Event(), threading.Event(), drafts.pages.page

    def slowly(url: str, **how: Any) -> Response:
        if how["seen"].parent.name == slow:
            asked.set()
            assert over.wait(PATIENCE)
        return page(url, **how)

    monkeypatch.setattr(drafts.pages, "page", slowly)
    waiting = threading.Thread(target=drafts.follow, args=(slow, 1, people))
    waiting.start()
    try:
        assert asked.wait(PATIENCE)
        assert drafts.follow(quick, 1, people).here.url == SITE + "people/"
        assert waiting.is_alive(), "the other went on while this one waited"
    finally:
        over.set()
        waiting.join(PATIENCE)
    assert drafts.draft(slow).here.url == SITE + "people/"


def test_two_clicks_on_one_page_are_one_step(drafts: Demonstrations) -> None:
    name = drafts.begin(SITE)
    assert drafts.follow(name, 1, people).version == 2
    with pytest.raises(InputError, match="has changed since"):
        drafts.follow(name, 1, people)
    with pytest.raises(InputError, match="has changed since"):
        drafts.follow(name, 2, lambda _response: None)
    assert len(drafts.draft(name).steps) == 2


def test_a_save_that_fails_leaves_the_draft_as_it_was(drafts: Demonstrations, monkeypatch: pytest.MonkeyPatch) -> None:
    name = drafts.begin(SITE)
    drafts.follow(name, 1, people)
    with monkeypatch.context() as broken:
        broken.setattr("trailmark.verbs.demonstrate.teach_lessons", _fail)
        with pytest.raises(FetchError):
            drafts.save(name, "goal")
    assert drafts.draft(name).here.url == SITE + "people/"
    report = drafts.save(name, "goal", "people")
    assert (report.new, report.sites) == (1, (SITE,))
    assert drafts.draft(name).here.url == SITE, "the next goal is most often on the page before"


def _fail(*_arguments: object, **_options: object) -> None:
    raise FetchError("no page today")


@pytest.mark.parametrize("text", ["[" * 100_000, "{", "null", '{"site": "x", "steps": []}', "9" * 5000])
def test_a_file_that_is_no_draft_is_told_in_a_sentence(drafts: Demonstrations, text: str) -> None:
    name = drafts.begin(SITE)
    (drafts.folder / name / "draft.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="can't be read"):
        drafts.change(name, trail_draft.undo)


def test_one_torn_draft_hides_no_other(drafts: Demonstrations) -> None:
    names = [drafts.begin(SITE) for _ in range(3)]
    (drafts.folder / names[2] / "draft.json").write_text("{", encoding="utf-8")
    assert {name for name, _ in drafts.drafts(9)} == set(names[:2])
    assert len(drafts.drafts(1)) == 1
