"""What docs/reference/python.md says beside the docstrings: in which order names stand, and an example for each verb.

The examples are run by tests/house/test_documents.py, like every other example of the documents.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import trailmark

FLOW = (
    "teach", "ask", "suggest", "answer", "learn", "explain", "forage", "check", "cluster", "wrap", "propose", "extract", "shape", "export", "monitor", "tag",
    "course", "package", "recommend", "draft", "organise", "search", "show", "status", "forget", "undo",
)  # fmt: skip
"""Verbs in the order in which a project needs them."""
WORKSPACE = ("open", "create", "Workspace", "Settings", "parse_settings", "TrailmarkError")
READING = ("read_archive", "Replay", "read_page", "normalise_url", "url_words")

EXAMPLES = {
    "open": """
import trailmark

with trailmark.open("my-project") as workspace:
    print(workspace.folder, workspace.settings.forage.budget)
""",
    "create": """
import trailmark

with trailmark.create("a-new-project") as workspace:
    print(trailmark.status(workspace))
""",
    "teach": """
from pathlib import Path

import trailmark

web = Path("demo-out/web")
with trailmark.open("my-project") as workspace:
    report = trailmark.teach(workspace, [web / "demo.trails.course.jsonl"], [web / "demo.warc.gz"])
""",
    "learn": """
import trailmark

with trailmark.open("my-project") as workspace:
    report = trailmark.learn(workspace, goal="course", choose_recipe=False)
    navigator = workspace.navigator("course")
""",
    "forage": """
from pathlib import Path

import trailmark

seeds = ["http://cs-elmport.test/"]
with trailmark.open("my-project") as workspace:
    run = trailmark.forage(workspace, seeds, archives=[Path("demo-out/web/demo.warc.gz")], budget=60)
""",
    "cluster": """
from pathlib import Path

import trailmark

with trailmark.open("shop") as workspace:
    report = trailmark.cluster(workspace, [Path("shop.warc.gz")])
    for known in workspace.clusters():
        print(known.cluster.id, len(known.cluster.pages))
""",
    "wrap": """
import trailmark

with trailmark.open("shop") as workspace:
    report = trailmark.wrap(workspace)
    for cluster, rules in workspace.rules().items():
        print(cluster, rules)
""",
    "extract": """
from pathlib import Path

import trailmark

with trailmark.open("shop") as workspace:
    report = trailmark.extract(workspace, out=Path("items.csv"))
    for record in workspace.database.records():
        print(record.url, record.fields)
""",
    "shape": """
import trailmark

with trailmark.open("shop") as workspace:
    report = trailmark.shape(workspace, "type", "price", form="price")
    print(report.acts[-1].sentence, report.changed)
    trailmark.undo(workspace, report.acts[-1].id)
""",
    "export": """
from pathlib import Path

import trailmark

with trailmark.open("shop") as workspace:
    report = trailmark.export(workspace, Path("items.jsonl"))
""",
    "monitor": """
from pathlib import Path

import trailmark

with trailmark.open("shop") as workspace:
    report = trailmark.monitor(workspace, [Path("today.warc.gz")], repair=True)
""",
    "organise": """
import json
from pathlib import Path

import trailmark

topics = {
    "name": "Goods",
    "children": [{"name": "Trees", "keywords": ["cedar", "birch"]}, {"name": "Stones", "keywords": ["amber", "flint"]}],
}
Path("topics.json").write_text(json.dumps(topics))
with trailmark.open("shop") as workspace:
    report = trailmark.organise(workspace, "topics.json")
    print(report.items, [(topic.id, topic.items) for topic in report.topics])
""",
    "search": """
import trailmark

with trailmark.open("shop") as workspace:
    for hit in trailmark.search(workspace, "+cedar birch", limit=5).hits:
        print(hit.title, hit.url)
""",
    "tag": """
import trailmark

with trailmark.create("papers") as workspace:
    report = trailmark.tag(workspace, archives=["site.warc.gz"], out="papers.bib")
    print(report.papers, report.references)
""",
    "course": """
import trailmark

with trailmark.create("teaching") as workspace:
    report = trailmark.course(workspace, ["http://www.example.edu/cs101/"], ["course.warc.gz"])
    for course in report.courses:
        print(course.number, course.term, dict(course.types))
""",
    "package": """
import trailmark

with trailmark.open("teaching") as workspace:
    for made in trailmark.package(workspace, "packages", form="imscc").packages:
        print(made.title, made.file, made.items, made.copies, made.faults)
""",
    "recommend": """
import trailmark

with trailmark.open("teaching") as workspace:
    found = trailmark.recommend(workspace, "http://www.example.edu/cs101/trees.html", limit=3, sentences=2)
    print(*found.abstract)
    for item in found.recommended:
        print(item.title, item.url, item.shared)
