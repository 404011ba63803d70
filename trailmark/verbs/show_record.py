"""The wiring of `trailmark show URL --record`: the records of a page, and where each of their values stood."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lxml import etree

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.read import normalise_url, parse_html
from trailmark.store.replay import Replay
from trailmark.workspace import Workspace
from trailmark.wrap import MAKER, rule_sentence

AROUND = 60
"""Characters of the page's text that are shown on either side of a value."""
WIDEST = 2_000
"""An element with more text than this is no surrounding that a person would read."""


def trace_records(workspace: Workspace, url: str, archives: Sequence[Path] = ()) -> dict[str, Any]:
    """Each record of the page with its values, the rule that found each, its place, and the text around it."""
    wanted = [url, normalise_url(url) or url]
    records = [record for each in dict.fromkeys(wanted) for record in workspace.database.records(url=each)]
    if not records:
        raise InputError(f"There is no record of {url} in {workspace.folder}; make records first: trailmark extract")
    with workspace.replay(archives, all_known=True) as replay:
        root = _tree(replay, records[0].url)
    rules = _sentences(workspace)
    return {
        "url": records[0].url,
        "page_at_hand": root is not None,
        "records": [_trace(record, root, rules.get(record.made_by, {})) for record in records],
    }


def _trace(record: Record, root: Any, rules: dict[str, str]) -> dict[str, Any]:
    values = []
    for name, found in record.fields.items():
        places = record.sources.get(name, ())
        for number, value in enumerate(found):
            place = places[number] if number < len(places) else ""
            values.append(
                {
                    "field": name,
                    "value": value,
                    "xpath": place,
                    "around": text_around(root, place, value),
                    "rule": rules.get(name, ""),
                }
            )
    return {"kind": record.kind, "made_by": record.made_by, "values": values}


def text_around(root: Any, xpath: str, value: str) -> str:
    """The words before and after the value on the page, the value in brackets; empty where the place is no longer there."""
    node = _node(root, xpath)
    if node is None:
        return ""
    holder = node if isinstance(node, etree._Element) else node.getparent()
    while holder.tag != "body" and holder.getparent() is not None and len(_text(holder)) < len(value) + AROUND:
        if len(_text(holder.getparent())) > WIDEST:
            break
        holder = holder.getparent()
    text = _text(holder)
    at = text.find(value)
    if at < 0:
        return text[: 2 * AROUND]
    before, after = text[:at], text[at + len(value) :]
    return f"{_end(before)}[{value}]{_start(after)}"


def _node(root: Any, xpath: str) -> Any:
    try:
        found = root.xpath(xpath) if root is not None and xpath else []
    except (etree.XPathError, ValueError):  # a control character is no XPath error
        return None
    return found[0] if isinstance(found, list) and found else None


def _text(element: Any) -> str:
    """What a person reads there: each text apart from the next, no scripts."""
    texts = element.xpath(".//text()[not(parent::script or parent::style)]")
    return " ".join(word for text in texts for word in text.split())


def _end(text: str) -> str:
    return text if len(text) <= AROUND else f"…{text[-AROUND:]}"


def _start(text: str) -> str:
    return text if len(text) <= AROUND else f"{text[:AROUND]}…"


def _tree(replay: Replay, url: str) -> Any:
    response = replay.fetch(url)
    return parse_html(response.body, response.header("content-type"))[0] if response.status == 200 else None


def _sentences(workspace: Workspace) -> dict[str, dict[str, str]]:
    """Maker -> field -> what its first rule looks for."""
    sets = workspace.rules().values() if workspace.has_rules() else ()
    return {
        f"{MAKER}{rules.id}": {each.name: rule_sentence(each.rules[0]) for each in rules.fields if each.rules}
        for rules in sets
    }
