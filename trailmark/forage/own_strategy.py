"""A strategy of one's own: a class that is named as `package.module:Class`, loaded and looked over before anything is fetched.

Loading a module runs it. So a name comes from the command line or from the caller's Python, never from a page or a web form.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from trailmark.errors import InputError
from trailmark.strategy import Strategy

HOW_TO = 'see "Write a strategy of your own" in docs/how-to/forage.md'


def is_own(name: str) -> bool:
    """Whether a name is that of a class rather than one of Trailmark's strategies."""
    return ":" in name


def own_strategy(name: str, navigator: Callable[[], Any]) -> Strategy:
    """`package.module:Class` -> an object of that class; `problem_of` says whether it is a strategy.

    `navigator` gives what was learnt; the class gets it where its constructor has a parameter of that name.
    """
    module_name, _, class_name = name.partition(":")
    maker = _attribute(_module(module_name, name), class_name, name)
    strategy: Strategy = _made(maker, name, navigator)
    return strategy


def problem_of(candidate: Any) -> str:
    """Why something is no strategy, in a few words; empty where it is one."""
    name = getattr(candidate, "name", None)
    if not isinstance(name, str) or not name:
        return "it has no 'name', a text by which its runs are known"
    for flag in ("judges", "learns"):
        if not isinstance(getattr(candidate, flag, None), bool):
            return f"it does not say whether it {flag}: '{flag}' must be True or False"
    if not callable(getattr(candidate, "visit", None)):
        return "it has no method 'visit(page, link)'"
    return ""


def _module(module_name: str, name: str) -> ModuleType:
    """The module, from Python's path or from the folder one stands in, which is looked at last: it hides nothing installed."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    try:
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name and (module_name == error.name or module_name.startswith(f"{error.name}.")):
            raise InputError(
                f"--strategy {name}: there is no module '{module_name}' in this folder or on Python's path; {HOW_TO}."
            ) from error
        raise InputError(
            f"--strategy {name}: {module_name} wants a module '{error.name}', which is missing."
        ) from error
    except Exception as error:
        raise InputError(f"--strategy {name}: {module_name} can't be loaded ({_told(error)}).") from error


def _attribute(module: ModuleType, class_name: str, name: str) -> Callable[..., Any]:
    maker = getattr(module, class_name, None)
    if not callable(maker):
        raise InputError(f"--strategy {name}: {module.__name__} has no class '{class_name}'; {HOW_TO}.")
    factory: Callable[..., Any] = maker
    return factory


def _made(maker: Callable[..., Any], name: str, navigator: Callable[[], Any]) -> Any:
    try:
        wants = "navigator" in inspect.signature(maker).parameters
    except ValueError:  # a class written in C may not tell
        wants = False
    learnt = {"navigator": navigator()} if wants else {}
    try:
        return maker(**learnt)
    except Exception as error:
        raise InputError(f"--strategy {name}: it can't be made ({_told(error)}); {HOW_TO}.") from error


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".splitlines()[0]
