"""Recordings of browsers: the trail that was clicked is recovered, detours and noise are left out, nothing crashes."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from trailmark.cli.main import cli
from trailmark.datatypes import Step, Trail
from trailmark.teach import Problem, Recording, parse_recording, parse_trails
from trailmark.workspace import Workspace

ROOT = "http://www.example.edu/"
PEOPLE = ROOT + "people/"
ADA = ROOT + "~ada/"
NEWS = ROOT + "news"


def navigate(url: str) -> dict[str, Any]:
    return {"type": "navigate", "url": url, "assertedEvents": [{"type": "navigation", "url": url, "title": ""}]}


def click(url: str | None, text: str = "") -> dict[str, Any]:
    selectors = [["#main > a"], [f'aria/{text}[role="link"]'], [f"text/{text}"]] if text else [["#main > a"]]
    events = [{"type": "navigation", "url": url, "title": "x"}] if url else []
    return {"type": "click", "target": "main", "selectors": selectors, "offsetX": 3, "assertedEvents": events}


def recorder(*steps: dict[str, Any]) -> str:
    return json.dumps({"title": "Recording", "steps": [{"type": "setViewport", "width": 800, "height": 600}, *steps]})


def entry(
    url: str,
    *,
    page: str = "page_1",
    status: int = 200,
    mime: str = "text/html",
    headers: dict[str, str] | None = None,
    text: str | None = None,
    at: int = 0,
    **more: Any,
) -> dict[str, Any]:
    content = {"mimeType": mime, "size": 1} | ({} if text is None else {"text": text})
    return {
        "startedDateTime": f"2024-05-01T10:00:{at:02d}.000Z",
        "pageref": page,
        "request": {
            "method": "GET",
            "url": url,
            "headers": [{"name": name, "value": value} for name, value in (headers or {}).items()],
        },
        "response": {"status": status, "headers": [], "content": content},
        **more,
    }


def har(*entries: dict[str, Any]) -> str:
    return json.dumps({"log": {"version": "1.2", "creator": {}, "pages": [], "entries": list(entries)}})


def recorded(text: str, **options: Any) -> Recording:
    found = parse_recording(text, "my.json", **options)
    assert isinstance(found, Recording)
    return found


def urls(text: str) -> list[list[str]]:
    return [[step.url for step in trail.steps] for trail in recorded(text).trails]


# --- the Recorder ------------------------------------------------------------------------------------------------


def test_clicks_of_the_recorder_become_a_trail_with_its_anchors() -> None:
    text = recorder(navigate(ROOT), click(PEOPLE, "People"), click(None), click(ADA, "Ada Lovelace"))
    steps = (Step(ROOT), Step(PEOPLE, anchor="People"), Step(ADA, "home page", "Ada Lovelace"))
    assert recorded(text, label="home page").trails == (Trail(ROOT, "goal", steps),)


def test_going_back_leaves_the_detour_out() -> None:
    assert urls(recorder(navigate(ROOT), click(NEWS), navigate(ROOT), click(PEOPLE), click(ADA))) == [
        [ROOT, PEOPLE, ADA]
    ]


def test_another_address_typed_begins_another_trail() -> None:
    other = "http://cs.example.org/"
    text = recorder(navigate(ROOT), click(PEOPLE), navigate(other), click(other + "staff"))
    assert urls(text) == [[ROOT, PEOPLE], [other, other + "staff"]]


def test_a_link_without_text_has_no_anchor() -> None:
    steps = recorded(recorder(navigate(ROOT), click(PEOPLE))).trails[0].steps
    assert steps[1].anchor is None


# --- network logs ------------------------------------------------------------------------------------------------


def test_pages_of_a_network_log_are_told_from_what_they_load() -> None:
    text = har(
        entry(ROOT, at=1),
        entry(ROOT + "style.css", mime="text/css", at=2),
        entry(ROOT + "frame.html", at=3),
        entry(PEOPLE, page="page_2", at=4),
        entry(ROOT + "data.json", page="page_2", mime="application/json", at=5),
        entry(ADA, page="page_3", at=6),
    )
    assert urls(text) == [[ROOT, PEOPLE, ADA]]


def test_where_the_browser_says_what_a_request_was_for_it_is_believed() -> None:
    document, frame = {"Sec-Fetch-Dest": "document"}, {"Sec-Fetch-Dest": "iframe"}
    text = har(
        entry(ROOT, headers=document, at=1),
        entry(NEWS, headers=frame, at=2),
        entry(PEOPLE, headers=document, at=3, mime="application/xhtml+xml"),
    )
    assert urls(text) == [[ROOT, PEOPLE]]


def test_a_redirect_is_one_step_and_entries_need_not_be_in_order() -> None:
    moved = entry(ROOT + "people", page="page_2", status=301, at=2)
    assert urls(har(entry(PEOPLE, page="page_2", at=3), moved, entry(ROOT, at=1))) == [[ROOT, PEOPLE]]


def test_a_referrer_tells_from_which_page_it_went_on() -> None:
    text = har(
        entry(ROOT, at=1),
        entry(NEWS, page="page_2", at=2, headers={"Referer": ROOT}),
        entry(PEOPLE, page="page_3", at=3, headers={"Referer": ROOT}),
        entry(ADA, page="page_4", at=4, headers={"Referer": PEOPLE}),
    )
    assert urls(text) == [[ROOT, PEOPLE, ADA]]


def test_pages_in_the_log_come_with_it() -> None:
    plain = entry(ROOT, text="<a href=/people/>Leute \u00fc</a>", at=1)
    packed = entry(PEOPLE, page="page_2", text=base64.b64encode(b"<p>x").decode(), at=2)
    packed["response"]["content"]["encoding"] = "base64"
    unvisited = entry(ROOT + "frame.html", text="<p>frame", at=3)
    found = recorded(har(plain, packed, unvisited)).responses
    assert [(each.url, each.body.decode()) for each in found] == [
        (ROOT, "<a href=/people/>Leute \u00fc</a>"),
        (PEOPLE, "<p>x"),
    ]
    assert found[0].header("content-type") == "text/html; charset=utf-8"


# --- what is no recording ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "{",
        '{"log": 3}',
        '{"steps": [3]}',
        json.dumps({"site": ROOT, "outcome": "goal", "steps": [{"url": ROOT, "label": None}]}),
    ],
)
def test_other_files_are_left_to_others(text: str) -> None:
    assert parse_recording(text, "my.json") is None


def test_a_trails_file_of_one_line_is_still_a_trails_file() -> None:
    line = json.dumps({"site": ROOT, "outcome": "goal", "steps": [{"url": ROOT, "label": None}]})
    assert parse_recording(line, "my.jsonl") is None
    assert len(parse_trails([line], "my.jsonl")[0]) == 1


@pytest.mark.parametrize("text", [recorder(), recorder(navigate(ROOT)), recorder(navigate("chrome://newtab/")), har()])
def test_a_recording_without_a_click_is_named(text: str) -> None:
    found = parse_recording(text, "my.json")
    assert isinstance(found, Problem)
    assert "record again" in found.reason


KEYS = [
    "type",
    "url",
    "steps",
    "selectors",
    "assertedEvents",
    "request",
    "response",
    "content",
    "text",
    "headers",
    "name",
    "value",
    "status",
    "mimeType",
    "encoding",
    "pageref",
    "startedDateTime",
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from([ROOT, "text/html", "navigate"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(KEYS),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@pytest.mark.slow
@given(st.lists(JSON, max_size=6), st.booleans())
def test_no_recording_makes_it_crash(entries: list[Any], as_log: bool) -> None:
    text = json.dumps({"log": {"entries": entries}} if as_log else {"steps": entries})
    found = parse_recording(text, "my.json")
    assert found is None or isinstance(found, Recording | Problem)


# --- the verb ----------------------------------------------------------------------------------------------------


def test_a_network_log_teaches_without_a_single_fetch(tmp_path: Path) -> None:
    Workspace.create(tmp_path / "w").close()
    log = tmp_path / "clicks.har"
    log.write_text(
        har(
            entry(ROOT, text="<a href=/people/>People</a>", at=1),
            entry(PEOPLE, page="page_2", text="<a href=/~ada/>Ada</a>", at=2),
            entry(ADA, page="page_3", text="<h1>Ada</h1>", at=3),
        )
    )
    told = CliRunner().invoke(cli, ["-w", str(tmp_path / "w"), "teach", str(log), "--label", "person", "--json"])
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["trails"] == 1
    with Workspace.open(tmp_path / "w") as workspace:
        (trail,) = workspace.database.trails()
    assert [(step.url, step.label, step.anchor) for step in trail.steps] == [
        (ROOT, None, None),
        (PEOPLE, None, "People"),
        (ADA, "person", "Ada"),
    ]