""",
    "draft": """
import trailmark

with trailmark.open("teaching") as workspace:
    report = trailmark.draft(workspace, "Data structures", "1. Binary search trees\\n2. Hash tables")
    for week in report.weeks:
        print(week.title, [item.title for item in week.items])
    trailmark.package(workspace, "packages", drafts=[report.file])
""",
    "ask": """
import trailmark


def answer_to(question, asking):
    print(asking.titles[question.url], question.chance)
    return ""  # or "goal", "fail", a name; "" skips, None stops


with trailmark.open("my-project") as workspace:
    report = trailmark.ask(workspace, 2, answer_to, ["demo-out/web/demo.warc.gz"], goal="course")
""",
    "check": """
import trailmark

with trailmark.open("my-project") as workspace:
    report = trailmark.check(workspace, lambda question, so_far: "goal" if "pub" in question.url else "fail", count=5)
    print(report.answers, report.share, report.low, report.high)
""",
    "suggest": """
import trailmark

with trailmark.open("my-project") as workspace:
    report = trailmark.suggest(workspace, 3, ["demo-out/web/demo.warc.gz"], goal="course")
    for question in report.questions:
        print(question.url, question.chance)
""",
    "answer": """
import trailmark

with trailmark.open("my-project") as workspace:
    question = trailmark.suggest(workspace, 3, ["demo-out/web/demo.warc.gz"], goal="course").questions[0]
    report = trailmark.answer(workspace, question.url, "fail", ["demo-out/web/demo.warc.gz"])
""",
    "explain": """
import trailmark

with trailmark.open("my-project") as workspace:
    report = trailmark.explain(workspace, "http://cs-alderbridge.test/", ["demo-out/web/demo.warc.gz"], goal="course")
    print(report.page.label, report.page.goal_probability)
""",
    "propose": """
import trailmark

with trailmark.open("books") as workspace:
    trailmark.cluster(workspace, ["new-shop.warc.gz"])
    report = trailmark.propose(workspace)
""",
    "show": """
import trailmark

with trailmark.open("my-project") as workspace:
    report = trailmark.show(workspace, "http://cs-alderbridge.test/", ["demo-out/web/demo.warc.gz"])
    print(report.page.title, len(report.page.links))
""",
    "forget": """
import trailmark

with trailmark.open("my-project") as workspace:
    report = trailmark.forget(workspace, "trails", [1])
    print(report.resting)
    trailmark.undo(workspace, report.act)
""",
    "undo": """
import trailmark

with trailmark.open("my-project") as workspace:
    trailmark.forget(workspace, "trails", [1])
    report = trailmark.undo(workspace)
    print(report.summary, [thing.renew for thing in report.stale])
""",
    "status": """
import trailmark

with trailmark.open("my-project") as workspace:
    print(trailmark.status(workspace))
""",
}


def public(name: str) -> Any:
    """What a public name stands for; of a verb, the function that the room of that name calls."""
    value = getattr(trailmark, name)
    if isinstance(value, ModuleType):
        return getattr(importlib.import_module(f"trailmark.verbs.{name}"), name)
    return value


def verbs() -> list[str]:
    """Public verbs, in the order of the flow; others after them."""
    names = [name for name in trailmark.__all__ if public(name).__class__.__name__ == "function" and _is_verb(name)]
    return sorted(names, key=lambda name: (FLOW.index(name) if name in FLOW else len(FLOW), name))


def _is_verb(name: str) -> bool:
    return str(public(name).__module__).startswith("trailmark.verbs.")


def groups() -> list[tuple[str, str, list[str]]]:
    """(title, words, names) of every group of public names; each name stands in one of them."""
    first = [*verbs(), *WORKSPACE, *READING]
    strategy = [name for name in trailmark.__all__ if _home(name) == "trailmark.strategy" or name == "Navigator"]
    rest = [name for name in trailmark.__all__ if name not in (*first, *strategy)]
    return [
        ("Verbs", "One function a command. Each takes an open workspace and gives a report of what was done.", verbs()),
        ("Workspaces and settings", "A workspace is a folder with all that one project taught, fetched and learnt.", [*WORKSPACE]),
        ("Strategies", "What is needed to [write a strategy of one's own](../how-to/forage.md#write-a-strategy-of-your-own).", strategy),
        ("Reading", "From archives and bytes to pages, without a workspace.", [*READING]),
        ("What travels", "Frozen values without behaviour, and what verbs report.", rest),
    ]  # fmt: skip


def _home(name: str) -> str:
    value = public(name)
    return str(getattr(value, "__module__", type(value).__module__))
