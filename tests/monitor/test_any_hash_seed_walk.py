"""The same trails and the same web give the same navigator and the same walk in any process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.monitor.test_any_hash_seed import python
from trailmark.demo import DemoWeb
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.json_lines import trail_to_json

WORK = """
import json
from pathlib import Path
import trailmark

archive = Path("../web.warc.gz")
with trailmark.create("w") as workspace:
    trailmark.teach(workspace, [Path("../trails.jsonl")], [archive])
    learnt = trailmark.learn(workspace, choose_recipe=False)
    seeds = json.loads(Path("../seeds.json").read_text())
    trailmark.forage(workspace, seeds, archives=[archive], budget=60, log=Path("walk.jsonl"))
"""


@pytest.mark.slow
def test_learning_and_foraging_do_not_hang_on_the_seed_of_hashes(tmp_path: Path) -> None:
    web = DemoWeb(sites=4, seed=3)
    with ArchiveWriter(tmp_path / "web.warc.gz") as writer:
        for site in web:
            for response in site.responses():
                writer.write(response)
    taught = [trail for number in range(2) for trail in web.site(number).trails("course", 8)]
    (tmp_path / "trails.jsonl").write_text("".join(json.dumps(trail_to_json(trail)) + "\n" for trail in taught))
    (tmp_path / "seeds.json").write_text(json.dumps([web.root(2), web.root(3)]))
    folders = [tmp_path / f"seed{seed}" for seed in range(2)]
    for seed, folder in enumerate(folders):
        folder.mkdir()
        python(WORK, folder, seed)
    models = sorted(path.relative_to(folders[0]) for path in folders[0].glob("w/models/**/*") if path.is_file())
    assert models
    for name in [*models, Path("walk.jsonl")]:
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes(), name
    walk = [json.loads(line) for line in (folders[0] / "walk.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(walk) == 60
