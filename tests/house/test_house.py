"""What holds the house together: directions, names, documents."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import pytest

import trailmark
from docs.house_drawing import floors, rooms_imported
from docs.python_examples import EXAMPLES, groups, verbs
from docs.written_pages import first_sentence
from docs.written_pages import pages as written_pages
from trailmark import errors
from trailmark.cli.main import cli
from trailmark.cli.reference import pages as generated_pages
from trailmark.cli.verb_list import VERBS
from trailmark.settings import Settings, rooms_of

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "trailmark"

SHARED = {
    "course_datatypes",
    "datatypes",
    "errors",
    "progress",
    "quoting",
    "report",
    "settings",
    "strategy",
    "thing_datatypes",
    "url_key",
}
STAGES = {
    "teach", "learn", "forage", "cluster", "wrap", "extract", "shape", "propose", "monitor", "tag", "course", "organise", "export", "demo",
}  # fmt: skip
BUILDS_ON = {
    "monitor": {"wrap", "cluster"},
    "propose": {"wrap"},
    "extract": {"wrap", "cluster"},
    "wrap": {"cluster"},
    "course": {"tag"},
}
"""Stages whose own task builds on another's."""

ARROWS: dict[str, set[str]] = {
    **dict.fromkeys(SHARED, SHARED),
    **dict.fromkeys(("read", "sequence", "store"), SHARED),
    **{stage: SHARED | {"read", "sequence"} | BUILDS_ON.get(stage, set()) for stage in STAGES},
    # It hands out what these rooms wrote: navigators, clusters, rules.
    "workspace": SHARED | {"store", "learn", "cluster", "wrap"},
    "verbs": SHARED | {"read", "sequence", "store", "workspace"} | STAGES,
    **{
        outside: SHARED | {"read", "sequence", "store", "workspace", "verbs"} | STAGES
        for outside in ("cli", "serve", "scale")
    },
}
"""Room -> rooms that it may import besides itself: cli, serve, scale -> verbs -> workspace -> store; verbs -> stages -> read, sequence."""
ARROWS["cli"] |= {"serve", "scale"}  # `trailmark serve` starts it; `--on` says where work is placed

ONLY_IN = {
    "scrapy": {"forage"},
    "twisted": {"forage"},
    "click": {"cli"},
    "rich": {"cli"},
    "sqlite3": {"store"},
    "fastwarc": {"store"},
    "fsspec": {"store"},
    "s3fs": {"store"},
    "pyarrow": {"store", "export"},
    "ray": {"scale"},
    "fastapi": {"serve"},
    "uvicorn": {"serve"},
    "jinja2": {"serve"},
    "pydantic": {"serve"},
    "starlette": {"serve"},
}

FORBIDDEN_NAMES = {"utils", "util", "helpers", "helper", "common", "base", "manager", "core", "misc"}


def modules() -> Iterator[Path]:
    yield from sorted(PACKAGE.rglob("*.py"))


