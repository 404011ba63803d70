"""A strategy of one's own: the how-to's example walks, by name and as an object, and what is none is told in one sentence."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.forage.forage_strategies import KeywordsFirst
from trailmark.errors import InputError
from trailmark.forage.own_strategy import is_own, own_strategy, problem_of
from trailmark.forage.run import Forager
from trailmark.settings import ForageSettings
from trailmark.verbs.forage import forage
from trailmark.verbs.strategies import STRATEGIES
from trailmark.workspace import Workspace

HOW_TO = Path(__file__).parents[2] / "docs/how-to/forage.md"
ROOT = "http://dept.example/"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to stand in; modules loaded from it are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.fixture
def taught(trailmark: Any, workspace: Path, small_web: Any) -> Path:
    """A workspace that learnt a way."""
    file = small_web.file(*small_web.good())
    assert trailmark("-w", workspace, "teach", file, "--replay", small_web.archive).code == 0
    assert trailmark("-w", workspace, "learn").code == 0
    return workspace


def example() -> str:
    """The class that the how-to shows."""
    found = re.search(r"```python\n(import numpy.*?)```", HOW_TO.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.slow
def test_the_example_of_the_how_to_walks(trailmark: Any, taught: Path, small_archive: Path, folder: Path) -> None:
    (folder / "my_strategies.py").write_text(example(), encoding="utf-8")
    words = ("-w", taught, "forage", ROOT, "--replay", small_archive, "--strategy", "my_strategies:KeywordsFirst")
    ended = trailmark(*words, "--json")
    assert ended.code == 0, ended
    assert ended.report["strategy"] == "keywords"
    assert ended.report["problems"] == []
    assert ended.report["pages"] > 3
    assert trailmark(*words, "--json").report["already_done"]


def test_an_object_is_a_strategy_too(taught: Path, small_archive: Path) -> None:
    with Workspace.open(taught) as workspace:
        report = forage(workspace, [ROOT], archives=[small_archive], strategy=KeywordsFirst())
    assert (report.strategy, report.problems) == ("keywords", ())
    assert report.goals_found == 0  # it does not judge


@pytest.mark.parametrize(
    ("name", "code", "told"),
    [
        ("nowhere:Walk", "", "there is no module 'nowhere'"),
        ("own.deep:Walk", "", "there is no module 'own.deep'"),
        ("own:Walk", "import not_there", "own wants a module 'not_there', which is missing"),
        ("own:Walk", "1 / 0", "own can't be loaded (ZeroDivisionError: division by zero)"),
        ("own:Walk", "def", "own can't be loaded (SyntaxError"),
        ("own:Walk", "", "own has no class 'Walk'"),
        ("own:", "", "own has no class ''"),
        ("own:Walk", "class Walk:\n def __init__(self, a): pass", "it can't be made (TypeError"),
        ("own:Walk", "class Walk: pass", "it has no 'name'"),
        ("own:Walk", "class Walk: name = 'w'", "'judges' must be True or False"),
        ("own:Walk", "class Walk: name, judges, learns = 'w', True, False", "it has no method 'visit(page, link)'"),
        ("own:Walk", "class Walk:\n name, judges, learns = 'path', True, False\n def visit(self, page, link): pass",
         "its name 'path' is that of another strategy"),
    ],
)  # fmt: skip
def test_what_is_no_strategy_is_told_in_a_sentence(
    trailmark: Any, workspace: Path, folder: Path, name: str, code: str, told: str
) -> None:
    (folder / "own.py").write_text(code, encoding="utf-8")
    ended = trailmark("-w", workspace, "forage", ROOT, "--strategy", name)
    assert ended.code == 2
    assert told in " ".join(ended.err.split())
    assert "Traceback" not in ended.err


def test_an_unknown_name_is_told_with_the_known_ones(trailmark: Any, workspace: Path) -> None:
    ended = trailmark("-w", workspace, "forage", ROOT, "--strategy", "deepest")
    assert ended.code == 2
    assert f"there is no strategy 'deepest'; choose from {', '.join(STRATEGIES)}, or" in " ".join(ended.err.split())


def test_the_folder_one_stands_in_hides_nothing_installed(folder: Path) -> None:
    (folder / "json.py").write_text("raise ValueError('loaded')", encoding="utf-8")
    (folder / "wsgiref").mkdir()
    (folder / "wsgiref" / "__init__.py").write_text("raise ValueError('loaded')", encoding="utf-8")
    for name in ("json:Walk", "wsgiref:Walk"):
        with pytest.raises(InputError, match="has no class 'Walk'"):
            own_strategy(name, lambda: None)


def test_names_of_classes_have_a_colon() -> None:
    assert is_own("a.b:C")
    assert not is_own("path")
    assert problem_of(KeywordsFirst()) == ""


def test_where_nobody_judges_no_shape_is_fruitless() -> None:
    class Judging(KeywordsFirst):
        judges = True

    caps = [Forager(each, ForageSettings(shape_cap=7)).settings.shape_cap for each in (KeywordsFirst(), Judging())]
    assert caps == [0, 7]
