"""`trailmark show URL --record`: a URL -> the records of the page, and where each of their values stood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.read import normalise_url, parse_html
from trailmark.report import Report
from trailmark.store.archive_names import path_named
from trailmark.store.replay import Replay
from trailmark.workspace import Workspace
from trailmark.wrap import MAKER, rule_sentence

AROUND = 60
"""Characters of the page's text that are shown on either side of a value."""
WIDEST = 2_000
"""An element with more text than this is no surrounding that a person would read."""


@dataclass(frozen=True)
class ValueTrace(Report):
    """A value of a record, where it stood, and what found it."""

    field: str
    value: str
    xpath: str
    """Empty where its place was not noted."""
    around: str
    """The text around it; empty where the page is not at hand."""
    rule: str


@dataclass(frozen=True)
class RecordTrace(Report):
    """A record with its values."""

    kind: str
    made_by: str
    values: tuple[ValueTrace, ...]


@dataclass(frozen=True)
class RecordReport(Report):
    """The records of a page."""

    url: str
    page_at_hand: bool
    records: tuple[RecordTrace, ...]


def trace_records(workspace: Workspace, url: str, archives: Sequence[str | Path] = ()) -> RecordReport:
    """A URL -> each record of the page with its values, the rule that found each, its place, and the text around it."""
    spellings = dict.fromkeys((url, normalise_url(url) or url))
    records = [record for spelling in spellings for record in workspace.database.records(url=spelling)]
    if not records:
        raise InputError(f"There is no record of {url} in {workspace.folder}; make records first: trailmark extract")
    with workspace.replay([path_named(archive) for archive in archives], all_known=True) as replay:
        root = _tree(replay, records[0].url)
    rules = rule_sentences(workspace)
    traces = tuple(RecordTrace(r.kind, r.made_by, _values(r, root, rules.get(r.made_by, {}))) for r in records)
    return RecordReport(records[0].url, root is not None, traces)


def _values(record: Record, root: Any, rules: Mapping[str, str]) -> tuple[ValueTrace, ...]:
    traces = []
    for name, values in record.fields.items():
        places = record.sources.get(name, ())
        for number, value in enumerate(values):
            place = places[number] if number < len(places) else ""
            traces.append(ValueTrace(name, value, place, text_around(root, place, value), rules.get(name, "")))
    return tuple(traces)


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
        nodes = root.xpath(xpath) if root is not None and xpath else []
    except (etree.XPathError, ValueError):  # a control character is no XPath error
        return None
    return nodes[0] if isinstance(nodes, list) and nodes else None


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


def rule_sentences(workspace: Workspace) -> dict[str, dict[str, str]]:
    """Maker -> field -> what its first rule looks for."""
    sets = workspace.rules().values() if workspace.has_rules() else ()
    return {
        f"{MAKER}{rules.id}": {field.name: rule_sentence(field.rules[0]) for field in rules.fields if field.rules}
        for rules in sets
    }