def room_of(module: Path) -> str:
    """The folder, or the file beside the folders."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(module: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{module}: relative imports hide the direction"
            yield node.module
            if node.module == "trailmark":
                yield from (f"trailmark.{alias.name}" for alias in node.names)


@pytest.mark.slow
def test_import_directions() -> None:
    for module in modules():
        room = room_of(module)
        if room == "__init__":
            continue
        assert room in ARROWS, f"{room} is not a room of the house"
        for name in imports_of(module):
            package, _, rest = name.partition(".")
            if package == "trailmark" and rest:
                target = rest.partition(".")[0]
                assert target == room or target in ARROWS[room], f"{module} ({room}) may not import {name}"
            if package in ONLY_IN:
                assert room in ONLY_IN[package], f"only {ONLY_IN[package]} may import {package}, not {room}"


@pytest.mark.slow
def test_the_product_needs_nothing_that_only_a_checkout_has() -> None:
    """`trailmark evaluate` looks for `evals/` beside the package, and says so where there is none."""
    beside = {"evals", "tests", "benchmarks", "audit", "docs"}
    for module in modules():
        found = beside & {name.partition(".")[0] for name in imports_of(module)}
        allowed = {"evals"} if module == PACKAGE / "cli/evaluate.py" else set()
        assert found <= allowed, f"{module} imports {found}, which is not in the package"


@pytest.mark.slow
def test_tests_import_one_another_by_their_package() -> None:
    """`from tests.serve.app_visitor import Visitor`: a reader finds the file, and no program has to mend `sys.path`."""
    tests = sorted((ROOT / "tests").rglob("*.py"))
    alone = {module.stem for module in tests} - {"__init__"}
    for module in tests:
        assert (module.parent / "__init__.py").exists(), f"{module.parent} is no package"
        short = alone.intersection(imports_of(module))
        assert not short, f"{module} imports {short} without the package"


def test_module_names() -> None:
    for module in modules():
        for name in (part.removesuffix(".py") for part in module.relative_to(PACKAGE).parts):
            assert name not in FORBIDDEN_NAMES
            assert name not in sys.stdlib_module_names or name.startswith("__"), f"{name} shadows the standard library"


@pytest.mark.slow
def test_pure_rooms_take_no_clock_and_no_files() -> None:
    impure = {"time", "datetime", "random", "os", "pathlib", "socket", "tempfile", "subprocess"}
    for module in modules():
        if room_of(module) in {"read", "sequence"} | {"course_datatypes", "datatypes", "errors", "thing_datatypes"}:
            found = impure & {name.split(".")[0] for name in imports_of(module)}
            assert not found, f"{module} imports {found}"


def test_public_names_are_pinned() -> None:
    pinned = (ROOT / "tests/house/public_names.txt").read_text(encoding="utf-8").split()
    assert sorted(trailmark.__all__) == sorted(pinned), "a public name came or went: say so in CHANGELOG.md and pin it"
    for name in pinned:
        assert hasattr(trailmark, name)


def test_error_tree_is_drawn() -> None:
    for name, value in vars(errors).items():
        if isinstance(value, type) and issubclass(value, Exception):
            assert name in (errors.__doc__ or ""), f"{name} is missing from the drawing"
            assert value.__doc__


@pytest.mark.slow
def test_generated_pages_are_fresh() -> None:
    written = {f"reference/{name}": text for name, text in generated_pages().items()} | written_pages()
    for name, text in written.items():
        assert (ROOT / "docs" / name).read_text(encoding="utf-8") == text, f"docs/{name} is stale: run `make docs`"


@pytest.mark.slow
def test_every_module_says_what_it_does() -> None:
    """docs/reference/modules.md lists modules by their own words; a list kept by hand in a room's docstring would go stale."""
    for module in modules():
        words = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
        assert first_sentence(words), f"{module} does not say what it does"
        named = set(re.findall(r"\b[a-z]\w*\.py\b", words)) if module.name == "__init__.py" else set()
        beside = {each.name for each in [*module.parent.glob("*.py"), *(ROOT / "tests").rglob("*.py")]}
        assert named <= beside, f"{module} names {named - beside}, which are not there"
        assert len(named) <= 5, f"{module} lists modules: docs/reference/modules.md does"


@pytest.mark.slow
def test_the_drawing_has_every_room_and_no_arrow_up() -> None:
    rooms = rooms_imported()
    assert rooms.keys() <= ARROWS.keys()
    height = {room: number for number, floor in enumerate(floors(rooms)) for room in floor}
    assert height.keys() == rooms.keys()
    assert all(height[target] < height[room] for room, targets in rooms.items() for target in targets)
    assert len(ARROWS) <= len(rooms) + 3, "rooms that are to come: scale, course, organise"


def test_a_circle_of_rooms_can_not_be_drawn() -> None:
    with pytest.raises(ValueError, match="circle"):
        floors({"a": frozenset("b"), "b": frozenset("a")})


def test_every_public_name_is_in_the_python_reference() -> None:
    listed = [name for _, _, names in groups() for name in names]
    assert sorted(listed) == sorted(trailmark.__all__)
    missing = set(verbs()) - EXAMPLES.keys()
    assert not missing, f"docs/python_examples.py has no example of {missing}"


def test_every_verb_is_documented_with_an_example() -> None:
    context = click.Context(cli)
    listed = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8")
    for name in VERBS:
        command = cli.get_command(context, name)
        assert command is not None
        assert f"## trailmark {name}" in listed
        assert re.search(rf"trailmark .*{name}", command.help or ""), f"{name} has no example in its help"
        assert any("--json" in getattr(p, "opts", []) for p in command.params), f"{name} has no --json"


def test_every_setting_is_explained() -> None:
    for table, room in rooms_of(Settings()):
        for item in fields(room):
            assert len(item.metadata["help"]) > 20, f"[{table}] {item.name} wants a sentence"


def test_every_stage_room_has_its_how_to() -> None:
    for folder in PACKAGE.iterdir():
        if folder.name in STAGES - {"demo"} and folder.is_dir():
            assert (ROOT / "docs/how-to" / f"{folder.name}.md").exists(), f"docs/how-to/{folder.name}.md is missing"


def test_documents_link_to_what_exists() -> None:
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            if "://" not in target and not target.startswith("mailto:"):
                assert (page.parent / target).exists(), f"{page.name} links to {target}, which does not exist"


def test_documents_name_modules_that_exist() -> None:
    for page in [*(ROOT / "docs/why").glob("*.md"), ROOT / "CONTRIBUTING.md"]:
        for name in re.findall(r"`([\w/]+\.py)`", page.read_text(encoding="utf-8")):
            assert any((folder / name).exists() for folder in (ROOT, PACKAGE)), f"{page.name} names {name}"


def test_every_dependency_has_its_reason() -> None:
    for line in (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        if re.match(r'\s+"[A-Za-z0-9_-]+>=', line):
            assert "#" in line, f"no reason beside {line.strip()}"


def test_constraints_pin_without_addresses() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert pins
    for line in pins:
        assert re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.+!-]+", line), line
