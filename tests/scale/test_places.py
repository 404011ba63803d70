"""Where work is done, as the command line says it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trailmark.errors import InputError
from trailmark.extract.crew import Crew
from trailmark.scale.cluster import check_place
from trailmark.scale.places import crew_on, hands_on


def test_this_machine_needs_nothing() -> None:
    with crew_on("local") as crew, hands_on("local") as hands:
        assert crew is Crew
        assert hands is None


@pytest.mark.parametrize(
    "place", ["", "Ray", "ray:", "ray://", "ray://a b", "http://head:10001", "ray://head/x", "local "]
)
def test_what_names_no_place_is_refused(place: str) -> None:
    with pytest.raises(InputError, match="names no place to work"):
        check_place(place)


def test_without_the_extra_one_sentence_names_the_command(
    monkeypatch: pytest.MonkeyPatch, trailmark: Callable[..., Any], workspace: Path
) -> None:
    known = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "ray" else known(name, *rest))
    verbs = (
        ("forage", "http://a.test/", "--on", "ray"),
        ("extract", "--on", "ray://head:10001"),
        ("tag", "--on", "ray"),
        ("cluster", "--on", "ray"),
        ("learn", "--on", "ray"),
        ("evaluate", "forage", "--data", ".", "--on", "ray"),
    )
    for verb in verbs:
        ended = trailmark("-w", workspace, *verb)
        assert ended.code == 2
        assert ended.err.count("\n") == 1
        assert "pip install 'trailmark[scale]'" in ended.err
