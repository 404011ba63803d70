"""Pages of the documents that are written from the code: `python -m docs.written_pages` (a step of `make docs`).

The command line and the settings are written by `trailmark.cli.reference`; here are the names of `import trailmark`, the list of
modules, and the drawing in docs/why/house.md.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from docs.house_drawing import PACKAGE, drawing, rooms_imported
from docs.python_examples import EXAMPLES, groups, public
from trailmark.report import Report

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- drawn by `make docs` -->", "<!-- end of the drawing -->"
LINE = 100


def pages() -> dict[str, str]:
    """Path below docs/ -> the whole text of each page that is written from the code."""
    return {
        "reference/python.md": python_page(),
        "reference/modules.md": modules_page(),
        "why/house.md": with_drawing((ROOT / "docs/why/house.md").read_text(encoding="utf-8")),
    }


def with_drawing(text: str) -> str:
    """A page that has the two marks -> the same with the drawing of today between them."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    assert after, "docs/why/house.md lacks the marks between which the rooms are drawn"
    return f"{before}{BEGIN}\n```\n{drawing(rooms_imported())}\n```\n{END}{after}"


def modules_page() -> str:
    """docs/reference/modules.md: every module with the first sentence of its docstring, room by room."""
    parts = ["# Modules", "", "Every module with what it says of itself first. Written by `make docs`.", ""]
    rooms: dict[str, list[Path]] = {}
    for module in sorted(PACKAGE.rglob("*.py")):
        rooms.setdefault(str(module.parent.relative_to(PACKAGE.parent)), []).append(module)
    for room, modules in rooms.items():
        parts += [f"## {room}/", "", _first_sentence(modules[0].parent / "__init__.py"), ""]
        listed = [module for module in modules if module.name != "__init__.py"]
        if listed:
            rows = [f"| `{module.name}` | {_first_sentence(module)} |" for module in listed]
            parts += ["| module | what |", "|---|---|", *rows, ""]
    return "\n".join(parts).rstrip() + "\n"


def _first_sentence(module: Path) -> str:
    text = ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) or ""
    return first_sentence(text).replace("|", "\\|").replace("<", "&lt;")


def first_sentence(text: str) -> str:
    """A docstring -> its first paragraph's first sentence, on one line."""
    paragraph = " ".join(text.strip().partition("\n\n")[0].split())
    return re.split(r"(?<=[.!?])\s+(?=[A-Z`])", paragraph)[0]


def python_page() -> str:
    """docs/reference/python.md: the public names of the package, verbs first."""
    parts = ["# Python", "", "What `import trailmark` has. Written from the docstrings by `make docs`.", ""]
    for title, words, names in groups():
        parts += [f"## {title}", "", words, ""]
        for name in names:
            parts += [*_name(name), ""]
    return "\n".join(parts).rstrip() + "\n"


def _name(name: str) -> Iterator[str]:
    value = public(name)
    yield from (f"### {name}", "")
    if inspect.isclass(value) and issubclass(value, Exception):
        yield from _prose(value)
    elif inspect.isclass(value):
        yield from _class(name, value)
    elif callable(value):
        yield from _code(_signature(name, value))
        yield from _prose(value)
        yield from _reported(value)
    else:
        yield f"The one `{type(value).__name__}` of its kind: {first_sentence(type(value).__doc__ or '')}"
    if name in EXAMPLES:
        yield from ("", "```python", EXAMPLES[name].strip(), "```")


def _code(text: str) -> Iterator[str]:
    yield from ("```", text, "```", "")


def _prose(value: Any) -> Iterator[str]:
    """A docstring as Markdown: paragraphs as they are, examples that stand indented as blocks."""
    text = inspect.getdoc(value) or ""
    yield text.replace("<", "&lt;")


