"""Topics in the app: written, drafted, looked at, and things moved to where they belong."""

from __future__ import annotations

from pathlib import Path

from tests.organise.test_things import TOPICS, keep, record
from tests.organise.test_topics import ITEMS
from tests.serve.app_visitor import Visitor, wait_for
from trailmark.organise.thing import thing_key
from trailmark.workspace import Workspace

HOSTILE = "<script>alert(1)</script>"


def lifted(folder: Path) -> None:
    with Workspace.open(folder) as workspace:
        keep(workspace, [record(f"http://a.example/{item.id}", title=item.id, body=item.text) for item in ITEMS])
        keep(workspace, [record("http://a.example/odd", title=HOSTILE, body="anchor wing")])


def organised(visitor: Visitor) -> None:
    """Keep the topics, and wait until the job has ended."""
    visitor.post("/topics", do="save", topics=TOPICS)
    wait_for(lambda: not visitor.state.jobs.active("organise"))


def test_topics_that_were_written_are_filled_and_a_thing_is_moved_and_brought_back(
    folder: Path, visitor: Visitor
) -> None:
    lifted(folder)
    organised(visitor)
    shown = visitor.get("/topics?topic=all/sea").text
    assert "all/sea" in shown
    assert "sea3" in shown
    key = thing_key("item", "http://a.example/sea3", "sea3")
    answer = visitor.post("/topics", do="move", key=key, topic="all/sky", back="/topics")
    assert visitor.said(answer) == "Moved. It can be undone under History."
    wait_for(lambda: not visitor.state.jobs.active("organise"))
    things = visitor.http.get("/api/topics", params={"topic": "all/sky"}, headers=visitor.bearer()).json()["things"]
    assert "sea3" in [thing["title"] for thing in things]
    assert "to all/sky" in visitor.get("/history").text


def test_a_mistake_in_the_file_is_said_and_what_was_typed_stays(folder: Path, visitor: Visitor) -> None:
    lifted(folder)
    answer = visitor.post("/topics", do="save", topics='{"name": "all", "children": [{"name": "my sea"}]}')
    assert "line 1: &#39;my sea&#39; has no keywords" in answer.text
    assert "my sea&#34;}]}" in answer.text
    assert not (folder / "topics.json").exists()


def test_a_draft_stands_in_the_box_and_is_not_kept_until_it_is(folder: Path, visitor: Visitor) -> None:
    lifted(folder)
    answer = visitor.post("/topics", do="draft", topics="")
    assert "not kept yet" in answer.text
    assert "&#34;keywords&#34;" in answer.text
    assert not (folder / "topics.json").exists()


def test_without_records_or_topics_the_page_says_what_to_do(visitor: Visitor) -> None:
    assert "A tree of names with keywords" in visitor.get("/topics").text
    assert (
        visitor.said(visitor.post("/topics", do="draft", topics=""))
        == "There are no records to organise; lift some first under Data."
    )


def test_hostile_titles_and_topics_are_text(folder: Path, visitor: Visitor) -> None:
    lifted(folder)
    organised(visitor)
    for topic in ("-", "?", "all/sea", "all/sky", HOSTILE, "' OR 1=1 --", "\x00"):
        shown = visitor.get("/topics", params={"topic": topic})
        assert shown.status_code == 200
        assert HOSTILE not in shown.text
    assert visitor.said(visitor.post("/topics", do="move", key="' OR 1=1", topic=HOSTILE))
