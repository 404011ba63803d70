"""The last step of the demo: papers in topics from a few keywords, what they cite in groups, a search; and how right it is, by what the web knows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from trailmark.cli.printing import Printer
from trailmark.demo.paper_file import DemoPaper
from trailmark.demo.works import topics_of_areas
from trailmark.verbs.cited_groups import cited_groups
from trailmark.verbs.organise import organise
from trailmark.verbs.search import search
from trailmark.workspace import Workspace

QUERY = "+method error -robotics"
MOST = 1000


def organise_papers(out: Path, truth: Mapping[str, DemoPaper], printer: Printer) -> dict[str, Any]:
    """The workspace of the demo, and the papers in it -> topics and groups, counted right or wrong."""
    (out / "topics.json").write_text(json.dumps(topics_of_areas(), indent=1), encoding="utf-8")
    with Workspace.open(out / "workspace") as workspace:
        report = organise(workspace, out / "topics.json", progress=printer.progress)
        found = search(workspace, f"{QUERY} kind:paper", limit=3)
        papers = search(workspace, "kind:paper", limit=MOST).hits
        groups = cited_groups(workspace, most=MOST).groups
    topics = {hit.url: hit.topic or "" for hit in papers}
    right = sum(topics[url].endswith(f"/{paper.area.capitalize()}") for url, paper in truth.items() if url in topics)
    titles = {_letters(work.title) for paper in truth.values() for work in paper.cited}
    meant = [{_meant(reference.text, titles) for reference in group.references} - {""} for group in groups]
    works = [title for title in titles if any(title in group for group in meant)]
    whole = sum(sum(title in group for group in meant) == 1 and {title} in meant for title in works)
    counts = {
        "things": report.items,
        "papers_in_topics": len(topics),
        "topics_right": right,
        "references": report.references,
        "works_cited": len(works),
        "groups_right": whole,
        "found": found.total,
    }
    rows = [
        ("papers in their topic", right, len(topics)),
        ("cited works that are one group, and nothing else in it", whole, len(works)),
    ]
    printer.table("Organised", ["what", "right", "of"], rows)
    printer.say(f"   trailmark search '{QUERY} kind:paper' finds {found.total}:")
    for hit in found.hits:
        printer.say(f"   - {hit.title} ({hit.topic or 'no topic'})")
    return counts


def _letters(text: str) -> str:
    return "".join(sign for sign in text.lower() if sign.isalnum())


def _meant(text: str, titles: set[str]) -> str:
    """The title of the work that a reference means, by its letters; empty where that can't be told."""
    letters = _letters(text)
    return max((title for title in titles if title in letters), key=len, default="")