def _signature(name: str, value: Any) -> str:
    signature = inspect.signature(value)
    words = [_parameter(each) for each in signature.parameters.values() if each.name not in ("self", "cls")]
    if any(each.kind is each.KEYWORD_ONLY for each in signature.parameters.values()):
        first = next(n for n, word in enumerate(words) if word.startswith("\0"))
        words.insert(first, "*")
    words = [word.removeprefix("\0") for word in words]
    returns = signature.return_annotation
    arrow = "" if returns is signature.empty else f" -> {_type_words(returns)}"
    line = f"{name}({', '.join(words)}){arrow}"
    return line if len(line) <= LINE else f"{name}(\n    " + ",\n    ".join(words) + f",\n){arrow}"


def _parameter(parameter: inspect.Parameter) -> str:
    several, named = parameter.kind is parameter.VAR_POSITIONAL, parameter.kind is parameter.VAR_KEYWORD
    words = ("*" if several else "**" if named else "") + parameter.name
    if parameter.annotation is not parameter.empty:
        words += f": {_type_words(parameter.annotation)}"
    if parameter.default is not parameter.empty:
        words += f" = {_default_words(parameter.default)}"
    return ("\0" if parameter.kind is parameter.KEYWORD_ONLY else "") + words


def _type_words(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))


def _default_words(value: Any) -> str:
    if is_dataclass(value) and not isinstance(value, type):
        return f"{type(value).__name__}()"  # defaults are what its constructor gives; the settings have a page of their own
    return value.__name__ if inspect.isfunction(value) else repr(value)


def _class(name: str, value: type) -> Iterator[str]:
    if is_dataclass(value):
        yield from _code(f"{name}({', '.join(item.name for item in fields(value) if item.init)})")
    yield from _prose(value)
    rows = list(_rows(value))
    if rows:
        yield from ("", "| it has | type | what |", "|---|---|---|", *rows)
    calls = [f"- `{name}`: {first_sentence(words)}" for name, words in _properties(value)]
    calls += [
        f"- `{_signature(each.__name__, each)}`: {first_sentence(each.__doc__ or '')}" for each in _methods(value)
    ]
    if calls:
        yield from ("", *(call.replace("\n    ", "").replace(",\n)", ")") for call in calls))


def _rows(value: type) -> Iterator[str]:
    """A row for every public attribute that a class declares, with what stands below it in the class."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(value))).body
    assert isinstance(tree, ast.ClassDef)
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and not node.target.id.startswith("_"):
            kind, default = ast.unparse(node.annotation), f" = {ast.unparse(node.value)}" if node.value else ""
            text = after.value.value if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant) else ""
            default = "" if "(" in default else default  # factories say nothing
            yield f"| `{node.target.id}` | `{_cell(kind + default)}` | {_cell(' '.join(str(text).split()))} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


def _properties(value: type) -> Iterator[tuple[str, str]]:
    """Documented public properties of the class itself, each with what it says."""
    for name, member in vars(value).items():
        if isinstance(member, property) and member.__doc__ and not name.startswith("_"):
            yield name, member.__doc__


def _methods(value: type) -> Iterator[Any]:
    """Documented public methods of the class itself, in the order in which they stand in it."""
    for name, member in vars(value).items():
        call = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if not name.startswith("_") and inspect.isfunction(call) and call.__doc__:
            yield call


def _reported(value: Any) -> Iterator[str]:
    """What the report of a verb has, where it is a dataclass."""
    name = inspect.signature(value).return_annotation
    report = vars(sys.modules[value.__module__]).get(name) if isinstance(name, str) else None
    if inspect.isclass(report) and is_dataclass(report) and issubclass(report, Report):
        table = ("| it has | type | what |", "|---|---|---|", *_rows(report))
        yield from ("", f"`{name}`: {first_sentence(report.__doc__ or '')}", "", *table)


def main() -> None:
    for path, text in pages().items():
        (ROOT / "docs" / path).write_text(text, encoding="utf-8")
        print(f"wrote docs/{path}")  # noqa: T201 - a program


if __name__ == "__main__":
    main()
