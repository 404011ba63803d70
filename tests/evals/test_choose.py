"""Constants chosen by leaving kinds of webs out: other values in the source, and what the tables say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from evals.choice_table import Constant, Runs, choice_of, choice_page
from evals.choose import GRID, Run, read_grid, read_runs
from evals.other_constants import present_value
from trailmark.errors import InputError
from trailmark.learn.recipe import Recipe

SOURCE = """
LOW, HIGH = 0.8, 6.0
WIDTH: float = 2.0


class Recipe:
    depth: int = 3


def default(width: float = WIDTH) -> float:
    return width
"""
USES = """
import sys
from evals.other_constants import forget, load_with
import made_up.model
assert made_up.model.default() == 2.0
forget(("made_up",))
load_with({"made_up.model:HIGH": 9.0, "made_up.model:WIDTH": 5.0, "made_up.model:Recipe.depth": 4})
from made_up.user import HIGH, default
from made_up.model import LOW, Recipe
assert (LOW, HIGH, default(), Recipe.depth) == (0.8, 9.0, 5.0, 4), (LOW, HIGH, default(), Recipe.depth)
"""


def test_a_constant_is_changed_wherever_it_is_used(tmp_path: Path) -> None:
    package = tmp_path / "made_up"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "model.py").write_text(SOURCE)
    (package / "user.py").write_text("from made_up.model import HIGH, default\n")
    here = str(Path(__file__).parents[2])
    script = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {here!r}]\n{USES}"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_constants_are_read_from_the_source() -> None:
    assert present_value("trailmark.learn.recipe:Recipe.gamma") == Recipe().gamma
    with pytest.raises(InputError, match="does not assign"):
        present_value("trailmark.strategy:NOTHING")
    with pytest.raises(InputError, match="no module"):
        present_value("trailmark.nowhere:NOTHING")
    with pytest.raises(InputError, match="plain value"):
        present_value("trailmark.strategy:UNJUDGED")


def test_the_grid_names_constants_that_exist() -> None:
    constants = read_grid(GRID)
    assert constants
    for constant in constants:
        assert constant.present in constant.values
        assert len(constant.values) > 1
        assert constant.off is None or constant.off in constant.values
    assert [each.name for each in read_grid(GRID, [constants[0].name])] == [constants[0].name]


def test_a_grid_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    file = tmp_path / "grid.toml"
    with pytest.raises(InputError, match="can't be read"):
        read_grid(file)
    file.write_text('["trailmark.learn.path:SHARPEN"]\nvalues = 3\n')
    with pytest.raises(InputError, match="no list of values"):
        read_grid(file)


def test_runs_of_other_code_and_broken_lines_are_not_taken_up(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    line = {"constant": "c", "value": 1.0, "kind": "lab", "area": 0.5, "f1": 0.5}
    file.write_text(
        "\n".join([json.dumps({"stamp": "new"} | line), json.dumps({"stamp": "old"} | line), '{"stamp": "new'])
    )
    assert read_runs(file, "new") == {Run("c", 1.0, "lab"): {"area": 0.5, "f1": 0.5}}
    assert read_runs(tmp_path / "none.jsonl", "new") == {}


CONSTANT = Constant("trailmark.x:C", "a constant", 2.0, (0.0, 1.0, 2.0), 0.0)
KINDS = ("a", "b", "c")
RUNS: Runs = {
    **{("", None, kind): {"area": 0.8, "f1": 0.6} for kind in KINDS},
    **{("trailmark.x:C", 0.0, kind): {"area": 0.5, "f1": 0.5} for kind in KINDS},
    ("trailmark.x:C", 1.0, "a"): {"area": 1.0, "f1": 1.0},
    ("trailmark.x:C", 1.0, "b"): {"area": 0.6, "f1": 0.6},
    ("trailmark.x:C", 1.0, "c"): {"area": 0.6, "f1": 0.6},
}


def test_each_kind_gets_the_value_that_the_others_choose() -> None:
    choice = choice_of(CONSTANT, KINDS, RUNS)
    assert choice.best == 1.0  # 0.733 on the mean against 0.7, all of it from one kind
    assert choice.by_others == {"a": 2.0, "b": 1.0, "c": 1.0}
    assert choice.unseen == pytest.approx((0.0 - 0.1 - 0.1) / 3)
    assert choice.over_worst == pytest.approx(2.2 / 3 - 0.5)
    assert choice.over_off == pytest.approx(0.2)


def test_the_page_has_a_line_for_every_value() -> None:
    page = choice_page([CONSTANT], KINDS, RUNS)
    assert "| `x:C` | a constant | 2.0 | 1.0 | 1.0, 2.0 | -0.067 | +0.233 | +0.200 |" in page
    assert "| 2.0 (is) | 0.800 0.600 | 0.800 0.600 | 0.800 0.600 | 0.7000 |" in page
    assert "| 0.0 (off) |" in page
    assert "| 1.0 (best) |" in page
