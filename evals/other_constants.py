"""Modules loaded with other constants than their source has: `package.module:NAME`, or `package.module:Class.field`, and a value.

The source is changed on its way in, before anything runs: so the value is also that of default arguments, and of modules that import the name.
It works for modules that are loaded after `load_with`; what was loaded before is forgotten by `forget`.
"""

from __future__ import annotations

import ast
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from trailmark.errors import InputError


def present_value(constant: str) -> Any:
    """The name of a constant -> the value that the source gives it."""
    module, _, name = constant.partition(":")
    found: list[ast.expr] = []

    def look(node: ast.expr) -> ast.expr:
        found.append(node)
        return node

    _visit(ast.parse(_source(module)), name.split("."), look)
    if not found:
        raise InputError(f"There is no constant {constant}: {module} does not assign '{name}' a value.")
    try:
        return ast.literal_eval(found[-1])
    except ValueError as error:
        raise InputError(f"{constant} is not a plain value that could be replaced by another.") from error


def load_with(values: Mapping[str, Any]) -> None:
    """From now on, modules are loaded with these values of constants."""
    by_module: dict[str, dict[str, Any]] = {}
    for constant, value in values.items():
        module, _, name = constant.partition(":")
        by_module.setdefault(module, {})[name] = value
    sys.meta_path.insert(0, _Finder(by_module))


def forget(packages: Collection[str], *, but: Collection[str] = ()) -> None:
    """Modules of these packages are loaded anew when they are next imported; the packages themselves stay."""
    for name in [*sys.modules]:
        if name.partition(".")[0] in packages and "." in name and name not in but:
            parent, _, last = name.rpartition(".")
            del sys.modules[name]
            sys.modules.get(parent, ModuleType("gone")).__dict__.pop(last, None)


class _Finder:
    def __init__(self, values: Mapping[str, Mapping[str, Any]]) -> None:
        self._values = values

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name not in self._values:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        assert spec is not None
        assert spec.origin is not None
        loader = _Loader(name, spec.origin)
        loader.values = self._values[name]
        return importlib.util.spec_from_file_location(name, spec.origin, loader=loader)


class _Loader(importlib.machinery.SourceFileLoader):
    values: Mapping[str, Any] = {}

    def get_code(self, fullname: str) -> Any:
        """Compiled from the changed source; what Python keeps of the unchanged one is not asked."""
        del fullname
        tree = ast.parse(Path(self.path).read_text(encoding="utf-8"))
        for name, value in self.values.items():
            _visit(tree, name.split("."), lambda node, value=value: ast.copy_location(_node(value), node))  # type: ignore[misc]
        return compile(ast.fix_missing_locations(tree), self.path, "exec")


def _node(value: Any) -> ast.expr:
    return ast.parse(repr(value), mode="eval").body


def _source(module: str) -> str:
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None or spec.origin is None:
        raise InputError(f"There is no module {module}.")
    return Path(spec.origin).read_text(encoding="utf-8")


def _visit(tree: ast.Module | ast.ClassDef, name: Sequence[str], change: Callable[[ast.expr], ast.expr]) -> None:
    """Hand the value that a name is assigned to `change`, and put what it gives in its place."""
    for node in tree.body:
        if len(name) > 1:
            if isinstance(node, ast.ClassDef) and node.name == name[0]:
                _visit(node, name[1:], change)
        elif isinstance(node, ast.AnnAssign):
            if isinstance(node.target, ast.Name) and node.target.id == name[0] and node.value is not None:
                node.value = change(node.value)
        elif isinstance(node, ast.Assign):
            _change_assignment(node, name[0], change)


def _change_assignment(node: ast.Assign, name: str, change: Callable[[ast.expr], ast.expr]) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name) and target.id == name:
            node.value = change(node.value)
        elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            for place, part in enumerate(target.elts):
                if isinstance(part, ast.Name) and part.id == name:
                    node.value.elts[place] = change(node.value.elts[place])
