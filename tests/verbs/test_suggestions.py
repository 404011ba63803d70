"""What the public sends in."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import SITE, SmallWeb
from tests.serve.app_visitor import Visitor
from trailmark.errors import InputError
from trailmark.forage.suggested_url import suggested_url
from trailmark.serve.options import Options
from trailmark.settings import ForageSettings
from trailmark.store import suggestion_box
from trailmark.store.suggestion_box import open_box
from trailmark.verbs import suggestions as module
from trailmark.verbs.suggestions import plain_text, report_mistake, sender_digest, suggest_address, suggestions
from trailmark.workspace import Workspace

SETTINGS = ForageSettings()
FORBIDDEN = [
    "", "   ", "ftp://example.org/", "javascript:alert(1)", "file:///etc/passwd", "http://localhost/", "http://a.localhost/", "http://127.0.0.1/",
    "http://127.1/", "http://2130706433/", "http://0x7f.1/", "http://0x7f000001/", "http://10.0.0.7/", "http://169.254.169.254/latest/",
    "http://[::1]/", "http://[::ffff:10.0.0.1]/", "http://intranet/", "http://user:secret@example.org/", "http://example.org:22/",
    "http://example.org:4711/", "http://example.org:99999/", "http://" + "a" * 3000 + ".org/", "x" * 20_000, "http://", "http:///x",
]  # fmt: skip


@pytest.mark.parametrize("text", FORBIDDEN)
def test_what_the_forager_would_never_ask_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        suggest_address(tmp_path, SETTINGS, text, "", "me")
    assert not (tmp_path / "suggestions.db").exists()


@given(st.text(max_size=80))
def test_whatever_is_typed_is_an_address_or_is_refused(text: str) -> None:
    try:
        url = suggested_url(text, SETTINGS)
    except InputError:
        return
    assert url.startswith(("http://", "https://"))
    assert suggested_url(url, SETTINGS) == url


def test_a_public_address_is_taken_once(tmp_path: Path) -> None:
    first = suggest_address(tmp_path, SETTINGS, " Example.ORG/a ", "Our papers\u202e\x00", "me")
    again = suggest_address(tmp_path, SETTINGS, "http://example.org/a", "other words", "you")
    paper = suggest_address(tmp_path, SETTINGS, "https://example.org/p.pdf", "", "me")
    assert (first.kind, first.new, again.new, again.id) == ("site", True, False, first.id)
    assert paper.kind == "document"
    with open_box(tmp_path) as box:
        (_, kept) = box.list()
    assert (kept.url, kept.text, kept.decision) == ("http://example.org/a", "Our papers", "waiting")


def test_there_is_room_for_so_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(module.MOST_A_DAY):
        suggest_address(tmp_path, SETTINGS, f"http://example.org/{number}", "", "me")
    with pytest.raises(InputError, match="in a day"):
        suggest_address(tmp_path, SETTINGS, "http://example.org/more", "", "me")
    suggest_address(tmp_path, SETTINGS, "http://example.org/more", "", "you")
    monkeypatch.setattr(suggestion_box, "MOST_WAITING", 21)
    with pytest.raises(InputError, match="no room"):
        suggest_address(tmp_path, SETTINGS, "http://example.org/still", "", "somebody")


def test_many_at_once_are_all_kept(tmp_path: Path) -> None:
    def send(sender: int) -> None:
        for number in range(10):
            suggest_address(tmp_path, SETTINGS, f"http://example.org/{sender}/{number}", "", str(sender))

    crowd = [threading.Thread(target=send, args=(sender,)) for sender in range(6)]
    for each in crowd:
        each.start()
    for each in crowd:
        each.join()
    with open_box(tmp_path) as box:
        assert len(box.list()) == 60


def test_what_was_decided_long_ago_makes_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggestion_box, "MOST_KEPT", 3)
    with open_box(tmp_path) as box:
        for number in range(6):
            put, _ = box.put("site", f"http://example.org/{number}", "", "", str(number), most_of_sender=5)
            box.decide(put, "refused" if number else "waiting")
        assert [each.url[-1] for each in box.list()] == ["5", "4", "0"]


def test_a_sender_is_known_for_a_day_and_not_by_name() -> None:
    morning, evening, tomorrow = (datetime(2020, 1, day, hour, tzinfo=UTC) for day, hour in ((1, 3), (1, 20), (2, 3)))
    digest = sender_digest(b"key", "192.0.2.1", morning)
    assert digest == sender_digest(b"key", "192.0.2.1", evening)
    assert digest != sender_digest(b"key", "192.0.2.1", tomorrow)
    assert digest != sender_digest(b"other", "192.0.2.1", morning)
    assert "192" not in digest


@given(st.text())
def test_texts_are_plain_and_bounded(text: str) -> None:
    made = plain_text(text)
    assert len(made) <= module.LONGEST_TEXT
    assert all(letter.isprintable() or letter == "\n" for letter in made)
    assert plain_text(made) == made


def test_a_mistake_needs_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="what is wrong"):
        report_mistake(tmp_path, "key", "/item/key", " \n ", "me")
    assert report_mistake(tmp_path, "key", "/item/key", "It is no paper", "me").new
    assert not report_mistake(tmp_path, "key", "/item/key", "It is no paper", "me").new


def test_the_owner_accepts_and_it_is_walked(trailmark: Any, workspace: Path, small_web: SmallWeb) -> None:
    file = small_web.file(*small_web.good())
    assert trailmark("-w", workspace, "teach", file, "--replay", small_web.archive).code == 0
    assert trailmark("-w", workspace, "learn", "--quick").code == 0
    suggest_address(workspace, SETTINGS, SITE, "<b>look</b>", "me")
    suggest_address(workspace, SETTINGS, "http://elsewhere.example/", "", "me")
    visitor = Visitor(workspace, Options(archives=(small_web.archive,)))
    shown = visitor.get("/suggestions").text
    assert "&lt;b&gt;look&lt;/b&gt;" in shown
    assert "2 suggestions of the public wait" in visitor.get("/updates").text
    visitor.post("/suggestions", do="refuse", id="2")
    visitor.post("/suggestions", do="accept", id="1", now="yes")
    (job,) = visitor.state.jobs.all()
    assert visitor.wait(job.id)["state"] == "done"
    with Workspace.open(workspace) as opened:
        refused, done = suggestions(opened)
    assert (refused.decision, done.decision) == ("refused", "done")
    assert "1 goal found" in done.outcome
    assert "There is no suggestion 9" in visitor.said(visitor.post("/suggestions", do="accept", id="9"))
    assert len(visitor.get("/api/suggestions").json()["suggestions"]) == 2
