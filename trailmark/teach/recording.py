"""What a browser recorded -> the trail that was clicked.

Two kinds of file are understood: the JSON that Chrome's DevTools Recorder exports (steps, selectors and the navigations they
caused; no pages) and HAR, the network log that every browser can save (requests in order, often with the pages themselves).

A person who records goes back and tries another link. A page that is visited again cuts the trail back to it, so that what is
left is the way without its detours. The last page is the goal: a recording is made to show the way to something.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from trailmark.datatypes import Response, Step, Trail
from trailmark.read import normalise_url
from trailmark.read.written_lines import Problem
from trailmark.teach.har import har_pages
from trailmark.teach.recorded_page import RecordedPage
from trailmark.teach.recorder import recorder_pages

NOTHING = "no page was visited in it: record again, from the first page to the page you want"


@dataclass(frozen=True, slots=True)
class Recording:
    """The trails of a recording and the pages that came with it."""

    trails: tuple[Trail, ...]
    responses: tuple[Response, ...] = ()


def parse_recording(text: str, source: str, *, label: str | None = None) -> Recording | Problem | None:
    """The text of a file -> the recording in it; None where it is something else; a problem where it can't be used.

    `label` names the last page of each trail.
    """
    value = _json(text)
    if not isinstance(value, dict):
        return None
    if isinstance(log := value.get("log"), dict) and isinstance(entries := log.get("entries"), list):
        pages, responses = har_pages(entries)
    elif _is_recorder(value.get("steps")):
        pages, responses = recorder_pages(value["steps"]), ()
    else:
        return None
    trails = tuple(_labelled(trail, label) for trail in trails_of(pages))
    if not trails:
        return Problem(source, 1, NOTHING)
    wanted = {step.url for trail in trails for step in trail.steps}
    return Recording(trails, tuple(response for response in responses if response.url in wanted))


def _json(text: str) -> Any:
    try:
        return json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None


def _is_recorder(steps: object) -> bool:
    """Steps of the Recorder have a type; those of a trail have none."""
    return isinstance(steps, list) and any(
        isinstance(step, dict) and isinstance(step.get("type"), str) for step in steps
    )


def trails_of(pages: Iterable[RecordedPage]) -> list[Trail]:
    """Visits in order -> trails: one for each start that led somewhere, without detours."""
    ways: list[dict[str, Step]] = []
    for page in pages:
        url = normalise_url(page.url)
        if url is None:
            continue
        before = None if page.came_from is None else normalise_url(page.came_from)
        way = ways[-1] if ways else {}
        if url in way:
            _go_back(way, url)
        elif not way or (page.typed and before is None):
            ways.append({url: Step(url)})
        else:
            if before in way:
                _go_back(way, before)
            way[url] = Step(url, anchor=page.anchor)
    return [Trail(next(iter(way)), "goal", tuple(way.values())) for way in ways if len(way) > 1]


def _go_back(way: dict[str, Step], url: str) -> None:
    """Forget the steps behind a page: each is forgotten once, however often one goes back."""
    while next(reversed(way)) != url:
        way.popitem()


def _labelled(trail: Trail, label: str | None) -> Trail:
    last = replace(trail.steps[-1], label=label)
    return replace(trail, steps=(*trail.steps[:-1], last))
