"""What `--json` prints, held key by key: outside tools rely on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.verbs.report_shapes import PINNED, shapes_of_all_verbs


@pytest.mark.slow
def test_reports_have_the_keys_that_others_rely_on(tmp_path: Path) -> None:
    pinned = json.loads(PINNED.read_text(encoding="utf-8"))
    shapes = shapes_of_all_verbs(tmp_path)
    assert shapes.keys() == pinned.keys()
    for verb, shape in pinned.items():
        assert shapes[verb] == shape, (
            f"the report of {verb} changed: run tests/verbs/report_shapes.py and look at the difference"
        )
