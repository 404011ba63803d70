"""What the shades of links are worth: of the links in each shade, how many lead to a goal. `python -m benchmarks.link_shades --data DIR`

A navigator is learnt on one web and judges pages of another one, which it never saw: no site is in both. Of the other web a sample of pages is read, and the
label of the page behind each link of theirs is looked up. A link to a page without a label counts as one to no goal.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from trailmark.errors import TrailmarkError
from trailmark.serve.learnt_pages import legend, shade_of
from trailmark.store.replay import Replay
from trailmark.verbs.explain import judge_url
from trailmark.verbs.learn import learn
from trailmark.verbs.teach import teach
from trailmark.workspace import Workspace

PAGES = 150
"""Pages of a web whose links are counted."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A goal, the web that it is learnt on, and the one whose links are judged."""

    goal: str
    taught: str
    judged: str


Counts = Counter[tuple[int, bool]]
"""(shade, whether the link leads to a goal) -> links."""


def pairs(data: Path) -> list[Pair]:
    """The webs of a folder -> for each goal that several of them have, each web judged by what the one before it taught."""
    webs = json.loads((data / "webs.json").read_text(encoding="utf-8"))
    goals = sorted({goal for web in webs for goal in web["goals"]})
    having = {goal: [web["name"] for web in webs if goal in web["goals"]] for goal in goals}
    return [
        Pair(goal, taught, judged)
        for goal, names in having.items()
        if len(names) > 1
        for taught, judged in zip(names, [*names[1:], names[0]], strict=True)
    ]


def counted(pair: Pair, data: Path, folder: Path) -> Counts:
    """The links of one web by shade, as the navigator of another one sees them."""
    archive = data / f"{pair.judged}.warc.gz"
    with (data / f"{pair.judged}.labels.csv").open(newline="", encoding="utf-8") as file:
        labels = {row["url"]: row["label"] for row in csv.DictReader(file)}
    with Workspace.create(folder) as workspace:
        taught = data / f"{pair.taught}.warc.gz"
        teach(workspace, data / f"{pair.taught}.trails.{pair.goal}.jsonl", archives=[taught])
        learn(workspace, goal=pair.goal, choose_recipe=False)
        with Replay([archive]) as replay:
            return Counter(
                (shade_of(score), labels.get(_page_at(replay, url)) == pair.goal)
                for page in _sample(labels)
                for url, score in _links(workspace, page, archive)
            )


def _sample(labels: dict[str, str]) -> list[str]:
    urls = sorted(labels)
    return random.Random(1).sample(urls, min(PAGES, len(urls)))


def _links(workspace: Workspace, page: str, archive: Path) -> Iterator[tuple[str, float]]:
    try:
        report = judge_url(workspace, page, [archive])
    except TrailmarkError:
        return
    yield from ((link.url, link.score) for link in report.links)


def _page_at(replay: Replay, url: str) -> str:
    """Where a link ends: behind its redirect, where the archive has one."""
    return str(replay.fetch(url).url)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    total: Counts = Counter()
    for pair in pairs(data):
        with TemporaryDirectory() as above:
            found = counted(pair, data, Path(above) / "w")
        print(f"{pair.goal}, {pair.taught} -> {pair.judged}: {_told(found)}", flush=True)
        total += found
    print(f"all: {_told(total)}")


def _told(counts: Counts) -> str:
    rows = []
    for shade, scores, _ in legend():
        links = counts[shade, True] + counts[shade, False]
        rows.append(f"{scores}: {counts[shade, True]} of {links}")
    return "; ".join(rows)


if __name__ == "__main__":
    main()
