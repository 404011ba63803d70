"""Steps of Chrome's DevTools Recorder -> the pages that were visited.

A `navigate` step is an address that was typed; a click names what was clicked by several selectors, of which `aria/...` and
`text/...` hold the link's text, and asserts the navigation that it caused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trailmark.teach.recorded_page import RecordedPage

CLICKS = ("click", "doubleClick", "keyDown", "keyUp", "change")
_TEXT_SELECTORS = ("text/", "aria/")
MOST_ANCHOR = 500


def recorder_pages(steps: Sequence[object]) -> list[RecordedPage]:
    """Steps of a recording -> the pages in order; steps that went nowhere are passed over."""
    return [page for step in steps if isinstance(step, dict) for page in _pages_of(step)]


def _pages_of(step: Mapping[str, object]) -> Iterator[RecordedPage]:
    kind, typed = step.get("type"), step.get("url")
    if kind == "navigate" and isinstance(typed, str):
        # The event says where it ended, after redirects.
        yield RecordedPage(_navigated(step) or typed, typed=True)
    elif kind in CLICKS and (url := _navigated(step)):
        yield RecordedPage(url, anchor=_anchor(step.get("selectors")))


def _navigated(step: Mapping[str, object]) -> str | None:
    events = step.get("assertedEvents")
    urls = [
        event["url"]
        for event in (events if isinstance(events, list) else [])
        if isinstance(event, dict) and event.get("type") == "navigation" and isinstance(event.get("url"), str)
    ]
    return urls[-1] if urls else None


def _anchor(selectors: object) -> str | None:
    """What the link says, by the selectors that quote it; `aria/Name[role=...]` names the role too."""
    for selector in selectors if isinstance(selectors, list) else []:
        # A selector through shadow roots is a list of parts; the last part is the link.
        last = selector[-1] if isinstance(selector, list) and selector else selector
        if isinstance(last, str) and last.startswith(_TEXT_SELECTORS):
            text = last.partition("/")[2].partition("[role=")[0].strip()
            if text:
                return text[:MOST_ANCHOR]
    return None
