"""Every regular expression of the package, found in its source, and the ways in which each is used."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

PACKAGE = Path(__file__).parents[2] / "trailmark"
USES = ("match", "fullmatch", "search", "sub", "finditer", "findall", "split")
MAKERS = {*USES, "compile", "subn"}
HARMLESS = {
    "escape",
    "error",
    "Match",
    "Pattern",
    "IGNORECASE",
    "I",
    "VERBOSE",
    "DOTALL",
    "ASCII",
    "MULTILINE",
    "purge",
}


@dataclass(frozen=True)
class Collected:
    """A pattern, where it stands, and how it is used."""

    place: str
    pattern: re.Pattern[Any]
    uses: tuple[str, ...] = USES


@dataclass(frozen=True)
class Call:
    """A call such as `re.sub(...)` in the source."""

    module: str
    line: int
    maker: str
    given: ast.expr
    flags: ast.expr | None
    name: str
    """The module-level name that the pattern, or what holds it, is assigned to."""

    @property
    def place(self) -> str:
        return f"{self.module}:{self.line}"


def module_names() -> list[str]:
    names = [".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts) for path in sorted(PACKAGE.rglob("*.py"))]
    return [name.removesuffix(".__init__") for name in names]


def source_of(name: str) -> Path:
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def calls_in(name: str, tree: ast.Module) -> Iterator[Call]:
    """The calls of the `re` module that are given a pattern."""
    for statement in tree.body:
        target = _target(statement)
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and _is_re(node.func) and (maker := node.func.attr) in MAKERS:  # type: ignore[attr-defined]
                given = (
                    node.args[0] if node.args else next(each.value for each in node.keywords if each.arg == "pattern")
                )
                yield Call(name, node.lineno, maker, given, _flags(node, maker), target)


def _target(statement: ast.stmt) -> str:
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return next((each.id for each in targets if isinstance(each, ast.Name)), "")


def _is_re(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "re"


def _flags(node: ast.Call, maker: str) -> ast.expr | None:
    place = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(maker, 2)
    named = next((each.value for each in node.keywords if each.arg == "flags"), None)
    return named or (node.args[place] if len(node.args) > place else None)


def evaluated(call: Call, module: ModuleType) -> re.Pattern[Any] | None:
    """The pattern of a call, where what it is given can be said without running the function it stands in."""
    try:
        text = eval(compile(ast.Expression(call.given), call.place, "eval"), dict(vars(module)))
        flags = eval(compile(ast.Expression(call.flags), call.place, "eval"), dict(vars(module))) if call.flags else 0
    except NameError:
        return None
    return re.compile(text, flags)


def held(value: Any) -> Iterator[re.Pattern[Any]]:
    """The patterns in a module-level value, however deep in dictionaries and tuples."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from held(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from held(each)


def uses_of(module: str, name: str, trees: dict[str, ast.Module]) -> tuple[str, ...]:
    """The methods that are called on the pattern of that name; all where that can't be said."""
    found: set[str] = set()
    for where, tree in trees.items():
        if where != module and (not name or name.startswith("_")):
            continue
        named = {id(node) for node in ast.walk(tree) if _is_named(node, name)}
        called = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and id(node.value) in named]
        found |= {node.attr for node in called} if len(called) == len(named) else set(USES)
    known = tuple(use for use in USES if use in found)
    return known or USES


def _is_named(node: ast.AST, name: str) -> bool:
    """Whether the node reads the name, or the attribute of that name of a module."""
    if not isinstance(node, ast.Name | ast.Attribute) or not isinstance(node.ctx, ast.Load):
        return False
    return (node.id if isinstance(node, ast.Name) else node.attr) == name


def collect(made: dict[str, list[re.Pattern[Any]]]) -> tuple[list[Collected], list[Call]]:
    """(the patterns, the calls that no pattern is known for); `made` gives examples of those made while running."""
    trees = {name: ast.parse(source_of(name).read_text(encoding="utf-8")) for name in module_names()}
    calls = [call for name, tree in trees.items() for call in calls_in(name, tree)]
    patterns: list[Collected] = []
    missed: list[Call] = []
    for call in calls:
        module = importlib.import_module(call.module)
        single = evaluated(call, module)
        kept = [single] if single is not None else list(held(vars(module).get(call.name)))
        kept = kept or made.get(call.module, [])
        ways = uses_of(call.module, call.name, trees) if call.maker == "compile" else (call.maker.removesuffix("n"),)
        patterns += [Collected(call.place, pattern, ways) for pattern in kept]
        missed += [] if kept else [call]
    return patterns, missed


def other_ways_in() -> list[str]:
    """Lines that reach `re` by a way that the collection does not follow."""
    strange: list[str] = []
    for name in module_names():
        for node in ast.walk(ast.parse(source_of(name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "re":
                strange.append(f"{name}:{node.lineno}: import of names from re")
            if isinstance(node, ast.Import) and any(each.name == "re" and each.asname for each in node.names):
                strange.append(f"{name}:{node.lineno}: re under another name")
            if isinstance(node, ast.Attribute) and _is_re(node) and node.attr not in MAKERS | HARMLESS:
                strange.append(f"{name}:{node.lineno}: re.{node.attr}")
    return strange
