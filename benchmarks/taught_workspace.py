"""A workspace that was taught the way to publications on two sites of the generated web, to be walked by on others."""

from __future__ import annotations

import json
from pathlib import Path

from trailmark.demo import DemoWeb
from trailmark.store import ArchiveWriter
from trailmark.verbs.learn import learn
from trailmark.verbs.teach import teach
from trailmark.workspace import Workspace


def taught_workspace(folder: Path, settings: str, *, taught: bool = True) -> Path:
    """A new workspace with these settings; without `taught` it knows no way."""
    with Workspace.create(folder) as workspace:
        if taught:
            _teach(workspace, folder.parent / f"{folder.name}.warc.gz", folder.parent / f"{folder.name}.jsonl")
    (folder / "trailmark.toml").write_text(settings, encoding="utf-8")
    return folder


def _teach(workspace: Workspace, archive: Path, file: Path) -> None:
    web = DemoWeb(sites=2, pages=100, seed=99)
    trails = [trail for site in web for trail in site.trails("publications", 8)]
    with ArchiveWriter(archive) as writer:
        for site in web:
            for response in site.responses():
                writer.write(response)
    lines = [
        json.dumps(
            {
                "site": trail.site,
                "outcome": trail.outcome,
                "steps": [{"url": step.url, "label": step.label} for step in trail.steps],
            }
        )
        for trail in trails
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    teach(workspace, [file], [archive])
    learn(workspace, choose_recipe=False)
