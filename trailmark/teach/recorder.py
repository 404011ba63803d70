"""Steps of Chrome's DevTools Recorder -> the pages that were visited.

A `navigate` step is an address that was typed; a click names what was clicked by several selectors, of which `aria/...` and
`text/...` hold the link's text, and asserts the navigation that it caused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from trailmark.teach.recorded_page import RecordedPage

CLICKS = ("click", "doubleClick", "keyDown", "keyUp", "change")
_TEXT_SELECTORS = ("text/", "aria/")
MOST_ANCHOR = 500


def recorder_pages(steps: Sequence[Any]) -> list[RecordedPage]:
    """The pages in order; steps that went nowhere are passed over."""
    return [page for step in steps if isinstance(step, dict) for page in _pages_of(step)]


def _pages_of(step: dict[str, Any]) -> Iterator[RecordedPage]:
    kind = step.get("type")
    if kind == "navigate" and isinstance(step.get("url"), str):
        # The event says where it ended, after redirects.
        yield RecordedPage(_navigated(step) or step["url"], typed=True)
    elif kind in CLICKS and (url := _navigated(step)):
        yield RecordedPage(url, anchor=_anchor(step.get("selectors")))


def _navigated(step: dict[str, Any]) -> str | None:
    events = step.get("assertedEvents")
    found = [
        event["url"]
        for event in (events if isinstance(events, list) else [])
        if isinstance(event, dict) and event.get("type") == "navigation" and isinstance(event.get("url"), str)
    ]
    return found[-1] if found else None


def _anchor(selectors: Any) -> str | None:
    """What the link says, by the selectors that quote it; `aria/Name[role=...]` names the role too."""
    for selector in selectors if isinstance(selectors, list) else []:
        # A selector through shadow roots is a list of parts; the last part is the link.
        last = selector[-1] if isinstance(selector, list) and selector else selector
        if isinstance(last, str) and last.startswith(_TEXT_SELECTORS):
            text = last.partition("/")[2].partition("[role=")[0].strip()
            if text:
                return text[:MOST_ANCHOR]
    return None
