"""Answers that are no HTML, and JSON that pages carry, each a folder under `answers/`: `inputs/` with the pages, their `headers.json` and the
`annotations.jsonl`, and `output.json` with the records that rules learnt from them lift off every page.

Edit a page or add a folder, then write what is lifted now and look at the difference:

    python tests/wrap/answer_fixtures.py            # every folder
    python tests/wrap/answer_fixtures.py rss        # one of them
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from trailmark.datatypes import Annotation
from trailmark.read import parse_html
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules

FOLDER = Path(__file__).parent / "answers"
CLUSTER = "a.example/1"

Records = dict[str, list[dict[str, list[str]]]]


def names() -> list[str]:
    return sorted(folder.name for folder in FOLDER.iterdir() if (folder / "inputs").is_dir())


def content_type(name: str) -> str:
    headers = json.loads((FOLDER / name / "inputs" / "headers.json").read_text(encoding="utf-8"))
    return str(headers["Content-Type"])


def bodies(name: str) -> dict[str, bytes]:
    """The pages by their URL."""
    files = sorted(file for file in (FOLDER / name / "inputs").iterdir() if file.stem.isdigit())
    return {f"http://a.example/{file.stem}": file.read_bytes() for file in files}


def table(body: bytes, kind: str) -> NodeTable:
    return NodeTable(parse_html(body, kind)[0])


def learnt(name: str) -> RuleSet:
    lines = (FOLDER / name / "inputs" / "annotations.jsonl").read_text(encoding="utf-8").splitlines()
    marks = [Annotation(**json.loads(line)) for line in lines]
    pages = {url: table(body, content_type(name)) for url, body in bodies(name).items()}
    return learn_rules(
        CLUSTER, [AnnotatedPage(page, tuple(mark for mark in marks if mark.url == url)) for url, page in pages.items()]
    )


def output(name: str, rules: RuleSet) -> Records:
    """What the rules lift off each page."""
    pages = {url: table(body, content_type(name)) for url, body in bodies(name).items()}
    return {
        url: [{field: list(values) for field, values in record.fields.items()} for record in rules.records(url, page)]
        for url, page in pages.items()
    }


def expected(name: str) -> Any:
    return json.loads((FOLDER / name / "output.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    for name in sys.argv[1:] or names():
        written = json.dumps(output(name, learnt(name)), indent=1, ensure_ascii=False) + "\n"
        (FOLDER / name / "output.json").write_text(written, encoding="utf-8")
        print(name)
