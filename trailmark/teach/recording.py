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
from trailmark.teach.har import har_visits
from trailmark.teach.problem import Problem
from trailmark.teach.recorder import recorder_visits
from trailmark.teach.visit import Visit

NOTHING = "no page was visited in it: record again, from the first page to the page you want"


@dataclass(frozen=True, slots=True)
class Recording:
    """The trails of a recording and the pages that came with it."""

    trails: tuple[Trail, ...]
    responses: tuple[Response, ...] = ()


def parse_recording(text: str, source: str, *, label: str | None = None) -> Recording | Problem | None:
    """The recording in a file; None where the file is something else; a problem where it is one that can't be used.

    `label` names the last page of each trail.
    """
    kept = _json(text)
    if not isinstance(kept, dict):
        return None
    if isinstance(log := kept.get("log"), dict) and isinstance(log.get("entries"), list):
        visits, responses = har_visits(log)
    elif _is_recorder(kept.get("steps")):
        visits, responses = recorder_visits(kept["steps"]), ()
    else:
        return None
    trails = tuple(_labelled(trail, label) for trail in trails_of(visits))
    if not trails:
        return Problem(source, 1, NOTHING)
    wanted = {step.url for trail in trails for step in trail.steps}
    return Recording(trails, tuple(each for each in responses if each.url in wanted))


def _json(text: str) -> Any:
    try:
        return json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None


def _is_recorder(steps: Any) -> bool:
    """Steps of the Recorder have a type; those of a trail have none."""
    return isinstance(steps, list) and any(
        isinstance(step, dict) and isinstance(step.get("type"), str) for step in steps
    )


def trails_of(visits: Iterable[Visit]) -> list[Trail]:
    """Visits in order -> trails: one for each start that led somewhere, without detours."""
    ways: list[dict[str, Step]] = []
    for visit in visits:
        url = normalise_url(visit.url)
        if url is None:
            continue
        before = None if visit.came_from is None else normalise_url(visit.came_from)
        way = ways[-1] if ways else {}
        if url in way:
            _go_back(way, url)
        elif not way or (visit.typed and before is None):
            ways.append({url: Step(url)})
        else:
            if before in way:
                _go_back(way, before)
            way[url] = Step(url, anchor=visit.anchor)
    return [Trail(next(iter(way)), "goal", tuple(way.values())) for way in ways if len(way) > 1]


def _go_back(way: dict[str, Step], url: str) -> None:
    """Forget the steps behind a page: each is forgotten once, however often one goes back."""
    while next(reversed(way)) != url:
        way.popitem()


def _labelled(trail: Trail, label: str | None) -> Trail:
    last = replace(trail.steps[-1], label=label)
    return replace(trail, steps=(*trail.steps[:-1], last))
